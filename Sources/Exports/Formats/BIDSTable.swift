import Datasets
import Results
import TextFormat

/// A table in BIDS' form: tabs between cells, and `n/a` for missing values.
struct BIDSTable {
    let columns: [String]
    var rows: [[Cell]] = []

    init(_ columns: [String]) { self.columns = columns }

    enum Cell {
        case missing
        case text(String)
        case real(Double)
        case integer(Int)

        init(_ text: String?) { self = text.map { .text($0) } ?? .missing }
        init(_ number: Double?) { self = number.map { .real($0) } ?? .missing }
    }

    /// The table with its line of names.
    var bytes: [UInt8] { Array((columns.joined(separator: "\t") + "\n").utf8) + body }

    /// The rows without names, as in recordings.
    var body: [UInt8] {
        var bytes: [UInt8] = []
        for row in rows {
            for (index, cell) in row.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: "\t")) }
                bytes += Self.written(cell)
            }
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    private static func written(_ cell: Cell) -> [UInt8] {
        switch cell {
        case .missing: Array("n/a".utf8)
        case .integer(let value): Array(value.description.utf8)
        case .real(let value): value.isFinite ? JSON.real(value).encoded() : Array("n/a".utf8)
        case .text(let text): Array(escaped(text).utf8)
        }
    }

    /// Words that readers of tables take for a missing value.
    private static let missingWords: Set<String> = [
        "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A",
        "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
    ]

    /// A text in one cell and one line. Characters that would end the cell, or make it look like a quote, a missing
    /// value or a formula, are written as in JSON, `\n` or `\u0022`. Reading the cell as the inside of a JSON
    /// string gives the text back.
    ///
    /// An empty text counts as missing.
    static func escaped(_ text: String) -> String {
        if text.isEmpty { return "n/a" }
        let guardsFirst =
            missingWords.contains(text)
            || "=+-@".unicodeScalars.contains(text.unicodeScalars[text.startIndex])
        var result = String.UnicodeScalarView()
        let last = text.unicodeScalars.count - 1
        for (index, scalar) in text.unicodeScalars.enumerated() {
            let isEdge = index == 0 || index == last
            if index == 0 && guardsFirst || isEdge && scalar.properties.isWhitespace || needsEscape(scalar) {
                result.append(contentsOf: escape(scalar).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "\\", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}", "\u{FEFF}": true
        default: scalar.value < 0x20
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            return Character(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            .joined()
        }
    }
}
