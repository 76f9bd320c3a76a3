import StudyEngine
import StudyModel
import Testing

@Suite struct RehearsalTests {
    private static func crossover(participant: Int) throws -> RunPlan {
        let listen = timed(
            "listen", stimulus: Stimulus.Use(choice: .roundOf(set: "four")), recorders: [heart()])
        let steps = [
            timed("rest", 60, recorders: [heart("restHeart", required: true)]), listen, ask("pleasant"),
        ]
        return try makePlan(
            [
                read("welcome"), block("listening", Block(set: "four", order: .williams, steps: steps)),
                thanks,
            ],
            participant: "P\(participant)")
    }

    @Test func `goes through a crossover without waiting`() throws {
        let rehearsal = Rehearsal(try Self.crossover(participant: 1), with: SimulatedParticipant(seed: 5))
        #expect(rehearsal.outcome == .completed)
        #expect(rehearsal.results.map(\.ordinal) == Array(1...14))
        let listens = rehearsal.results.filter { $0.identifier == "listen" }
        #expect(Set(listens.compactMap(\.stimulus?.stimulus.identifier)).count == 4)
        #expect(
            listens.allSatisfy { $0.actualDuration == .seconds(30) && $0.playback?.end == $0.end })
        let rating = try #require(rehearsal.results.first { $0.identifier == "pleasant" })
        #expect(rating.answers.count == 1 && rating.start < rating.end)
        #expect(rehearsal.end > .seconds(360) && rehearsal.end < .seconds(420))
        guard case .effect(.end(.completed)) = rehearsal.transcript.last?.moment else {
            Issue.record("the transcript does not end with the end")
            return
        }
    }

    @Test func `the same seed rehearses the same, another one differently`() throws {
        let plan = try Self.crossover(participant: 1)
        func moments(_ seed: UInt64) -> [Rehearsal.Moment] {
            Rehearsal(plan, with: SimulatedParticipant(seed: seed)).transcript.map(\.moment)
        }
        #expect(moments(1) == moments(1))
        #expect(moments(1) != moments(2))
    }

    @Test func `half an hour of sixty-one steps ends to the second`() throws {
        let steps = (1...60).map { timed(.numbered($0)) } + [timed("last", 4)]
        let rehearsal = Rehearsal(try makePlan(steps), with: SimulatedParticipant(seed: 1))
        #expect(rehearsal.outcome == .completed && rehearsal.end == .seconds(1_804))
    }

    @Test func `three hundred participants hear every clip equally often at every place`() throws {
        var heard: [String: Int] = [:]
        for participant in 1...300 {
            let results = Rehearsal(
                try Self.crossover(participant: participant),
                with: SimulatedParticipant(seed: UInt64(participant))
            )
            .results
            for result in results where result.identifier == "listen" {
                guard let clip = result.stimulus?.stimulus.identifier else { continue }
                heard["\(clip)@\(result.visit)", default: 0] += 1
            }
        }
        #expect(heard.count == 16 && Set(heard.values) == [75])
    }

    static let formats: [AnswerFormat] = [
        .scale(from: -3, to: 3, fromLabel: nil, toLabel: nil), .continuous(from: 0, to: 1, decimals: 6),
        .choice([.init(value: "u", text: .plain("U"))]),
        .choices([.init(value: "u", text: .plain("U")), .init(value: "v", text: .plain("V"))]),
        .boolean(yes: .plain("y"), no: .plain("n")), .number(unit: nil, minimum: nil, maximum: nil),
        .number(unit: nil, minimum: 500, maximum: nil), .number(unit: nil, minimum: nil, maximum: -500),
        .number(unit: nil, minimum: 1.25, maximum: 1.75), .text(maximumLength: 3, pattern: nil),
        .text(maximumLength: nil, pattern: nil), .date(), .timeOfDay(),
        .scale(from: .min, to: .max, fromLabel: nil, toLabel: nil),
    ]

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `the simulated participant answers within every format`(seed: UInt64) throws {
        let steps = Self.formats.enumerated().map { ask(.numbered($0.offset), $0.element) }
        let consent = Step(
            identifier: "c", kind: .consent(Consent(document: .plain("Agree?"), isSignatureTyped: true)))
        let form = Step(identifier: "f", kind: .form(Form([Question(identifier: "q", format: .date())])))
        let waiting = timed("w", timer: .init(startsOnConfirm: true, waitsAtFinish: true))
        let rehearsal = Rehearsal(
            try makePlan(steps + [consent, form, waiting, thanks]), with: SimulatedParticipant(seed: seed))
        #expect(rehearsal.outcome == .completed)
        #expect(rehearsal.results.count == Self.formats.count + 4)
    }

    @Test func `reading takes longer where there is more to read`() throws {
        func duration(_ words: Int) throws -> RunInstant {
            var step = read("r")
            step.text = .plain(Array(repeating: "word", count: words).joined(separator: " "))
            return Rehearsal(try makePlan([step]), with: SimulatedParticipant(seed: 1)).end
        }
        #expect(try duration(0) < duration(100) && duration(100) < duration(1_000))
        #expect(try duration(238) > .seconds(40) && duration(238) < .seconds(90))
    }

    @Test func `names every source once`() throws {
        var belt = heart("belt")
        belt.source = "belt"
        let rounds = block("b", Block(steps: [timed("s", recorders: [heart(), belt])]))
        let plan = try makePlan(
            [timed("t", recorders: [heart()]), rounds],
            recorders: [SpanningRecorder(recorder: heart("w"), from: "t", to: "b")])
        #expect(plan.sourceNames == ["heartRate", "belt"])
    }
}
