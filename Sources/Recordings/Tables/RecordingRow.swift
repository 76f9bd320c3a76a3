/// A row of a recording, as far as its cells were understood.
struct RecordingRow {
    /// When it was measured.
    enum Moment: Hashable {
        case number(Double)
        case instant(Double)
        case timeOfDay(Double)

        var value: Double {
            switch self {
            case .number(let value), .instant(let value), .timeOfDay(let value): value
            }
        }

        func isLike(_ other: Moment) -> Bool {
            switch (self, other) {
            case (.number, .number), (.instant, .instant), (.timeOfDay, .timeOfDay): true
            case (.number, _), (.instant, _), (.timeOfDay, _): false
            }
        }
    }

    enum Value: Hashable {
        case absent
        /// The source says that it has no reading.
        case noReading
        case number(Double)
    }

    var line: Int
    /// The row's index from 0, across tables.
    var index: Int
    var moment: Moment?
    /// Seconds to add to the moment.
    var delay: Double
    var rate: Value
    var intervals: [Double]
    var contact: Bool?
    var quality: Double?
    /// Whether a row before it cannot be read.
    var isAfterLoss = false

    /// The only number of the row's values; `nil` if there are none, or several.
    var number: Double? {
        if case .number(let value) = rate { return value }
        return intervals.count == 1 ? intervals[0] : nil
    }
}
