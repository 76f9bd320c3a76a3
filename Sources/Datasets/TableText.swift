import Results
import TextFormat

/// Rows of one table, as CSV and NDJSON at the same time.
///
/// In CSV, a missing value is an empty cell. A text that readers would not take for text, including an empty one,
/// gets the guard `'` before it (`CellGuard`). Removing one leading `'` gives back every text.
package struct TableText: Sendable {
    private(set) var csv: [UInt8] = []
    package private(set) var ndjson: [UInt8] = []
    private(set) var rows = 0
    private let keys: Keys
    private var column = 0
    /// The cells at the beginning of every row of the run, and those at the beginning of every row now.
    private var runLead = Lead()
    private var lead = Lead()

    private struct Lead: Sendable {
        var csv: [UInt8] = []
        var ndjson: [UInt8] = []
        var columns = 0
    }

    /// The text before each value in NDJSON, in one sequence.
    struct Keys: Sendable {
        var text: [UInt8] = []
        var ends: [Int] = [0]

        static let all: [Table: Keys] = Dictionary(
            uniqueKeysWithValues: Table.allCases.map { ($0, Keys($0.columns)) })

        init(_ columns: [Table.Column]) {
            for column in columns {
                text += Array("\(text.isEmpty ? "{" : ",")\"\(column.name)\":".utf8)
                ends.append(text.count)
            }
        }
    }

    init(_ table: Table) { keys = Keys.all[table] ?? Keys(table.columns) }

    /// Makes what was written so far the beginning of every row; no row may have been written yet.
    mutating func leadEveryRow() {
        runLead = Lead(csv: csv, ndjson: ndjson, columns: column)
        lead = runLead
        csv = []
        ndjson = []
        column = 0
    }

    /// A table whose rows begin like those of another, with columns of the same names.
    init(_ table: Table, leadingLike other: TableText) {
        self.init(table)
        runLead = other.runLead
        lead = runLead
    }

    /// From now on, begins every row with the cells that `write` writes after those of the run.
    mutating func leadRows(_ write: (inout TableText) -> Void) {
        var cells = self
        cells.csv = runLead.csv
        cells.ndjson = runLead.ndjson
        cells.column = runLead.columns
        write(&cells)
        lead = Lead(csv: cells.csv, ndjson: cells.ndjson, columns: cells.column)
    }

    /// From now on, begins every row as another table of the same run does.
    mutating func leadRows(like other: TableText) { lead = other.lead }

    /// Adds the row whose other cells `write` writes.
    mutating func addRow(_ write: (inout TableText) throws -> Void) rethrows {
        beginRow()
        try write(&self)
        endRow()
    }

    /// Adds a row of a table's columns.
    mutating func add<Row>(_ row: Row, _ columns: [RowColumn<Row>]) {
        addRow { text in for column in columns { column.write(row, &text) } }
    }

    mutating func beginRow() {
        csv.append(lead.csv, lead.csv.indices)
        ndjson.append(lead.ndjson, lead.ndjson.indices)
        column = lead.columns
    }

    mutating func endRow() {
        precondition(column == keys.ends.count - 1, "a row has \(column) of \(keys.ends.count - 1) cells")
        csv.append(UInt8(ascii: "\n"))
        ndjson.append(UInt8(ascii: "}"))
        ndjson.append(UInt8(ascii: "\n"))
        rows += 1
        column = 0
    }

    mutating func missing() {
        beginCell()
        ndjson.append("null")
    }

    mutating func integer(_ value: Int?) {
        guard let value else { return missing() }
        beginCell()
        csv.append(number: value)
        ndjson.append(number: value)
    }

    /// In capitals in CSV, which R understands too.
    mutating func boolean(_ value: Bool?) {
        guard let value else { return missing() }
        beginCell()
        csv.append(value ? "TRUE" : "FALSE")
        ndjson.append(value ? "true" : "false")
    }

    /// The shortest digits that read back as `value`, with a decimal point.
    mutating func real(_ value: Double?) {
        guard let value, value.isFinite else { return missing() }
        let digits = JSON.real(value).encoded()
        plain(digits, digits.indices)
    }

    /// Seconds, to the nanosecond.
    mutating func seconds(nanoseconds: Int) {
        beginCell()
        csv.append(secondsOfNanoseconds: nanoseconds)
        ndjson.append(secondsOfNanoseconds: nanoseconds)
    }

    /// A real number as it was written; a decimal point is added if it has none.
    mutating func plain(_ bytes: [UInt8], _ range: Range<Int>) {
        beginCell()
        csv.append(bytes, range)
        ndjson.append(bytes, range)
        let isWhole = !bytes[range].contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        if isWhole {
            csv.append(".0")
            ndjson.append(".0")
        }
    }

    /// A time, which is quoted in JSON but not in CSV.
    mutating func time(_ bytes: [UInt8]) {
        beginCell()
        csv.append(bytes, bytes.indices)
        ndjson.append(UInt8(ascii: "\""))
        ndjson.append(bytes, bytes.indices)
        ndjson.append(UInt8(ascii: "\""))
    }

    mutating func text(_ value: String?) {
        guard let value else { return missing() }
        beginCell()
        let bytes = Array(value.utf8)
        csv.append(cell: bytes, bytes.indices)
        ndjson.append(text: bytes)
    }

    /// A text of letters only.
    mutating func word(_ word: StaticString) {
        beginCell()
        csv.append(word)
        ndjson.append(UInt8(ascii: "\""))
        ndjson.append(word)
        ndjson.append(UInt8(ascii: "\""))
    }

    /// A JSON string as it was written, with its quotes.
    ///
    /// - Throws: `WireFailure` if the range holds something else, or nothing.
    mutating func string(_ bytes: [UInt8], _ range: Range<Int>) throws {
        guard range.count > 1, bytes[range.lowerBound] == UInt8(ascii: "\"") else {
            throw WireFailure("a text should stand where something else does")
        }
        guard !bytes[range].contains(UInt8(ascii: "\\")) else {
            return text(try JSON(parsing: bytes, in: range).text)
        }
        beginCell()
        csv.append(cell: bytes, range.lowerBound + 1..<range.upperBound - 1)
        ndjson.append(bytes, range)
    }

    /// JSON, as a text.
    mutating func json(_ value: JSON?) {
        text(value.map { String(decoding: $0.encoded(), as: UTF8.self) })
    }

    /// JSON as it was written, stored as a text.
    mutating func json(_ bytes: [UInt8], _ range: Range<Int>) {
        beginCell()
        csv.append(cell: bytes, range)
        ndjson.append(quoted: bytes, range)
    }

    private mutating func beginCell() {
        if column > 0 { csv.append(UInt8(ascii: ",")) }
        ndjson.append(keys.text, keys.ends[column]..<keys.ends[column + 1])
        column += 1
    }
}
