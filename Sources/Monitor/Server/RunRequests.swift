import MonitorInterface
import ServiceLifecycle
import Synchronization
import TextFormat

/// What experimenters want of runs, until the runs have answered.
///
/// It is kept in memory only: nobody is told that something was done before the run has it in its journal.
final class RunRequests: Sendable {
    private struct Open {
        var run: String
        var answer: AsyncStream<RequestAnswer>.Continuation
    }

    private struct State {
        var last = 0
        var open: [Int: Open] = [:]
    }

    private let feed: Feed
    private let state = Mutex(State())

    init(_ feed: Feed) { self.feed = feed }

    /// Tells a run what is wanted, and waits for its answer.
    func ask(_ run: String, _ request: ExperimenterRequest) async throws(Refusal) {
        let (answers, answer) = AsyncStream.makeStream(of: RequestAnswer.self)
        let number = state.withLock { state in
            state.last += 1
            state.open[state.last] = Open(run: run, answer: answer)
            return state.last
        }
        defer { state.withLock { $0.open[number] = nil } }
        var told = request.json.object ?? JSON.Object([:])
        told["number"] = .integer(number)
        guard feed.tell(run, .object(told)) else {
            throw Refusal(.conflict, "this run does not go on, or cannot be reached")
        }
        guard let said = await Self.first(of: answers) else {
            throw Refusal(
                .unavailable,
                "the run did not answer within \(Int(MonitorLimits.answer)) s: look whether it was done")
        }
        if let problem = said.problem { throw Refusal(.conflict, problem) }
    }

    /// Delivers a run's answer to the request that waits for it.
    ///
    /// - Throws: if no request waits for it any more.
    func deliver(_ answer: RequestAnswer, to number: Int, of run: String) throws(Refusal) {
        let open = state.withLock { $0.open[number] }
        guard let open, open.run == run else { throw .notFound("nobody waits for this answer") }
        open.answer.yield(answer)
        open.answer.finish()
    }

    /// The answer, or `nil` if it does not come in time or the monitor ends.
    private static func first(of answers: AsyncStream<RequestAnswer>) async -> RequestAnswer? {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: RequestAnswer?.self) { group in
                group.addTask { await answers.first { _ in true } }
                group.addTask {
                    do { try await Task.sleep(for: .seconds(MonitorLimits.answer)) } catch {}
                    return nil
                }
                defer { group.cancelAll() }
                return await group.next() ?? nil
            }
        }
    }
}
