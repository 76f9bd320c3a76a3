import Physiology
import SessionPorts
import StudyModel

extension Screen {
    /// The heart rate that the study expects now, beats per minute; `nil` if it expects none.
    func expectedRange(at now: RunInstant) -> ClosedRange<Double>? {
        guard let elapsed = elapsed(at: now) else { return nil }
        return expected.flatMap(ExpectedRate.init)?.expected(at: elapsed.seconds).range
    }

    /// Time that a timed step has run, without pauses; `nil` if none is running.
    private func elapsed(at now: RunInstant) -> Duration? {
        guard case .timed(let duration, _) = content else { return nil }
        return switch phase {
        case .waiting, .waitingForSource, .waitingForArm, .saving: nil
        case .running(_, let end): max(.zero, duration - now.duration(to: end))
        case .paused(let remaining): duration - remaining
        case .timeUp: duration
        }
    }
}
