import Glibc
import StudyModel
import StudySession
import StudyTesting
import Testing

@testable import Devices

@Suite struct SoundFileTests {
    private let folder = TemporaryFolder()

    private func written(_ name: String, channels: Int = 2, frames: Int = 96_000) throws -> String {
        let path = folder.path + "/" + name
        let format: SoundFileWriter.Format = name.hasSuffix(".flac") ? .flac : .wav
        let writer = try SoundFileWriter(writing: path, format, rate: 48_000, channels: channels)
        var random = SeededRandom(seed: 1)
        try writer.write((0..<frames * channels).map { _ in Float.random(in: -0.5...0.5, using: &random) })
        return path
    }

    /// Two seconds of FLAC that cannot be read beyond their middle.
    private func damaged() throws -> String {
        let path = try written("damaged.flac")
        var bytes = try FileContents.read(path, limit: 1 << 22).get()
        for index in bytes.count / 2..<bytes.count / 2 + 3000 { bytes[index] ^= 0x5a }
        #expect(writeFile(bytes, to: path))
        return path
    }

    @Test func `a damaged file tells how much of it can be read`() throws {
        let path = try damaged()
        let failure = #expect(throws: SoundFailure.self) { try SoundFile(reading: path).readThrough() }
        #expect(failure?.description.contains("is damaged: of its 2 s only the first") == true)
        #expect(throws: SoundFailure.self) { try ClipMeasurement(of: path) }
        let feed = try SoundFeed(.file(path: path, position: .zero, loops: false), rate: 48_000)
        while !feed.read(4096).isEmpty {}
        #expect(feed.problem == failure?.description)
    }

    @Test func `a whole file has no problem, from any position`() throws {
        let path = try written("whole.flac")
        try SoundFile(reading: path).readThrough()
        for loops in [false, true] {
            let material = SoundFeed.Material.file(path: path, position: .seconds(1.5), loops: loops)
            let feed = try SoundFeed(material, rate: 44_100)
            #expect(feed.read(100_000).count == (loops ? 200_000 : 44_100))
            #expect(feed.problem == nil)
        }
    }

    @Test(arguments: [(2, 0, "is empty"), (6, 4800, "has 6 channels")])
    func `refuses what cannot be heard whole`(channels: Int, frames: Int, words: String) throws {
        let path = try written("odd.wav", channels: channels, frames: frames)
        let failure = #expect(throws: SoundFailure.self) { try SoundFile(reading: path) }
        #expect(failure?.description.contains(words) == true)
    }

    @Test func `a file that vanishes is silence, and the result says so`() async throws {
        let path = try written("gone.wav")
        let out = folder.path + "/out.wav"
        let file = Sounds.ClipFile(path: path, length: 96_000, rate: 48_000)
        let score = Score(clips: ["gone.wav": file], speech: [:], hasTones: true)
        let player = try FilePlayer(score, writing: out)
        let clip = Sound(.clip(Stimulus(identifier: "gone", file: "gone.wav", path: "gone.wav")))
        let before = player.place(clip, at: .start)
        #expect(player.outcome(of: before.voice).problem == nil)
        #expect(unsafe rename(path, path + ".away") == 0)
        let after = player.place(clip, at: .seconds(3))
        let outcome = player.outcome(of: after.voice)
        #expect(outcome.end == .seconds(3) && outcome.problem?.contains("gone.wav") == true)
        _ = player.place(Sound(.tone("tone")), at: .seconds(3))
        #expect(await player.finish(at: .seconds(4))?.contains("gone.wav") == true)
        let heard = try SoundFile(reading: out)
        #expect(heard.length == 5 * 48_000)
        #expect(heard.read(3 * 48_000).allSatisfy { $0 == 0 })
        #expect(heard.read(4800).contains { abs($0) > 0.12 })
    }

    @Test func `those who want silence at the same time get standard error back`() {
        var before = stat()
        var after = stat()
        unsafe fstat(STDERR_FILENO, &before)
        AudioSystem.withoutChatter { AudioSystem.withoutChatter {} }
        unsafe fstat(STDERR_FILENO, &after)
        #expect(before.st_ino == after.st_ino && before.st_dev == after.st_dev)
    }
}
