import StudyModel
import TextFormat

extension RatingScale {
    var wire: JSON {
        ["dimensions": .list(dimensions.map(\.wire)), "rate": .real(rate)]
    }

    init(wire: JSON) throws {
        let dimensions = try wire.field("dimensions")
        let (read, rate) = (
            try dimensions.asList(Dimension.init(wire:)), try wire.field("rate").asNumber(in: 1e-6...100)
        )
        self.init(
            dimensions: try dimensions.expect(
                (1...2).contains(read.count) ? read : nil, "one dimension or two"), rate: rate)
    }
}

extension RatingScale.Dimension {
    fileprivate var wire: JSON {
        [
            "from": .real(from), "fromLabel": fromLabel.wire, "name": .text(name), "start": .real(start),
            "step": .real(step), "to": .real(to), "toLabel": toLabel.wire,
        ]
    }

    fileprivate init(wire: JSON) throws {
        let number = { (key: String) in try wire.field(key).asNumber(in: BundleLimits.number) }
        self.init(
            name: try wire.field("name").asIdentifier(), from: try number("from"), to: try number("to"),
            fromLabel: try LocalizedText(wire: wire.field("fromLabel")),
            toLabel: try LocalizedText(wire: wire.field("toLabel")), start: try number("start"),
            step: try number("step"))
    }
}

extension FileResult.Rating {
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

    /// The same form in results and in the journal.
    var wire: JSON {
        .members([
            "changes": .integer(changes), "lost": lost.map { .text($0) }, "scale": scale.wire,
        ])
    }

    init(wire: JSON) throws {
        self.init(
            try RatingScale(wire: wire.field("scale")), changes: try wire.field("changes").asCount(),
            lost: try wire.optional("lost") { try $0.asText() })
    }
}
