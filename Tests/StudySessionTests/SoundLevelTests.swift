import BundleReplay
import Results
import SessionPorts
import Sound
import StudyModel
import StudyTesting
import Synchronization
import Testing

@Suite struct SoundLevelTests {
    let folder = TemporaryFolder()

    private static let study = """
        entrain: 1
        study: {identifier: talking, title: Talking}
        tasks:
          - identifier: task
            steps:
              - {type: active, identifier: talk, title: Talk, duration: 5 s, recorders: [{type: audio, identifier: voice}]}
              - {type: active, identifier: rest, title: Rest, duration: 5 s}
              - {type: completion, identifier: thanks, title: Thank you}
        """

    @Test
    func `those who watch hear how loud the microphone is while a step records sound, and when none does`()
        async throws
    {
        let levels = (0..<18).map { half in
            let instant = RunInstant.seconds(0.25 + Double(half) / 2)
            let value = Timed(
                SignalValue.number(-20 - Double(half), of: .audio), at: instant, arrival: instant)
            return (at: instant, report: SourceReport.measured(value))
        }
        let report = Mutex<(@Sendable (SoundReport) -> Void)?>(nil)
        let microphone = Microphone(
            levels: ScriptedSource(script: levels), begin: { _ in },
            record: { _, _, _, told in
                report.withLock { $0 = told }
                return 1
            }, stop: { _, _ in report.withLock { $0 }?(.finished(problem: nil)) }, close: {})
        let heard = Mutex<[Double?]>([])
        _ = try await Sittings(Self.study, in: folder).run(microphone: microphone) { update in
            if case .soundLevel(let level, _) = update { heard.withLock { $0.append(level) } }
        }
        #expect(heard.withLock { $0 } == (0..<10).map { -20 - Double($0) } + [nil])
    }

    @Test(arguments: [
        (Int64(0), 2.0, 0.4, ["lost 2.0-5.0"]), (9_600, 5.0, 0.96, ["silence 0.0-0.2"]), (0, 5.0, 1.0, []),
        (9_600, 2.0, 0.36, ["silence 0.0-0.2", "lost 2.0-5.0"]),
    ])
    func `what the microphone did not give is missing in the whole step`(
        lacking: Int64, held: Double, coverage: Double, gaps: [String]
    ) async throws {
        let microphone = Microphone(
            levels: ScriptedSource(script: []), begin: { _ in },
            record: { _, _, _, told in
                let frames = Int64(held * 48_000)
                told(.written(frames: frames, rate: 48_000, mean: 0.1, lacking: lacking))
                told(.finished(problem: held < 5 ? "the microphone was lost" : nil))
                return 1
            }, stop: { _, _ in }, close: {})
        let (_, bundle) = try await Sittings(Self.study, in: folder).run(microphone: microphone)
        let recording = try #require(bundle.visits[0].recordings.first)
        #expect(abs(recording.coverage - coverage) < 1e-9)
        let told = recording.gaps.map { gap in
            "\(gap.reason) \(gap.span.lowerBound)-\(gap.span.upperBound)"
        }
        #expect(told == gaps)
        #expect(bundle.visits[0].end - bundle.visits[0].start == 5)
    }

    @Test(arguments: [Int64(240_000), 144_000])
    func `verifying decodes the sound, and tells if it is not what the result says`(
        held: Int64
    ) async throws {
        let microphone = Microphone(
            levels: ScriptedSource(script: []), begin: { _ in },
            record: { path, _, _, told in
                do {
                    let file = try SoundFileWriter(writing: path, .flac, rate: 48_000, channels: 1)
                    try file.write([Float](repeating: 0.1, count: Int(held)))
                    told(.written(frames: 240_000, rate: 48_000, mean: 0.1))
                    told(.finished(problem: nil))
                } catch {
                    told(.finished(problem: "\(error)"))
                }
                return 1
            }, stop: { _, _ in }, close: {})
        let (_, bundle) = try await Sittings(Self.study, in: folder).run(microphone: microphone)
        let path = try #require(bundle.manifest.files.first { $0.path.text.hasSuffix(".flac") }).path
        let told = "\(path): it holds \(held) frames, and its result says 240000 frames"
        #expect(try Verification.problems(at: bundle.path) == (held == 240_000 ? [] : [told]))
    }
}
