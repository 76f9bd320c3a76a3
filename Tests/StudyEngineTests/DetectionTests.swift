import StudyModel
import Testing

@testable import StudyEngine

/// Scores of trials with and without a signal, and trials in which no key is right.
@Suite struct DetectionTests {
    /// Counts of hits, misses, false alarms and correct rejections, with d′ and c as a printed table of the normal
    /// distribution gives them: with 19 trials of a kind, n + 0.5 of 20 were answered as signals.
    @Test(
        arguments: [
            ([19, 0, 0, 19], 1.959964 + 1.959964, 0.0), ([0, 19, 19, 0], -1.959964 - 1.959964, 0),
            ([0, 19, 0, 19], 0, 1.959964), ([19, 0, 19, 0], 0, -1.959964),
            ([18, 1, 2, 17], 1.439531 + 1.150349, (1.150349 - 1.439531) / 2),
            ([13, 6, 13, 6], 0, -0.453762), ([16, 3, 9, 10], 0.934589 + 0.062707, (0.062707 - 0.934589) / 2),
        ] as [([Int], Double, Double)])
    func `d′ and c are those of the table, with the log-linear correction`(
        counts: [Int], dPrime: Double, criterion: Double
    ) throws {
        let found = Detection(
            hits: counts[0], misses: counts[1], falseAlarms: counts[2], correctRejections: counts[3])
        #expect(try abs(#require(found.dPrime) - dPrime) < 2e-6)
        #expect(try abs(#require(found.criterion) - criterion) < 2e-6)
    }

    @Test(arguments: [[0, 0, 1, 2], [1, 2, 0, 0], [0, 0, 0, 0]])
    func `without a trial of either kind there is no d′`(counts: [Int]) {
        let found = Detection(
            hits: counts[0], misses: counts[1], falseAlarms: counts[2], correctRejections: counts[3])
        #expect(found.dPrime == nil && found.criterion == nil)
    }

    @Test(
        arguments: [
            (0.5, 0), (0.9, 1.2815515655446004), (0.925, 1.4395314709384563), (0.975, 1.959963984540054),
            (0.99, 2.3263478740408408), (0.999, 3.090232306167813), (0.000001, -4.753424308822899),
            (0.0249, -1.9616778690637862),
        ])
    func `deviates are those of the normal distribution`(share: Double, deviate: Double) {
        #expect(abs(NormalDeviate.of(share) - deviate) < 1e-14)
        #expect(abs(NormalDeviate.of(1 - share) + deviate) < 1e-9)
    }

    private static func step(
        _ name: Identifier, right: Step.Right, endsStep: Bool = false, feedback: Reaction.Feedback? = nil
    ) -> Step {
        var active = ActiveStep(duration: .seconds(2), timer: .init(isSkippable: true))
        active.reaction = Reaction(
            keys: [.init(name: "f", value: "old"), .init(name: "j", value: "new")], feedback: feedback)
        active.reaction?.endsStep = endsStep
        var step = Step(identifier: name, kind: .active(active))
        step.right[name] = right
        return step
    }

    private static func press(_ key: String, in step: Identifier, at seconds: Double) -> Event {
        var answer = GivenAnswer(question: step, answer: nil)
        answer.reaction = ReactionResult(
            press: .init(key: key, at: .seconds(seconds), onset: .seconds(seconds - 1), reference: .step))
        return .answered([answer])
    }

    /// What the last of some trials of two seconds has for each score.
    ///
    /// - Parameter keys: the key of each trial; `nil` for none, `""` for a trial that is left early.
    private func scores(
        _ rights: [Step.Right], _ keys: [String?], signal: String?, of methods: [AnswerScore.Method]
    ) throws -> [GivenAnswer] {
        let names = rights.indices.map { Identifier("t\($0)") ?? "t" }
        let inputs = names.map {
            AnswerScore.Input(
                question: $0, counted: signal.map { .init(comparison: .eq, value: .text($0)) })
        }
        let scores = methods.map {
            AnswerScore(
                identifier: Identifier($0.rawValue) ?? "s", method: $0, inputs: inputs,
                step: names[names.count - 1])
        }
        let steps = zip(names, rights).map { Self.step($0, right: $1) } + [thanks]
        var sitting = try Sitting(steps, scores: scores)
        for (place, key) in keys.enumerated() {
            let start = Double(2 * place)
            if key == "" {
                sitting.tell(.skipped, at: start + 2)
                continue
            }
            if let key { sitting.tell(Self.press(key, in: names[place], at: start + 1), at: start + 1) }
            sitting.timeIsUp(place + 1, at: start + 2)
        }
        let last = try #require(sitting.result(names[names.count - 1]))
        return last.answers.filter { $0.question != names.last }
    }

    private static let counts: [AnswerScore.Method] = [
        .hits, .misses, .falseAlarms, .correctRejections,
    ]

