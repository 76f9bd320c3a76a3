import Glibc
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Platform
@testable import Sound

/// The laws of players and microphones on a real stream.
///
/// `Tests/SoundTests/null_sink.py` gives them a PulseAudio null sink of their own and says so; nobody's loudspeaker
/// is ever touched.
@Suite(
    .serialized,
    .enabled(
        if: unsafe getenv("ENTRAIN_NULL_SINK") != nil,
        "they need a null sink: python3 Tests/SoundTests/null_sink.py --only contracts"))
struct DeviceContractTests {
    private let folder = TemporaryFolder()

    @Test func `a device player keeps the laws`() async throws {
        let path = folder.path + "/clip.wav"
        let writer = try SoundFileWriter(writing: path, .exactWAV, rate: 48_000, channels: 2)
        try writer.write((0..<72_000).flatMap { frame in [Float(frame) / 100_000, -Float(frame) / 100_000] })
        writer.flush()
        let file = ClipFile(path: path, length: 72_000, rate: 48_000)
        let score = Score(clips: ["clip.wav": file], speech: [:], hasTones: false)
        let player = try DevicePlayer(score, on: AudioSystem.devices().output(named: nil))
        let clip = Stimulus(
            identifier: "clip", file: "clip.wav", path: "clip.wav", duration: .milliseconds(1500))
        // Half a frame, and what the stream's clock may be corrected by meanwhile: another.
        let broken = await checkStimulusPlayerContract(player, clip: clip, tolerance: .nanoseconds(21_000))
        #expect(broken.isEmpty, "\(broken)")
    }

    @Test func `what a microphone did not give is silence in its place, and is told`() async throws {
        let input = try MicrophoneInput(AudioSystem.devices().input(named: nil))
        let microphone = input.microphone
        microphone.begin(.start)
        let path = "\(folder.path)/early.wav"
        let (reports, feed) = AsyncStream.makeStream(of: SoundReport.self)
        // A minute before it was opened, of which nothing is there.
        let take = microphone.record(path, .wav, .seconds(-60)) { feed.yield($0) }
        microphone.stop(take, .seconds(0.5))
        var last: SoundReport?
        for await report in reports {
            if case .finished = report { break }
            last = report
        }
        microphone.close()
        guard case .written(let frames, _, _, let lacking)? = last else {
            Issue.record("nothing was written")
            return
        }
        #expect((60 * 48_000...61 * 48_000).contains(frames) && (frames - lacking) < 15 * 48_000)
        #expect(lacking > 45 * 48_000 && lacking < frames)
    }

    @Test(arguments: RecorderConfiguration.SoundFormat.allCases)
    func `a microphone records its time to the frame`(format: RecorderConfiguration.SoundFormat) async throws
    {
        let input = try MicrophoneInput(AudioSystem.devices().input(named: nil))
        let microphone = input.microphone
        microphone.begin(.start)
        let path = "\(folder.path)/voice.\(format.rawValue)"
        let (reports, feed) = AsyncStream.makeStream(of: SoundReport.self)
        let take = microphone.record(path, format, .seconds(0.1)) { feed.yield($0) }
        microphone.stop(take, .seconds(0.85))
        var frames: [Int64] = []
        for await report in reports {
            guard case .written(let count, let rate, let mean, let lacking) = report else {
                #expect(report == .finished(problem: nil))
                break
            }
            #expect(rate == 48_000 && (0...1).contains(mean) && lacking == 0)
            frames.append(count)
        }
        microphone.close()
        // The input's clock is followed by a ten-thousandth at most while it records.
        let length = try #require(frames.last)
        #expect((35_996...36_004).contains(length) && frames == frames.sorted())
        let file = try SoundFile(reading: path)
        #expect(file.length == length && file.rate == 48_000 && file.channels == 1)
    }

    @Test func `a file that cannot be written is told at once`() async throws {
        let microphone = try MicrophoneInput(AudioSystem.devices().input(named: nil)).microphone
        microphone.begin(.start)
        let (reports, feed) = AsyncStream.makeStream(of: SoundReport.self)
        _ = microphone.record(folder.path + "/absent/voice.flac", .flac, .start) { feed.yield($0) }
        let problem = await reports.first { report in
            if case .finished = report { true } else { false }
        }
        guard case .finished(let words?)? = problem else {
            return #expect(Bool(false), "no problem was told")
        }
        #expect(words.contains("cannot write"))
        microphone.close()
    }
}
