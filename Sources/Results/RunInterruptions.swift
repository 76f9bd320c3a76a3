package import StudyModel

/// The gaps of a continued run: from each early end to the moment at which it went on.
package struct RunInterruptions: Hashable, Sendable {
    /// In order.
    package private(set) var ranges: [Range<RunInstant>] = []
    private var end: RunInstant?

    package init() {}

    /// The interruptions that a journal records.
    package init(of records: some Sequence<Journal.Record>) {
        for record in records { take(record) }
    }

    /// Takes the next record of the journal.
    package mutating func take(_ record: Journal.Record) {
        switch record.content {
        case .effect(.end): end = record.instant
        case .event(.continued):
            if let end { ranges.append(end..<max(end, record.instant)) }
            end = nil
        case .event, .effect: return
        }
    }
}
