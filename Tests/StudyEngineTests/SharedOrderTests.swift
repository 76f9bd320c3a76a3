import StudyEngine
import StudyModel
import Testing

/// Blocks with the order of another, and clips that the participant chooses.
@Suite struct SharedOrderTests {
    private static func series(_ name: Identifier, _ order: Block.Order) -> Step {
        let step = timed(
            Identifier("\(name)Clip") ?? name, stimulus: Stimulus.Use(choice: .roundOf(set: "clips")))
        return block(name, Block(repetitions: 2, set: "clips", order: order, steps: [step]))
    }

    @Test(arguments: [
        Block.Order.shuffle([]), .shuffle([.noImmediateRepeat(attribute: "id")]), .latinSquare, .williams,
        .fixed,
    ])
    func `the second block has the order of the first`(order: Block.Order) throws {
        for number in 1..<8 {
            let plan = try makePlan(
                [Self.series("first", order), Self.series("second", .sameAs("first")), thanks],
                participant: "P\(number)")
            let clips = plan.sections.map { $0.passes[0].map { $0.clipOfRound?.stimulus } }
            #expect(clips[0] == clips[1] && clips[0].count == 12)
            let draw = try #require(plan.draws.last)
            #expect(draw.method == "as" && draw.stream == "order/T/second/1")
            #expect(draw.sameAs == plan.draws[0].stream && draw.chosen == plan.draws[0].chosen)
            #expect(plan.sections[1].passes[0][0].clipOfRound?.method == "as")
        }
    }

    @Test func `each pass has the order of the same pass, or of the last`() throws {
        let again = Navigation(
            goTo: [.init(condition: when("q", .lt, .number(3)), target: .step("first"))])
        var first = Self.series("first", .shuffle([]))
        first.navigation.maximumVisits = 3
        let plan = try makePlan([
            first, ask("q", rules: again), Self.series("second", .sameAs("first")), thanks,
        ])
        let clips = plan.sections.map { $0.passes.map { $0.map { $0.clipOfRound?.stimulus } } }
        #expect(clips[0].count == 3 && clips[2] == [clips[0][0]])
    }

    @Test func `an order of other rounds is refused`() {
        #expect(throws: PlanProblem.noOrder(block: "second", of: "first")) {
            try makePlan([Self.series("second", .sameAs("first")), thanks])
        }
    }

    private static let favourite = ask(
        "favourite", .choice(sixClips.map { .init(value: $0.identifier.text, text: .plain("Piece")) }),
        optional: true)

    private func clip(of answer: Answer?, otherwise: Identifier?) throws -> DrawnStimulus? {
        let use = Stimulus.Use(
            choice: .answered(question: "favourite", set: "clips", otherwise: otherwise))
        var sitting = try Sitting([Self.favourite, timed("music", stimulus: use), thanks])
        if let answer {
            sitting.answer("favourite", answer, at: 1)
        } else {
            sitting.tell(.skipped, at: 1)
        }
        sitting.timeIsUp(2, at: 31)
        return try #require(sitting.result("music")).stimulus
    }

    @Test func `the clip that was chosen is played, and stands in the result`() throws {
        let drawn = try #require(try clip(of: .choice("c"), otherwise: nil))
        #expect(drawn.stimulus == sixClips[2] && drawn.index == 2)
        #expect(drawn.set == "clips" && drawn.method == "answer" && drawn.stream == nil)
    }

    @Test func `without an answer there is another clip, or none`() throws {
        let drawn = try #require(try clip(of: nil, otherwise: "f"))
        #expect(drawn.stimulus == sixClips[5] && drawn.method == "otherwise")
        #expect(try clip(of: nil, otherwise: nil) == nil)
    }
}
