import Glibc
import Synchronization

/// What a terminal shows and is to show: frames in, what must be sent for them out, ten times a second at most.
final class Canvas: Sendable {
    private struct State {
        var painter: Painter
        var frame: Frame?
        var isUrgent = false
        var lastPainted: Int64 = -1_000
        var lastUrgent: Int64 = -1_000
    }

    /// Milliseconds between two paintings.
    private static let period: Int64 = 100
    private let state: Mutex<State>

    init(_ painter: Painter) { state = Mutex(State(painter: painter)) }

    /// - Parameter isUrgent: whether it waits for none but the last urgent one.
    func show(_ frame: Frame, isUrgent: Bool) {
        state.withLock { state in
            state.frame = frame
            state.isUrgent = state.isUrgent || isUrgent
        }
    }

    /// What the terminal shows is no longer known.
    func forget() { state.withLock { $0.painter.forget() } }

    /// What is to be sent now.
    func next() -> DeviceThread.Output {
        let now = Self.milliseconds
        return state.withLock { state in
            guard let frame = state.frame, !state.painter.isShowing(frame) else {
                state.isUrgent = false
                return .nothing
            }
            let due = state.isUrgent ? state.lastUrgent + Self.period : state.lastPainted + Self.period
            guard due <= now else { return .later(Int32(min(Self.period, due - now))) }
            if state.isUrgent { state.lastUrgent = now }
            state.lastPainted = now
            state.isUrgent = false
            return .bytes(Array(state.painter.paint(frame).utf8))
        }
    }

    private static var milliseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
