import StudyModel
import TextFormat

/// Conditions that combine every value of some columns with every value of the others.
enum CrossedConditions {
    /// A value of a column, with what else comes with it.
    struct Item {
        var name: String
        /// The value of the column itself.
        var value: Node
        var cells: [String: Node]
    }

    static let field = Field(
        "cross", .map(.list(item, atLeast: 1, noun: "value"), noun: "values"), "Cross",
        "Columns with their values: there is a condition for every combination. A value may be a row of its own, which brings more columns.",
        example: ["mood": ["calm", "dark"], "load": ["low", "high"]])
    static let without = Field(
        "without", .list(.mapping(pattern), atLeast: 1, noun: "row"), "Without",
        "With 'cross': combinations that are left out, by the values that tell them.",
        example: [["mood": "dark", "load": "high"]])

    /// More rounds than this, nobody could go through.
    private static let mostRows = 10_000

    private static let item: Kind<Item> = {
        let row = Kind.mapping(ConditionsShape.row)
        return Kind(
            schema: { ["anyOf": [["type": ["string", "number", "boolean"]], row.schema($0)]] },
            read: { node, reading in
                if case .mapping = node.content {
                    return row.read(node, reading).map { draft in
                        var cells = draft.row.cells
                        cells[Stimulus.identity] = nil
                        let name = draft.name.value.text
                        let value = Node(content: .scalar(name, .plain), range: draft.name.range)
                        return Item(name: name, value: value, cells: cells)
                    }
                }
                guard let text = node.scalarText, !node.isNull else {
                    reading.report(
                        .wrongType, "this should be a value or a row, not \(node.kindName)", at: node.range,
                        help: "write a value such as 'calm', or a row such as '{identifier: calm, tempo: 60}'"
                    )
                    return nil
                }
                return Item(name: text, value: node, cells: [:])
            })
    }()

    private static let pattern = Shape<(range: SourceRange, values: [String: Node])>(
        name: "leftOutCondition", title: "Combination", description: "Values by which combinations are told.",
        fields: [], allowsOtherScalars: true
    ) { fields in (fields.range, fields.scalarNodes) }

    /// - Returns: the conditions, the first column varying slowest; `nil` if there is a mistake.
    static func rows(
        _ columns: [Entry<[Item]>], without patterns: [(range: SourceRange, values: [String: Node])],
        at range: SourceRange, _ reading: Reading
    ) -> [ConditionsShape.RowDraft]? {
        guard !columns.isEmpty else { return [] }
        guard columns.allSatisfy({ !$0.value.isEmpty }) else { return nil }
        reading.rejectDuplicates(columns.map(\.key), noun: "column")
        for column in columns {
            reading.rejectReserved(Located(value: column.key.value.text, range: column.key.range))
            let own = columns.filter { $0.key.range != column.key.range }
            for name in Set(column.value.flatMap(\.cells.keys))
            where own.contains(where: { other in
                other.key.value.text == name || other.value.contains { $0.cells[name] != nil }
            }) {
                reading.report(
                    .duplicateIdentifier, "two columns of the combination have the value '\(name)'",
                    at: column.key.range, help: "give one of them another name")
                return nil
            }
        }
        let count = columns.reduce(1) { min($0 * $1.value.count, mostRows + 1) }
        guard count <= mostRows else {
            reading.report(
                .outOfRange, "there are more than \(mostRows) combinations", at: range,
                help: "combine fewer columns, or fewer values")
            return nil
        }
        var rows: [[Item]] = [[]]
        for column in columns {
            rows = rows.flatMap { row in
                column.value.map { item in
                    var item = item
                    item.cells[column.key.value.text] = item.value
                    return row + [item]
                }
            }
        }
        let combined = rows.compactMap { draft(of: $0, at: range, reading) }
        return combined.count == rows.count ? leavingOut(patterns, of: combined, reading) : nil
    }

    /// A condition, named by its values.
    private static func draft(
        of items: [Item], at range: SourceRange, _ reading: Reading
    ) -> ConditionsShape.RowDraft? {
        let text = items.map(\.name).joined(separator: "-")
        let plain = String(
            decoding: text.utf8.map { Identifier.isAllowed($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
        guard let identifier = Identifier(plain) else {
            reading.report(
                .outOfRange, "the combination '\(plain.prefix(40))…' has a name of more than 64 characters",
                at: range,
                help: "give long values a short name: '{identifier: short, text: …}' in place of the value")
            return nil
        }
        var cells = items.reduce(into: [:]) { $0.merge($1.cells) { first, _ in first } }
        cells[Stimulus.identity] = Node(content: .scalar(plain, .plain), range: range)
        return .init(
            name: Located(value: identifier, range: range),
            row: RoundRow(identifier: identifier, cells: cells, reading: reading))
    }

    private static func leavingOut(
        _ patterns: [(range: SourceRange, values: [String: Node])], of rows: [ConditionsShape.RowDraft],
        _ reading: Reading
    ) -> [ConditionsShape.RowDraft] {
        var left = rows
        for pattern in patterns {
            let isMeant = { (row: ConditionsShape.RowDraft) in
                pattern.values.allSatisfy { row.row.cells[$0.key]?.scalarText == $0.value.scalarText }
            }
            if pattern.values.isEmpty || !rows.contains(where: isMeant) {
                reading.report(
                    .missingValue, "no combination has these values", at: pattern.range.firstCharacter,
                    help: "write values as under 'cross'")
            }
            left.removeAll(where: isMeant)
        }
        return left
    }
}
