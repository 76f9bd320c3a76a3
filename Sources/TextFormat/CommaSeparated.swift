/// Text in comma-separated values (RFC 4180): with commas, and quotes where a cell needs them.
package enum CommaSeparated {
    /// A cell with its place.
    package struct Cell: Hashable, Sendable {
        /// The cell's words, without the quotes around them.
        package var text: String
        /// Where it stands: positions in the text, with its quotes.
        package var positions: Range<Int>
        /// Whether it has quotes.
        package var isQuoted: Bool
    }

    /// The cells of each line, in order; an empty line has one empty cell. An unclosed quote extends to the end.
    package static func lines(of scalars: [Unicode.Scalar]) -> [[Cell]] {
        var lines: [[Cell]] = []
        var line: [Cell] = []
        var (text, start, place) = (String.UnicodeScalarView(), 0, 0)
        var (isInQuotes, wasQuoted) = (false, false)
        func cell() -> Cell {
            Cell(text: String(text), positions: start..<max(place, start), isQuoted: wasQuoted)
        }
        while place < scalars.count {
            let scalar = scalars[place]
            switch scalar {
            case "\"" where isInQuotes && place + 1 < scalars.count && scalars[place + 1] == "\"":
                text.append(scalar)
                place += 1
            case "\"" where isInQuotes || text.isEmpty:
                isInQuotes.toggle()
                wasQuoted = true
            case "," where !isInQuotes, "\n" where !isInQuotes, "\r" where !isInQuotes:
                line.append(cell())
                if scalar != "," {
                    lines.append(line)
                    line = []
                    if scalar == "\r", place + 1 < scalars.count, scalars[place + 1] == "\n" { place += 1 }
                }
                (text, start, wasQuoted) = (String.UnicodeScalarView(), place + 1, false)
            default: text.append(scalar)
            }
            place += 1
        }
        if place > start || !line.isEmpty { lines.append(line + [cell()]) }
        return lines
    }

    /// A text as a cell that programs with their defaults read as that text: quoted if necessary, and with the guard
    /// `'` before it where they would take it for something else (`CellGuard`).
    package static func cell(_ text: String) -> String {
        let isGuarded = CellGuard.guards(text.utf8.span)
        let guarded = (isGuarded ? "'" : "") + text
        // DuckDB could take the guard and the end of the cell for quotes.
        let needsQuotes =
            isGuarded && guarded.utf8.last == UInt8(ascii: "'")
            || guarded.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") }
        guard needsQuotes else { return guarded }
        let quote = UInt8(ascii: "\"")
        let inner = guarded.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
        return String(decoding: [quote] + inner + [quote], as: UTF8.self)
    }
}
