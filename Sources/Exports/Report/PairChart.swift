import Analysing
import Datasets
import TextFormat

/// What every participant gave under two conditions, joined by a line, with the mean; in two arms, a dot for each.
struct PairChart {
    let pair: ComparedPair
    let names: [String]
    /// What the axis shows, with its unit.
    let quantity: String

    private static let places = (first: 150.0, second: 330.0)
    private static let height = 210.0

    var html: String {
        let heading = FlowDiagram.wrapped(quantity, to: 432)
        let top = 24 + Double(heading.count) * 16
        let bottom = top + Self.height
        var drawing = Drawing(width: 440, height: bottom + 36, description: "\(quantity): \(words)")
        for (place, line) in heading.enumerated() {
            drawing.text(line, 4, 16 + Double(place) * 16, "soft")
        }
        let values = pair.people.joined().compactMap(\.self)
        let range = (values.min() ?? 0)...(values.max() ?? 1)
        let step = Axis.step((range.upperBound - range.lowerBound) / 4)
        let axis = Axis(Axis.rounded(range, to: step), pixels: (bottom, top))
        for tick in axis.ticks(4) {
            drawing.line((52, axis.place(tick)), (436, axis.place(tick)), "grid")
            drawing.text(Axis.label(tick), 46, axis.place(tick) + 4, "end soft")
        }
        let columns = [Self.places.first, Self.places.second]
        for person in pair.people {
            let points = zip(columns, person).compactMap { x, value in value.map { (x, axis.place($0)) } }
            drawing.path(points, "person")
            for (x, y) in points { drawing.circle(x, y, 3, "dot") }
        }
        let means = zip(columns, self.means).map { ($0 + ($0 < 200 ? -18 : 18), axis.place($1)) }
        drawing.path(means, "middle-line")
        for (mean, x) in zip(means, columns) {
            drawing.rectangle(mean.0 - 5, mean.1 - 5, 10, 10, "mean")
            drawing.text(
                Drawing.fittedAround(names[x == columns[0] ? 0 : 1], to: 178), x, bottom + 24, "middle")
        }
        return drawing.figure(words + " The squares are the means, not adjusted.")
    }

    private var means: [Double] {
        [0, 1].map { place in
            let own = pair.people.compactMap { $0[place] }
            return own.reduce(0, +) / Double(max(1, own.count))
        }
    }

    /// The picture in words.
    private var words: String {
        let both = pair.people.compactMap { person in
            person[0].flatMap { first in person[1].map { first - $0 } }
        }
        let said = zip(names, means).enumerated().map { place, mean in
            "\(mean.0): mean \(Axis.decimals(mean.1, 2)) of \(pair.people.count { $0[place] != nil })"
        }
        let sides =
            both.isEmpty
            ? ""
            : " Each line is a participant: higher with \(names[0]) in \(both.count { $0 > 0 }), lower in "
                + "\(both.count { $0 < 0 })"
                + (both.contains(0) ? ", equal in \(both.count { $0 == 0 })." : ".")
        return said.joined(separator: "; ") + "." + (both.isEmpty ? " Each dot is a participant." : sides)
    }
}
