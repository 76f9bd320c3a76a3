import Hashing
import StudyEngine
import StudyModel
import Testing

/// What P07 draws in session 2 of the study `golden` with seed 20151112.
///
/// Seeds and choices come from a separate implementation in Python (hashlib's SHA-256, whole numbers of any size,
/// the constrained order by listing all permutations); a text that is not in the table fails the test, so the
/// names of the streams are golden too.
@Suite struct GoldenPlanTests {
    private static let own = "entrain/1\ngolden\n20151112\nP07\n2\n"
    private static let balanced = "entrain/1\ngolden\n20151112\n\n\n"
    private static let seeds: [String: UInt64] = [
        own + "draw/T/random/1": 13_375_415_413_656_923_782,
        own + "draw/T/weighted/1": 11_286_103_950_080_146_973,
        own + "draw/T/*/three": 11_741_068_051_640_912_196,
        balanced + "square/clips": 17_160_313_640_141_847_029,
        balanced + "square/three": 2_631_667_411_786_412_887,
        own + "order/T/constrained/1": 12_055_074_937_109_097_852,
        own + "order/T/shuffled/1": 10_298_336_577_172_665_014,
    ]

    @Test(arguments: seeds) func `seeds a stream with the hash of its name`(text: String, seed: UInt64) {
        #expect(SHA256.streamSeed(of: text) == seed)
    }

    private static func plan(_ steps: [Step]) throws -> RunPlan {
        let task = Study.Task(identifier: "T", steps: steps)
        let study = Study(
            identifier: "golden", title: .plain("Golden"), stimulusSets: clipSets, tasks: [task])
        return try RunPlan(
            drawing: study, task: task, participant: "P07", number: 7, session: 2, seed: 20_151_112)
    }

    private static func going(_ order: Block.Order, _ name: Identifier, set: Identifier = "clips") -> Step {
        block(name, Block(set: set, order: order, steps: [read("r")]))
    }

    @Test func `draws at random`() throws {
        let plan = try Self.plan([timed("random", stimulus: draw(.random))])
        let pool = ["a", "b", "c", "d", "e", "f"]
        #expect(
            plan.draws == [Draw(stream: "draw/T/random/1", method: "random", pool: pool, chosen: ["d"])])
        #expect(
            plan.sections[0].passes[0][0].clip
                == DrawnStimulus(
                    stimulus: sixClips[3], set: "clips", method: "random", stream: "draw/T/random/1",
                    index: 3))
    }

    @Test func `draws by weight`() throws {
        let weights = [1, 0, 2.5, 0.5, 1, 1]
        let plan = try Self.plan([timed("weighted", stimulus: draw(.weighted(weights)))])
        #expect(plan.draws.map(\.chosen) == [["a"]])
        #expect(plan.draws.map(\.weights) == [weights])
    }

    @Test func `deals without replacement from one stream for the whole task`() throws {
        let dealt = timed("inner", stimulus: draw(.withoutReplacement, from: "three"))
        let plan = try Self.plan([
            timed("first", stimulus: draw(.withoutReplacement, from: "three")),
            block("b", Block(repetitions: 7, steps: [dealt])),
        ])
        #expect(plan.draws.map(\.stream) == ["draw/T/*/three"])
        #expect(plan.draws[0].chosen == ["c", "b", "a", "c", "a", "b", "a", "b"])
        #expect(
            plan.decks.map { $0.clips.map(\.stimulus.identifier) } == [
                ["c", "b", "a", "c", "a", "b", "a", "b"]
            ])
        #expect(plan.sections[1].passes[0][6].stimulus == .next(deck: 0))
    }

    @Test func `takes the row of a Williams design`() throws {
        let draw = try #require(try Self.plan([Self.going(.williams, "b")]).draws.first)
        #expect(draw.stream == "square/clips" && draw.method == "williams")
        #expect(draw.number == 7 && draw.row == 1)
        #expect(draw.pool == ["a", "b", "c", "d", "e", "f"])
        #expect(draw.chosen == ["d", "e", "b", "a", "c", "f"])
    }

    @Test func `takes the row of a Williams design of odd size`() throws {
        let draw = try #require(try Self.plan([Self.going(.williams, "b", set: "three")]).draws.first)
        #expect(draw.row == 1 && draw.chosen == ["c", "b", "a"])
    }

    @Test func `takes the row of a Latin square`() throws {
        let draw = try #require(try Self.plan([Self.going(.latinSquare, "b")]).draws.first)
        #expect(draw.row == 1 && draw.chosen == ["d", "e", "a", "f", "c", "b"])
    }

    @Test func `draws a constrained order by one number`() throws {
        let draw = try #require(
            try Self.plan([Self.going(.shuffle([.noImmediateRepeat(attribute: "mood")]), "constrained")])
                .draws
                .first)
        #expect(draw.stream == "order/T/constrained/1" && draw.method == "shuffle")
        #expect(draw.chosen == ["b", "d", "e", "a", "f", "c"])
        #expect(draw.constraints == [.noImmediateRepeat(attribute: "mood")])
        #expect(draw.categories == ["mood": ["a": "x", "b": "x", "c": "y", "d": "y", "e": "z", "f": "z"]])
    }

    @Test func `shuffles a block`() throws {
        let draw = try #require(try Self.plan([Self.going(.shuffle([]), "shuffled")]).draws.first)
        #expect(draw.chosen == ["c", "d", "a", "e", "b", "f"])
        #expect(draw.constraints == nil && draw.categories == nil)
    }
}