    @Test func `where no key is right, none is a correct rejection and any is a false alarm`() throws {
        let old = Step.Right.answer(.text("old"))
        let given = try scores(
            [old, old, old, old, .noKey, .noKey, .noKey, .noKey, old],
            ["f", nil, "j", "f", nil, "f", "j", nil, nil],
            signal: nil, of: Self.counts + [.dPrime])
        #expect(given.prefix(4).map(\.answer) == [.number(2), .number(3), .number(2), .number(2)])
        #expect(given[0].inputs.map(\.value) == [1, 0, 0, 1, 0])
        #expect(given[2].inputs.map(\.value) == [0, 1, 1, 0])
        // H = 2.5 / 6 and F = 2.5 / 5.
        guard case .number(let dPrime)? = given[4].answer else { Issue.record("no d′"); return }
        #expect(abs(dPrime + 0.210428) < 1e-6)
    }

    @Test func `with a signal, its answer decides, and a trial without an answer does not count`() throws {
        let (old, new) = (Step.Right.answer(.text("old")), Step.Right.answer(.text("new")))
        let given = try scores(
            [old, old, old, new, new, new, new], ["f", "j", nil, "j", "j", "f", nil], signal: "old",
            of: Self.counts)
        #expect(given.map(\.answer) == [.number(1), .number(1), .number(1), .number(2)])
        let swapped = try scores(
            [old, old, old, new, new, new, new], ["f", "j", nil, "j", "j", "f", nil], signal: "new",
            of: Self.counts)
        #expect(swapped.map(\.answer) == [.number(2), .number(1), .number(1), .number(1)])
    }

    @Test func `a trial that is left before its time is over does not count`() throws {
        let old = Step.Right.answer(.text("old"))
        let given = try scores(
            [old, .noKey, old, .noKey], ["", "", "f", nil], signal: nil, of: Self.counts)
        #expect(given.map(\.answer) == [.number(1), .number(0), .number(0), .number(1)])
    }

    @Test func `no key is right in time, wrong keys are wrong, and words say so`() throws {
        let feedback = Reaction.Feedback(
            right: .plain("Right."), wrong: .plain("Wrong."), late: .plain("Late."), duration: .seconds(1))
        let step = Self.step("s", right: .noKey, endsStep: true, feedback: feedback)
        var still = try Sitting([step, thanks])
        let shown = try #require(still.timeIsUp(1, at: 2).shown)
        #expect(still.run.reactionFeedback(in: shown) == .plain("Right."))
        still.timeIsUp(1, segment: 2, at: 3)
        let rejected = try #require(still.result("s")?.answers.first)
        #expect(rejected.answer == nil && rejected.reaction?.press == nil)
        #expect(rejected.reaction?.isRight == true)
        var pressed = try Sitting([step, thanks])
        let words = try #require(pressed.tell(Self.press("f", in: "s", at: 1), at: 1).shown)
        #expect(pressed.run.reactionFeedback(in: words) == .plain("Wrong."))
        pressed.timeIsUp(1, segment: 2, at: 2)
        let alarm = try #require(pressed.result("s")?.answers.first)
        #expect(alarm.answer == .choice("old") && alarm.reaction?.isRight == false)
        var left = try Sitting([step, thanks])
        left.tell(.interrupted, at: 1)
        #expect(left.result("s")?.answers.first?.reaction?.isRight == nil)
    }

    @Test func `right answers count where no key is right, too`() throws {
        let names: [Identifier] = ["a", "b", "c"]
        var score = AnswerScore(
            identifier: "right", method: .count, inputs: names.map { .init(question: $0) }, step: "c")
        for place in names.indices { score.inputs[place].isRightCounted = true }
        let steps = names.map { Self.step($0, right: .noKey) }
        var sitting = try Sitting(steps + [thanks], scores: [score])
        sitting.timeIsUp(1, at: 2)
        sitting.tell(Self.press("f", in: "b", at: 3), at: 3)
        sitting.timeIsUp(2, at: 4)
        sitting.timeIsUp(3, at: 6)
        #expect(sitting.result("c")?.answers.last?.answer == .number(2))
    }

    @Test func `simulated participants seldom press where no key is right`() {
        var participant = SimulatedParticipant(seed: 1)
        let entry = RunPlan.Entry(step: Self.step("s", right: .noKey), path: ["s"], visit: 1)
        let presses = (0..<2000).count { _ in participant.reaction(in: entry) != nil }
        #expect(abs(Double(presses) / 2000 - 0.05) < 0.015)
    }

    @Test func `simulated participants mostly tell old from new`() throws {
        let choices = ["old", "new", "unsure"].map { AnswerFormat.Choice(value: $0, text: .plain($0)) }
        var asked = ask("q", .choice(choices))
        asked.right["q"] = .answer(.text("new"))
        let presentation = Presentation(
            ordinal: 1, section: 0, pass: 0, entry: 0, phase: .waiting)
        let entry = RunPlan.Entry(step: asked, path: ["q"], visit: 1)
        let share = { (scores: [AnswerScore]) in
            var participant = SimulatedParticipant(seed: 1, scores: scores)
            let right = (0..<3000).count { _ in
                guard
                    case .answered(let given)? = participant.response(
                        to: presentation, entry: entry, at: .start)?.event
                else { return false }
                return given[0].answer == .choice("new")
            }
            return Double(right) / 3000
        }
        let memory = AnswerScore(
            identifier: "m", method: .dPrime, inputs: [.init(question: "q")], step: "q")
        #expect(abs(share([memory]) - 0.8) < 0.03 && abs(share([]) - 1 / 3.0) < 0.03)
    }
}
