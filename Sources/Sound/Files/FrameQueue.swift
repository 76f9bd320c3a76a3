import Synchronization

/// Frames of one sound on their way from the decoding thread to the mixing thread.
package final class FrameQueue: Sendable {
    private struct State {
        var frames: [Float] = []
        var next = 0
        /// Frames that were needed before they were decoded. They are left out, so that the rest keeps its time.
        var debt = 0
        var hasEnded = false
        var starved = 0
        /// Frames that have been added.
        var put: Int64 = 0
        var length: Int64?
        var problem: String?
    }

    private let state = Mutex(State())

    package init() {}

    /// Frames that are waiting.
    package var count: Int { state.withLock { ($0.frames.count - $0.next) / 2 } }
    /// Whether nothing more will be added.
    package var hasEnded: Bool { state.withLock { $0.hasEnded } }
    /// Frames that were not ready in time.
    package var starved: Int { state.withLock { $0.starved } }

    /// How many frames there were in all; `nil` if that is not known.
    package var length: Int64? { state.withLock { $0.length } }

    /// Why the sound could not be read, if so.
    package var problem: String? { state.withLock { $0.problem } }

    /// No more frames are needed.
    package func close() {
        state.withLock { state in
            state.frames = []
            state.next = 0
            state.hasEnded = true
        }
    }

    /// - Parameters:
    ///   - isLast: whether these frames are the last.
    ///   - problem: why not all of the sound can be read, if so.
    package func put(_ frames: [Float], isLast: Bool, problem: String? = nil) {
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.problem = problem
            state.put += Int64(frames.count / 2)
            if isLast { state.length = state.put }
            let owed = min(state.debt, frames.count / 2)
            state.debt -= owed
            if state.next > 0 {
                state.frames.removeFirst(state.next)
                state.next = 0
            }
            state.frames += frames[(owed * 2)...]
            state.hasEnded = isLast
        }
    }

    /// Removes and returns the next frames.
    package func next(atMost count: Int) -> [Float] {
        state.withLock { state in
            let part = min(count * 2, state.frames.count - state.next)
            let taken = Array(state.frames[state.next..<(state.next + part)])
            state.next += part
            if part < count * 2, !state.hasEnded {
                state.debt += count - part / 2
                state.starved += count - part / 2
            }
            return taken
        }
    }
}
