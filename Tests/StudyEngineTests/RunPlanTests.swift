import StudyEngine
import StudyModel
import Testing

@Suite struct RunPlanTests {
    @Test func `adding a step changes no other draw`() throws {
        let step = timed("music", stimulus: draw(.random))
        let short = try makePlan([step])
        let long = try makePlan([timed("new", stimulus: draw(.random)), step])
        #expect(long.draws[1] == short.draws[0])
    }

    @Test func `participants and sessions draw apart, and the same again`() throws {
        let step = block("b", Block(set: "clips", order: .shuffle([]), steps: [read("r")]))
        let first = try makePlan([step], participant: "P01")
        #expect(try makePlan([step], participant: "P01") == first)
        let others = [
            try makePlan([step], participant: "P02"), try makePlan([step], participant: "P01", session: 2),
            try makePlan([step], participant: "P01", seed: 2),
        ]
        #expect(Set(others.map { $0.draws[0].chosen } + [first.draws[0].chosen]).count == 4)
    }

    @Test func `names the visit of a step in each round`() throws {
        let inner = timed("listen", stimulus: draw(.random))
        let plan = try makePlan([block("b", Block(repetitions: 3, steps: [read("r"), inner]))])
        #expect(plan.draws.map(\.stream) == (1...3).map { "draw/T/b.listen/\($0)" })
        let entries = plan.sections[0].passes[0]
        #expect(entries.map(\.round) == [1, 1, 2, 2, 3, 3])
        #expect(entries.map(\.visit) == [1, 1, 2, 2, 3, 3])
        #expect(entries[3].path == ["b", "listen"])
    }

    @Test func `fixed goes through the pool, counting earlier draws from the set`() throws {
        let plan = try makePlan(
            (1...4).map { timed(.numbered($0), stimulus: draw(.fixed, from: "three")) })
        #expect(plan.draws.map(\.chosen) == [["a"], ["b"], ["c"], ["a"]])
        #expect(plan.draws[0].stream == "draw/T/s1/1" && plan.draws[0].method == "fixed")
        #expect(plan.decks.map { $0.clips.map(\.index) } == [[0, 1, 2, 0]])
    }

    @Test func `fixed counts draws by other methods`() throws {
        let plan = try makePlan([
            timed("one", stimulus: draw(.random, from: "three")),
            timed("two", stimulus: draw(.fixed, from: "three")),
        ])
        #expect(plan.draws[1].chosen == ["b"])
    }

    @Test func `a step's square takes the row entry by entry`() throws {
        let whole = try makePlan([block("b", Block(set: "three", order: .williams, steps: [read("r")]))])
        let plan = try makePlan(
            (1...4).map { timed(.numbered($0), stimulus: draw(.williams, from: "three")) })
        let row = whole.draws[0].chosen
        #expect(plan.draws.count == 1)
        #expect(plan.draws[0].chosen == row + [row[0]])
        #expect(plan.draws[0].pool == ["a", "b", "c"])
    }

    @Test func `goes through the pool as often as the block repeats it`() throws {
        func draw(_ order: Block.Order) throws -> Draw {
            let step = block("b", Block(repetitions: 2, set: "three", order: order, steps: [read("r")]))
            return try #require(try makePlan([step]).draws.first)
        }
        let twice = ["a", "b", "c", "a", "b", "c"]
        let fixed = try draw(.fixed)
        #expect(fixed.pool == twice && fixed.chosen == twice && fixed.stream == "order/T/b/1")
        let square = try draw(.latinSquare)
        #expect(square.pool == ["a", "b", "c"] && square.chosen.count == 6)
        #expect(square.chosen.prefix(3) == square.chosen.suffix(3))
        let shuffled = try draw(.shuffle([.noImmediateRepeat(attribute: "id")]))
        #expect(shuffled.pool == twice && shuffled.chosen.sorted() == twice.sorted())
        #expect(zip(shuffled.chosen, shuffled.chosen.dropFirst()).allSatisfy { $0 != $1 })
        #expect(shuffled.categories == [:], "the identifier is no category")
    }

    @Test func `the round's clip says how it was drawn`() throws {
        let listen = timed("listen", stimulus: Stimulus.Use(choice: .roundOf(set: "three")))
        let plan = try makePlan([block("b", Block(set: "three", order: .fixed, steps: [listen]))])
        let clips = plan.sections[0].passes[0].compactMap(\.clip)
        #expect(clips.map(\.index) == [0, 1, 2])
        #expect(clips.allSatisfy { $0.method == "fixed" && $0.stream == "order/T/b/1" && $0.set == "three" })
    }

