import StudyModel
import TextFormat

/// Conditions in a CSV file (RFC 4180), with commas, quotes if needed, and the names of the columns in the first
/// line.
struct ConditionFile {
    /// The rows; `nil` if the file is not such a table.
    private(set) var rows: [ConditionsShape.RowDraft]?

    private let reading: Reading

    init(_ text: String, _ reading: Reading) {
        self.reading = reading
        var lines = CommaSeparated.lines(of: reading.source.scalars)
        guard !lines.isEmpty else {
            report(.emptyFile, "the file is empty", at: 0..<1, help: Self.header)
            return
        }
        let head = lines.removeFirst()
        guard let names = columns(head) else { return }
        var found: [ConditionsShape.RowDraft] = []
        for line in lines where line.count > 1 || line.first?.text.isEmpty == false {
            guard line.count == names.count else {
                report(
                    .missingValue, "this line has \(line.count) values, and there are \(names.count) columns",
                    at: (line.first?.positions.lowerBound ?? 0)..<(line.last?.positions.upperBound ?? 1),
                    help: "write one value for each column, in quotes where it contains a comma")
                return
            }
            guard let row = row(line, names) else { return }
            found.append(row)
        }
        rows = found
    }

    private static let header = "write the names of the columns in the first line, such as 'identifier,tempo'"

    private func report(_ code: DiagnosticCode, _ message: String, at positions: Range<Int>, help: String) {
        reading.report(
            code, message, at: reading.source.range(from: positions.lowerBound, to: positions.upperBound),
            help: Help(help))
    }

    private func columns(_ head: [CommaSeparated.Cell]) -> [String]? {
        let names = head.map(\.text)
        guard names.contains("identifier") else {
            let other = names.count == 1 ? names[0].first { ";\t".contains($0) } : nil
            report(
                .missingKey, "there is no column 'identifier'",
                at: head[0].positions.lowerBound..<head[head.count - 1].positions.upperBound,
                help: other.map {
                    "separate columns with commas, not with \($0 == ";" ? "semicolons" : "tabs")"
                }
                    ?? Self.header)
            return nil
        }
        for (place, cell) in head.enumerated() {
            if Identifier(cell.text) == nil {
                report(
                    .identifierFormat, "'\(cell.text.prefix(64))' cannot be the name of a column",
                    at: cell.positions, help: "use 1 to 64 of the characters A-Z a-z 0-9 . _ -")
                return nil
            }
            reading.rejectReserved(
                Located(
                    value: cell.text,
                    range: reading.source.range(
                        from: cell.positions.lowerBound, to: cell.positions.upperBound)))
            if names[..<place].contains(cell.text) {
                report(
                    .duplicateKey, "there are two columns '\(cell.text)'", at: cell.positions,
                    help: "give each column a name of its own")
                return nil
            }
        }
        return names
    }

    private func row(_ line: [CommaSeparated.Cell], _ names: [String]) -> ConditionsShape.RowDraft? {
        var cells: [String: Node] = [:]
        var identifier: Located<Identifier>?
        for (name, cell) in zip(names, line) {
            let range = reading.source.range(from: cell.positions.lowerBound, to: cell.positions.upperBound)
            if name == "identifier" {
                identifier = IdentifierText.read(cell.text, at: range, reading).map {
                    Located(value: $0, range: range)
                }
            }
            if cell.text.isEmpty && !cell.isQuoted { continue }
            cells[name == "identifier" ? Stimulus.identity : name] = Node(
                content: .scalar(cell.text, .plain), range: range)
        }
        return identifier.map {
            ConditionsShape.RowDraft(
                name: $0, row: RoundRow(identifier: $0.value, cells: cells, reading: reading))
        }
    }
}
