import Console
import Glibc
import SessionPorts
import Sound
import StudyModel
import StudySession
import TextFormat

/// Somebody at the terminal who says whether a tone is heard, and sets the loudness by it.
struct ToneListener: Sendable {
    /// Somebody at standard input; `nil` if that is no terminal.
    static var atTerminal: ToneListener? {
        Terminals.isInputTerminal && isatty(STDERR_FILENO) == 1 ? ToneListener() : nil
    }

    /// Plays three tones as loud as clips are, as often as is asked for.
    ///
    /// - Returns: whether they were heard and the loudness is set.
    /// - Throws: `SoundFailure` if the device does not play.
    func hears(a device: AudioDevice) async throws(SoundFailure) -> Bool {
        while true {
            try await play(on: device)
            switch Output.ask(
                """
                \(device.name) has played three tones, as loud as clips and cues will be. Set the loudness there, where \
                the participant will sit.
                Heard, and the loudness is right? [y = yes, n = no, Return = play again]\u{20}
                """)?.lowercased()
            {
            case "y", "yes": return true
            case "n", "no", nil: return false
            default: continue
            }
        }
    }

    private func play(on device: AudioDevice) async throws(SoundFailure) {
        let player = try DevicePlayer(.tones, on: device)
        let problem = await RunLoop.with { loop -> String? in
            let clock = loop.clock(.realTime(speed: 1))
            player.begin(on: clock)
            let first = RunInstant.start.advanced(by: .milliseconds(300))
            for number in 0..<3 {
                _ = player.place(
                    Sound(.tone("tone")), as: number + 1,
                    at: first.advanced(by: .milliseconds(600 * number)))
            }
            let end = first.advanced(by: .seconds(2))
            do { try await clock.sleep(until: end, tolerance: nil) } catch { return nil }
            return await player.finish(at: end)
        }
        if let problem { throw SoundFailure(problem) }
    }
}
