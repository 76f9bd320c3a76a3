import StudyModel
import Testing

@testable import StudyEngine

/// What rules can ask, and what they see.
@Suite struct ConditionTests {
    private typealias Condition = Navigation.Condition

    /// Whether a step with that rule is left out, after an answer of 5 to `q`; `other` is never asked.
    private func leavesOut(_ condition: Navigation.Condition) throws -> Bool {
        var sitting = try Sitting([ask("q"), read("r", Navigation(skipIf: [condition])), thanks])
        return sitting.answer("q", .scale(5), at: 1).shown?.section == 2
    }

    private static let yes = when("q", .eq, .number(5))
    private static let no = when("q", .lt, .number(5))
    private static let unknown = when("other", .eq, .number(5))

    @Test func `joins conditions as Kleene's logic does`() throws {
        let (yes, no, unknown) = (Self.yes, Self.no, Self.unknown)
        let cases: [(Navigation.Condition, Bool)] = [
            (yes, true), (no, false), (unknown, false), (.not(yes), false), (.not(no), true),
            (.not(unknown), false),
            (.not(.not(unknown)), false), (.all([]), true), (.any([]), false), (.all([yes, yes]), true),
            (.all([yes, no]), false), (.all([yes, unknown]), false), (.not(.all([no, unknown])), true),
            (.not(.all([yes, unknown])), false), (.any([no, yes]), true), (.any([no, no]), false),
            (.any([unknown, yes]), true), (.not(.any([unknown, no])), false), (.not(.any([no, no])), true),
            (.all([.any([no, yes]), .not(.all([yes, no]))]), true),
        ]
        for (condition, holds) in cases { #expect(try leavesOut(condition) == holds, "\(condition)") }
    }

    @Test func `asks whether there is an answer`() throws {
        #expect(try leavesOut(.isAnswered("q")))
        #expect(try !leavesOut(.isAnswered("other")))
        #expect(try leavesOut(.not(.isAnswered("other"))))
        var sitting = try Sitting([
            ask("q", optional: true), read("r", Navigation(skipIf: [.isAnswered("q")])), thanks,
        ])
        #expect(sitting.answer("q", nil, at: 1).shown?.section == 1, "a question left out is not answered")
    }

    @Test func `sees the session, and the round where there is one`() throws {
        let session = Condition(subject: .session, comparison: .eq, value: .number(1))
        #expect(try leavesOut(session))
        let second = Navigation(skipIf: [.init(subject: .round, comparison: .eq, value: .number(2))])
        var sitting = try Sitting([
            block("b", Block(repetitions: 3, steps: [read("r", second), read("s")])), thanks,
        ])
        let shown = (1...5).map { sitting.tell(.confirmed, at: Double($0)).shown?.entry }
        #expect(shown == [1, 3, 4, 5, 0])
        #expect(try !leavesOut(.not(.init(subject: .round, comparison: .eq, value: .number(2)))))
    }

    @Test func `sees the clip of a step and of a round, and its attributes`() throws {
        func plays(_ name: Identifier, _ choice: Stimulus.Use.Choice, _ rules: Navigation = Navigation())
            -> Step
        {
            Step(
                identifier: name, navigation: rules,
                kind: .active(ActiveStep(duration: .seconds(1), stimulus: .init(choice: choice))))
        }
        let pool = try makePlan([block("b", Block(set: "clips", steps: [plays("m", .roundOf(set: "clips"))]))]
        )
        .sections[0].passes[0].compactMap { $0.clipOfRound?.stimulus }
        for (round, clip) in pool.enumerated() {
            let mood = try #require(clip.attributes["mood"])
            let isMood = Condition(
                subject: .clip(of: "b", attribute: "mood"), comparison: .eq, value: .text(mood))
            let isThis = Condition(
                subject: .clip(of: "b", attribute: nil), comparison: .eq, value: .text(clip.identifier.text))
            let rounds = block(
                "b",
                Block(
                    set: "clips",
                    steps: [
                        plays("m", .roundOf(set: "clips")),
                        read("r", Navigation(skipIf: [.not(.all([isMood, isThis]))])),
                    ]))
            var sitting = try Sitting([rounds, thanks])
            var seen: [Int] = []
            for ordinal in 1...40 {
                guard let place = sitting.run.shown, place.section == 0 else { break }
                if place.entry % 2 == 1 { seen.append(place.entry / 2) }
                let now = Double(ordinal)
                if place.entry % 2 == 1 {
                    sitting.tell(.confirmed, at: now)
                } else {
                    sitting.timeIsUp(place.ordinal, at: now)
                }
            }
            #expect(seen == [round])
        }
    }

    @Test func `means the heart rates of the last seconds, whatever the steps`() throws {
        func recovered(_ rate: Navigation.HeartRate, _ value: Double) -> Condition {
            .init(subject: .heartRate(rate), comparison: .le, value: .number(value))
        }
        let cases: [(Condition, Bool)] = [
            (recovered(.init(.last(.seconds(5))), 80), true),
            (recovered(.init(.last(.seconds(5))), 79), false),
            (recovered(.init(.last(.seconds(60))), 80), false),
            (recovered(.init(.last(.seconds(5)), relativeTo: .init(step: "rest", isShare: false)), 20), true),
            (
                recovered(.init(.last(.seconds(5)), relativeTo: .init(step: "rest", isShare: false)), 19),
                false
            ),
            (recovered(.init(.during("run"), relativeTo: .init(step: "rest", isShare: true)), 100), true),
            (recovered(.init(.during("run"), relativeTo: .init(step: "rest", isShare: true)), 99), false),
            (recovered(.init(.during("run"), relativeTo: .init(step: "never", isShare: true)), 300), false),
            (.not(recovered(.init(.during("never")), 0)), false),
        ]
        for (condition, holds) in cases {
            let steps = [
                timed("rest", 10), timed("run", 10), timed("cool", 10),
                read("r", Navigation(skipIf: [condition])), thanks,
            ]
            var sitting = try Sitting(steps)
            sitting.tell(.observed(60), at: 5)
            sitting.timeIsUp(1, at: 10)
            sitting.tell(.observed(120), at: 15)
            sitting.timeIsUp(2, at: 20)
            sitting.tell(.observed(90), at: 24)
            sitting.tell(.observed(85), at: 26)
            sitting.tell(.observed(75), at: 29)
            #expect((sitting.timeIsUp(3, at: 30).shown?.section == 4) == holds, "\(condition)")
        }
    }

    @Test func `names everything that it looks at`() {
        let condition = Condition.all([.not(.isAnswered("q")), .any([when("p", .eq, .number(1))])])
        #expect(condition.subjects == [.answer("q"), .answer("p")])
    }
}
