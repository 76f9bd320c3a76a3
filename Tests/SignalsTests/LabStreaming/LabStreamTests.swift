import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Platform
@testable import Signals

@Suite struct LabStreamDeskTests {
    @Test func `intervals go with the next rate, and keep their own time`() {
        var interpreter = LabStreamInterpreter()
        #expect(
            interpreter.take(.opened(SourceInformation(device: "HR x")), at: .seconds(1), layerTime: 101) == [
                .live, .told(SourceInformation(device: "HR x")),
            ])
        let comparison = SourceInformation.ClockComparison(runOffset: 1.5, offset: -3, doubt: 0.0002)
        #expect(
            interpreter.take(.compared(-3, doubt: 0.000_200_1), at: .seconds(1.5), layerTime: 101.5) == [
                .told(SourceInformation(clock: [comparison]))
            ])
        #expect(interpreter.take(.compared(1.7e9, doubt: 0), at: .seconds(1.5), layerTime: 101.5) == [])
        #expect(interpreter.take(.intervals([800], at: 101.5), at: .seconds(2), layerTime: 102) == [])
        #expect(interpreter.take(.intervals([-1], at: 101.6), at: .seconds(2), layerTime: 102) == [])
        let beat = BeatTime(instant: .seconds(1.5), uncertainty: .milliseconds(1))
        let first = HeartRateSample(rate: 72, rrIntervals: [0.8], lastBeat: beat)
        #expect(
            interpreter.take(.rate(72, at: 102.75), at: .seconds(3), layerTime: 103) == [
                .sample(Timed(first, at: .seconds(2.75), arrival: .seconds(3)))
            ])
        let second = HeartRateSample(rate: nil, lastBeat: beat)
        #expect(
            interpreter.take(.rate(0, at: 105), at: .seconds(4), layerTime: 104) == [
                .sample(Timed(second, at: .seconds(4), arrival: .seconds(4)))
            ])
    }

    @Test func `intervals that are recorded by themselves come when they were measured`() {
        var interpreter = LabStreamInterpreter(.heartRates(areBeatsApart: true))
        let beat = BeatTime(instant: .seconds(1.5), uncertainty: .milliseconds(1))
        let own = HeartRateSample(rate: nil, rrIntervals: [0.8, 0.82], lastBeat: beat)
        #expect(
            interpreter.take(.intervals([800, 820], at: 101.5), at: .seconds(2), layerTime: 102) == [
                .live, .sample(Timed(own, at: .seconds(1.5), arrival: .seconds(2))),
            ])
        #expect(
            interpreter.take(.rate(72, at: 103), at: .seconds(3), layerTime: 103) == [
                .sample(Timed(HeartRateSample(rate: 72), at: .seconds(3), arrival: .seconds(3)))
            ])
    }

    @Test func `a problem is told once, and forgets what was collected`() {
        var interpreter = LabStreamInterpreter()
        #expect(interpreter.take(.problem("gone"), at: .start, layerTime: 0) == [.lost("gone")])
        #expect(interpreter.take(.problem("gone"), at: .seconds(1), layerTime: 1) == [])
        _ = interpreter.take(.intervals([900], at: 1), at: .seconds(1), layerTime: 1)
        _ = interpreter.take(.problem("away"), at: .seconds(1), layerTime: 1)
        #expect(
            interpreter.take(.rate(60, at: 2), at: .seconds(2), layerTime: 2) == [
                .live, .sample(Timed(HeartRateSample(rate: 60), at: .seconds(2), arrival: .seconds(2))),
            ])
    }
}

@Suite(
    .enabled(if: LabStreamSource.problem == nil, "liblsl is not on this machine: name it in LSL_LIB"),
    .timeLimit(.minutes(30)), .serialized)
struct LabStreamLoopbackTests {
    /// A plan of no steps: only its streams matter.
    private static let plan = RunPlan(
        study: "s", revision: 1, task: Study.Task(identifier: "t", steps: []), participant: "P", session: 1,
        seed: 1)

