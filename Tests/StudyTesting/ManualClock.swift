package import StudyModel
import Synchronization

/// A clock that stands still until told otherwise, and that can say who is asleep.
package final class ManualClock: Clock, Sendable {
    package typealias Instant = RunInstant
    package var now: RunInstant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .zero }

    private struct State {
        var now = RunInstant.start
        var nextID = 0
        var sleepers: [Int: (deadline: RunInstant, wake: CheckedContinuation<Void, any Error>)] = [:]
        var watchers: [CheckedContinuation<RunInstant, Never>] = []
    }
    private let state = Mutex(State())

    package init() {}

    package func sleep(until deadline: RunInstant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enum Next {
                    case wait([CheckedContinuation<RunInstant, Never>])
                    case wake
                    case cancel
                }
                let next: Next = state.withLock { state in
                    if Task.isCancelled { return .cancel }
                    if deadline <= state.now { return .wake }
                    state.sleepers[id] = (deadline, continuation)
                    defer { state.watchers = [] }
                    return .wait(state.watchers)
                }
                switch next {
                case .wait(let watchers):
                    for watcher in watchers { watcher.resume(returning: deadline) }
                case .wake: continuation.resume()
                case .cancel: continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id)?.wake }?
                .resume(throwing: CancellationError())
        }
    }

    /// Waits until somebody sleeps on this clock, and returns the earliest deadline.
    package func nextSleep() async -> RunInstant {
        await withCheckedContinuation { continuation in
            let earliest: RunInstant? = state.withLock { state in
                if let earliest = state.sleepers.values.map(\.deadline).min() { return earliest }
                state.watchers.append(continuation)
                return nil
            }
            if let earliest { continuation.resume(returning: earliest) }
        }
    }

    /// Moves to `instant` and wakes everyone due by then, earliest first.
    package func advance(to instant: RunInstant) {
        let due = state.withLock { state in
            state.now = max(state.now, instant)
            let due = state.sleepers.filter { $0.value.deadline <= instant }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.wake.resume() }
    }
}
