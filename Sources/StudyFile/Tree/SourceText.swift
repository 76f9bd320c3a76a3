/// A file's text, which converts positions to lines and columns.
///
/// Positions count Unicode scalars from 0, as libyaml does. Lines end as they do in editors: after LF, CR or CR LF,
/// and nowhere else.
struct SourceText: Sendable {
    /// The name that diagnostics show.
    let file: String
    let scalars: [Unicode.Scalar]
    private let lineStarts: [Int]

    init(_ text: String, file: String) {
        self.file = file
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(text.utf8.count)
        var starts = [0]
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            if previous == "\n" || (previous == "\r" && scalar != "\n") { starts.append(scalars.count) }
            scalars.append(scalar)
            previous = scalar
        }
        if previous == "\n" || previous == "\r" { starts.append(scalars.count) }
        self.scalars = scalars
        lineStarts = starts
    }

    /// The line and column of a position. Positions beyond the text count as its end.
    func place(at position: Int) -> SourcePlace {
        let position = min(max(position, 0), scalars.count)
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= position { low = middle } else { high = middle }
        }
        return SourcePlace(line: low + 1, column: position - lineStarts[low] + 1)
    }

    /// The range between two positions.
    func range(from start: Int, to end: Int) -> SourceRange {
        SourceRange(start: place(at: start), end: place(at: end))
    }

    /// The position of a place in this text.
    func position(of place: SourcePlace) -> Int { lineStarts[place.line - 1] + place.column - 1 }

    /// The line around a place, at most 300 characters to either side, so that many mistakes in one long line do
    /// not store many copies of it.
    func line(around place: SourcePlace) -> SourceLine {
        let line = positions(ofLine: place.line)
        let middle = line.lowerBound + place.column - 1
        let shown = line.clamped(to: (middle - 300)..<(middle + 300))
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[shown])
        return SourceLine(
            String(text), column: shown.lowerBound - line.lowerBound + 1,
            goesOn: shown.upperBound < line.upperBound)
    }

    /// The positions of a line, counted from 1, without its line break.
    func positions(ofLine number: Int) -> Range<Int> {
        guard lineStarts.indices.contains(number - 1) else { return scalars.count..<scalars.count }
        let start = lineStarts[number - 1]
        var end = number < lineStarts.count ? lineStarts[number] : scalars.count
        while end > start, scalars[end - 1] == "\n" || scalars[end - 1] == "\r" { end -= 1 }
        return start..<end
    }

    /// Whether a `#` after a space looks like text rather than the beginning of a comment, because a letter or
    /// digit follows immediately.
    func isLostText(at position: Int) -> Bool {
        guard position > 0, position + 1 < scalars.count, scalars[position] == "#",
            scalars[position - 1] == " " || scalars[position - 1] == "\t"
        else { return false }
        let next = scalars[position + 1].properties
        return next.isAlphabetic || next.numericType != nil
    }

    /// The position of the first character of a line that is neither a space nor a tab.
    func firstInk(ofLine number: Int) -> Int {
        let line = positions(ofLine: number)
        return line.first { scalars[$0] != " " && scalars[$0] != "\t" } ?? line.upperBound
    }
}
