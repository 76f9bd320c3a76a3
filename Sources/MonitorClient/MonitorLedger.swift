import MonitorInterface
package import Platform
import Results
package import StudyModel
import Synchronization
package import TextFormat

/// A ledger that a monitor keeps: asks for the arms of participants.
///
/// Asking again for a participant gives the same arm, so a request whose answer was lost is simply repeated.
package final class MonitorLedger: Sendable {
    /// What came of a request.
    package enum Answer: Hashable, Sendable {
        /// The ledger is there, and belongs to the study. With the participants who were allocated for this room and whose
        /// run has not ended.
        case ready(open: [String])
        case allocated(Identifier, slot: Int)
        /// Asking again would not help; with the status of the HTTP answer.
        case refused(String, status: Int)
        /// The monitor cannot be reached, or cannot answer at the moment.
        case away(String)
    }

    private let monitor: MonitorAddress
    private let design: JSON
    private let client: HTTPClient
    private let pauses: (first: Duration, longest: Duration)
    /// The number of the last request for an arm; earlier ones give up.
    private let request = Mutex(0)

    /// - Parameters:
    ///   - design: the design of the study's allocation, in the form of a ledger's first line.
    ///   - pauses: how long to wait before asking again, first and at most.
    /// - Throws: if no server can be reached from here, because libcurl is missing.
    package init(
        at monitor: MonitorAddress, of design: JSON,
        pauses: (first: Duration, longest: Duration) = (.milliseconds(250), .seconds(5))
    ) throws(HTTPFailure) {
        (self.monitor, self.design, self.pauses) = (monitor, design, pauses)
        client = try HTTPClient()
    }

    /// Whether the ledger is there, belongs to the study, and has a slot left. Takes no slot.
    ///
    /// - Parameter participant: who may have a slot already.
    package func check(for participant: String? = nil) async -> Answer {
        var body = ["design": design]
        body["participant"] = participant.map { .text($0) }
        return await ask(MonitorPath.allocationCheck, .members(body), limit: .seconds(5))
    }

    /// Says how a participant's run ended.
    package func end(_ participant: String, completed isComplete: Bool) async -> Answer {
        await ask(
            MonitorPath.allocationEnd,
            ["completed": .boolean(isComplete), "design": design, "participant": .text(participant)],
            limit: .seconds(5))
    }

    /// Asks for a participant's arm until the monitor gives or refuses it, the task is cancelled, or the arm is
    /// asked for once more.
    ///
    /// - Parameters:
    ///   - settle: tells the monitor of what it waits for, when it refuses; whether asking again may help.
    ///   - tell: receives `notAllocated` whenever there is something new to say, and `allocated` at last.
    package func allocate(
        _ participant: String, _ levels: [String], settle: @Sendable () async -> Bool = { false },
        tell: @Sendable (Event) -> Void
    ) async {
        let number = request.withLock { last in
            last += 1
            return last
        }
        var pause = pauses.first
        var told: String?
        var isSettled = false
        while true {
            let answer = await ask(
                MonitorPath.allocations,
                [
                    "design": design, "levels": .texts(levels),
                    "participant": .text(participant),
                ])
            guard !Task.isCancelled, request.withLock({ $0 }) == number else { return }
            switch answer {
            case .allocated(let arm, let slot): return tell(.allocated(arm, slot: slot))
            case .refused(let reason, let status):
                guard status == 409, !isSettled, await settle() else {
                    return tell(.notAllocated(reason))
                }
                isSettled = true
                continue
            case .ready: return tell(.notAllocated("no monitor with a ledger is at \(monitor.url)"))
            case .away(let reason):
                // Every try takes another number of milliseconds, which is no news.
                let news = reason.filter { !$0.isNumber }
                if news != told { tell(.notAllocated("\(reason). The program keeps asking.")) }
                told = news
            }
            do { try await Task.sleep(for: pause) } catch { return }
            guard request.withLock({ $0 }) == number else { return }
            pause = min(pause * 2, pauses.longest)
        }
    }

    private func ask(_ path: String, _ body: JSON, limit: Duration = .seconds(15)) async -> Answer {
        var request = monitor.request(path, body: body.encoded())
        request.headers.append(HTTPHeader("Content-Type", "application/json"))
        request.limit = limit
        do throws(HTTPFailure) {
            return Self.meaning(of: try await client.response(to: request), from: monitor)
        } catch {
            return .away("The monitor \(monitor.url) cannot be reached (\(error))")
        }
    }

    /// - Parameter response: the answer of a monitor, or of something else at that address, such as a proxy whose
    ///   monitor is down.
    static func meaning(of response: HTTPResponse, from monitor: MonitorAddress) -> Answer {
        let status = response.head.status
        let isBusy = status == 429 || status >= 500
        let said: JSON
        do throws(JSON.Malformed) { said = try JSON(parsing: response.body) } catch {
            let words = "no monitor is at \(monitor.url): it answers \(status)"
            return isBusy ? .away(words) : .refused(words, status: status)
        }
        if response.head.isSuccess {
            if let arm = said["arm"]?.text.flatMap(Identifier.init), let slot = said["slot"]?.integer {
                return .allocated(arm, slot: slot)
            }
            return said["study"]?.text == nil
                ? .refused("no monitor with a ledger is at \(monitor.url)", status: 404)
                : .ready(open: said["open"]?.list?.compactMap(\.text) ?? [])
        }
        let reason = said["error"]?.text?.limited(to: 500) ?? "it answers \(status)"
        let words = "the monitor \(monitor.url) gives no arm: \(reason)"
        return isBusy ? .away(words) : .refused(words, status: status)
    }
}
