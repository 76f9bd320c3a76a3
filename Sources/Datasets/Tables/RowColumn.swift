import Results
import TextFormat

/// A column of a table, with its value in a row: what it is called, holds and means stands in one expression.
struct RowColumn<Row>: Sendable {
    var column: Table.Column
    var write: @Sendable (Row, inout TableText) -> Void

    /// A column in which every row has a value.
    static func required<Value>(
        _ name: String, _ cell: Cell<Value>, _ meaning: String, _ value: @escaping @Sendable (Row) -> Value
    ) -> Self {
        Self(name, isRequired: true, cell, meaning, value)
    }

    static func optional<Value>(
        _ name: String, _ cell: Cell<Value>, _ meaning: String, _ value: @escaping @Sendable (Row) -> Value
    ) -> Self {
        Self(name, isRequired: false, cell, meaning, value)
    }

    private init<Value>(
        _ name: String, isRequired: Bool, _ cell: Cell<Value>, _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Value
    ) {
        column = Table.Column(name: name, kind: cell.kind, isRequired: isRequired, meaning: meaning)
        write = { row, text in cell.write(&text, value(row)) }
    }

    /// The columns of a table, in order.
    static func list(@ColumnList<Row> _ columns: () -> [Self]) -> [Self] { columns() }
}

/// What a cell holds, and how it is written.
struct Cell<Value>: Sendable {
    var kind: Table.Kind
    var write: @Sendable (inout TableText, Value) -> Void
}

extension Cell<String?> { static var text: Self { Self(kind: .text) { $0.text($1) } } }
extension Cell<Int?> { static var integer: Self { Self(kind: .integer) { $0.integer($1) } } }
extension Cell<Double?> { static var real: Self { Self(kind: .real) { $0.real($1) } } }
extension Cell<Bool?> { static var boolean: Self { Self(kind: .boolean) { $0.boolean($1) } } }
/// JSON as a text.
extension Cell<JSON?> { static var json: Self { Self(kind: .text) { $0.json($1) } } }
extension Cell<[UInt8]> { static var time: Self { Self(kind: .time) { $0.time($1) } } }

@resultBuilder
enum ColumnList<Row> {
    static func buildExpression(_ column: RowColumn<Row>) -> [RowColumn<Row>] { [column] }
    static func buildExpression(_ columns: [RowColumn<Row>]) -> [RowColumn<Row>] { columns }
    static func buildBlock(_ parts: [RowColumn<Row>]...) -> [RowColumn<Row>] { Array(parts.joined()) }
}

extension RowColumn {
    /// The columns that say which visit of a step a row belongs to.
    static func visit(_ visit: @escaping @Sendable (Row) -> ResultBundle.Visit) -> [Self] {
        list {
            Self.required("step", .text, "identifiers of the blocks and the step, joined by '.'") {
                visit($0).path
            }
            Self.required("visit", .integer, "how often the step had been shown, from 1") { visit($0).visit }
        }
    }
}
