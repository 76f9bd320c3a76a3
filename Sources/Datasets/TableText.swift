import Results

/// Rows of one table, as CSV and as NDJSON at the same time.
///
/// In CSV a missing value is nothing at all and an empty text is `""`. A text that a spreadsheet could take for a
/// formula, or that begins with the guard itself, has the guard `'` before it; taking one leading `'` away gives
/// back every text.
struct TableText: Sendable {
    private(set) var csv: [UInt8] = []
    private(set) var ndjson: [UInt8] = []
    private(set) var rows = 0
    private let keys: [[UInt8]]
    private var column = 0
    /// The cells that begin every row of the run, and those that begin every row now.
    private var runLead = Lead()
    private var lead = Lead()

    private struct Lead: Sendable {
        var csv: [UInt8] = []
        var ndjson: [UInt8] = []
        var columns = 0
    }

    init(_ table: Table) { keys = Self.keys[table] ?? [] }

    private static let keys: [Table: [[UInt8]]] = Dictionary(
        uniqueKeysWithValues: Table.allCases.map { table in
            (
                table,
                table.columns.enumerated().map { index, column in
                    Array("\(index == 0 ? "{" : ",")\"\(column.name)\":".utf8)
                }
            )
        })

    /// Makes what was written so far, and no row yet, the beginning of every row.
    mutating func leadEveryRow() {
        runLead = Lead(csv: csv, ndjson: ndjson, columns: column)
        lead = runLead
        csv = []
        ndjson = []
        column = 0
    }

    /// Begins every row from now on with the cells that `write` writes after those of the run.
    mutating func leadRows(_ write: (inout TableText) -> Void) {
        var cells = self
        cells.csv = runLead.csv
        cells.ndjson = runLead.ndjson
        cells.column = runLead.columns
        write(&cells)
        lead = Lead(csv: cells.csv, ndjson: cells.ndjson, columns: cells.column)
    }

    mutating func beginRow() {
        csv += lead.csv
        ndjson += lead.ndjson
        column = lead.columns
    }

    mutating func endRow() {
        precondition(column == keys.count, "a row has \(column) of \(keys.count) cells")
        csv.append(UInt8(ascii: "\n"))
        ndjson.append(UInt8(ascii: "}"))
        ndjson.append(UInt8(ascii: "\n"))
        rows += 1
        column = 0
    }

    mutating func missing() {
        beginCell()
        ndjson += "null".utf8
    }

    mutating func integer(_ value: Int?) {
        guard let value else { return missing() }
        plain(value.description.utf8)
    }

    mutating func boolean(_ value: Bool) { plain((value ? "true" : "false").utf8) }

    /// The shortest digits that read back as `value`, with a point.
    mutating func real(_ value: Double?) {
        guard let value, value.isFinite else { return missing() }
        plain(JSON.real(value).encoded())
    }

    /// Digits or other characters that need no quotes in either form, such as a number as it was written.
    mutating func plain(_ bytes: some Sequence<UInt8>) {
        beginCell()
        csv.append(contentsOf: bytes)
        ndjson.append(contentsOf: bytes)
    }

    /// A time, which JSON quotes and CSV does not.
    mutating func time(_ bytes: [UInt8]) {
        beginCell()
        csv += bytes
        ndjson.append(UInt8(ascii: "\""))
        ndjson += bytes
        ndjson.append(UInt8(ascii: "\""))
    }

    mutating func text(_ value: String?) {
        guard let value else { return missing() }
        beginCell()
        quote(value.utf8)
        ndjson += JSON.text(value).encoded()
    }

    /// A JSON string as it was written, with its quotes.
    mutating func string(_ written: ArraySlice<UInt8>) throws(JSON.Malformed) {
        guard !written.contains(UInt8(ascii: "\\")) else {
            return text(try JSON(parsing: Array(written)).text)
        }
        beginCell()
        quote(written.dropFirst().dropLast())
        ndjson += written
    }

    /// JSON as it was written, as a text.
    mutating func json(_ written: ArraySlice<UInt8>) {
        beginCell()
        quote(written)
        ndjson.append(UInt8(ascii: "\""))
        for byte in written {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { ndjson.append(UInt8(ascii: "\\")) }
            // Space between values, the only control characters that JSON may hold, may be of any kind.
            ndjson.append(byte < 0x20 ? 0x20 : byte)
        }
        ndjson.append(UInt8(ascii: "\""))
    }

    private mutating func beginCell() {
        if column > 0 { csv.append(UInt8(ascii: ",")) }
        ndjson += keys[column]
        column += 1
    }

    private mutating func quote(_ value: some Collection<UInt8>) {
        guard let first = value.first else {
            csv += [UInt8(ascii: "\""), UInt8(ascii: "\"")]
            return
        }
        let needsGuard = Self.isGuarded(first)
        let needsQuotes = value.contains { Self.isQuoted($0) } || first == 0x20
        if needsQuotes { csv.append(UInt8(ascii: "\"")) }
        if needsGuard { csv.append(UInt8(ascii: "'")) }
        if needsQuotes {
            for byte in value {
                if byte == UInt8(ascii: "\"") { csv.append(byte) }
                csv.append(byte)
            }
            csv.append(UInt8(ascii: "\""))
        } else {
            csv.append(contentsOf: value)
        }
    }

    private static func isGuarded(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "'"),
            0x09, 0x0D:
            true
        default: false
        }
    }

    private static func isQuoted(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), 0x00...0x20: true
        default: false
        }
    }
}
