import StudyModel
import TextFormat

/// A scale on a screen: its points in a row, or a line with a mark on it, and what its values mean.
struct ScaleDrawing {
    private let scale: AnswerFormat.Scale
    private let labels: [AnswerControl.Label]
    private let value: Double?
    private let width: Int
    /// Whether it takes the keys.
    private let isFocused: Bool

    /// - Parameter value: the chosen value; `nil` if none is chosen.
    init(
        _ scale: AnswerFormat.Scale, _ labels: [AnswerControl.Label], value: Double?, width: Int,
        isFocused: Bool
    ) {
        self.scale = scale
        self.labels = labels
        self.value = value
        self.width = width
        self.isFocused = isFocused
    }

    /// The whole numbers in a row, or a line if there are too many.
    var points: Body {
        let range = scale.wholeNumbers
        guard scale.areNumbersShown else { return blankPoints(range) }
        let widest = max(String(range.lowerBound).count, String(range.upperBound).count)
        guard range.count < width, range.count * (widest + 2) <= width else {
            let text = value.map { $0.shown } ?? "–"
            var body = Body(lines: [
                StyledLine(Span("◀ "), Span(text, isFocused ? .chosen : .heading), Span(" ▶"))
            ])
            body.add(slider)
            return body
        }
        let line = range.reduce(StyledLine.empty) { line, number in
            let isChosen = value == Double(number)
            return line
                + StyledLine(Span(isChosen ? "[\(number)]" : " \(number) ", isChosen ? .chosen : .plain))
        }
        let cells = range.reduce(into: [Range<Int>]()) { cells, number in
            let start = cells.last?.upperBound ?? 0
            cells.append(start..<start + String(number).count + 2)
        }
        return drawn(line, cells)
    }

    /// A line of points with what can be clicked, and labels below it.
    ///
    /// - Parameter cells: the columns of each point.
    private func drawn(_ line: StyledLine, _ cells: [Range<Int>]) -> Body {
        let middle = { (value: Double) in
            let cell = cells[min(cells.count - 1, max(0, Int(value - scale.from)))]
            return (cell.lowerBound + cell.upperBound) / 2
        }
        var body = Body(lines: [line] + placedLabels(below: line, middle))
        body.targets = cells.enumerated().map { Target(columns: $1, .value(scale.from + Double($0))) }
        if isFocused { body.cursor = Frame.Position(row: 0, column: middle(value ?? scale.from)) }
        return body
    }

    /// Points without numbers, with their labels below them.
    private func blankPoints(_ range: ClosedRange<Int>) -> Body {
        let last = range.count - 1
        guard last > 0, last * 4 + 3 <= width else { return slider }
        let gap = min(18, max(4, (width - 3) / last))
        var line = StyledLine.empty
        for (index, number) in range.enumerated() {
            let isChosen = value == Double(number)
            line = line + StyledLine(Span(isChosen ? "(•)" : "( )", isChosen && isFocused ? .chosen : .plain))
            if index < last { line = line + StyledLine(Span(String(repeating: " ", count: gap - 3))) }
        }
        return drawn(line, (0...last).map { $0 * gap..<$0 * gap + 3 })
    }

    /// A mark at four places within a cell.
    private static let quarters: [Character] = ["▎", "▌", "▊", "█"]

    /// A line with a mark on it, and labels below it.
    var slider: Body {
        let (left, right) =
            scale.areNumbersShown
            ? (scale.from.shown(scale.decimals), scale.to.shown(scale.decimals)) : ("├", "┤")
        let gap = scale.areNumbersShown ? " " : ""
        let length = min(50, width - left.count - right.count - 2)
        guard length >= 5, scale.from < scale.to else { return Body(lines: listedLabels) }
        func share(_ value: Double) -> Double {
            min(1, max(0, (value / 2 - scale.from / 2) / (scale.to / 2 - scale.from / 2)))
        }
        func place(_ value: Double) -> Int { Int((share(value) * Double(length - 1)).rounded()) }
        var mark: (column: Int, sign: Character)?
        if let value, scale.areNumbersShown {
            mark = (place(value), "●")
        } else if let value {
            // Without a number, the mark itself has to show every step.
            let quarters = Int((share(value) * Double(4 * length - 1)).rounded())
            mark = (quarters / 4, Self.quarters[quarters % 4])
        }
        let start = left.count + gap.count
        let line =
            StyledLine(Span(left + gap)) + .track(length, mark: mark?.column, mark?.sign ?? "●")
            + StyledLine(Span(gap + right))
        var body = Body(lines: [line] + placedLabels(below: line) { start + place($0) })
        body.targets = (0..<length).map { column in
            let value = scale.from + Double(column) / Double(length - 1) * (scale.to - scale.from)
            return Target(
                columns: start + column..<start + column + 1, .value(value.rounded(to: scale.decimals)))
        }
        if isFocused { body.cursor = Frame.Position(row: 0, column: start + (mark?.column ?? 0)) }
        return body
    }

    /// The labels below the columns of their values, within the ends of the scale if they fit there. If they are
    /// too close together, they stand one after another.
    private func placedLabels(below scale: StyledLine, _ column: (Double) -> Int) -> [StyledLine] {
        var line = ""
        var chosen: (before: Int, text: String)?
        for label in labels {
            let end = label.text.columns <= scale.columns ? scale.columns : width
            let start = max(
                0, min(column(label.value) - (label.text.columns - 1) / 2, end - label.text.columns))
            guard line.isEmpty || start >= line.columns + 2, start + label.text.columns <= width else {
                return listedLabels
            }
            line += String(repeating: " ", count: start - line.columns)
            if label.value == value { chosen = (line.count, label.text) }
            line += label.text
        }
        guard let chosen else { return line.isEmpty ? [] : [StyledLine(Span(line, .quiet))] }
        return [
            StyledLine(
                Span(String(line.prefix(chosen.before)), .quiet), Span(chosen.text, .heading),
                Span(String(line.dropFirst(chosen.before + chosen.text.count)), .quiet))
        ]
    }

    private var listedLabels: [StyledLine] {
        guard scale.areNumbersShown else {
            return labels.map(\.text).joined(separator: " – ").lines(to: width, .quiet)
        }
        let words = labels.map(\.words)
        let line = words.joined(separator: "   ")
        return (line.columns <= width ? [line] : words).flatMap { $0.lines(to: width, .quiet) }
    }
}
