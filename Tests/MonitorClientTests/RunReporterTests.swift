import Results
import SessionPorts
import StudyModel
import StudySession
import Synchronization
import Testing
import TextFormat

@testable import MonitorClient

@Suite struct RunReporterTests {
    static let plan = RunPlan(
        study: "rest", revision: 1,
        task: Study.Task(identifier: "task", steps: []), participant: "Zoë 7", session: 2, seed: 1,
        sections: [section("sit", expected), section("done", nil)])

    static let expected = ExpectedHeartRate(
        curve: .exercise(effort: 0.5, restingRate: 60, maximumRate: 160), band: .absolute(10))

    static func section(_ name: Identifier, _ expected: ExpectedHeartRate?) -> RunPlan.Section {
        let step = Step(
            identifier: name, title: .plain("Title of \(name)"),
            kind: expected.map { .active(ActiveStep(duration: .seconds(90), expected: $0)) } ?? .completion())
        return RunPlan.Section(step: step, passes: [[RunPlan.Entry(step: step, path: [name], visit: 1)]])
    }

    static func show(_ ordinal: Int, _ section: Int, _ phase: Presentation.Phase) -> Effect {
        .show(Presentation(ordinal: ordinal, section: section, pass: 0, entry: 0, phase: phase))
    }

    static func measured(_ rate: Double?, at seconds: Double, rr: [Double] = []) -> RunUpdate {
        let instant = RunInstant.start.advanced(by: .seconds(seconds))
        return .measured(
            "heartRate", Timed(HeartRateSample(rate: rate, rrIntervals: rr), at: instant, arrival: instant))
    }

    static func at(_ seconds: Double) -> RunInstant { .start.advanced(by: .seconds(seconds)) }

    @Test func `begins with who does what, and what is expected of the heart`() throws {
        let body = MonitorMessage.run(
            Self.plan, title: "Rest", identifier: "ID", start: 1_700_000_000.5, speed: 10, origin: .simulated,
            language: nil, secret: "5ec7e7"
        ).body
        #expect(body["secret"]?.text == "5ec7e7")
        #expect(body["participant"]?.text == "Zoë 7")
        #expect(body["session"]?.integer == 2)
        #expect(body["origin"]?.text == "simulated" && body["speed"]?.number == 10)
        #expect(body["startedAt"]?.number == 1_700_000_000.5)
        #expect(body["limits"] == ["low": 60.0, "high": 120.0])
        let steps = try #require(body["steps"]?.list)
        #expect(steps.map { $0["identifier"]?.text } == ["sit", "done"])
        let curve = try #require(steps[0]["expected"]?.list)
        #expect(curve.count == 91)
        #expect(curve.first == [0.0, 60.0, 50.0, 70.0])
        #expect(steps[1]["expected"] == nil && steps[0]["duration"]?.number == 90)
    }

