import StudyModel
import Testing

@testable import StudyEngine

/// Orders of what a step shows.
@Suite struct ItemOrderTests {
    private static func form(_ order: ItemOrder, choices: ItemOrder = .fixed) -> Step {
        let list = ["u", "v", "w", "other"].map {
            AnswerFormat.Choice(value: $0, text: .plain($0), isOther: $0 == "other")
        }
        return Step(
            identifier: "f",
            kind: .form(
                Form(
                    ["a", "b", "c", "d"].map {
                        Question(identifier: $0, format: .choice(list, order: choices))
                    }, order: order)))
    }

    @Test func `an order is drawn for each participant, and stands in plan and result`() throws {
        let steps = [Self.form(.shuffle, choices: .reverse), thanks]
        let plan = try makePlan(steps)
        #expect(
            plan.draws.map(\.stream) == ["items/T/f"] + ["a", "b", "c", "d"].map { "choices/T/f/\($0)" })
        #expect(plan.draws.allSatisfy { $0.pool.sorted() == $0.chosen.sorted() })
        #expect(plan.draws.dropFirst().allSatisfy { $0.chosen.last == "other" })
        #expect(try makePlan(steps, session: 2).draws == plan.draws)
        var sitting = try Sitting(steps)
        let answers = ["d", "c", "b", "a"].map { GivenAnswer(question: $0, answer: .choice("u")) }
        sitting.tell(.answered(answers), at: 1)
        let result = try #require(sitting.results.first)
        #expect(result.answers.map(\.question) == ["a", "b", "c", "d"], "results keep the study's order")
        #expect(result.orders.items?.map(\.text) == plan.draws[0].chosen)
        #expect(result.orders.choices["a"] == plan.draws[1].chosen)
    }

    @Test func `the items of a matrix share the order of what stands above them`() throws {
        for number in 1...20 {
            var step = Self.form(.shuffle, choices: .shuffle)
            guard case .form(var form) = step.kind else { return }
            form.isMatrix = true
            step.kind = .form(form)
            let plan = try makePlan([step, thanks], participant: "P\(number)")
            #expect(plan.draws.map(\.stream) == ["items/T/f", "choices/T/f/f"])
            guard case .form(let drawn) = plan.sections[0].step.kind else { return }
            #expect(Set(drawn.questions.map(\.format)).count == 1)
        }
    }

    @Test func `every order of four items is equally likely over participants`() throws {
        var counts: [[String]: Int] = [:]
        var reversed = 0
        for number in 1...4_800 {
            let participant = "P\(number)"
            let shuffled = try makePlan([Self.form(.shuffle), thanks], participant: participant)
            counts[shuffled.draws[0].chosen, default: 0] += 1
            let plan = try makePlan([Self.form(.reverse), thanks], participant: participant)
            if plan.draws[0].chosen == ["d", "c", "b", "a"] { reversed += 1 }
        }
        #expect(counts.count == 24 && (2_250...2_550).contains(reversed))
        let chi = counts.values.reduce(0.0) { $0 + Double(($1 - 200) * ($1 - 200)) / 200 }
        #expect((8...45).contains(chi), "\(chi)")
    }

    @Test func `an order changes no other draw`() throws {
        let music = timed("t", stimulus: draw(.random))
        let plain = try makePlan([Self.form(.fixed), music, thanks])
        let ordered = try makePlan([Self.form(.shuffle), music, thanks])
        #expect(ordered.draws.filter { $0.stream.hasPrefix("draw/") } == plain.draws)
    }
}
