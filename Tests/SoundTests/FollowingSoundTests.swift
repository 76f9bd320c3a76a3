import Glibc
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Platform
@testable import Sound

/// Sounds whose tempo and level change, frame by frame.
@Suite struct FollowingSoundTests {
    private let scratch = TemporaryFolder()
    private static let rate = 44_100

    private func score(_ samples: [Float]) throws -> (Score, Stimulus) {
        let path = scratch.path + "/clip.wav"
        let writer = try SoundFileWriter(writing: path, .exactWAV, rate: Self.rate, channels: 2)
        try writer.write(samples.flatMap { [$0, $0] })
        writer.flush()
        let clip = Stimulus(identifier: "clip", file: "clip.wav", path: "clip.wav")
        let file = ClipFile(path: path, length: Int64(samples.count), rate: Self.rate)
        return (Score(clips: ["clip.wav": file], speech: [:], hasTones: true), clip)
    }

    /// Plays a clip from 0.5 s on, with changes of tempo at seconds after its onset, and returns the left channel.
    private func play(
        _ clip: Stimulus, of score: Score, changes: [(Double, Double)], seconds: Double, name: String = "out"
    ) async throws -> (heard: [Float], playback: Playback, reports: [Playback.Change]) {
        let path = "\(scratch.path)/\(name).wav"
        let player = try FilePlayer(score, writing: path)
        var settings = Playback.Settings()
        settings.following = Following(tempo: .init(range: -0.5...1))
        _ = player.place(Sound(.clip(clip), settings), as: 1, at: .seconds(0.5))
        let reports = changes.compactMap { moment, tempo in
            player.change(1, tempo: tempo, gain: 0, at: .seconds(0.5 + moment))?.change
        }
        #expect(reports.count == changes.count)
        player.stop(1, at: .seconds(seconds))
        let playback = player.outcome(of: 1)
        _ = await player.finish(at: .seconds(seconds))
        let file = try SoundFile(reading: path)
        let both = file.read(Int(file.length))
        return (stride(from: 0, to: both.count, by: 2).map { both[$0] }, playback, reports)
    }

    private static let wandering: [(Double, Double)] = (0..<9).map { place in
        (Double(place * 2), 1 + 0.2 * sin(Double(place)))
    }

    @Test func `the library for tempi leaves the arithmetic of its thread as it was`() {
        _ = TempoStretcher.isThere
        let smallest = Double.leastNonzeroMagnitude
        #expect(smallest > 0 && smallest + smallest > smallest)
    }

    @Test(.enabled(if: TempoStretcher.isThere, "libsoundtouch1 is not installed"))
    func `a tone keeps its pitch and has no click`() async throws {
        let tone = (0..<(Self.rate * 20)).map { Float(0.5 * sin(2 * .pi * 440 * Double($0) / 44_100)) }
        let (score, clip) = try score(tone)
        let heard = try await play(clip, of: score, changes: Self.wandering, seconds: 18).heard
        let part = heard[(Self.rate)..<(Self.rate * 17)]
        // Between the first and the last crossing of zero.
        var crossings: [Double] = []
        for place in part.indices.dropLast() where part[place] < 0 && part[place + 1] >= 0 {
            crossings.append(Double(place) + Double(part[place] / (part[place] - part[place + 1])))
        }
        let pitch = Double(crossings.count - 1) * 44_100 / (crossings[crossings.count - 1] - crossings[0])
        #expect(abs(1200 * log2(pitch / 440)) < 3, "\(pitch) Hz")
        // A click bends the curve more than the tone itself does.
        let bend = zip(zip(part, part.dropFirst()), part.dropFirst(2)).map { abs($0.0 - 2 * $0.1 + $1) }
        let own = 0.5 * pow(2 * Float.pi * 440 / 44_100, 2)
        #expect(try #require(bend.max()) < 1.5 * own)
    }

