import StudyEngine
import StudyModel
import Testing

/// Clips that are chosen by what is known when their step begins.
@Suite struct NearestClipTests {
    private static func clip(_ name: Identifier, _ numbers: [String: String]) -> Stimulus {
        Stimulus(identifier: name, file: "\(name).ogg", path: "\(name).ogg", attributes: numbers)
    }

    private static let pool = [
        clip("slow", ["tempo": "60", "energy": "0.2"]), clip("walk", ["tempo": "80", "energy": "0.9"]),
        clip("run", ["tempo": "120", "energy": "0.4"]), clip("fast", ["tempo": "150 bpm", "energy": "0.6"]),
        clip("mute", [:]),
    ]

    private static func use(_ nearest: NearestClip) -> Stimulus.Use {
        Stimulus.Use(choice: .nearest(nearest))
    }

    private func sitting(_ steps: [Step]) throws -> TaskRun {
        let plan = try makePlan(
            steps + [thanks], sets: [StimulusSet(identifier: "pool", pool: Self.pool)])
        return TaskRun(plan)
    }

    /// The clips that are asked for, with what they were to be near.
    private static func played(_ effects: [Effect]) -> [String] {
        effects.compactMap { effect in
            guard case .play(let drawn, _, _, _, _) = effect else { return nil }
            let aims = drawn.aims.sorted { $0.key < $1.key }.map { " \($0.key) \($0.value)" }
            return "\(drawn.stimulus.identifier) \(drawn.method)\(aims.joined())"
        }
    }

    private static let tempo = NearestClip(
        set: "pool", aims: [.init(attribute: "tempo", goal: .value(.heartRate))], otherwise: "mute")

    @Test(
        arguments: [(55, "slow"), (70, "slow"), (71, "walk"), (100, "walk"), (101, "run"), (200, "fast")]
            as [(
                Double, String
            )])
    func `the clip nearest to the heart rate of the last seconds is played`(rate: Double, name: String) throws
    {
        var run = try sitting([read("hello"), timed("music", stimulus: Self.use(Self.tempo))])
        _ = run.handle(.begin, at: .seconds(0))
        _ = run.handle(.observed(300), at: .seconds(1))
        _ = run.handle(.observed(rate - 5), at: .seconds(15))
        _ = run.handle(.observed(rate + 5), at: .seconds(16))
        #expect(Self.played(run.handle(.confirmed, at: .seconds(20))) == ["\(name) nearest tempo \(rate)"])
    }

    @Test func `without a heart rate in the last seconds there is another clip`() throws {
        var run = try sitting([read("hello"), timed("music", stimulus: Self.use(Self.tempo))])
        _ = run.handle(.begin, at: .seconds(0))
        _ = run.handle(.observed(70), at: .seconds(1))
        #expect(Self.played(run.handle(.confirmed, at: .seconds(20))) == ["mute otherwise"])
    }

    @Test(arguments: [false, true])
    func `a clip comes again when all were chosen, or at once if the study wants that`(again: Bool) throws {
        var nearest = NearestClip(
            set: "pool", aims: [.init(attribute: "tempo", goal: .value(.number(62)))])
        nearest.repeats = again
        var run = try sitting([
            block("b", Block(repetitions: 5, steps: [timed("music", 10, stimulus: Self.use(nearest))]))
        ])
        var names = Self.played(run.handle(.begin, at: .seconds(0))).map { $0.prefix { $0 != " " } }
        for round in 1..<5 {
            let wake = Wake(ordinal: round, segment: 1, moment: .end)
            let effects = run.handle(.woke(wake), at: .seconds(Double(round) * 10))
            names += Self.played(effects).map { $0.prefix { $0 != " " } }
        }
        #expect(
            names
                == (again
                    ? ["slow", "slow", "slow", "slow", "slow"] : ["slow", "walk", "run", "fast", "slow"]))
    }

    @Test func `a path leads from an answer to a number in even steps`() throws {
        let nearest = NearestClip(
            set: "pool",
            aims: [.init(attribute: "energy", goal: .path(from: .answer("mood"), to: .number(0.9)))])
        var run = try sitting([
            ask("mood", .continuous(AnswerFormat.Scale(from: 0, to: 1, decimals: 1))),
            block("b", Block(repetitions: 3, steps: [timed("music", 10, stimulus: Self.use(nearest))])),
        ])
        _ = run.handle(.begin, at: .seconds(0))
        let answer = GivenAnswer(question: "mood", answer: .continuous(0.3))
        var played = Self.played(run.handle(.answered([answer]), at: .seconds(5)))
        for round in 1..<3 {
            let wake = Wake(ordinal: round + 1, segment: 1, moment: .end)
            played += Self.played(run.handle(.woke(wake), at: .seconds(5 + Double(round) * 10)))
        }
        // 0.3 lies between 'slow' and 'run'; of two that are equally near, the first is chosen.
        #expect(played.map { $0.prefix { $0 != " " } } == ["slow", "fast", "walk"])
        #expect(played.map { String($0.suffix(3)) } == ["0.3", "0.6", "0.9"])
    }

    @Test func `several attributes count in units of their spread`() {
        let nearest = NearestClip(
            set: "pool",
            aims: [
                .init(attribute: "tempo", goal: .value(.number(150))),
                .init(attribute: "energy", goal: .value(.number(0.9))),
            ])
        // By hand: tempi 60, 80, 120, 150 (standard deviation 34.9), energies 0.2, 0.9, 0.4, 0.6 (0.259).
        // 'walk' is 4.03 away, 'fast' 1.34.
        #expect(nearest.place(in: Self.pool, to: ["tempo": 150, "energy": 0.9], besides: []) == 3)
        #expect(nearest.place(in: Self.pool, to: ["tempo": 150, "energy": 0.9], besides: [3]) == 1)
        #expect(nearest.place(in: [Self.pool[4]], to: ["tempo": 150], besides: []) == nil)
    }
}
