import Hashing
import StudyEngine
import StudyModel
import Testing

@Suite struct TimedStepTests {
    @Test func `a timed step records and plays from its start and ends at its deadline`() throws {
        var request = draw(.fixed)
        request.onset = .seconds(2)
        var sitting = try Sitting(
            [timed("rest", stimulus: request, recorders: [heart()]), thanks], begun: false)
        let key = RecorderKey(ordinal: 1, recorder: "heart", segment: 1)
        let clip = DrawnStimulus(
            stimulus: sixClips[0], set: "clips", method: "fixed", stream: "draw/T/rest/1", index: 0)
        #expect(
            sitting.tell(.begin, at: 1) == [
                .show(
                    Presentation(
                        ordinal: 1, section: 0, pass: 0, entry: 0,
                        phase: .running(start: .seconds(1), end: .seconds(31)))),
                .record(key, heart(), from: .seconds(1)),
                .play(clip, Playback.Settings(), ordinal: 1, at: .seconds(3), from: .zero),
                .wake(Wake(ordinal: 1, segment: 1, moment: .end), at: .seconds(31)),
            ])
        #expect(
            sitting.timeIsUp(1, at: 31.002) == [
                .stopPlaying(ordinal: 1, at: .seconds(31)), .stopRecording(key, at: .seconds(31)),
                .show(Presentation(ordinal: 2, section: 1, pass: 0, entry: 0, phase: .waiting)),
            ])
        #expect(sitting.results.isEmpty, "the recorder has not finished")
        sitting.tell(.recorded(key, files: [], problem: "the strap was lost"), at: 33)
        let result = try #require(sitting.results.first)
        #expect(result.start == .seconds(1) && result.end == .seconds(31))
        #expect(result.plannedDuration == .seconds(30) && result.actualDuration == .seconds(30))
        #expect(result.lateness["start"] == .zero)
        #expect(result.lateness["end"] == .seconds(31.002) - .seconds(31))
        #expect(result.recorderErrors == ["heart: the strap was lost"])
        #expect(result.stimulus == clip && result.playback == nil && result.skip == nil)
    }

    @Test func `a hundred steps stay on the absolute schedule however late they are acted upon`() throws {
        var sitting = try Sitting((1...100).map { timed(.numbered($0), 0.05) } + [thanks])
        var random = SplitMix64(seed: 7)
        for step in 1...100 {
            let planned = Double(step) * 0.05
            sitting.timeIsUp(step, at: planned + random.unit() * 0.004)
        }
        #expect(sitting.results.count == 100)
        for (index, result) in sitting.results.enumerated() {
            #expect(result.start == RunInstant.start.advanced(by: .milliseconds(50 * index)))
            #expect(result.end == RunInstant.start.advanced(by: .milliseconds(50 * (index + 1))))
            #expect((Duration.zero..<(.milliseconds(4))).contains(result.lateness["end"] ?? .seconds(1)))
        }
        let last = try #require(
            sitting.run.handle(.confirmed, at: .seconds(7)).compactMap { effect in
                if case .deliver(let result) = effect { result } else { nil }
            }.first)
        #expect(last.start == .seconds(5) && last.end == .seconds(7))
    }

    @Test func `gives cues at their moments`() throws {
        let cues = [
            Cue(moment: .finish, signal: .sound("gong")), Cue(moment: .halfway, signal: .say(.plain("half"))),
            Cue(moment: .start, signal: .bell), Cue(moment: .after(.seconds(25)), signal: .sound("five")),
            Cue(moment: .after(.seconds(31)), signal: .sound("never")),
            Cue(moment: .after(.seconds(30)), signal: .sound("end")),
        ]
        var sitting = try Sitting([timed("s", cues: cues), thanks], begun: false)
        let begun = sitting.tell(.begin, at: 0)
        #expect(begun.cues == [.bell])
        #expect(
            begun.filter { if case .wake = $0 { true } else { false } } == [
                .wake(Wake(ordinal: 1, segment: 1, moment: .cue(0)), at: .seconds(30)),
                .wake(Wake(ordinal: 1, segment: 1, moment: .cue(1)), at: .seconds(15)),
                .wake(Wake(ordinal: 1, segment: 1, moment: .cue(3)), at: .seconds(25)),
                .wake(Wake(ordinal: 1, segment: 1, moment: .cue(5)), at: .seconds(30)),
                .wake(Wake(ordinal: 1, segment: 1, moment: .end), at: .seconds(30)),
            ])
        let half = Event.woke(Wake(ordinal: 1, segment: 1, moment: .cue(1)))
        #expect(sitting.tell(half, at: 15.5) == [.cue(.say(.plain("half")), CueKey(ordinal: 1, cue: 1))])
        #expect(sitting.tell(half, at: 15.6).isEmpty, "only once")
        #expect(sitting.tell(.woke(Wake(ordinal: 1, segment: 1, moment: .cue(99))), at: 16).isEmpty)
        #expect(sitting.timeIsUp(1, at: 30).cues == [.sound("gong"), .sound("end")])
        let lateness = try #require(sitting.results.first).lateness
        #expect(lateness["cue2"] == .milliseconds(500) && lateness["cue3"] == .zero)
        #expect(lateness.keys.sorted() == ["cue1", "cue2", "cue3", "cue6", "end", "start"])
    }

    @Test func `a step that starts on confirmation waits, and runs from then`() throws {
        var sitting = try Sitting(
            [timed("s", timer: .init(startsOnConfirm: true), recorders: [heart()]), thanks], begun: false)
        #expect(
            sitting.tell(.begin, at: 0)
                == [.show(Presentation(ordinal: 1, section: 0, pass: 0, entry: 0, phase: .waiting))])
        let begun = sitting.tell(.confirmed, at: 5)
        #expect(begun.shown?.phase == .running(start: .seconds(5), end: .seconds(35)))
        #expect(begun.started.count == 1)
        #expect(sitting.tell(.confirmed, at: 6).isEmpty, "no confirmation ends a running step")
        sitting.timeIsUp(1, at: 35)
        sitting.tell(
            .recorded(.init(ordinal: 1, recorder: "heart", segment: 1), files: [], problem: nil), at: 35)
        let result = try #require(sitting.results.first)
        #expect(result.start == .start && result.actualDuration == .seconds(30))
    }

    @Test func `a step that waits at its end stops recording when time is up`() throws {
        var sitting = try Sitting([
            timed("s", timer: .init(waitsAtFinish: true), recorders: [heart()]), thanks,
        ])
        let ended = sitting.timeIsUp(1, at: 30)
        #expect(ended.shown?.phase == .timeUp && ended.stopped.count == 1)
        let left = sitting.tell(.confirmed, at: 40)
        #expect(left.stopped.isEmpty && left.shown?.ordinal == 2)
        sitting.tell(
            .recorded(.init(ordinal: 1, recorder: "heart", segment: 1), files: [], problem: nil), at: 41)
        let result = try #require(sitting.results.first)
        #expect(result.end == .seconds(40) && result.actualDuration == .seconds(30))
    }

    @Test func `a countdown runs by itself`() throws {
        let countdown = Step(identifier: "c", kind: .countdown(.seconds(5)))
        var sitting = try Sitting([countdown, timed("s"), thanks])
        let next = sitting.timeIsUp(1, at: 5.001)
        #expect(next.shown?.phase == .running(start: .seconds(5), end: .seconds(35)))
    }

    @Test func `only steps that say so can be skipped`() throws {
        var firm = try Sitting([timed("s"), thanks])
        #expect(firm.tell(.skipped, at: 1).isEmpty)
        for step in [timed("s", timer: .init(isSkippable: true)), timed("s", optional: true)] {
            var sitting = try Sitting([step, timed("next"), thanks])
            let skipped = sitting.tell(.skipped, at: 12)
            #expect(skipped.shown?.phase == .running(start: .seconds(12), end: .seconds(42)))
            #expect(skipped.shown?.canSkip == false)
            let result = try #require(sitting.results.first)
            #expect(result.skip == .participant && result.end == .seconds(12))
            #expect(result.plannedDuration == .seconds(30) && result.actualDuration == .seconds(12))
            #expect(sitting.timeIsUp(1, at: 30).isEmpty, "the wake of a step that was left is stale")
        }
    }

    @Test func `an onset or a wake out of place does no harm`() throws {
        var request = draw(.fixed)
        request.onset = .seconds(30)
        var sitting = try Sitting([timed("s", stimulus: request), thanks])
        #expect(sitting.timeIsUp(2, at: 2).isEmpty && sitting.timeIsUp(1, segment: 2, at: 2).isEmpty)
        let early = sitting.timeIsUp(1, at: 29)
        #expect(!early.contains { if case .stopPlaying = $0 { true } else { false } }, "it never played")
        #expect(sitting.results.first?.end == .seconds(30), "an early wake stands for the planned moment")
    }
}