    @Test func `a named clip is not drawn`() throws {
        let plan = try makePlan([timed("s", stimulus: Stimulus.Use(choice: .play(sixClips[4])))])
        #expect(plan.draws.isEmpty)
        #expect(
            plan.sections[0].passes[0][0].clip
                == DrawnStimulus(stimulus: sixClips[4], set: nil, method: "play", stream: nil, index: 0))
    }

    @Test func `plans as many visits as jumps allow`() throws {
        func to(_ name: Identifier) -> Navigation {
            Navigation(goTo: [.init(condition: nil, target: .step(name))])
        }
        let plan = try makePlan([
            read("one"), read("two", Navigation(maximumVisits: 3)),
            timed("three", stimulus: draw(.random), Navigation(maximumVisits: 2)), read("four", to("three")),
            read("five", to("two")), read("six", to("end")), thanks,
        ])
        #expect(plan.sections.map(\.passes.count) == [1, 3, 4, 4, 3, 1, 1])
        #expect(plan.draws.map(\.stream) == (1...4).map { "draw/T/three/\($0)" })
    }

    @Test func `plans at most a thousand visits`() throws {
        let again = Navigation(
            goTo: [.init(condition: nil, target: .step("one"))], maximumVisits: .max)
        #expect(try makePlan([read("one", again)]).sections[0].passes.count == 1_000)
    }

    @Test func `says what keeps a plan from being drawn`() throws {
        let square = block("b", Block(set: "three", order: .latinSquare, steps: [read("r")]))
        #expect(throws: PlanProblem.numberNeeded(set: "three")) { try makePlan([square], participant: "Ada") }
        #expect(throws: PlanProblem.noClips(set: "none")) {
            try makePlan([timed("s", stimulus: draw(.random, from: "none"))])
        }
        #expect(throws: PlanProblem.weights(set: "three")) {
            try makePlan([timed("s", stimulus: draw(.weighted([0, 0, 0]), from: "three"))])
        }
        #expect(throws: PlanProblem.weights(set: "three")) {
            try makePlan([timed("s", stimulus: draw(.weighted([1, 1]), from: "three"))])
        }
        #expect(throws: PlanProblem.noRound(step: "s", set: "three")) {
            try makePlan([timed("s", stimulus: Stimulus.Use(choice: .roundOf(set: "three")))])
        }
        let impossible = Block.Order.shuffle([.minimumDistance(attribute: "mood", steps: 3)])
        #expect(throws: PlanProblem.order(block: "b", .infeasible)) {
            try makePlan([block("b", Block(set: "three", order: impossible, steps: [read("r")]))])
        }
        #expect("\(PlanProblem.numberNeeded(set: "three"))".contains("--participant-number"))
    }

    @Test func `finds impossible orders before anyone sits down`() {
        let impossible = Block.Order.shuffle([.noImmediateRepeat(attribute: "mood")])
        let good = block("good", Block(set: "clips", order: impossible, steps: [read("r")]))
        let bad = block("bad", Block(set: "AAAB", order: impossible, steps: [read("r")]))
        let set = StimulusSet(
            identifier: "AAAB", pool: Array(repeating: sixClips[0], count: 3) + [sixClips[5]])
        let study = Study(
            identifier: "s", title: .plain("S"), stimulusSets: clipSets + [set],
            tasks: [Study.Task(identifier: "T", steps: [good, bad, thanks])])
        let problems = orderProblems(in: study)
        #expect(problems.map(\.task) == ["T"] && problems.map(\.block) == ["bad"])
        #expect(problems.map(\.problem) == [.infeasible])
    }

    @Test(arguments: [
        ("P01", 1), ("7", 7), ("A2B030", 30), ("x9223372036854775807", Int.max), ("", nil), ("P", nil),
        ("P1a", nil), ("P0", nil), ("000", nil), ("P9223372036854775808", nil), ("P٣", nil),
    ])
    func `reads the number at the end of a code`(code: String, number: Int?) {
        #expect(participantNumber(of: code) == number)
    }
}

extension Identifier {
    /// `s1`, `s2` …
    static func numbered(_ number: Int) -> Identifier {
        guard let name = Identifier("s\(number)") else { preconditionFailure("a name of two letters") }
        return name
    }
}
