import StudyEngine
import StudyModel
import Testing

@Suite struct ControlTests {
    private static func control(_ control: RunMark.Control, at seconds: Double) throws -> Event {
        .marked(
            try #require(
                RunMark(.control, control: control, text: "why", by: "R. A. Kim", at: .seconds(seconds))))
    }

    private static let strict = {
        var timer = ActiveStep.Timer()
        timer.isPausable = false
        return timer
    }()

    @Test func `only the experimenter ends a pause of the experimenter`() throws {
        var sitting = try Sitting([timed("s", timer: Self.strict, recorders: [heart()]), thanks])
        #expect(sitting.tell(.paused, at: 1).isEmpty, "the study lets no participant pause")
        #expect(sitting.run.objection(to: .resume) == "nothing is paused")
        let paused = try #require(sitting.tell(Self.control(.pause, at: 10), at: 10).shown)
        #expect(paused.phase == .paused(remaining: .seconds(20)) && paused.isHeld)
        #expect(sitting.tell(.resumed, at: 11).isEmpty)
        #expect(sitting.run.objection(to: .pause) == "no timed step is running")
        let resumed = try #require(sitting.tell(Self.control(.resume, at: 40), at: 40).shown)
        #expect(resumed.phase == .running(start: .seconds(40), end: .seconds(60)) && !resumed.isHeld)
        sitting.timeIsUp(1, segment: 2, at: 60)
        for segment in 1...2 {
            let key = RecorderKey(ordinal: 1, recorder: "heart", segment: segment)
            sitting.tell(.recorded(key, files: [file(key)], problem: nil), at: 60)
        }
        let result = try #require(sitting.results.first)
        #expect(result.pauses == [.seconds(10)..<(.seconds(40))] && result.skip == nil)
        #expect(result.marks.map(\.control) == [.pause, .resume])
        #expect(result.marks.allSatisfy { $0.author == "R. A. Kim" && $0.text == "why" })
    }

    @Test func `the experimenter may end a pause of the participant`() throws {
        var sitting = try Sitting([timed("s"), thanks])
        sitting.tell(.paused, at: 10)
        #expect(sitting.tell(try Self.control(.resume, at: 20), at: 20).shown?.isHeld == false)
    }

    @Test func `a step that begins anew plays the same clip, and says what it repeats`() throws {
        var sitting = try Sitting([timed("s", stimulus: draw(.withoutReplacement)), thanks])
        #expect(sitting.run.objection(to: .again) != nil)
        let effects = sitting.tell(try Self.control(.restart, at: 10), at: 10)
        #expect(effects.shown?.phase == .running(start: .seconds(10), end: .seconds(40)))
        #expect(effects.shown?.ordinal == 2)
        for ordinal in 1...2 {
            sitting.tell(.played(Playback(ordinal: ordinal, onset: .start, end: .seconds(9))), at: 11)
        }
        #expect(sitting.timeIsUp(1, at: 30).isEmpty, "the wake of the first beginning is stale")
        sitting.timeIsUp(2, at: 40)
        #expect(sitting.results.map(\.skip) == [.restarted, nil])
        #expect(sitting.results.map(\.repeats) == [nil, 1] && sitting.results.map(\.visit) == [1, 2])
        #expect(sitting.results.map(\.actualDuration) == [.seconds(10), .seconds(30)])
        #expect(Set(sitting.results.map { $0.stimulus?.stimulus.identifier }).count == 1)
        #expect(sitting.results[0].marks.map(\.control) == [.restart] && sitting.results[1].marks.isEmpty)
    }

    @Test func `a repeated step goes back to the last timed one, and draws go on as planned`() throws {
        let trial = Block(
            repetitions: 3, steps: [timed("listen", stimulus: draw(.withoutReplacement)), ask("felt")])
        var sitting = try Sitting([block("trials", trial), thanks])
        let planned = try played(in: Sitting([block("trials", trial), thanks]), repeating: nil)
        let repeated = try played(in: sitting, repeating: 2)
        #expect(repeated.clips == [planned.clips[0], planned.clips[1], planned.clips[1], planned.clips[2]])
        #expect(repeated.results.map(\.round) == [1, 1, 2, 2, 2, 2, 3, 3, nil])
        #expect(repeated.results.map(\.repeats) == [nil, nil, nil, nil, 3, nil, nil, nil, nil])
        #expect(repeated.results[3].skip == .experimenter && repeated.results[3].answers.isEmpty)
        #expect(repeated.outcome == .completed)
        sitting.timeIsUp(1, at: 30)
        #expect(sitting.run.objection(to: .again) == nil)
        sitting.answer("felt", .scale(3), at: 35)
        #expect(sitting.run.objection(to: .again)?.hasPrefix("another timed step") == true)
    }

    @Test func `what spans a repeated step records again, as a further segment`() throws {
        let span = SpanningRecorder(recorder: heart("all"), from: "a", to: "b")
        var sitting = try Sitting([timed("a"), timed("b"), ask("felt"), thanks], recorders: [span])
        sitting.timeIsUp(1, at: 30)
        #expect(sitting.timeIsUp(2, at: 60).stopped == [RecorderKey(ordinal: 1, recorder: "all", segment: 1)])
        let again = sitting.tell(try Self.control(.again, at: 70), at: 70)
        #expect(again.started == [RecorderKey(ordinal: 4, recorder: "all", segment: 2)])
        #expect(
            sitting.timeIsUp(4, at: 100).stopped == [RecorderKey(ordinal: 4, recorder: "all", segment: 2)])
    }

    @Test func `a step goes on without its source once the experimenter says so`() throws {
        var sitting = try Sitting([
            timed("a", recorders: [heart(required: true)]), timed("b", recorders: [heart(required: true)]),
            thanks,
        ])
        #expect(sitting.run.objection(to: .pause)?.contains("'without-source' begins the step") == true)
        let effects = sitting.tell(try Self.control(.withoutSource, at: 5), at: 5)
        #expect(effects.shown?.phase == .running(start: .seconds(5), end: .seconds(35)))
        #expect(sitting.run.objection(to: .withoutSource) == "the run waits for no source")
        #expect(sitting.timeIsUp(1, at: 35).shown?.phase == .running(start: .seconds(35), end: .seconds(65)))
    }

    @Test func `steps are skipped and runs ended with the reason, but nobody agrees for another`() throws {
        let consent = Step(
            identifier: "agree",
            kind: .consent(Consent(document: .plain("We record."), isSignatureTyped: false)))
        var sitting = try Sitting([ask("age"), consent, read("hello"), thanks])
        sitting.tell(try Self.control(.skip, at: 1), at: 1)
        #expect(sitting.results.first?.skip == .experimenter)
        #expect(sitting.run.objection(to: .skip) == "nobody can agree in the participant's place")
        #expect(sitting.tell(try Self.control(.skip, at: 2), at: 2).isEmpty)
        let ended = sitting.tell(try Self.control(.end, at: 3), at: 3)
        #expect(ended.contains(.end(.earlyTermination)))
        #expect(sitting.results.last?.marks.map(\.control) == [.skip, .end])
        #expect(sitting.run.objection(to: .message) == "no step is on show")
    }

    /// Goes through a run of trials.
    ///
    /// - Parameter round: the round whose question the experimenter answers with a repetition.
    private func played(
        in sitting: Sitting, repeating round: Int?
    ) throws -> (clips: [Identifier], results: [StepResult], outcome: FinishReason?) {
        var sitting = sitting
        var (clips, ordinal, now, outcome): ([Identifier], Int, Double, FinishReason?) = ([], 1, 0, nil)
        var repeatsLeft = round == nil ? 0 : 1
        while outcome == nil, ordinal < 20 {
            now += 30
            let results = sitting.results.count
            var effects = sitting.timeIsUp(ordinal, at: now)
            effects += sitting.tell(
                .played(Playback(ordinal: ordinal, onset: .seconds(now - 30), end: .seconds(now))), at: now)
            if effects.isEmpty {
                let isRepeated = repeatsLeft > 0 && sitting.results.last?.round == round
                if isRepeated {
                    repeatsLeft -= 1
                    effects = sitting.tell(try Self.control(.again, at: now), at: now)
                } else {
                    effects = sitting.answer("felt", .scale(3), at: now)
                    if effects.isEmpty { effects = sitting.tell(.confirmed, at: now) }
                }
            }
            #expect(sitting.results.count > results)
            ordinal += 1
            for case .end(let reason) in effects { outcome = reason }
        }
        clips = sitting.results.compactMap { $0.stimulus?.stimulus.identifier }
        return (clips, sitting.results, outcome)
    }
}
