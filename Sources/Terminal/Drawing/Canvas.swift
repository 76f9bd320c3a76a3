import Glibc
import Synchronization

/// What a terminal shows and should show. Frames go in, and the text to send comes out, at most about ten times a
/// second.
final class Canvas: Sendable {
    /// How soon a frame has to be visible.
    enum Haste: Int, Comparable {
        /// A tenth of a second after the last painting.
        case none
        /// A second has passed: a tenth of a second after the last painting for this reason.
        case tick
        /// Another step is on show: at once.
        case screen

        static func < (left: Haste, right: Haste) -> Bool { left.rawValue < right.rawValue }
    }

    private struct State {
        var painter: Painter
        var frame: Frame?
        var haste = Haste.none
        var lastPainted: Int64 = -1_000
        var lastTick: Int64 = -1_000
    }

    /// Milliseconds between two paintings.
    private static let period: Int64 = 100
    /// Milliseconds between two paintings if the step has changed; a run may go a thousand times as fast as usual.
    private static let leastPeriod: Int64 = 2
    private let state: Mutex<State>

    init(_ painter: Painter) { state = Mutex(State(painter: painter)) }

    func show(_ frame: Frame, _ haste: Haste) {
        state.withLock { state in
            state.frame = frame
            state.haste = max(state.haste, haste)
        }
    }

    /// It is no longer known what the terminal shows.
    func forget() { state.withLock { $0.painter.forget() } }

    /// What has to be sent now.
    func next() -> DeviceThread.Output {
        let now = Self.milliseconds
        return state.withLock { state in
            guard let frame = state.frame, !state.painter.isShowing(frame) else {
                state.haste = .none
                return .nothing
            }
            let due =
                switch state.haste {
                case .none: state.lastPainted + Self.period
                case .tick: state.lastTick + Self.period
                case .screen: state.lastPainted + Self.leastPeriod
                }
            guard due <= now else { return .later(Int32(min(Self.period, due - now))) }
            if state.haste == .tick { state.lastTick = now }
            state.lastPainted = now
            state.haste = .none
            return .bytes(Array(state.painter.paint(frame).utf8))
        }
    }

    private static var milliseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
