import Glibc
import Physiology
import Platform
import Signals
import Sound
import StudyModel
import Synchronization

/// A camera watched until Ctrl-C.
struct CameraWatch {
    let path: String
    let settings: CameraSettings
    let detector: PulseDetector
    /// Receives every window as soon as it is over.
    let tell: (Pulse.Window) -> Void

    /// - Returns: everything that was seen.
    /// - Throws: `SourceFailure` if the camera is missing, busy, or unplugged during use.
    func run() throws(SourceFailure) -> PulseTrace {
        Self.endWithControlC()
        var frames = try VideoFrames(of: .camera(path, settings))
        var seen: [VideoFrames.Frame] = []
        var live = LivePulse(detector)
        var due = detector.window
        while let frame = try frames.next(unless: { hasEnded.load(ordering: .relaxed) }) {
            seen.append(frame)
            while frame.time >= due {
                for window in live.estimate(at: due).windows { tell(window) }
                due += detector.hop
            }
            live.append(
                time: frame.time, red: frame.colour.red, green: frame.colour.green, blue: frame.colour.blue)
        }
        return PulseTrace(seen)
    }

    /// Ctrl-C interrupts waiting; the second one ends the program.
    private static func endWithControlC() {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = { _ in hasEnded.store(true, ordering: .relaxed) }
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
        unsafe sigaction(SIGINT, &action, nil)
    }
}

private let hasEnded = Atomic(false)
