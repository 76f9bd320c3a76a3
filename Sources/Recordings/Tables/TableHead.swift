import StudyModel
import TextFormat

/// What says the names of a table's columns, and the times of its rows, in place of a line of names: a file beside it, or
/// the header of a laboratory's program.
struct TableHead {
    /// The names of the columns, as lines of a table.
    var lines: [UInt8]
    /// Seconds from one row to the next; `nil` if a column contains the time.
    var period: Double?
    /// What `period` would be, if the head says so beside a column of times.
    var step: Double?
    /// Seconds since 1970 from which times count, if the head says so.
    var origin: Double?
    /// The number of rows, if the head says so.
    var rowCount: Int?
    /// What the values are, if the names say only that they are an ECG.
    var values: RecordingGuide.Values?
    let assumption: String

    /// Reads the head of a file, puts its names in the place of a header, and adds what it says to the guide; nothing if it has none.
    ///
    /// - Throws: if the head contradicts what the user says.
    static func read(
        from input: inout RecordedInput, _ guide: inout RecordingGuide
    ) throws(SourceFailure) -> TableHead? {
        let beginning = Array(try input.beginning(1 << 16))
        var head = TableHead(sidecarOf: input.name)
        if head == nil {
            let name = input.name
            let found = try naming(name) { () throws(RecordingProblem) in try TableHead.laboratory(beginning)
            }
            if let found { _ = try input.next(found.size) }
            head = found?.head
        }
        guard let head else { return nil }
        input.prepend(head.lines)
        if let rate = guide.rate, let period = head.period ?? head.step, abs(rate * period - 1) > 0.01 {
            throw SourceFailure(
                "\(quoted(input.name)) says itself that it has \((1 / period).wholeNumber) samples a second, not "
                    + "\(rate.wholeNumber): leave out --rate", isBadData: true)
        }
        (guide.period, guide.step) = (head.period, head.step)
        (guide.origin, guide.rowCount) = (head.origin, head.rowCount)
        guide.values = guide.values ?? head.values
        return head
    }
}
