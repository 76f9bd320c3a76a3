import TextFormat

/// Why a row of a recording gives no reading.
enum RecordingFault: CaseIterable {
    case otherKind, noValue, broken, unreadableTime, unreadableValue, implausible, implausibleInterval

    /// The words that follow "rows".
    var reason: String {
        switch self {
        case .otherKind: "of another kind"
        case .noValue: "without a value"
        case .broken: "that are not a complete JSON object"
        case .unreadableTime: "whose time cannot be read"
        case .unreadableValue: "whose value cannot be read"
        case .implausible: "outside 15 to 300 beats per minute"
        case .implausibleInterval: "with an interval outside 0.2 to 4 s, which is a gap"
        }
    }

    /// What is wrong and what to do, if this fault is the most frequent one; `nil` if it is not a mistake.
    var advice: String? {
        switch self {
        case .otherKind, .noValue, .implausibleInterval: nil
        case .broken:
            "is not a complete JSON object: write one on each line, such as {\"time\": 0.5, \"hr\": 72}"
        case .unreadableTime:
            "is not a time like those before it: write seconds, 2026-01-31T09:30:00+01:00 or 09:30:00"
        case .unreadableValue: "is not a number"
        case .implausible: "is not a heart rate or an interval between beats: check the column and its unit"
        }
    }
}

/// How many rows gave a reading and how many did not, and where the first of each kind stands.
struct RecordingTally {
    private struct Fault {
        var count = 0
        var firstPlace: Int
        var firstCell: String
    }

    /// Rows that gave a reading.
    var readingCount = 0
    private var faults: [RecordingFault: Fault] = [:]
    /// The unit of places: `line`, `item`, `record` or `point`.
    private let placeName: String

    init(placeName: String) { self.placeName = placeName }

    mutating func count(_ fault: RecordingFault, _ place: Int, _ cell: @autoclosure () -> String) {
        if (faults[fault]?.count += 1) == nil {
            faults[fault] = Fault(count: 1, firstPlace: place, firstCell: cell())
        }
    }

    /// Such as `line 3`.
    private func place(_ number: Int) -> String { "\(placeName) \(number)" }

    /// How the file was understood.
    ///
    /// - Throws: if most rows are wrong or none gave a reading.
    func reading(
        _ assumptions: [String], isDated: Bool, damage: String? = nil
    ) throws(RecordingProblem) -> HeartRateRecording.Reading {
        try judge()
        let skipped = RecordingFault.allCases.compactMap { fault in
            faults[fault].map {
                HeartRateRecording.Skipped(
                    reason: fault.reason, count: $0.count, firstPlace: place($0.firstPlace))
            }
        }
        return HeartRateRecording.Reading(
            assumptions: assumptions, skipped: skipped, damage: damage, placeName: placeName, isDated: isDated
        )
    }

    private func judge() throws(RecordingProblem) {
        let wrong = RecordingFault.allCases.filter { $0.advice != nil }.compactMap { fault in
            faults[fault].map { (fault: fault, tally: $0) }
        }
        if let worst = wrong.max(by: { $0.tally.count < $1.tally.count }), let advice = worst.fault.advice,
            wrong.reduce(0, { $0 + $1.tally.count }) > readingCount
        {
            throw RecordingProblem(
                "\(quoted(worst.tally.firstCell)) \(advice)", at: place(worst.tally.firstPlace))
        }
        guard readingCount == 0 else { return }
        throw RecordingProblem(
            "no row holds a heart rate"
                + (faults[.otherKind].map { ", only others such as \(quoted($0.firstCell))" } ?? "")
                + ": the file needs at least one")
    }
}