    @Test func `a pause is told when it begins and when it ends, whoever wants it`() {
        var reporter = RunReporter(Self.plan)
        let (start, end) = (Self.at(0), Self.at(90))
        let phases: [(Presentation.Phase, Double)] = [
            (.running(start: start, end: end), 0), (.paused(remaining: .seconds(70)), 20),
            (.paused(remaining: .seconds(70)), 25), (.running(start: Self.at(50), end: Self.at(120)), 50),
            (.paused(remaining: .seconds(10)), 110), (.timeUp, 115),
        ]
        let messages = reporter.messages(
            of: phases.map { phase, second in
                .happened(.paused, at: Self.at(second), [Self.show(1, 0, phase)])
            })
        let events = messages.flatMap { $0.body["events"]?.list ?? [] }
        #expect(
            events.compactMap { $0["kind"]?.text }
                == ["stepShown", "stepStarted", "paused", "resumed", "paused"])
        #expect(events.compactMap { $0["elapsed"]?.number } == [0, 0, 20, 50, 110])
    }

    @Test func `tells the rules of alarms, where the study has some`() {
        var plan = Self.plan
        #expect(told(plan)["alarms"] == nil)
        plan.task.alarms = [.above(170, for: .seconds(10)), .runDead]
        #expect(
            told(plan)["alarms"] == [["kind": "above", "limit": 170.0, "for": 10.0], ["kind": "runDead"]])
    }

    private func told(_ plan: RunPlan) -> JSON {
        MonitorMessage.run(
            plan, title: "", identifier: "ID", start: 1, speed: 1, origin: .recorded, language: nil,
            secret: "5ec7e7"
        ).body
    }

    @Test func `tells when the microphone hears nothing, and when it hears something again`() {
        var reporter = RunReporter(Self.plan)
        let levels: [(Double?, Double)] = [
            (-30, 0), (-80, 1), (-80, 1.5), (-40, 1.8), (-80, 2), (-80, 3), (-80, 4), (-20, 5), (nil, 6),
            (nil, 7),
        ]
        let events = reporter.messages(of: levels.map { .soundLevel($0, at: Self.at($1)) })
            .flatMap { $0.body["events"]?.list ?? [] }
        #expect(events.map { $0["kind"] } == Array(repeating: "microphone", count: 4))
        #expect(events.map { $0["state"] } == ["heard", "silent", "heard", "off"])
        #expect(events.map { $0["elapsed"] } == [0.0, 3.0, 5.0, 6.0])
    }

    @Test func `alarms are no news for the monitor that raised them`() throws {
        var reporter = RunReporter(Self.plan)
        let kinds: [RunMark.Kind] = [.alarm, .acknowledgement, .note]
        let marks = try kinds.map { try #require(RunMark($0, text: "words", at: Self.at(1))) }
        let events = reporter.messages(of: marks.map { .happened(.marked($0), at: Self.at(1), []) })
            .flatMap { $0.body["events"]?.list ?? [] }
        #expect(events.map { $0["text"] } == ["note: words"])
    }

    @Test func `tells what the readings of each source are like, and how good the run was`() {
        var reporter = RunReporter(Self.plan)
        let readings = (0...12).map { Self.measured(60, at: Double($0)) }
        let told = reporter.messages(
            of: [
                .told("heartRate", SourceInformation(battery: 87), at: .start),
                .flooded("heartRate", 5, at: .start),
            ] + readings + [.judged(RunQuality(of: []), isPoor: false)])
        let events = told.flatMap { $0.body["events"]?.list ?? [] }
        #expect(events.map { $0["kind"] } == ["quality", "source"])
        #expect(events[1]["source"] == "heartRate" && events[1]["elapsed"] == 10.0)
        #expect(events[1]["condition"]?["battery"] == 87 && events[1]["condition"]?["leftOut"] == 5)
        #expect(
            events[0]["quality"] == ["pauses": 0, "poor": false, "problems": 0, "underruns": 0])
        #expect(told.flatMap { $0.body["samples"]?.list ?? [] }.count == 13)
    }

    @Test func `tells of a battery that is low beside the heart rates`() {
        var reporter = RunReporter(Self.plan)
        let messages = reporter.messages(of: [
            Self.measured(60, at: 1), .batteryLow("heartRate", percent: 12, at: Self.at(2)),
            Self.measured(61, at: 2),
        ])
        #expect(messages.count == 3)
        let event = messages[1].body["events"]?.list?.first
        #expect(event?["kind"]?.text == "sourceState" && event?["state"]?.text == "live")
        #expect(event?["text"]?.text == "the battery is low: 12 %")
    }

    @Test func `tells events in order, each with the next number, and each start once`() {
        var reporter = RunReporter(Self.plan)
        let running = Presentation.Phase.running(start: Self.at(2), end: Self.at(92))
        let messages = reporter.messages(of: [
            .happened(.begin, at: .start, [Self.show(1, 0, .waiting)]),
            .happened(.confirmed, at: Self.at(2.01), [Self.show(1, 0, running)]),
            .happened(.paused, at: Self.at(5), [Self.show(1, 0, .paused(remaining: .seconds(87)))]),
            .happened(
                .resumed, at: Self.at(9), [Self.show(1, 0, .running(start: Self.at(6), end: Self.at(96)))]),
            .happened(.sourceChanged("heartRate", problem: "gone"), at: Self.at(10), []),
            .happened(.withdrawn, at: Self.at(11), [.end(.discarded)]),
        ])
        let events = messages.flatMap { $0.body["events"]?.list ?? [] }
        #expect(messages.count == 1)
        #expect(events.compactMap { $0["sequence"]?.integer } == [1, 2, 3, 4, 5, 6])
        #expect(
            events.compactMap { $0["kind"]?.text }
                == ["stepShown", "stepStarted", "paused", "resumed", "sourceState", "over"])
        #expect(events.compactMap { $0["elapsed"]?.number } == [0, 2, 5, 6, 10, 11])
        #expect(
            events[4]["state"] == "lost" && events[4]["text"] == "gone" && events[5]["text"] == "discarded")
    }

    @Test func `keeps the order of events and heart rates, and leaves out what is no heart's`() {
        var reporter = RunReporter(Self.plan)
        let messages = reporter.messages(of: [
            Self.measured(70, at: 1, rr: [0.857, 0, 99]), Self.measured(nil, at: 2), Self.measured(0, at: 3),
            Self.measured(71, at: 4), .happened(.interrupted, at: Self.at(5), [.end(.earlyTermination)]),
            Self.measured(301, at: 6), Self.measured(72, at: 7),
        ])
        #expect(messages.map(\.part) == [.heartRate, .events, .heartRate])
        #expect(messages.map(\.key) == ["1", nil, "2"])
        #expect(messages[0].body["samples"]?.list?.compactMap { $0["bpm"]?.number } == [70, 71])
        #expect(messages[0].body["samples"]?.list?.first?["rr"] == [0.857])
        #expect(reporter.messages(of: [Self.measured(72, at: 8)]).map(\.key) == ["3"])
    }

    @Test func `sends at most five hundred heart rates at once`() {
        var reporter = RunReporter(Self.plan)
        let messages = reporter.messages(of: (1...1200).map { Self.measured(70, at: Double($0)) })
            .filter { $0.part == .heartRate }
        #expect(messages.map { $0.body["samples"]?.list?.count } == [500, 500, 200])
        #expect(messages.map(\.key) == ["1", "2", "3"])
    }

    @Test(arguments: [
        (Answer.scale(13), "13"), (.choice("calm"), "calm"), (.boolean(true), "yes"), (.number(1.5), "1.5"),
    ])
    func `tells ratings`(answer: Answer, words: String) {
        var reporter = RunReporter(Self.plan)
        let given = GivenAnswer(question: "mood", answer: answer)
        let messages = reporter.messages(of: [.happened(.answered([given]), at: Self.at(3), [])])
        #expect(messages.first?.body["events"]?.list?.first?["text"]?.text == words)
    }

    @Test(arguments: [
        Answer.text("secret"), .consent(signature: "A. Name"), .date(year: 1990, month: 1, day: 1),
    ])
    func `keeps the participant's own words to itself`(answer: Answer) {
        var reporter = RunReporter(Self.plan)
        let given = GivenAnswer(question: "mood", answer: answer)
        #expect(reporter.messages(of: [.happened(.answered([given]), at: Self.at(3), [])]) == [])
    }

    @Test func `cuts long texts between characters`() {
        #expect(String(repeating: "é", count: 10).limited(to: 20).utf8.count == 20)
        let cut = String(repeating: "é", count: 11).limited(to: 20)
        #expect(cut.utf8.count <= 20 && cut.hasSuffix("é…"))
    }
}
