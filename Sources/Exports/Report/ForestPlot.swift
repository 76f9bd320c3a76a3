import Analysing
import Datasets
import Statistics

/// Estimates with their 95 % intervals, one below the other, in a picture that a telephone has room for.
struct ForestPlot {
    struct Row {
        var name: String
        var estimate: Double
        var interval: ClosedRange<Double>?
        /// Whether it sums up several others.
        var isSum = false

        /// `+1.16 (−0.14 to +2.45)`.
        var numbers: String { Axis.signed(estimate, interval) }
    }

    let rows: [Row]
    /// What the axis shows, with its unit.
    let quantity: String

    private static let width = 440.0
    private static let row = 40.0
    private static let top = 6.0

    func html(_ caption: String = "") -> String {
        guard !rows.isEmpty else { return "" }
        let bottom = Self.top + Double(rows.count) * Self.row
        let said = rows.map { "\($0.name) \($0.numbers)" }.joined(separator: "; ")
        var drawing = Drawing(
            width: Self.width, height: bottom + 54,
            description: "\(quantity), with 95 % intervals: \(said)")
        let ends = rows.flatMap { row in
            [row.estimate] + (row.interval.map { [$0.lowerBound, $0.upperBound] } ?? [])
        }
        let range = min(0, ends.min() ?? 0)...max(0, ends.max() ?? 0)
        let step = Axis.step((range.upperBound - range.lowerBound) / 5)
        let axis = Axis(Axis.rounded(range, to: step), pixels: (16, Self.width - 16))
        for index in rows.indices where index % 2 == 0 {
            drawing.rectangle(
                0, Self.top + Double(index) * Self.row, Self.width, Self.row, "shade")
        }
        for (index, row) in rows.enumerated() {
            draw(row, at: Self.top + Double(index) * Self.row, axis, &drawing)
        }
        for tick in axis.ticks(5) {
            drawing.line((axis.place(tick), bottom), (axis.place(tick), bottom + 5), "axis")
            drawing.text(Axis.label(tick), axis.place(tick), bottom + 19, "middle soft")
        }
        drawing.line((axis.pixels.from, bottom), (axis.pixels.to, bottom), "axis")
        drawing.text(
            Drawing.fittedAround(quantity, to: Self.width - 8), Self.width / 2, bottom + 42, "middle soft")
        return drawing.figure(caption)
    }

    /// Sums are squares; single estimates are circles.
    private func draw(_ row: Row, at top: Double, _ axis: Axis, _ drawing: inout Drawing) {
        let (x, y) = (axis.place(row.estimate), top + 28)
        drawing.line((axis.place(0), top + 19), (axis.place(0), top + 38), "zero")
        let room = Self.width - Drawing.width(of: row.numbers) - 20
        drawing.text(Drawing.fittedAround(row.name, to: room), 6, top + 15, row.isSum ? "bold" : "")
        drawing.text(row.numbers, Self.width - 6, top + 15, "end")
        if let interval = row.interval {
            let (from, to) = (axis.place(interval.lowerBound), axis.place(interval.upperBound))
            drawing.path([(from, y), (to, y)], "data")
            for end in [from, to] { drawing.line((end, y - 5), (end, y + 5), "data") }
        }
        if row.isSum {
            drawing.rectangle(x - 5, y - 5, 10, 10, "dot")
        } else {
            drawing.circle(x, y, 5, "dot")
        }
    }
}

extension ForestPlot {
    private static let mostRows = 12

    /// The contrasts of a measure, or the clearest of them.
    ///
    /// - Parameter name: what a condition is called.
    init(_ contrasts: [ConditionContrasts.Contrast], _ quantity: Quantity, _ name: (String) -> String) {
        let limit = contrasts.map(\.p).sorted().prefix(Self.mostRows).last ?? 1
        rows = contrasts.filter { $0.p <= limit }.prefix(Self.mostRows).map {
            Row(
                name: "\(name($0.first)) − \(name($0.second))", estimate: $0.estimate, interval: $0.interval)
        }
        self.quantity = "difference" + (quantity.symbol.isEmpty ? "" : ", \(quantity.symbol)")
    }
}
