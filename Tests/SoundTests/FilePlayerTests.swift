import Glibc
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Platform
@testable import Sound

/// Players of a clip of 1.5 s whose frames count up.
@Suite struct FilePlayerTests {
    private let scratch = TemporaryFolder()
    private var folder: String { scratch.path }
    private let clip: Stimulus
    private let score: Score

    init() throws {
        let path = scratch.path + "/clip.wav"
        let writer = try SoundFileWriter(writing: path, .exactWAV, rate: 44_100, channels: 2)
        try writer.write((0..<66_150).flatMap { frame in [Float(frame) / 100_000, -Float(frame) / 100_000] })
        writer.flush()
        clip = Stimulus(
            identifier: "clip", file: "clip.wav", path: "clip.wav", duration: .milliseconds(1500))
        let file = ClipFile(path: path, length: 66_150, rate: 44_100)
        score = Score(clips: ["clip.wav": file], speech: [:], hasTones: true)
    }

    private func written(_ name: String) throws -> [Float] {
        let file = try SoundFile(reading: folder + "/" + name)
        #expect(file.rate == 44_100)
        return file.read(Int(file.length))
    }

    @Test func `a file keeps the laws of players`() async throws {
        let player = try FilePlayer(score, writing: folder + "/out.wav")
        #expect(await checkStimulusPlayerContract(player, clip: clip, tolerance: .nanoseconds(11_338)) == [])
    }

    @Test func `no link is followed, so nobody can choose what is overwritten`() throws {
        #expect(writeFile([1, 2, 3], to: folder + "/theirs"))
        #expect(unsafe symlink("theirs", folder + "/link.wav") == 0)
        #expect(throws: SoundFailure.self) { try FilePlayer(score, writing: folder + "/link.wav") }
        #expect(try Folder(folder).read("theirs") == [1, 2, 3])
    }

    @Test func `silence keeps the laws of players`() async {
        #expect(await checkStimulusPlayerContract(SilentPlayer(), clip: clip, tolerance: .zero) == [])
    }

    /// The clip's loudness and peak, what the step and the catalogue ask for, and the change that comes of it, dB.
    @Test(
        arguments: [
            (-30, -12, -23, 0, 7), (-30, -12, -16, 0, 11), (-10, 0.5, -23, 0, -13), (-10, 0.5, -9, 0, -1.5),
            (-30, -12, -23, -2, 5), (-30, -12, nil, -2, -2), (nil, -200, -23, 0, 0),
        ] as [(Double?, Double, Double?, Double, Double)])
    func `a clip is brought to a loudness, and its peaks are never clipped`(
        loudness: Double?, peak: Double, target: Double?, own: Double, gain: Double
    ) async throws {
        var clip = clip
        clip.gain = own
        let measured = ClipMeasurement(length: .seconds(1.5), loudness: loudness, peak: peak, sha256: "")
        let score = Score(clips: score.clips, measured: ["clip.wav": measured], speech: [:], hasTones: false)
        let player = try FilePlayer(score, writing: folder + "/levels.wav")
        var settings = Playback.Settings()
        settings.loudness = target
        let placed = player.place(Sound(.clip(clip), settings), as: 1, at: .start)
        #expect(placed.playback.gain == gain)
        #expect(player.outcome(of: 1).gain == gain)
        _ = await player.finish(at: .seconds(1.5))
        let heard = try written("levels.wav")[2 * 10_000]
        #expect(abs(heard - 0.1 * Float(pow(10, gain / 20))) < 1e-5)
    }

    @Test func `writes a clip from its frame on, to the bit, and the same bytes again`() async throws {
        for name in ["one.wav", "two.wav"] {
            let player = try FilePlayer(score, writing: folder + "/" + name)
            let placed = player.place(Sound(.clip(clip)), as: 1, at: .seconds(0.5))
            #expect(placed.playback.onsetFrame == 22_050)
            _ = await player.finish(at: .seconds(3))
        }
        let heard = try written("one.wav")
        #expect(heard.count == 3 * 44_100 * 2)
        #expect(heard[..<44_100].allSatisfy { $0 == 0 })
        for frame in [0, 1, 4095, 4096, 66_149] {
            #expect(heard[(22_050 + frame) * 2] == Float(frame) / 100_000)
        }
        #expect(heard[((22_050 + 66_150) * 2)...].allSatisfy { $0 == 0 })
        #expect(try written("two.wav") == heard)
    }

    @Test func `goes on from a position and begins again at the end`() async throws {
        let player = try FilePlayer(score, writing: folder + "/loop.wav")
        let looping = Sound(.clip(clip), from: .seconds(1), Playback.Settings(loops: true))
        _ = player.place(looping, as: 1, at: .start)
        player.stop(1, at: .seconds(5))
        _ = await player.finish(at: .seconds(6))
        let heard = try written("loop.wav")
        for frame in [1000, 22_049, 22_050, 88_199, 88_200, 200_000] {
            #expect(heard[frame * 2] == Float((44_100 + frame) % 66_150) / 100_000, "frame \(frame)")
        }
        #expect(heard[(5 * 44_100 * 2)...].allSatisfy { $0 == 0 })
    }

