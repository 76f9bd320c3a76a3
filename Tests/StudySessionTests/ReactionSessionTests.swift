import BundleReplay
import Results
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import StudySession

/// Reactions in a whole run: from the key to the bundle.
@Suite struct ReactionSessionTests {
    let folder = TemporaryFolder()

    private static let catalogue = """
        entrain: 1
        clips:
          - {identifier: click, file: click.ogg, duration: 8 s, mood: happy}
        """

    private static func study(_ stimulus: String, _ more: String = "") -> String {
        """
        entrain: 1
        study: {identifier: reacting, title: Reacting}
        stimuli:
          clips: {catalogue: clips.yaml}
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: react
                duration: 6 s
                \(stimulus)
                reaction:
                  keys: [{key: f, value: happy}, {key: j, value: sad}]
                  correct: happy
                  \(more)
              - {type: completion, identifier: thanks, title: Thank you}
        """
    }

    private func reaction(
        _ presses: [(String, Double)], study: String
    ) async throws -> (ResultBundle.Visit, ResultBundle.Answer.Reaction) {
        let (sealed, bundle) = try await Sittings(study, in: folder, catalogue: Self.catalogue)
            .run(prompter: Fingers(presses: presses), isAutomatic: false)
        #expect(sealed.reason == .completed)
        #expect(try Verification.problems(at: bundle.path) == [])
        let visit = bundle.visits[0]
        return (visit, try #require(visit.answers.first?.reaction))
    }

    @Test func `the time is that from the clip's sound to the key`() async throws {
        let study = Self.study("stimulus: {from: clips, draw: random, onset: 1 s}")
        let (visit, reaction) = try await reaction([("f", 0.8), ("f", 1.4)], study: study)
        #expect(abs((reaction.time ?? 9) - 0.4) < 1e-9 && reaction.ignoredKeys == 1)
        #expect(reaction.isRight == true && reaction.measuredFrom == "plannedSound" && reaction.key == "f")
        #expect(visit.endedBy == "reaction" && visit.answers[0].text == "happy")
        #expect(abs((visit.clip?.onset ?? 0) - (reaction.onset ?? 9)) < 1e-9)
    }

    @Test func `the time can be that from a place in the clip`() async throws {
        let study = Self.study("stimulus: {from: clips, draw: random, onset: 1 s, start: 1 s}", "from: 2.5 s")
        let (_, reaction) = try await reaction([("j", 2.4), ("j", 3)], study: study)
        #expect(abs((reaction.time ?? 9) - 0.5) < 1e-9 && reaction.isRight == false)
        #expect(reaction.ignoredKeys == 1)
    }

    @Test func `without a clip it is that from the step's start`() async throws {
        let (_, reaction) = try await reaction([("f", 0.25)], study: Self.study(""))
        #expect(abs((reaction.time ?? 9) - 0.25) < 1e-9 && reaction.measuredFrom == "step")
    }

    @Test func `no key at all is a result, too`() async throws {
        let (visit, reaction) = try await reaction(
            [], study: Self.study("stimulus: {from: clips, draw: random}"))
        #expect(reaction.key == nil && reaction.time == nil && reaction.isRight == nil)
        #expect(visit.endedBy == "duration" && visit.answers[0].text == nil)
    }

    @Test func `a simulated participant reacts after the sound`() async throws {
        let study = Self.study(
            "stimulus: {from: clips, draw: random, onset: 1 s}",
            "feedback: {right: Yes, wrong: No, late: Slow}")
        let (_, bundle) = try await Sittings(study, in: folder, catalogue: Self.catalogue).run()
        let reaction = try #require(bundle.visits[0].answers.first?.reaction)
        #expect((0.12...1.2).contains(reaction.time ?? 0))
        #expect(try Verification.problems(at: bundle.path) == [])
    }
}

/// Presses keys at moments since the step's start, and goes on from each other screen.
private struct Fingers: Prompter {
    var presses: [(key: String, at: Double)]

    func run<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, on clock: C, act: @escaping @Sendable (ParticipantAct) -> Void
    ) async where C.Instant == RunInstant {
        for await case .screen(let screen) in updates {
            guard !screen.reactionKeys.isEmpty, case .running(let start, _) = screen.phase else {
                act(.event(.confirmed, ordinal: screen.ordinal))
                continue
            }
            for press in presses.sorted(by: { $0.at < $1.at }) {
                let moment = start.advanced(by: .seconds(press.at))
                do { try await clock.sleep(until: moment, tolerance: nil) } catch { return }
                act(.reacted(Reacted(ordinal: screen.ordinal, key: press.key, at: moment)))
            }
        }
    }
}
