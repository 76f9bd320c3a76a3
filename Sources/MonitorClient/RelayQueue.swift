import TextFormat

/// Readings on their way to a monitor, in order, and the monitor's answers. A value: readings and answers in,
/// requests out.
struct RelayQueue: Sendable {
    /// Oldest first.
    private var waiting: [JSON] = []
    private var first = 0
    /// The content of the request that has not been answered yet.
    private(set) var request: [JSON] = []
    /// The number of the request, from 0. A repeated request keeps its number.
    private(set) var number = 0
    /// Readings in a request; 1 after a request of several was refused.
    private var most = Self.batch
    private var isAway = false
    private(set) var outcome = HeartRelay.Outcome()

    /// How many readings may wait: more than two days of one reading a second.
    static let mostWaiting = 200_000
    /// Readings in one request.
    static let batch = 500

    private var count: Int { waiting.count - first }

    /// What has happened to everything, if it ends now.
    var end: HeartRelay.Outcome {
        var end = outcome
        end.left = count + request.count
        return end
    }

    mutating func add(_ reading: JSON) {
        waiting.append(reading)
        guard count > Self.mostWaiting else { return }
        first += 1
        outcome.dropped += 1
    }

    /// Whether there is a request to send. A request that was not answered is sent again.
    mutating func prepare() -> Bool {
        guard request.isEmpty else { return true }
        request = Array(waiting[first...].prefix(most))
        first += request.count
        if first > Self.batch, first * 2 > waiting.count {
            waiting.removeFirst(first)
            first = 0
        }
        return !request.isEmpty
    }

    /// Takes the answer to the request.
    ///
    /// - Returns: whether to continue at once rather than try again later, and what has changed.
    mutating func take(_ answer: MonitorOutbox.Answer) -> (goesOn: Bool, change: HeartRelay.Change?) {
        switch answer {
        case .kept:
            outcome.sent += request.count
            most = Self.batch
            (request, number) = ([], number + 1)
        case .unwanted(let reason):
            number += 1
            outcome.problem = reason
            if request.count > 1 {
                // One of the readings is at fault, and the others must not be refused with it.
                waiting.replaceSubrange(..<first, with: request)
                (first, most) = (0, 1)
            } else {
                outcome.refused += 1
            }
            request = []
        case .unknownSeries: return gone("no monitor is there")
        case .away(let reason): return gone(reason)
        }
        defer { isAway = false }
        return (true, isAway ? .back(waiting: count) : nil)
    }

    private mutating func gone(_ reason: String) -> (goesOn: Bool, change: HeartRelay.Change?) {
        defer { isAway = true }
        outcome.problem = reason
        return (false, isAway ? nil : .away(reason))
    }
}