    @Test func `silence has an onset and an end like a clip`() async throws {
        let player = try FilePlayer(score, writing: folder + "/quiet.wav")
        let quiet = Stimulus(identifier: "quiet", file: "", path: "", duration: .seconds(2))
        let placed = player.place(Sound(.clip(quiet), from: .milliseconds(500)), as: 1, at: .seconds(1))
        #expect(placed.playback.onsetFrame == 44_100 && placed.length == .milliseconds(1500))
        #expect(player.outcome(of: 1).end == .seconds(2.5) && player.outcome(of: 1).problem == nil)
        _ = await player.finish(at: .seconds(3))
        #expect(try written("quiet.wav").allSatisfy { $0 == 0 })
        let feed = try SoundFeed(.silence(10_000), rate: 44_100)
        #expect([4096, 4096, 4096].map { feed.read($0).count } == [8192, 8192, 3616])
    }

    @Test func `a metronome's clicks begin at the frames of their beats`() async throws {
        let player = try FilePlayer(score, writing: folder + "/clicks.wav")
        // 132 per minute is no whole number of frames.
        let beats = BeatGrid.steady(interval: .nanoseconds(454_545_455), first: .milliseconds(100))
        let metronome = Stimulus(
            identifier: "metronome", file: "", path: "", duration: .seconds(10), beats: beats)
        let placed = player.place(Sound(.clip(metronome)), as: 1, at: .seconds(1))
        #expect(placed.playback.onsetFrame == 44_100 && placed.length == .seconds(10))
        _ = await player.finish(at: .seconds(12))
        let heard = try written("clicks.wav")
        let onsets = Self.onsets(heard)
        let expected = (0..<22).map { number in
            44_100 + Int((44_100 * (0.1 + 0.454545455 * Double(number))).rounded())
        }
        // The first frame of a click is the zero of its sine.
        #expect(onsets == expected.map { $0 + 1 })
        #expect(heard.map(abs).max().map { (0.2...0.5).contains($0) } == true)
    }

    @Test func `a metronome goes on from a position, and begins again at its end`() async throws {
        let player = try FilePlayer(score, writing: folder + "/clicks.wav")
        let metronome = Stimulus(
            identifier: "metronome", file: "", path: "", duration: .seconds(2),
            beats: .positions([.milliseconds(500), .milliseconds(1900)]))
        let looping = Sound(.clip(metronome), from: .seconds(1), Playback.Settings(loops: true))
        _ = player.place(looping, as: 1, at: .start)
        player.stop(1, at: .seconds(4))
        _ = await player.finish(at: .seconds(5))
        let expected = [0.9, 1.5, 2.9, 3.5].map { Int(($0 * 44_100).rounded()) + 1 }
        #expect(Self.onsets(try written("clicks.wav")) == expected)
    }

    /// The frames at which something begins after a tenth of a second of nothing.
    private static func onsets(_ samples: [Float]) -> [Int] {
        var (found, last): ([Int], Int?) = ([], nil)
        for frame in 0..<samples.count / 2 where samples[frame * 2] != 0 {
            if last.map({ frame - $0 > 4410 }) ?? true { found.append(frame) }
            last = frame
        }
        return found
    }

    @Test func `mixes a tone at its frame`() async throws {
        let player = try FilePlayer(score, writing: folder + "/tone.wav")
        let placed = player.place(Sound(.tone("tone")), as: 1, at: .seconds(1))
        #expect(placed.length == .milliseconds(250))
        _ = await player.finish(at: .seconds(1))
        let heard = try written("tone.wav")
        #expect(heard[..<(44_100 * 2)].allSatisfy { $0 == 0 })
        #expect(heard[(44_100 * 2)...].map(abs).max().map { (0.12...0.127).contains($0) } == true)
    }

    @Test(
        arguments: [("tone", 250), ("countdown", 80), ("lastSecond", 160), ("unknown", 0)]
            as [(Identifier, Int)])
    func `knows its tones by their names`(name: Identifier, milliseconds: Int) throws {
        let player = try FilePlayer(score, writing: folder + "/tones.wav")
        #expect(player.place(Sound(.tone(name)), as: 1, at: .start).length == .milliseconds(milliseconds))
    }

    @Test func `says which file is no sound`() throws {
        #expect(throws: SoundFailure.self) { try SoundFile(reading: folder + "/none.ogg") }
        #expect(throws: SoundFailure.self) { try FilePlayer(score, writing: folder + "/none/out.wav") }
    }
}
