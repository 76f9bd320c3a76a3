import SessionPorts
import StudyModel

/// What is said about a fingertip on a camera.
struct PulseWords: Hashable, Sendable {
    private enum Told: Hashable, Sendable {
        case nothing
        case seen
        /// The signal's quality, in quarters of the best.
        case hidden(quarter: Int, at: RunInstant)
    }

    private var told = Told.nothing
    /// The time between two remarks on a poor signal.
    private static let pause = Duration.seconds(5)

    /// What there is to say about the camera: when the pulse comes and goes, and how the signal gets better in
    /// between.
    ///
    /// - Parameter isConcerned: whether the screen on show has anything to do with the camera.
    mutating func lines(of sight: CameraStatus, isConcerned: Bool, _ wording: Wording) -> [String] {
        guard isConcerned else { return [] }
        let quality =
            "\(wording(.signalQuality)): \(wording(.percent, String(Int((sight.quality * 100).rounded()))))"
        guard !sight.isClear else {
            defer { told = .seen }
            return told == .seen ? [] : ["\(wording(.pulseSeen)) \(quality)"]
        }
        let quarter = Int(sight.quality * 4)
        switch told {
        case .nothing, .seen:
            told = .hidden(quarter: quarter, at: sight.instant)
            return ["\(wording(.coverLens)) \(quality)"]
        case .hidden(let before, let instant):
            guard quarter != before, instant.duration(to: sight.instant) >= Self.pause else { return [] }
            told = .hidden(quarter: quarter, at: sight.instant)
            return [quality]
        }
    }
}
