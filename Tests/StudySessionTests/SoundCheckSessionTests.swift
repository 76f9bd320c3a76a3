import BundleReplay
import Results
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import StudySession

/// A participant who tries levels, and hears each.
@Suite struct SoundCheckSessionTests {
    let folder = TemporaryFolder()

    private static let study = """
        entrain: 1
        study: {identifier: loud, title: Loud}
        stimuli: {clips: {catalogue: clips.yaml}}
        tasks:
          - identifier: task
            steps:
              - type: soundCheck
                identifier: level
                volume: {from: -40 dB, to: 0 dB, start: -20 dB}
              - {type: active, identifier: music, duration: 3 s, stimulus: {play: tune, gain: -3 dB}}
              - {type: completion, identifier: thanks, title: Thank you}
        """

    /// Tries two levels, at 2 s and 4 s, and confirms the second one at 6 s.
    private struct Undecided: Prompter {
        func run<C: Clock>(
            _ updates: AsyncStream<ScreenUpdate>, on clock: C,
            act: @escaping @Sendable (ParticipantAct) -> Void
        ) async where C.Instant == RunInstant {
            for await case .screen(let screen) in updates {
                guard screen.answering.contains(.heard) else {
                    if screen.phase == .waiting { act(.event(.confirmed, ordinal: screen.ordinal)) }
                    continue
                }
                for (level, seconds) in [(-30.0, 2.0), (-8, 4)] {
                    try? await clock.sleep(until: .seconds(seconds), tolerance: nil)
                    var draft = DraftedAnswer(
                        question: "level", text: "\(level)", times: AnswerTimes(shown: .start))
                    draft.answer = .continuous(level)
                    act(.event(.drafted(draft), ordinal: screen.ordinal))
                }
                try? await clock.sleep(until: .seconds(6), tolerance: nil)
                act(
                    .event(
                        .answered([GivenAnswer(question: "level", answer: .continuous(-8))]),
                        ordinal: screen.ordinal))
            }
        }
    }

    @Test func `each level is heard when it is chosen, and the last one holds`() async throws {
        let (sealed, bundle) = try await Sittings(Self.study, in: folder)
            .run(sources: [:], prompter: Undecided(), isAutomatic: false)
        #expect(sealed.reason == .completed)
        #expect(try Verification.problems(at: bundle.path) == [])
        let check = try #require(bundle.visits[0].clip)
        #expect(check.identifier == "sides")
        #expect(check.changes.map(\.gain) == [0, -10, 12])
        #expect(zip(check.changes, [0, 2, 4]).allSatisfy { abs($0.offset - $1) < 1e-6 })
        #expect(abs(try #require(check.end) - 6) < 1e-6)
        #expect(bundle.visits[0].answers.first?.number == -8)
        let journal = String(decoding: try bundle.contents(of: "journal.jsonl"), as: UTF8.self)
        #expect(journal.contains(#""gain":-11"#), "the music's own level and the volume together")
    }
}
