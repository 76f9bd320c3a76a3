import Glibc
import Platform
import Results
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Platform
@testable import Sound

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

    private func clip(_ path: String, _ identity: FileIdentity? = nil) -> ClipFile {
        ClipFile(path: path, length: 96_000, rate: 48_000, identity: identity)
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
        #expect(failure?.description.contains("is damaged: only ") == true)
        #expect(throws: SoundFailure.self) { try ClipMeasurement(of: path) }
        let feed = try SoundFeed(.file(clip(path), position: .zero, loops: false), rate: 48_000)
        while !feed.read(4096).isEmpty {}
        #expect(feed.problem == failure?.description)
    }

    @Test func `a whole file has no problem, from any position`() throws {
        let path = try written("whole.flac")
        try SoundFile(reading: path).readThrough()
        for loops in [false, true] {
            let material = SoundFeed.Material.file(clip(path), position: .seconds(1.5), loops: loops)
            let feed = try SoundFeed(material, rate: 44_100)
            #expect(feed.read(100_000).count == (loops ? 200_000 : 44_100))
            #expect(feed.problem == nil)
        }
    }

    @Test(arguments: [(2, 0, "has no sound in it"), (6, 4800, "has 6 channels")])
    func `refuses what cannot be heard whole`(channels: Int, frames: Int, words: String) throws {
        let path = try written("odd.wav", channels: channels, frames: frames)
        let failure = #expect(throws: SoundFailure.self) { try SoundFile(reading: path) }
        #expect(failure?.description.contains(words) == true)
    }

    @Test func `a file that vanishes is silence, and the result says so`() async throws {
        let path = try written("gone.wav")
        let whole = try SoundFile(reading: path).read(96_000)
        let out = folder.path + "/out.wav"
        let score = Score(clips: ["gone.wav": clip(path)], speech: [:], hasTones: true)
        let player = try FilePlayer(score, writing: out)
        let gone = Sound(.clip(Stimulus(identifier: "gone", file: "gone.wav", path: "gone.wav")))
        _ = player.place(gone, as: 1, at: .start)
        #expect(player.outcome(of: 1).problem == nil)
        #expect(unsafe rename(path, path + ".away") == 0)
        _ = player.place(gone, as: 2, at: .seconds(3))
        let outcome = player.outcome(of: 2)
        #expect(outcome.end == .seconds(3) && outcome.problem?.contains("gone.wav") == true)
        _ = player.place(Sound(.tone("tone")), as: 3, at: .seconds(3))
        #expect(await player.finish(at: .seconds(4))?.contains("gone.wav") == true)
        let heard = try SoundFile(reading: out)
        #expect(heard.length == 5 * 48_000)
        #expect(heard.read(96_000) == whole, "what was there when it began is heard to its end")
        #expect(heard.read(48_000).allSatisfy { $0 == 0 })
        #expect(heard.read(4800).contains { abs($0) > 0.12 })
    }

    @Test func `a WAV that was cut off is told, one of a pipe is whole`() throws {
        let path = try written("cut.wav")
        let bytes = try FileContents.read(path, limit: 1 << 22).get()
        for (missing, isCut) in [(0, false), (400, false), (100_000, true)] {
            #expect(writeFile(Array(bytes.dropLast(missing)), to: path))
            #expect(try (SoundFile(reading: path).problem != nil) == isCut, "\(missing) bytes are missing")
        }
        let data = try #require(bytes.indices.first { bytes[$0...].starts(with: "data".utf8) })
        var piped = bytes
        piped.replaceSubrange(data + 4..<data + 8, with: [0xff, 0xff, 0xff, 0xff])
        #expect(writeFile(Array(piped.dropLast(100_000)), to: path))
        #expect(try SoundFile(reading: path).problem == nil)
    }

    @Test(
        arguments: [
            ([0], 4, 0, false), ([0], 0, 0, true), ([0], 4, 1, true), ([0, 4], 4, 0, false),
            ([0, 0], 4, 150, true), ([0], 4, 190, true),
        ] as [([UInt8], UInt8, Int, Bool)])
    func `an Ogg file ends with a whole last page`(before: [UInt8], last: UInt8, missing: Int, isCut: Bool) {
        let page = { (flags: UInt8) -> [UInt8] in
            Array("OggS".utf8) + [0, flags] + [UInt8](repeating: 7, count: 20) + [2, 100, 60]
                + [UInt8](repeating: 9, count: 160)
        }
        let path = folder.path + "/pages.ogg"
        #expect(writeFile(Array(((before + [last]).flatMap(page)).dropLast(missing)), to: path))
        #expect(Truncation.cuts(path) == isCut)
    }

    @Test func `samples that are no numbers are silent and told`() throws {
        let path = folder.path + "/garbage.wav"
        let writer = try SoundFileWriter(writing: path, .exactWAV, rate: 48_000, channels: 2)
        try writer.write([0.5, .nan, .infinity, -0.5])
        writer.flush()
        let file = try SoundFile(reading: path)
        #expect(file.read(2) == [0.5, 0, 0, -0.5])
        #expect(file.problem?.contains("not numbers") == true)
    }

    @Test func `a file that is replaced or written to during the run is told`() throws {
        let path = try written("first.wav")
        let known = FileIdentity(of: path)
        let other = try written("second.wav", frames: 48_000)
        let same = try SoundFeed(.file(clip(path, known), position: .zero, loops: false), rate: 48_000)
        #expect(same.problem == nil)
        let bytes = try FileContents.read(other, limit: 1 << 22).get()
        #expect(writeFile(bytes, to: path))
        #expect(same.problem?.contains("was written to while it was read") == true)
        #expect(unsafe rename(other, path) == 0)
        let next = try SoundFeed(.file(clip(path, known), position: .zero, loops: false), rate: 48_000)
        #expect(next.problem?.contains("was replaced during the run") == true)
    }

    @Test func `a file that is written to while it is heard is told when the sound is over`() throws {
        let path = try written("cut.wav")
        let score = Score(clips: ["cut.wav": clip(path)], speech: [:], hasTones: false)
        let player = try FilePlayer(score, writing: folder.path + "/out.wav")
        _ = player.place(
            Sound(.clip(Stimulus(identifier: "cut", file: "cut.wav", path: "cut.wav"))), as: 1, at: .start)
        #expect(unsafe truncate(path, 100_000) == 0)
        #expect(player.outcome(of: 1).problem == "the clip's file was written to meanwhile")
    }

    @Test func `those who want silence at the same time get standard error back`() {
        var before = stat()
        var after = stat()
        unsafe fstat(STDERR_FILENO, &before)
        StandardError.silenced { StandardError.silenced {} }
        unsafe fstat(STDERR_FILENO, &after)
        #expect(before.st_ino == after.st_ino && before.st_dev == after.st_dev)
    }
}
