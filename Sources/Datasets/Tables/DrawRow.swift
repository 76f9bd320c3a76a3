import Results
import StudyModel

/// One thing that was drawn: a row of `draws`.
struct DrawRow {
    var draw: Draw
    /// The draw's place among those of the run, and the thing's place within the draw, from 1.
    var number: Int
    var place: Int
    var chosen: String

    private typealias Column = RowColumn<Self>

    static let columns: [RowColumn<Self>] = RowColumn.list {
        Column.required("draw", .integer, "place among the run's draws, from 1") { $0.number }
        Column.required("place", .integer, "place within the draw, from 1") { $0.place }
        Column.required("stream", .text, "the stream of random numbers") { $0.draw.stream }
        Column.required("method", .text, "how it was drawn") { $0.draw.method }
        Column.required("chosen", .text, "what was drawn") { $0.chosen }
        Column.required("pool_size", .integer, "out of how many") { $0.draw.pool.count }
        Column.optional("number", .integer, "the participant's number") { $0.draw.number }
        Column.optional("row", .integer, "row of the square") { $0.draw.row }
    }
}