    @Test func `what is published is received, with its intervals and its age`() async throws {
        let name = Identifier("loop\(UInt32.random(in: 0 ... .max))") ?? "loop"
        let publisher = try LabStreamPublisher(Self.plan, sources: [name], source: "entrain-test-\(name)")
        let source = try LabStreamSource(LabStreamChoice(stream: "HR \(name)"))
        let (reports, sink) = AsyncStream.makeStream(of: SourceReport.self)
        let log = ReportLog()
        defer { #expect(SampleSourceTrace(of: log.reports).brokenLaws == []) }
        await withTaskGroup { group in
            group.addTask {
                do throws(SourceFailure) {
                    try await source.run(
                        on: ManualClock(), circumstances: { Circumstances() },
                        report: { report in
                            log.append(report)
                            sink.yield(report)
                        })
                } catch { Issue.record("\(error)") }
            }
            let queue = Queue(reports)
            while let report = await queue.next(), report != .live {}
            let sample = HeartRateSample(rate: 64, rrIntervals: [0.9375, 0.875])
            publisher.send(.measured(name, Timed(sample, at: .seconds(1), arrival: .seconds(3))))
            var received: [Timed<HeartRateSample>] = []
            var intervals: [Double] = []
            // The streams of rates and of intervals are two: the intervals may come with the next rate.
            while intervals.count < 2, let report = await queue.next() {
                guard let sample = report.heart else { continue }
                received.append(sample)
                intervals += sample.value.rrIntervals
                if intervals.count < 2 {
                    publisher.send(
                        .measured(
                            name,
                            Timed(HeartRateSample(rate: 65), at: .seconds(4), arrival: .seconds(4))))
                }
            }
            #expect(intervals == [0.9375, 0.875])
            #expect(received.first?.value.rate == 64)
            let age = received.first.map { $0.instant.duration(to: $0.arrival) / .seconds(1) } ?? 0
            #expect(age >= 2)
            group.cancelAll()
        }
    }

    @Test func `with two hearts in the network, none is taken by chance`() async throws {
        let number = UInt32.random(in: 0 ... .max)
        let names = ["one", "two"].compactMap { Identifier("\($0)\(number)") }
        let publishers = try names.map {
            try LabStreamPublisher(Self.plan, sources: [$0], source: "entrain-test-\($0)")
        }
        for (stream, isFound) in [(nil, false), ("HR \(names[1])", true)] as [(String?, Bool)] {
            let source = try LabStreamSource(LabStreamChoice(stream: stream))
            let (reports, sink) = AsyncStream.makeStream(of: SourceReport.self)
            await withTaskGroup { group in
                group.addTask {
                    do throws(SourceFailure) {
                        try await source.run(
                            on: ManualClock(), circumstances: { Circumstances() },
                            report: { sink.yield($0) })
                    } catch { Issue.record("\(error)") }
                }
                let queue = Queue(reports)
                let first = await queue.next()
                if isFound {
                    #expect(first == .live)
                    guard case .told(let known)? = await queue.next() else {
                        Issue.record("the stream is not named")
                        return
                    }
                    #expect(known.device == stream && known.manufacturer == "Entrain")
                    #expect(
                        known.identifier == "entrain-test-\(names[1])-HR-\(names[1])" && known.host != nil)
                } else if case .lost(let problem)? = first {
                    let words = problem.description
                    #expect(names.allSatisfy { words.contains("'HR \($0)'") }, "\(words)")
                    #expect(words.contains("source_id") && words.contains("host"))
                } else {
                    Issue.record("\(String(describing: first))")
                }
                group.cancelAll()
            }
        }
        withExtendedLifetime(publishers) {}
    }
}

@Suite struct RunMarkingTests {
    @Test func `a mark is told at its moment, by its kind and without its words`() throws {
        let plan = RunPlan(
            study: "s", revision: 1, task: Study.Task(identifier: "t", steps: []), participant: "P",
            session: 1,
            seed: 1)
        var marking = RunMarking(plan)
        let dizzy = try #require(RunMark(.adverse, .mild, text: "dizzy", at: .seconds(4)))
        let door = try #require(RunMark(.disturbance, nil, text: "door", at: .seconds(5)))
        #expect(
            marking.marks(of: .marked(dizzy), [], at: .seconds(9))
                == [.init(text: "mark adverse mild", instant: .seconds(4))])
        #expect(
            marking.marks(of: .marked(door), [.end(.completed)], at: .seconds(9)).map(\.text)
                == ["mark disturbance", "run completed"])
    }
}

@Suite struct PromptMarkingTests {
    private static let step: Step = {
        var active = ActiveStep(duration: .seconds(60))
        active.prompts = ["effort", "breath"].map { (name: Identifier) in
            Prompt(
                Question(identifier: name, format: .boolean(yes: .plain("yes"), no: .plain("no"))),
                first: .seconds(9))
        }
        return Step(identifier: "walk", kind: .active(active))
    }()

    private static func shown(_ place: Int?, ordinal: Int = 1, number: Int = 1) -> Effect {
        var presentation = Presentation(
            ordinal: ordinal, section: 0, pass: 0, entry: 0,
            phase: .running(start: .seconds(0), end: .seconds(60)))
        presentation.prompt = place.map { .init(place: $0, number: number) }
        return .show(presentation)
    }

    private static func texts(
        _ marking: inout PromptMarking, _ event: Event, _ effects: [Effect], at second: Double
    ) -> [String] {
        marking.marks(of: event, effects, at: .seconds(second)) { _ in step }.map {
            "\($0.text) \($0.instant.offset.seconds)"
        }
    }

    @Test func `a prompt is asked, and answered or missed, without what was answered`() {
        var marking = PromptMarking()
        let wake = Event.woke(Wake(ordinal: 1, segment: 1, moment: .prompt))
        #expect(Self.texts(&marking, .begin, [Self.shown(nil)], at: 0) == [])
        #expect(Self.texts(&marking, wake, [Self.shown(0)], at: 9) == ["ask effort 9.0"])
        // Shown again, as after a change of the screen.
        #expect(
            Self.texts(
                &marking, .drafted(.init(question: "effort", text: "y", times: .init(shown: .start))),
                [Self.shown(0)], at: 10) == [])
        let answered = Event.answered([GivenAnswer(question: "effort", answer: .boolean(true))])
        #expect(
            Self.texts(&marking, answered, [Self.shown(1)], at: 11) == [
                "answer effort 11.0", "ask breath 11.0",
            ])
        #expect(
            Self.texts(&marking, wake, [Self.shown(0, number: 2)], at: 20) == [
                "miss breath 20.0", "ask effort 20.0",
            ])
        #expect(Self.texts(&marking, wake, [Self.shown(nil, ordinal: 2)], at: 60) == ["miss effort 60.0"])
    }

    @Test func `a reaction is told at the moment of its key`() {
        var marking = PromptMarking()
        var given = GivenAnswer(question: "trial", answer: nil)
        given.reaction = ReactionResult(
            press: .init(key: "f", at: .seconds(3.25), onset: .seconds(3), reference: .step))
        #expect(Self.texts(&marking, .answered([given]), [], at: 3.5) == ["react trial 3.25"])
    }
}
