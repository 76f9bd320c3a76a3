import StudyModel
import TextFormat

extension RatingScale: Wired {
    static let form: WireForm<RatingScale> = .record(
        { RatingScale(dimensions: $0, rate: $1) }, WireField("dimensions", \.dimensions, .list()),
        WireField("rate", \.rate, .number(1e-6...100))
    ).checking { scale, wire in
        guard (1...2).contains(scale.dimensions.count) else { throw wire.wrong("one dimension or two") }
    }
}

extension RatingScale.Dimension: Wired {
    static let form: WireForm<RatingScale.Dimension> = .record(
        RatingScale.Dimension.init, WireField("name", \.name, .identifier),
        WireField("from", \.from, .number(BundleLimits.number)),
        WireField("to", \.to, .number(BundleLimits.number)), WireField("fromLabel", \.fromLabel),
        WireField("toLabel", \.toLabel), WireField("start", \.start, .number(BundleLimits.number)),
        WireField("step", \.step, .magnitude))
}

extension FileResult.Rating: Wired {
    /// The same form in results and in the journal.
    static let form: WireForm<FileResult.Rating> = .record(
        FileResult.Rating.init, WireField("scale", \.scale), WireField("changes", \.changes, .count),
        WireField(optional: "lost", \.lost, .replaced))

    /// The scale with its labels as the participant read them.
    func said(in language: Language?) -> Self {
        var said = self
        said.scale.dimensions = scale.dimensions.map { dimension in
            var read = dimension
            read.fromLabel = .plain(dimension.fromLabel.text(in: language))
            read.toLabel = .plain(dimension.toLabel.text(in: language))
            return read
        }
        return said
    }
}
