import Results
import TextFormat

extension RecordingTable {
    /// Further columns are ignored.
    private static let columnLimit = 64

    /// Whether the text's first character begins an object or an array of JSON.
    static func isJSON(_ text: ArraySlice<UInt8>) -> Bool {
        let signs = text.lazy.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.prefix(2)
        guard let first = signs.first else { return false }
        // A section such as [Params] is not JSON.
        return first == UInt8(ascii: "{")
            || first == UInt8(ascii: "[")
                && signs.dropFirst().allSatisfy { "[]{\"-0123456789ntf".utf8.contains($0) }
    }

    /// Reads one object a line, an array of objects or numbers, or the readings in an object of objects.
    ///
    /// Nested objects are flattened, and the first row contains the names.
    init(json text: ArraySlice<UInt8>) throws(RecordingProblem) {
        let records: [(place: Int, json: JSON)]
        do {
            let items = RecordingItems.items(of: try JSON(parsing: Array(text)))
            self.init(form: "JSON", rowName: "item")
            records = items.enumerated().map { ($0.offset + 1, $0.element) }
        } catch {
            self.init(form: "JSON, one object a line", rowName: "line")
            let lines = self.lines(of: text, from: 1)
            if lines.count > broken.count / 2 {
                records = lines
            } else if let whole = Self.closed(text.prefix(error.offset)) {
                self.init(form: "JSON", rowName: "item")
                damage = "byte \(error.offset + 1) is not JSON (\(error.problem))"
                records = RecordingItems.items(of: whole).enumerated().map { ($0.offset + 1, $0.element) }
            } else {
                throw RecordingProblem(
                    "this is not JSON: \(error.problem). Write one whole object on each line",
                    line: 1 + text.prefix(error.offset).count { $0 == 0x0A })
            }
        }
        try read(records)
    }

    /// Reads the next lines of a file with one object a line.
    ///
    /// - Parameter beginning: what was read from the beginning of the file.
    init(
        lines text: ArraySlice<UInt8>, like beginning: RecordingTable, firstLine: Int
    ) throws(RecordingProblem) {
        self.init(form: beginning.form, rowName: beginning.rowName)
        let records = lines(of: text, from: firstLine)
        if !records.isEmpty { try read(records) }
    }

    private mutating func read(_ records: [(place: Int, json: JSON)]) throws(RecordingProblem) {
        guard let first = records.first else { throw RecordingProblem("the file has no items") }
        if records.allSatisfy({ $0.json.number != nil }) {
            rows = records.map { Row(line: $0.place, cells: [Self.cell($0.json)]) }
        } else {
            let isHead = first.json["key"] != nil && first.json["configuration"] != nil
            if isHead { form = Self.logForm }
            try readObjects(
                isHead ? records.dropFirst() : records[...], timesInNanoseconds: form == Self.logForm)
        }
        guard rows.isEmpty else { return }
        guard let first = broken.first else { throw RecordingProblem("the file has no items") }
        throw RecordingProblem(
            #"this is not an object: write one such as {"time": 0.5, "hr": 72}"#,
            at: "\(rowName) \(first.place)")
    }

    private static let logForm = "a recorder's log of Entrain"

    /// Each line's value. Lines that are not JSON are noted as broken.
    private mutating func lines(
        of text: ArraySlice<UInt8>, from firstLine: Int
    ) -> [(place: Int, json: JSON)] {
        var records: [(place: Int, json: JSON)] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0 == 0x0A }
        for (index, line) in lines.enumerated()
        where line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) {
            do {
                records.append((index + firstLine, try JSON(parsing: Array(line))))
            } catch {
                broken.append((index + firstLine, String(decoding: line.prefix(80), as: UTF8.self)))
            }
        }
        return records
    }

    /// The beginning of a text up to its last complete object, with every open bracket closed.
    private static func closed(_ text: ArraySlice<UInt8>) -> JSON? {
        var open: [UInt8] = []
        var (isText, isEscaped) = (false, false)
        var whole: (end: Int, open: [UInt8])?
        for (index, byte) in text.enumerated() {
            if isText {
                if byte == UInt8(ascii: "\""), !isEscaped { isText = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                // `]` and `}` come two places after `[` and `{`.
                open.append(byte + 2)
                if open.count > 64 { return nil }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard open.popLast() == byte else { return nil }
                whole = (index + 1, open)
            default: break
            }
        }
        guard let whole, !whole.open.isEmpty else { return nil }
        do { return try JSON(parsing: text.prefix(whole.end) + whole.open.reversed()) } catch { return nil }
    }

    private mutating func readObjects(
        _ records: ArraySlice<(place: Int, json: JSON)>, timesInNanoseconds: Bool
    ) throws(RecordingProblem) {
        var columns: [String: Int] = [:]
        var names: [String] = []
        for (place, json) in records {
            guard json.object != nil else {
                broken.append((place, "\(Self.cell(json).prefix(80))"))
                continue
            }
            var cells = Array(repeating: "", count: names.count)
            for (name, value) in Self.members(of: json) {
                let column = columns[name] ?? names.count
                guard column < Self.columnLimit else { continue }
                if column == names.count {
                    columns[name] = column
                    names.append(name)
                    cells.append("")
                }
                if cells[column].isEmpty { cells[column] = value }
            }
            if !cells.isEmpty { rows.append(Row(line: place, cells: cells)) }
        }
        guard let first = rows.first else { return }
        let unit = timesInNanoseconds ? "ns" : Self.isExport(names, records.first?.json) ? "s" : nil
        let header = names.map { name in name == "t" ? unit.map { "t [\($0)]" } ?? name : name }
        rows.insert(Row(line: first.line, cells: header), at: 0)
    }

    /// Whether it is what `RecordingExport` writes for a recording without dates; its times are then seconds,
    /// however far apart.
    private static func isExport(_ names: [String], _ first: JSON?) -> Bool {
        guard case .real(let time)? = first?["t"], time < 1e8 else { return false }
        return Set(names).isSubset(of: ["t", "bpm", "rr", "contact", "quality"])
    }

    /// Names and cells; those of inner objects come after the others.
    private static func members(of json: JSON) -> [(name: String, value: String)] {
        guard let members = json.object?.members else { return [] }
        return members.filter { $0.value.object == nil }.map { ($0.key, cell($0.value)) }
            + members.flatMap { Self.members(of: $0.value) }
    }

    private static func cell(_ json: JSON) -> String {
        switch json {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .real(let value): value.description
        case .text(let value): value
        case .list(let values): values.map { $0.list == nil ? cell($0) : "?" }.joined(separator: " ")
        case .object: "?"
        }
    }
}
