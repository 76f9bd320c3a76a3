import Console
import Platform
import SessionPorts
import Sound
import StudyModel
import StudySession
import TextFormat

extension Readiness {
    /// Whether the microphone that the run records with hears the sound device, and how much later than the devices say:
    /// the way through the room, and what they do not tell of themselves; `nil` without a device.
    func hearing(by microphone: Microphone) async throws -> Finding? {
        guard try audio.isNeeded(by: plan, folder: folder), let device = try? outputDevice() else {
            return nil
        }
        do throws(SoundFailure) {
            let lags = try await Self.lags(from: device, to: microphone)
            guard lags.count > 1, let lag = lags.sorted().dropFirst(lags.count / 2).first else {
                return Finding(
                    state: .look, subject: "hearing",
                    words:
                        "the microphone does not hear the tones of \(device.name): is it elsewhere, or are there headphones?"
                )
            }
            return Finding(
                state: .ok, subject: "hearing",
                words:
                    "the microphone hears a tone \(whole(1000 * lag)) ms after \(device.name) says that it is heard"
            )
        } catch {
            return Finding(state: .look, subject: "hearing", words: error.description)
        }
    }

    /// The device that the run will play on; `nil` if none.
    func outputDevice() throws(SoundFailure) -> AudioDevice? {
        switch audio.audio {
        case .none, .file: nil
        case .device(let name): try AudioSystem.devices().output(named: name)
        case .automatic: try AudioSystem.devices().output(named: nil)
        }
    }

    /// How much later than the device says each of three tones begins in what the microphone records, seconds; without
    /// those that it does not hear.
    private static func lags(
        from device: AudioDevice, to microphone: Microphone
    ) async throws(SoundFailure) -> [Double] {
        let player = try DevicePlayer(.tones, on: device)
        guard let scratch = try? TemporaryFolder() else {
            throw SoundFailure("there is no place for a sound file")
        }
        defer { withExtendedLifetime(scratch) {} }
        let path = "\(scratch.path)/heard.wav"
        let told = await RunLoop.with { loop -> [RunInstant] in
            let clock = loop.clock(.realTime(speed: 1))
            player.begin(on: clock)
            microphone.begin(clock.now)
            let take = microphone.record(path, .wav, .start) { _ in }
            let onsets = (1...3).map { number in
                player.place(
                    Sound(.tone("countdown")), as: number,
                    at: RunInstant.start.advanced(by: .milliseconds(100 + 700 * number))
                ).playback.onset
            }
            let end = onsets[2].advanced(by: .seconds(1))
            microphone.stop(take, end)
            // What was recorded is written a little later.
            try? await clock.sleep(until: end.advanced(by: .seconds(1)), tolerance: nil)
            _ = await player.finish(at: end)
            return onsets
        }
        let file = try SoundFile(reading: path)
        let heard = Loudness(file.read(Int(file.length)), rate: file.rate)
        return told.compactMap { onset in heard.rise(after: RunInstant.start.duration(to: onset).seconds) }
    }

    /// How loud a recording is, piece by piece.
    private struct Loudness {
        private static let piece = 0.002
        /// Root mean squares of pieces.
        private let levels: [Double]

        /// - Parameter samples: interleaved stereo, both sides the same.
        init(_ samples: [Float], rate: Int) {
            let length = 2 * max(1, Int(Self.piece * Double(rate)))
            levels = stride(from: 0, to: samples.count - length, by: length).map { start in
                let squares = samples[start..<start + length].reduce(0.0) { $0 + Double($1) * Double($1) }
                return (squares / Double(length)).squareRoot()
            }
        }

        /// When it becomes four times as loud as just before, between a tenth of a second before a moment and half a second
        /// after it; seconds after that moment. `nil` if it does not.
        func rise(after moment: Double) -> Double? {
            let place = Int(moment / Self.piece)
            guard place > 150, place + 250 < levels.count else { return nil }
            let before = levels[place - 150..<place - 50].sorted()
            let limit = max(4 * before[95], 0.0005)
            return (place - 50..<place + 250).first { levels[$0] > limit && levels[$0 + 5] > limit }
                .map { Double($0) * Self.piece - moment }
        }
    }
}
