import StudyModel
import TextFormat

/// A table of conditions by its name.
struct ConditionTable {
    let name: String
    /// `nil` if they could not be read.
    let rows: [RoundRow]?
    /// The set as blocks go through it.
    let set: StimulusSetDraft

    init(name: String, rows: [RoundRow]?) {
        self.name = name
        self.rows = rows
        set = StimulusSetDraft(identifier: name, pool: rows?.map(\.condition))
    }
}

extension RoundRow {
    /// The condition as orders and rules see it.
    var condition: Stimulus {
        Stimulus(
            identifier: identifier, file: "", path: "", attributes: cells.compactMapValues(\.scalarText))
    }
}

/// Tables of conditions, under `conditions`.
enum ConditionsShape {
    /// - Returns: the rows; `nil` if any could not be read.
    static let shape = Shape<[RoundRow]>(
        name: "conditions", title: "Conditions",
        description: "Rows with named values, one for each condition.",
        fields: .of(rows, file, CrossedConditions.field, CrossedConditions.without, columns, Field.comment),
        rules: [.exactlyOne(["rows", "file", "cross"]), .needs("without", ["cross"])]
    ) { fields in
        let (inline, path, kinds) = (fields[rows], fields.located(file), fields[columns] ?? [])
        let (crossed, left) = (fields[CrossedConditions.field], fields[CrossedConditions.without])
        let reading = fields.reading
        var found: [RowDraft]?
        if let inline {
            found = inline
        } else if let crossed {
            found = CrossedConditions.rows(
                crossed, without: left ?? [], at: fields.place(of: CrossedConditions.field), reading)
        } else if let path, let (text, source) = reading.context.text(of: path.value, at: path.range, reading)
        {
            let table = Reading(source, context: reading.context)
            reading.context.otherReadings.append(table)
            found = ConditionFile(text, table).rows
        }
        guard let found else { return nil }
        guard let first = found.first else {
            reading.report(
                .emptyList, "the table has no conditions", at: fields.range.firstCharacter,
                help: "write at least one row below the names of the columns")
            return nil
        }
        first.row.reading?.rejectDuplicates(found.map(\.name), noun: "condition")
        check(found.map(\.row), kinds, reading)
        return found.map(\.row)
    }

    /// A row with the place of its identifier.
    struct RowDraft {
        var name: Located<Identifier>
        var row: RoundRow
    }

    /// Checks the columns whose contents the study describes.
    private static func check(_ rows: [RoundRow], _ columns: [Entry<Column>], _ reading: Reading) {
        let names = Set(rows.flatMap(\.cells.keys))
        for column in columns {
            let name = column.key.value.text
            guard names.contains(name) else {
                reading.report(
                    .unknownAttribute, "no condition of the table has a '\(name)'", at: column.key.range,
                    help: Help.nearest(to: name, among: names.sorted(), all: "the columns are"))
                continue
            }
            for row in rows {
                guard let cells = row.reading else { continue }
                guard let cell = row.cells[name] else {
                    reading.report(
                        .missingValue, "the condition '\(row.identifier)' has no '\(name)'",
                        at: column.key.range, help: "write it in its row")
                    continue
                }
                column.value.check(cell, cells)
            }
        }
    }

    /// The description of a column.
    private struct Column: Sendable {
        var check: @Sendable (Node, Reading) -> Void

        init<Value>(_ kind: Kind<Value>) { check = { _ = kind.read($0, $1) } }
    }

    private static let rows = Field(
        "rows", .list(.mapping(row), noun: "row"), "Rows", "The conditions, in order.",
        example: [["identifier": "slow", "tempo": 60], ["identifier": "fast", "tempo": 120]])
    private static let file = Field(
        "file", Kind<String>.path, "File",
        "A CSV file with the conditions, one in each line below the names of the columns; one is 'identifier'.",
        example: "conditions.csv")
    private static let columns = Field(
        "columns",
        .map(
            .word([
                ("text", Column(Kind<String>.text())), ("number", Column(Kind<Double>.number(-1e12...1e12))),
                ("wholeNumber", Column(Kind<Int>.integer(-1_000_000_000...1_000_000_000))),
                ("duration", Column(Kind<Duration>.duration(zeroAllowed: true))),
                ("level", Column(Kind<Double>.decibels)), ("boolean", Column(Kind<Bool>.boolean)),
                ("identifier", Column(Kind<Identifier>.identifier)),
            ]), noun: "column"), "Columns",
        "What columns hold, by name: text, number, wholeNumber, duration, level, boolean or identifier. Every row has it.",
        example: ["tempo": "number", "wait": "duration"])

    private static let identifier = Field(
        "identifier", Kind<Identifier>.identifier.located, isRequired: true, "Identifier",
        "The condition's name, unique in the table.", example: "slow")
    static let row = Shape<RowDraft>(
        name: "conditionRow", title: "Condition",
        description: "A condition; every other key is a value of it.",
        fields: .of(identifier), allowsOtherScalars: true
    ) { fields in
        for pair in fields.pairs(besides: ["identifier"]) { fields.reading.rejectReserved(pair.key) }
        guard let name = fields[identifier] else { return nil }
        return RowDraft(
            name: name,
            row: RoundRow(identifier: name.value, cells: fields.scalarNodes, reading: fields.reading))
    }
}
