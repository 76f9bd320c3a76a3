import StudyEngine
import StudyModel
import Testing

@Suite struct GoingBackTests {
    @Test func `goes back over what only waits, as often as there is a step before`() throws {
        var sitting = try Sitting([read("a"), ask("b"), read("c"), thanks])
        #expect(sitting.run.handle(.wentBack, at: .seconds(0.5)).isEmpty, "there is none before the first")
        #expect(sitting.tell(.confirmed, at: 1).shown?.canGoBack == true)
        #expect(sitting.answer("b", .scale(5), at: 2).shown?.section == 2)
        #expect(sitting.tell(.wentBack, at: 3).shown?.section == 1)
        let first = sitting.tell(.wentBack, at: 4).shown
        #expect(first?.section == 0 && first?.canGoBack == false && first?.ordinal == 5)
        #expect(sitting.tell(.wentBack, at: 5).isEmpty)
        sitting.tell(.confirmed, at: 6)
        sitting.tell(.wentBack, at: 7)
        sitting.tell(.confirmed, at: 8)
        #expect(sitting.answer("b", .scale(6), at: 9).shown?.pass == 0)
        #expect(sitting.tell(.confirmed, at: 10).shown?.section == 3)
        #expect(sitting.results.map(\.identifier) == ["a", "b", "c", "b", "a", "b", "a", "b", "c"])
        #expect(sitting.results.map(\.visit) == [1, 1, 1, 2, 2, 3, 3, 4, 2])
        #expect(
            sitting.results.map(\.skip) == [nil, nil, .wentBack, .wentBack, nil, .wentBack, nil, nil, nil])
    }

    @Test func `what was typed and not confirmed is in the result, and there again`() throws {
        var sitting = try Sitting([read("a"), ask("q"), thanks])
        let draft = DraftedAnswer(question: "q", text: "4", times: AnswerTimes(shown: .seconds(1)))
        sitting.tell(.confirmed, at: 1)
        #expect(sitting.tell(.drafted(draft), at: 2).isEmpty)
        let strange = DraftedAnswer(question: "other", text: "5", times: draft.times)
        sitting.tell(.drafted(strange), at: 2)
        sitting.tell(.wentBack, at: 3)
        #expect(sitting.result("q")?.drafts == [draft] && sitting.result("q")?.answers == [])
        let shown = try #require(sitting.tell(.confirmed, at: 4).shown)
        #expect(sitting.run.drafts(for: shown) == ["q": "4"])
        sitting.tell(.drafted(draft), at: 5)
        _ = sitting.answer("q", .scale(4), at: 6)
        #expect(sitting.result("q", visit: 2)?.drafts == [])
        var left = try Sitting([ask("q"), thanks])
        left.tell(.drafted(draft), at: 1)
        left.tell(.interrupted, at: 2)
        #expect(left.result("q")?.drafts == [draft])
    }

    @Test func `never goes back from or to a timed step or the completion`() throws {
        var sitting = try Sitting([
            read("a"), timed("t", timer: .init(startsOnConfirm: true)), read("b"), read("c"), thanks,
        ])
        #expect(sitting.tell(.confirmed, at: 1).shown?.canGoBack == false)
        #expect(sitting.tell(.wentBack, at: 2).isEmpty)
        sitting.tell(.confirmed, at: 2)
        #expect(sitting.timeIsUp(2, at: 32).shown?.canGoBack == false)
        #expect(sitting.tell(.wentBack, at: 33).isEmpty)
        #expect(sitting.tell(.confirmed, at: 34).shown?.canGoBack == true)
        #expect(sitting.tell(.confirmed, at: 35).shown?.canGoBack == false)
        #expect(sitting.tell(.wentBack, at: 36).isEmpty)
    }

    @Test func `visits gone back over do not use up a loop's`() throws {
        let again = Navigation(goTo: [.init(condition: when("q", .eq, .number(1)), target: .step("a"))])
        var sitting = try Sitting([
            read("a", Navigation(maximumVisits: 2)), ask("q", rules: again), read("r"), thanks,
        ])
        sitting.tell(.confirmed, at: 1)
        #expect(sitting.answer("q", .scale(1), at: 2).shown?.pass == 1)
        #expect(sitting.tell(.wentBack, at: 3).shown?.section == 1)
        #expect(sitting.answer("q", .scale(1), at: 4).shown?.section == 0, "the jump is free again")
        sitting.tell(.confirmed, at: 5)
        #expect(sitting.answer("q", .scale(1), at: 6).shown?.section == 2)
    }

    @Test func `goes back within a block and over what a rule left out`() throws {
        let skip = Navigation(skipIf: [when("q", .lt, .number(5))])
        let rounds = block("b", Block(repetitions: 2, steps: [ask("q"), read("extra", skip)]))
        var sitting = try Sitting([rounds, thanks])
        #expect(sitting.answer("q", .scale(1), at: 1).shown?.entry == 2)
        #expect(sitting.tell(.wentBack, at: 2).shown?.entry == 0)
        #expect(sitting.answer("q", .scale(7), at: 3).shown?.entry == 1)
    }

    @Test func `a review shows what can be changed, and goes back to any of it`() throws {
        let check = Step(identifier: "check", kind: .review)
        var sitting = try Sitting([
            ask("before"), timed("t"), ask("a"), read("text"), ask("b", optional: true), check, thanks,
        ])
        func type(_ text: String, for question: Identifier, at second: Double) {
            let times = AnswerTimes(shown: .seconds(second))
            sitting.tell(.drafted(DraftedAnswer(question: question, text: text, times: times)), at: second)
        }
        sitting.answer("before", .scale(1), at: 1)
        sitting.timeIsUp(2, at: 31)
        type("3", for: "a", at: 32)
        sitting.answer("a", .scale(3), at: 33)
        sitting.tell(.confirmed, at: 34)
        type("9", for: "b", at: 35)
        #expect(sitting.tell(.skipped, at: 36).shown?.section == 5)
        #expect(sitting.run.reviewed.map(\.step.identifier) == ["a", "b"])
        #expect(sitting.run.reviewed.map(\.drafts) == [["a": "3"], [:]], "what was skipped has no answer")
        let first = try #require(sitting.run.reviewed.first?.ordinal)
        #expect(sitting.tell(.wentBackTo(first + 1), at: 37).isEmpty, "a text is no answer")
        #expect(sitting.tell(.wentBackTo(1), at: 37).isEmpty, "before a timed step")
        #expect(sitting.tell(.wentBackTo(first), at: 38).shown?.section == 2)
        #expect(sitting.tell(.wentBackTo(first), at: 39).isEmpty, "only a review goes back so")
        type("4", for: "a", at: 40)
        sitting.answer("a", .scale(4), at: 41)
        sitting.tell(.confirmed, at: 42)
        sitting.answer("b", .scale(9), at: 43)
        #expect(sitting.run.reviewed.map(\.drafts) == [["a": "4"], ["b": "9"]])
        sitting.tell(.confirmed, at: 44)
        #expect(sitting.results.map(\.identifier).suffix(4) == ["a", "text", "b", "check"])
        #expect(sitting.result("check")?.skip == .wentBack && sitting.result("check", visit: 2)?.skip == nil)
    }

    @Test func `going back from a review does not use up a loop's visits`() throws {
        let again = Navigation(goTo: [.init(condition: when("q", .eq, .number(1)), target: .step("a"))])
        let check = Step(identifier: "check", kind: .review)
        var sitting = try Sitting([
            read("a", Navigation(maximumVisits: 2)), ask("q", rules: again), check, thanks,
        ])
        sitting.tell(.confirmed, at: 1)
        #expect(sitting.answer("q", .scale(2), at: 2).shown?.section == 2)
        #expect(sitting.tell(.wentBackTo(2), at: 3).shown?.section == 1)
        #expect(sitting.answer("q", .scale(1), at: 4).shown?.section == 0, "the loop's second visit is left")
    }
}