    @Test(.enabled(if: TempoStretcher.isThere, "libsoundtouch1 is not installed"))
    func `what is heard when lies on the course that the player reports`() async throws {
        // Soft bursts of 60 ms, one each half second of the clip.
        let samples = (0..<(Self.rate * 20)).map { frame -> Float in
            let time = Double(frame) / 44_100
            let near = time - (time * 2).rounded() / 2
            return Float(0.8 * exp(-pow(near / 0.015, 2)) * sin(2 * .pi * 500 * time))
        }
        let (score, clip) = try score(samples)
        let (heard, _, reports) = try await play(clip, of: score, changes: Self.wandering, seconds: 18)
        var errors: [Double] = []
        for burst in 2..<30 {
            let position = Duration.milliseconds(burst * 500)
            let turn = try #require(reports.last { $0.position <= position })
            let seconds = (position - turn.position) / .seconds(1) / turn.tempo
            let frame = Double(try #require(turn.frame)) + seconds * 44_100
            guard frame < Double(heard.count - 8_820) else { break }
            let span = (Int(frame) - 4_410)..<(Int(frame) + 4_410)
            let energy = span.reduce((0.0, 0.0)) { sum, place in
                let power = Double(heard[place] * heard[place])
                return (sum.0 + power * Double(place), sum.1 + power)
            }
            errors.append((energy.0 / energy.1 - frame) / 44_100)
        }
        #expect(errors.count > 20)
        #expect(try #require(errors.map(abs).max()) < 0.012, "\(errors)")
        #expect(abs(errors.reduce(0, +) / Double(errors.count)) < 0.004, "\(errors)")
    }

    @Test(.enabled(if: TempoStretcher.isThere, "libsoundtouch1 is not installed"))
    func `at its own tempo a clip stays as it is, and the same course gives the same frames`() async throws {
        let noise = (0..<(Self.rate * 4)).map { Float(($0 * 7_919) % 2_000) / 4_000 - 0.25 }
        let (score, clip) = try score(noise)
        let same = try await play(clip, of: score, changes: [(1, 1)], seconds: 4).heard
        for frame in stride(from: 22_050, to: 22_050 + 3 * Self.rate, by: 11) {
            #expect(abs(same[frame] - noise[frame - 22_050]) < 1e-5)
        }
        let one = try await play(clip, of: score, changes: [(1, 1.1), (2, 0.9)], seconds: 4, name: "one")
            .heard
        let two = try await play(clip, of: score, changes: [(1, 1.1), (2, 0.9)], seconds: 4, name: "two")
            .heard
        #expect(one == two)
    }

    @Test(.enabled(if: TempoStretcher.isThere, "libsoundtouch1 is not installed"))
    func `a clip that is played faster is over sooner`() async throws {
        let (score, clip) = try score(Array(repeating: 0.25, count: Self.rate * 3))
        let (heard, playback, _) = try await play(clip, of: score, changes: [(1, 2)], seconds: 4)
        // One second, and the other two in one.
        #expect(playback.end == .seconds(2.5))
        #expect(heard[Int(2.49 * 44_100)] > 0.2 && heard[Int(2.51 * 44_100)] == 0)
    }

    @Test func `clicks keep to their beats to the frame, at any tempo`() async throws {
        var clip = Stimulus(
            identifier: "clicks", file: "", path: "", duration: .seconds(3),
            beats: .steady(interval: .milliseconds(500), first: .milliseconds(250)))
        clip.gain = 0
        let (score, _) = try score([0])
        let (heard, playback, _) = try await play(
            clip, of: score, changes: [(1, 0.5), (3, 1.25)], seconds: 6)
        // Positions 0.25, 0.75 at the clip's own tempo; 1.25, 1.75 at half of it; 2.25, 2.75 a quarter faster.
        let expected = [0.25, 0.75, 1.5, 2.5, 3.2, 3.6].map { Int(((0.5 + $0) * 44_100).rounded()) }
        // A click begins with silence, and grows from its second frame on.
        let found = heard.indices.dropFirst().filter {
            heard[$0] > 0.001 && heard[($0 - 400)..<$0].allSatisfy { $0 == 0 }
        }
        #expect(found.map { $0 - 1 } == expected)
        let end = try #require(playback.end)
        #expect(abs(RunInstant.seconds(4.3).duration(to: end) / .microseconds(1)) < 1)
    }

    @Test(arguments: Playback.FadeLaw.allCases)
    func `two clips fade into each other, and one that is stopped fades as long`(law: Playback.FadeLaw)
        async throws
    {
        let (score, clip) = try score(Array(repeating: 0.25, count: Self.rate * 6))
        let path = "\(scratch.path)/cross-\(law).wav"
        let player = try FilePlayer(score, writing: path)
        var settings = Playback.Settings()
        (settings.crossFade, settings.crossFadeLaw) = (.seconds(1), law)
        // The first one's step ends at 2 s, which was planned; the second one's at 4 s, which was not.
        _ = player.place(Sound(.clip(clip), settings, cut: .seconds(3)), as: 1, at: .start)
        _ = player.place(Sound(.clip(clip), settings, cut: .seconds(9)), as: 2, at: .seconds(2))
        player.stop(2, at: .seconds(5), fading: .seconds(1))
        #expect(player.outcome(of: 1).end == .seconds(3) && player.outcome(of: 2).end == .seconds(5))
        _ = await player.finish(at: .seconds(6))
        let file = try SoundFile(reading: path)
        let heard = file.read(Int(file.length))
        // Two places of one steady sound: the sum of the amplitudes stays, or that of the powers, which here is louder.
        let expected: [(Double, Double)] =
            switch law {
            case .amplitude: [(0.5, 0.125), (2.25, 0.25), (2.5, 0.25), (2.9, 0.25), (4.5, 0.125)]
            case .power:
                [
                    (0.5, 0.25 * 0.5.squareRoot()), (2.25, 0.25 * (sin(.pi / 8) + cos(.pi / 8))),
                    (2.5, 0.25 * 2.0.squareRoot()), (4.5, 0.25 * 0.5.squareRoot()),
                ]
            }
        for (moment, level) in expected + [(1.5, 0.25), (3.5, 0.25), (5.01, 0)] {
            #expect(abs(heard[Int(moment * 44_100) * 2] - Float(level)) < 1e-3, "\(moment)")
        }
    }

    @Test func `a level changes within a tenth of a second, in a straight line of decibels`() async throws {
        let (score, clip) = try score(Array(repeating: 0.5, count: Self.rate * 3))
        let player = try FilePlayer(score, writing: scratch.path + "/level.wav")
        _ = player.place(Sound(.clip(clip)), as: 1, at: .start)
        let down = player.change(1, tempo: 1.5, gain: -20, at: .seconds(1))?.change
        #expect(
            down
                == Playback.Change(at: .seconds(1), frame: 44_100, position: .seconds(1), tempo: 1, gain: -20)
        )
        #expect(player.change(1, tempo: 1, gain: 0, at: .seconds(2)) != nil)
        #expect(player.change(1, tempo: 1, gain: 0, at: .seconds(3)) == nil, "it is over")
        _ = await player.finish(at: .seconds(3))
        let file = try SoundFile(reading: scratch.path + "/level.wav")
        let heard = file.read(Int(file.length))
        for (moment, gain) in [(0.99, 0.0), (1.05, -10), (1.2, -20), (1.99, -20), (2.05, -10), (2.2, 0)] {
            let sample = heard[Int(moment * 44_100) * 2]
            #expect(abs(20 * log10(sample / 0.5) - Float(gain)) < 0.02, "\(moment)")
        }
    }
}
