import StudyModel
import StudySession
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
}
