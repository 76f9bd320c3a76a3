import Results

extension RecordingTable {
    /// Columns beyond these are ignored.
    private static let columnLimit = 64

    /// Whether the first sign of the text begins an object or an array of JSON.
    static func isJSON(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return false }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Reads one object a line, an array of objects or numbers, or the readings in an object of objects.
    ///
    /// Objects in objects are opened up; the first row holds the names.
    init(json text: ArraySlice<UInt8>) throws(RecordingProblem) {
        let records: [(place: Int, json: JSON)]
        do {
            let items = RecordingItems.items(of: try JSON(parsing: Array(text)))
            self.init(form: "JSON", rowName: "item")
            records = items.enumerated().map { ($0.offset + 1, $0.element) }
        } catch {
            self.init(form: "JSON, one object a line", rowName: "line")
            records = try Self.lines(of: text, from: 1, unless: error)
        }
        try read(records)
    }

    /// Reads the next lines of a file with one object a line.
    ///
    /// - Parameter beginning: what was read of the file's beginning.
    init(
        lines text: ArraySlice<UInt8>, like beginning: RecordingTable, firstLine: Int
    ) throws(RecordingProblem) {
        self.init(form: beginning.form, rowName: beginning.rowName)
        try read(try Self.lines(of: text, from: firstLine))
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
        guard !rows.isEmpty else { throw RecordingProblem("the file has no items") }
    }

    private static let logForm = "a recorder's log of Entrain"

    /// Each line's value; where not even the first line is one, the file was meant as a whole.
    private static func lines(
        of text: ArraySlice<UInt8>, from firstLine: Int, unless whole: JSON.Malformed? = nil
    ) throws(RecordingProblem) -> [(place: Int, json: JSON)] {
        var records: [(place: Int, json: JSON)] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0 == 0x0A }
        for (index, line) in lines.enumerated()
        where line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) {
            do {
                records.append((index + firstLine, try JSON(parsing: Array(line))))
            } catch {
                var (line, problem) = (index + firstLine, error.problem)
                if let whole, records.isEmpty {
                    line = 1 + text.prefix(whole.offset).count { $0 == 0x0A }
                    problem = whole.problem
                }
                throw RecordingProblem(
                    "this is not JSON: \(problem). "
                        + "Write one whole object on each line", line: line)
            }
        }
        return records
    }

    private mutating func readObjects(
        _ records: ArraySlice<(place: Int, json: JSON)>, timesInNanoseconds: Bool
    ) throws(RecordingProblem) {
        var columns: [String: Int] = [:]
        var names: [String] = []
        for (place, json) in records {
            guard json.object != nil else {
                throw RecordingProblem(
                    #"this is no object: write one such as {"time": 0.5, "hr": 72}"#,
                    at: "\(rowName) \(place)")
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
        let header = names.map { timesInNanoseconds && $0 == "t" ? "t [ns]" : $0 }
        rows.insert(Row(line: first.line, cells: header), at: 0)
    }

    /// Names and cells, those of inner objects after the others.
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
