import Analysing
import Datasets
import Statistics

/// Heart responses: a row for all clips, each mood and each clip, with mean and 95 % interval.
struct ResponseChart {
    private let groups: [StudyResponse.Group]

    private static let plot = (left: 270.0, right: 660.0)
    private static let row = 26.0
    private static let top = 34.0

    /// The slope over tempo has another unit, and is given in the text.
    init(of study: StudyResponse) { groups = study.groups.filter { $0.kind != .slope } }

    var html: String {
        guard !groups.isEmpty else { return "<p class=\"none\">No clip could be analysed.</p>\n" }
        let bottom = Self.top + Double(groups.count) * Self.row
        var drawing = Drawing(
            height: bottom + 56, description: "Mean change of the heart rate per clip with 95 % intervals")
        let ends = groups.flatMap { group in
            [
                group.difference.mean, group.difference.interval?.lowerBound,
                group.difference.interval?.upperBound,
            ]
            .compactMap { $0 }
        }
        let range = min(0, ends.min() ?? 0)...max(0, ends.max() ?? 0)
        let step = Axis.step((range.upperBound - range.lowerBound) / 5)
        let axis = Axis(Axis.rounded(range, to: step), pixels: (Self.plot.left, Self.plot.right))
        for (index, group) in groups.enumerated() where index % 2 == 0 {
            drawing.rectangle(
                0, Self.top + Double(index) * Self.row, 960, Self.row, "shade", tip: group.name)
        }
        drawGrid(axis, bottom, &drawing)
        for (index, group) in groups.enumerated() {
            draw(group, at: Self.top + (Double(index) + 0.5) * Self.row, axis, &drawing)
        }
        return "<figure>\(drawing.svg)</figure>\n"
    }

    /// Effect sizes, RMSSD and the size of a future study, for every group.
    static func table(of study: StudyResponse) -> String {
        let rows = study.groups.map { group -> [String] in
            let variability = group.variability?.difference
            let short = group.variability.map { "\($0.ultraShort) of \($0.clips)" }
            return [
                HTML.cell(Self.name(of: group)), "\(group.clips)",
                Self.words(group.difference), group.difference.effectSize.map(Axis.signed) ?? "–",
                variability.map(Self.words) ?? "–", short ?? "–",
                group.power?.participantsFor80.map { "\($0)" } ?? "–",
            ]
        }
        return HTML.table(
            [
                ("group", false), ("clips", true), ("change, 1/min (95 % interval)", true), ("dz", true),
                ("RMSSD change, ms (95 % interval)", true), ("below 60 s", true), ("n for 80 % power", true),
            ], rows)
    }

    private static func name(of group: StudyResponse.Group) -> String {
        switch group.kind {
        case .all, .tempo, .clip: group.name
        case .slope: "slope \(group.name)"
        case .mood: "mood \(group.name)"
        }
    }

    private static func words(_ difference: PairedDifference) -> String {
        Axis.signed(difference.mean)
            + (difference.interval.map { " (\(Axis.signed($0.lowerBound)) to \(Axis.signed($0.upperBound)))" }
                ?? "")
    }

    private func drawGrid(_ axis: Axis, _ bottom: Double, _ drawing: inout Drawing) {
        for tick in axis.ticks(5) {
            let x = axis.place(tick)
            drawing.line((x, Self.top), (x, bottom), "grid")
            drawing.line((x, bottom), (x, bottom + 6), "axis")
            drawing.text(Axis.label(tick), x, bottom + 21, "middle soft")
        }
        drawing.line((Self.plot.left, bottom), (Self.plot.right, bottom), "axis")
        drawing.line((axis.place(0), Self.top), (axis.place(0), bottom), "middle-line")
        drawing.text(
            "change of the heart rate, 1/min", (Self.plot.left + Self.plot.right) / 2, bottom + 44,
            "middle soft")
        drawing.text("n", 695, 22, "end soft")
        drawing.text("mean (95 % interval), 1/min", 895, 22, "end soft")
        drawing.text("p", 952, 22, "end soft")
    }

    private func draw(
        _ group: StudyResponse.Group, at y: Double, _ axis: Axis, _ drawing: inout Drawing
    ) {
        let difference = group.difference
        drawing.text(
            Drawing.fittedAround(Self.name(of: group), to: 250), 12, y + 4, group.kind == .clip ? "" : "bold")
        let x = axis.place(difference.mean)
        if let interval = difference.interval {
            let (from, to) = (axis.place(interval.lowerBound), axis.place(interval.upperBound))
            drawing.line((from, y), (to, y), "data")
            drawing.line((from, y - 5), (from, y + 5), "data")
            drawing.line((to, y - 5), (to, y + 5), "data")
        }
        // Groups of several clips are squares; single clips are circles.
        if group.kind == .clip {
            drawing.circle(x, y, 5, "dot")
        } else {
            drawing.rectangle(x - 5, y - 5, 10, 10, "dot")
        }
        drawing.text("\(difference.count)", 695, y + 4, "end")
        drawing.text(Self.words(difference), 895, y + 4, "end")
        drawing.text(pText(difference.p), 952, y + 4, "end")
    }
}
