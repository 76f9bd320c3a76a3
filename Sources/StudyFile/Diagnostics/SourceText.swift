/// A file's text, with the way from positions to lines and columns.
///
/// Positions count Unicode scalars from 0, as libyaml does. Lines end as they do in editors: after LF, CR or
/// CR LF, and nowhere else.
struct SourceText: Sendable {
    /// The name that diagnostics show.
    let file: String
    let scalars: [Unicode.Scalar]
    private let lineStarts: [Int]

    init(_ text: String, file: String) {
        self.file = file
        scalars = Array(text.unicodeScalars)
        var starts = [0]
        for (index, scalar) in scalars.enumerated() {
            let endsLine =
                scalar == "\n"
                || (scalar == "\r" && !(index + 1 < scalars.count && scalars[index + 1] == "\n"))
            if endsLine { starts.append(index + 1) }
        }
        lineStarts = starts
    }

    /// The number of lines, counting an empty one after the last line break.
    var lineCount: Int { lineStarts.count }

    /// The line and column of a position; positions beyond the text are taken as its end.
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

    /// The position of a place of this text.
    func position(of place: SourcePlace) -> Int { lineStarts[place.line - 1] + place.column - 1 }

    /// The text of a line, counted from 1, without its line break; empty beyond the last line.
    func line(_ number: Int) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[positions(ofLine: number)])
        return String(text)
    }

    /// The positions of a line, counted from 1, without its line break.
    func positions(ofLine number: Int) -> Range<Int> {
        guard lineStarts.indices.contains(number - 1) else { return scalars.count..<scalars.count }
        let start = lineStarts[number - 1]
        var end = number < lineStarts.count ? lineStarts[number] : scalars.count
        while end > start, scalars[end - 1] == "\n" || scalars[end - 1] == "\r" { end -= 1 }
        return start..<end
    }

    /// The position of the first character of a line that is neither a space nor a tab.
    func firstInk(ofLine number: Int) -> Int {
        let line = positions(ofLine: number)
        return line.first { scalars[$0] != " " && scalars[$0] != "\t" } ?? line.upperBound
    }
}
