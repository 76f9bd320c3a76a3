import StudyModel
import TextFormat

/// A rating on a screen: a line or a plane with a mark on it, and what its ends mean.
struct RatingDrawing {
    let rater: Rater
    let language: Language?
    let width: Int
    /// How many rows are available.
    let rows: Int

    private func label(_ text: LocalizedText) -> String { text.text(in: language) }

    /// The lines, with the place of the line or plane among them, and that of the mark.
    typealias Drawn = (lines: [StyledLine], pad: RatingPad, mark: Frame.Position)

    var drawn: Drawn { rater.isPlane ? plane : line }

    private var line: Drawn {
        let dimension = rater.dimensions[0]
        let length = max(3, min(61, width - 2))
        let mark = place(of: 0, in: length)
        var digits = Array(repeating: Character(" "), count: length)
        for digit in 0...8 where length >= 17 {
            digits[Int((Double(digit) / 8 * Double(length - 1)).rounded())] = Character("\(digit + 1)")
        }
        let lines =
            [StyledLine(Span("├")) + .track(length, mark: mark) + StyledLine(Span("┤"))]
            + (length >= 17 ? [StyledLine(Span(" " + String(digits), .quiet))] : [])
            + ends(label(dimension.fromLabel), label(dimension.toLabel), within: length + 2)
        let pad = RatingPad(top: 0, left: 1, rows: 1, columns: length)
        return (lines, pad, Frame.Position(row: 0, column: 1 + mark))
    }

    private var plane: Drawn {
        let (across, up) = (rater.dimensions[0], rater.dimensions[1])
        let columns = max(3, min(41, (width - 3) / 2 * 2 + 1))
        let height = max(3, min(11, (rows - 8) / 2 * 2 - 1))
        let (column, row) = (place(of: 0, in: columns), height - 1 - place(of: 1, in: height))
        let inner = (0..<height).map { line in
            var cells = Array(repeating: Character(line == height / 2 ? "·" : " "), count: columns)
            if line != height / 2 { cells[columns / 2] = "·" }
            if line == row { cells[column] = "●" }
            return StyledLine(Span("│"), Span(String(cells), line == row ? .accent : .plain), Span("│"))
        }
        let edge = String(repeating: "─", count: columns)
        let above = "▲ \(label(up.toLabel))".lines(to: width, .quiet)
        let below = "▼ \(label(up.fromLabel))".lines(to: width, .quiet)
        let lines =
            above + [StyledLine(Span("┌\(edge)┐"))] + inner + [StyledLine(Span("└\(edge)┘"))] + below
            + ends("◀ \(label(across.fromLabel))", "\(label(across.toLabel)) ▶", within: columns + 2)
        let pad = RatingPad(top: above.count + 1, left: 1, rows: height, columns: columns)
        return (lines, pad, Frame.Position(row: pad.top + row, column: 1 + column))
    }

    /// Where the mark stands along a dimension.
    private func place(of dimension: Int, in length: Int) -> Int {
        let share = rater.dimensions[dimension].share(of: rater.values[dimension])
        return Int((share * Double(length - 1)).rounded())
    }

    /// What both ends mean: at the ends if there is room, otherwise one below the other.
    private func ends(_ low: String, _ high: String, within length: Int) -> [StyledLine] {
        let gap = length - low.columns - high.columns
        if gap >= 2 {
            return [StyledLine(Span(low + String(repeating: " ", count: gap) + high))]
        }
        let (left, right) = (low.hasPrefix("◀") ? low : "◀ \(low)", high.hasSuffix("▶") ? high : "\(high) ▶")
        return (left.lines(to: width) + right.lines(to: width))
    }
}
