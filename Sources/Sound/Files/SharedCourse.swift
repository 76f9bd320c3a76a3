import StudyModel
import Synchronization

/// The course of a clip's tempo, in frames of the output since its onset, between those who change it and the one who
/// renders it. What was rendered does not change any more.
package final class SharedCourse: Sendable {
    private struct State {
        var course = TempoCourse()
        var rendered: Int64 = 0
    }

    private let state = Mutex(State())
    /// How many frames the clip has at its own tempo; `nil` if it starts again at its end.
    private let length: Int64?

    package init(length: Int64?) { self.length = length }

    /// The frame at which the clip ends; `nil` if it does not.
    var end: Int64? { state.withLock { end(of: $0) } }

    /// The position in the clip at a frame.
    func position(at frame: Int64) -> Double { state.withLock { $0.course.position(at: frame) } }

    /// Changes the tempo from a frame on, or from the first that is not rendered.
    ///
    /// - Returns: which frame it is, the position in the clip there, and the frame at which the clip now ends; `nil` if
    ///   the clip is over by then.
    package func change(
        to tempo: Double, at frame: Int64
    ) -> (frame: Int64, position: Double, end: Int64?)? {
        state.withLock { state in
            let frame = max(frame, state.rendered, state.course.lastChange)
            guard end(of: state).map({ frame < $0 }) != false else { return nil }
            state.course.change(to: tempo, at: frame)
            return (frame, state.course.position(at: frame), end(of: state))
        }
    }

    /// The positions in the clip of frames that are rendered now.
    func render(_ frames: Range<Int64>) -> TempoCourse {
        state.withLock { state in
            state.rendered = max(state.rendered, frames.upperBound)
            return state.course
        }
    }

    private func end(of state: borrowing State) -> Int64? {
        guard let length else { return nil }
        return state.course.time(of: length)
    }
}
