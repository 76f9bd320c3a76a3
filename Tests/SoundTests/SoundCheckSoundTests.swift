import Glibc
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Platform
@testable import Sound

/// The tones of a sound check, and the level that no sound passes.
@Suite struct SoundCheckSoundTests {
    private let scratch = TemporaryFolder()
    private static let rate = 44_100

    private func play(
        _ clip: Stimulus, _ settings: Playback.Settings, of score: Score = .tones, seconds: Double,
        changes: [(at: Double, gain: Double)] = []
    ) async throws -> (left: [Float], right: [Float], playback: Playback) {
        let path = scratch.path + "/out.wav"
        let player = try FilePlayer(score, writing: path)
        _ = player.place(Sound(.clip(clip), settings), as: 1, at: .start)
        for change in changes { _ = player.change(1, tempo: 1, gain: change.gain, at: .seconds(change.at)) }
        player.stop(1, at: .seconds(seconds))
        let playback = player.outcome(of: 1)
        _ = await player.finish(at: .seconds(seconds))
        let file = try SoundFile(reading: path)
        let both = file.read(Int(file.length))
        return (
            stride(from: 0, to: both.count, by: 2).map { both[$0] },
            stride(from: 1, to: both.count, by: 2).map { both[$0] }, playback
        )
    }

    private static let looping = Playback.Settings(loops: true)

    /// How often a channel begins to sound.
    private func beeps(_ samples: [Float], rate: Int) -> [Double] {
        let quiet = rate / 20
        var last = -quiet
        var found: [Double] = []
        for (index, sample) in samples.enumerated() where abs(sample) > 0.001 {
            if index - last >= quiet { found.append(Double(index) / Double(rate)) }
            last = index
        }
        return found
    }

    @Test func `one beep is on the left, two are on the right, three on both sides, again and again`()
        async throws
    {
        let heard = try await play(ReferenceTone.sides.clip, Self.looping, seconds: 12)
        let rate = Score.tones.preferredRate
        let once = (left: [0, 4, 4.4, 4.8], right: [2, 2.4, 4, 4.4, 4.8])
        for (found, expected) in [
            (beeps(heard.left, rate: rate), once.left), (beeps(heard.right, rate: rate), once.right),
        ] {
            let twice = expected + expected.map { $0 + 6 }
            #expect(found.count == twice.count)
            #expect(zip(found, twice).allSatisfy { abs($0 - $1) < 0.001 })
        }
    }

    @Test func `the steady tone is a sine of 1 kHz, without a seam where it begins again`() async throws {
        let heard = try await play(ReferenceTone.steady.clip, Self.looping, seconds: 3.5)
        let rate = Score.tones.preferredRate
        let amplitude = pow(10, -18.0 / 20)
        for index in (rate / 10)..<(rate * 34 / 10) {
            let expected = amplitude * sin(2 * .pi * 1000 * Double(index) / Double(rate))
            #expect(abs(Double(heard.left[index]) - expected) < 0.002)
            guard abs(Double(heard.left[index]) - expected) < 0.002 else { break }
        }
        #expect(heard.left == heard.right)
    }

    private func loudClip() throws -> (Stimulus, Score) {
        let path = scratch.path + "/clip.wav"
        let writer = try SoundFileWriter(writing: path, .exactWAV, rate: Self.rate, channels: 2)
        let samples = (0..<(Self.rate * 4)).flatMap { frame -> [Float] in
            let value = Float(0.25 * sin(2 * .pi * 1000 * Double(frame) / Double(Self.rate)))
            return [value, value]
        }
        try writer.write(samples)
        writer.flush()
        let clip = Stimulus(identifier: "clip", file: "clip.wav", path: "clip.wav")
        let file = ClipFile(path: path, length: Int64(Self.rate * 4), rate: Self.rate)
        return (
            clip,
            Score(
                clips: ["clip.wav": file], measured: ["clip.wav": try ClipMeasurement(of: path)], speech: [:],
                hasTones: true)
        )
    }

    @Test(.enabled(if: ClipMeasurement.canMeasureLoudness, "libebur128 is not installed"))
    func `no gain, volume or heart raises a clip above the ceiling, and its result says what was lowered`()
        async throws
    {
        let (clip, score) = try loudClip()
        var settings = Playback.Settings(gain: 6)
        settings.ceiling = -20
        // The clip's own loudness is -12 LUFS, nearly.
        let heard = try await play(clip, settings, of: score, seconds: 4, changes: [(1, 5), (2, -6), (3, 1)])
        let gain = try #require(heard.playback.gain)
        let lowered = try #require(heard.playback.loweredBy)
        #expect(abs(gain + 8) < 0.2 && abs(gain + lowered - 6) < 0.011)
        let peak = { (from: Double, to: Double) in
            heard.left[Int(from * 44_100)..<Int(to * 44_100)].map { abs($0) }.max() ?? 0
        }
        let most = Float(0.25 * pow(10, gain / 20))
        #expect(abs(peak(0.2, 1) - most) < 0.002)
        #expect(abs(peak(1.2, 2) - most) < 0.002, "a change cannot raise it")
        #expect(abs(peak(2.2, 3) - most / 2) < 0.002, "a change can lower it")
        #expect(abs(peak(3.2, 4) - most) < 0.002)
    }

    @Test func `what stays below the ceiling is as it was asked for`() async throws {
        var settings = Self.looping
        (settings.ceiling, settings.gain) = (-20, -4)
        let heard = try await play(ReferenceTone.steady.clip, settings, seconds: 1)
        #expect(heard.playback.gain == -4 && heard.playback.loweredBy == nil)
    }
}
