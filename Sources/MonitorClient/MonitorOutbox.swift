import Results
import TextFormat

/// The messages about one series, and how far they have been sent. A value: answers in, actions out.
struct MonitorOutbox: Sendable {
    /// A monitor's answer to a message.
    enum Answer: Hashable, Sendable {
        /// It is on the monitor's disk.
        case kept
        /// The monitor does not know the series, because its data have changed.
        case unknownSeries
        /// The monitor refuses it, and always will.
        case unwanted(String)
        /// There was no answer, or none at the moment.
        case away(String)
    }

    private var messages: [MonitorMessage]
    private var done = 0
    private var restarts = 0
    private var refused = 0
    private var problem: String?
    /// Whether there will be no more messages.
    var isComplete = false

    init(_ messages: [MonitorMessage]) { self.messages = messages }

    var count: Int { messages.count }

    /// The message to send now.
    var next: MonitorMessage? { done < messages.count ? messages[done] : nil }

    var outcome: MonitorLink.Outcome {
        MonitorLink.Outcome(left: messages.count - done, refused: refused, problem: problem)
    }

    mutating func add(_ more: [MonitorMessage]) { messages += more }

    /// The messages from an index on, as a spool holds them.
    func lines(from index: Int) -> [UInt8] { messages[index...].flatMap(\.line) }

    /// Takes the answer to `next`.
    ///
    /// - Returns: whether to continue at once rather than try again later.
    mutating func take(_ answer: Answer) -> Bool {
        switch answer {
        case .kept:
            done += 1
            return true
        case .unknownSeries where done > 0 && restarts < 3:
            // A monitor recognises what it already knows by key and sequence number.
            restarts += 1
            done = 0
            return true
        case .unknownSeries where done > 0: return skip("the monitor does not know the session")
        case .unknownSeries:
            problem = "no monitor is there"
            return false
        case .unwanted(let reason): return skip(reason)
        case .away(let reason):
            problem = reason
            return false
        }
    }

    private mutating func skip(_ reason: String) -> Bool {
        problem = reason
        refused += 1
        done += 1
        return true
    }

    /// Reports the end of a run whose end nobody saw.
    mutating func close() {
        isComplete = true
        let events = messages.filter { $0.part == .events }.flatMap { $0.body["events"]?.list ?? [] }
        guard !events.contains(where: { $0["kind"]?.text == "over" }) else { return }
        let sequence = events.compactMap { $0["sequence"]?.integer }.max() ?? 0
        let elapsed = events.compactMap { $0["elapsed"]?.number }.max() ?? 0
        messages.append(
            MonitorMessage(
                .events,
                [
                    "events": [
                        [
                            "kind": "over", "elapsed": .real(elapsed), "sequence": .integer(sequence + 1),
                            "text": "failed",
                        ]
                    ]
                ]))
    }
}
