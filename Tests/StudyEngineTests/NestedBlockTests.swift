import StudyEngine
import StudyModel
import Testing

/// Blocks within blocks, and steps that come once among the rounds.
@Suite struct NestedBlockTests {
    /// Three series of four pieces, each with a page before it.
    private static func series(
        _ order: Block.Order = .shuffle([]), rules: Navigation = Navigation(),
        insertion: Block.Insertion? = nil
    ) -> Step {
        let piece = timed("piece", stimulus: Stimulus.Use(choice: .roundOf(set: "four")))
        var pieces = Block(set: "four", order: order, steps: [piece, ask("mood")])
        pieces.insertion = insertion
        return block(
            "series",
            Block(set: "three", order: .shuffle([]), steps: [read("page"), block("pieces", pieces, rules)]))
    }

    @Test func `each round of the outer block has all rounds of the inner one`() throws {
        let plan = try makePlan([Self.series(), thanks])
        let entries = plan.sections[0].passes[0]
        #expect(entries.count == 3 * (1 + 4 * 2))
        #expect(entries[1].path == ["series", "pieces", "piece"] && entries[0].path == ["series", "page"])
        let pieces = entries.filter { $0.step.identifier == "piece" }
        #expect(pieces.map(\.visit) == Array(1...12))
        #expect(pieces.map(\.round) == [1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4])
        #expect(pieces.map { $0.blocks.map(\.round) } == (1...3).flatMap { o in (1...4).map { [o, $0] } })
        #expect(
            plan.draws.map(\.stream) == [
                "order/T/series/1", "order/T/series.pieces/1", "order/T/series.pieces/2",
                "order/T/series.pieces/3",
            ])
        #expect(
            pieces.map { $0.clipOfRound?.stimulus.identifier.text } == plan.draws[1...3].flatMap(\.chosen))
        #expect(
            pieces.map { $0.blocks[0].clip?.stimulus.identifier.text }
                == plan.draws[0].chosen.flatMap { Array(repeating: $0, count: 4) })
    }

    @Test func `inner blocks can share the order of one before them in the same round`() throws {
        let piece = timed("again", stimulus: Stimulus.Use(choice: .roundOf(set: "four")))
        guard case .block(var outer) = Self.series().kind else { return }
        outer.steps.append(
            block("second", Block(set: "four", order: .sameAs("pieces"), steps: [piece])))
        let entries = try makePlan([block("series", outer), thanks]).sections[0].passes[0]
        let clips = { (name: Identifier) in
            entries.filter { $0.step.identifier == name }.map { $0.clipOfRound?.stimulus }
        }
        #expect(clips("again") == clips("piece") && clips("again").count == 12)
    }

    /// Goes through the whole run; answers and lets time pass as the steps want.
    private func run(_ steps: [Step], answer: Int = 5) throws -> [StepResult] {
        var sitting = try Sitting(steps)
        for second in 1..<400 where !sitting.run.isOver {
            let next = sitting.results.count + 1
            sitting.timeIsUp(next, at: Double(second) * 40)
            sitting.answer("mood", .scale(answer), at: Double(second) * 40 + 1)
            sitting.tell(.confirmed, at: Double(second) * 40 + 2)
        }
        #expect(sitting.run.isOver)
        return sitting.results
    }

    @Test func `a run goes through blocks of blocks`() throws {
        let steps = [Self.series(), thanks]
        let results = try run(steps)
        let planned = try makePlan(steps).sections.flatMap(\.passes[0])
        #expect(results.map(\.path) == planned.map(\.path) && results.map(\.round) == planned.map(\.round))
        #expect(results.map(\.visit) == planned.map(\.visit))
        let outer = results.filter { $0.identifier == "piece" }.map(\.outerRounds)
        #expect(
            outer.map { $0.map(\.round) } == [[1], [1], [1], [1], [2], [2], [2], [2], [3], [3], [3], [3]])
        #expect(outer.allSatisfy { $0.map(\.block) == ["series"] })
        let conditions = try makePlan(steps).draws[0].chosen
        #expect(outer.map { $0[0].condition?.identifier.text } == (0..<12).map { conditions[$0 / 4] })
        #expect(results.count { $0.identifier == "page" && $0.outerRounds.isEmpty } == 3)
    }

    @Test func `a rule leaves out one pass of an inner block, by the round of the outer one`() throws {
        let isB = Navigation.Condition(
            subject: .clip(of: "series", attribute: nil), comparison: .eq, value: .text("b"))
        let results = try run([Self.series(rules: Navigation(skipIf: [isB])), thanks])
        let order = try makePlan([Self.series(), thanks]).draws[0].chosen
        let left = results.filter { $0.skip == .rule }
        #expect(left.map(\.path) == [["series", "pieces"]])
        #expect(left.map(\.round) == order.firstIndex(of: "b").map { [$0 + 1] })
        #expect(
            results.count { $0.identifier == "piece" } == 8 && results.count { $0.identifier == "page" } == 3)
    }

    @Test func `a rule of an inner block is asked when it ends`() throws {
        let rules = Navigation(
            goTo: [.init(condition: when("mood", .lt, .number(3)), target: .step("thanks"))])
        let results = try run([Self.series(rules: rules), thanks], answer: 1)
        #expect(results.count { $0.identifier == "piece" } == 4)
        #expect(results.last?.identifier == "thanks")
        #expect(try run([Self.series(rules: rules), thanks]).count == 28)
    }

    @Test func `an insertion comes once in each pass, between rounds`() throws {
        var places: [Int: Int] = [:]
        for number in 1...200 {
            let plan = try makePlan(
                [Self.series(insertion: Block.Insertion([timed("silence")])), thanks],
                participant: "P\(number)")
            let entries = plan.sections[0].passes[0]
            let silent = entries.indices.filter { entries[$0].step.identifier == "silence" }
            #expect(silent.map { entries[$0].visit } == [1, 2, 3])
            for (pass, index) in silent.enumerated() {
                #expect(entries[index].path == ["series", "pieces", "silence"])
                #expect(entries[index].round == pass + 1 && entries[index].blocks[1].round == nil)
                #expect(entries[index - 1].step.identifier == "mood")
                let place = (entries[index + 1].round ?? 0)
                #expect(entries[index + 1].path.count == 3 && place > 1)
                places[place, default: 0] += 1
                let draw = plan.draws.first { $0.stream == "insert/T/series.pieces/\(pass + 1)" }
                #expect(draw?.chosen == ["\(place)"] && draw?.pool == ["2", "3", "4"])
            }
        }
        #expect(places.count == 3 && places.values.allSatisfy { (150...250).contains($0) })
    }

    @Test func `an insertion anywhere may also be first or last`() throws {
        var first = 0
        var last = 0
        for number in 1...100 {
            var rounds = Block(repetitions: 3, steps: [read("page")])
            rounds.insertion = Block.Insertion([read("pause")], isAnywhere: true)
            let entries = try makePlan([block("b", rounds), thanks], participant: "P\(number)")
                .sections[0].passes[0]
            #expect(entries.count == 4 && entries.count { $0.round == nil } == 1)
            if entries[0].step.identifier == "pause" { first += 1 }
            if entries[3].step.identifier == "pause" { last += 1 }
        }
        #expect((10...40).contains(first) && (10...40).contains(last))
    }

    private func order(_ next: Study.NextTask, _ number: Int) throws -> [Identifier]? {
        let tasks = (["a", "b", "c"] as [Identifier]).map { Study.Task(identifier: $0, steps: [thanks]) }
        var study = Study(identifier: "s", title: .plain("S"), tasks: tasks)
        study.nextTask = next
        let plan = try RunPlan(
            drawing: study, task: tasks[1], participant: "P\(number)", number: number, session: 2, seed: 1)
        let order = try study.taskOrder(
            participant: "P\(number)", number: number, seed: 1)
        if next == .menu {
            #expect(plan.draws.map(\.chosen) == [["b"]] && plan.draws.map(\.method) == ["menu"])
        } else {
            #expect(plan.draws.map(\.chosen) == (next == .fixed ? [] : [order?.map(\.text) ?? []]))
        }
        return order
    }

    @Test func `tasks have an order for each participant`() throws {
        #expect(try order(.menu, 1) == nil)
        #expect(try order(.fixed, 7) == ["a", "b", "c"])
        #expect(Set(try (1...60).map { try order(.shuffle, $0) }).count == 6)
        let rows = try (1...3).compactMap { try order(.latinSquare, $0) }
        for place in 0..<3 { #expect(Set(rows.map { $0[place] }).count == 3) }
        #expect(Set(try (1...6).map { try order(.williams, $0) }).count == 6)
    }
}
