import StudyEngine
import StudyModel
import Testing

@Suite struct SpanningRecorderTests {
    private static func span(_ from: Identifier, _ to: Identifier, required: Bool = false) -> SpanningRecorder
    {
        SpanningRecorder(recorder: heart("whole", required: required), from: from, to: to)
    }

    private static func key(_ ordinal: Int) -> RecorderKey {
        RecorderKey(ordinal: ordinal, recorder: "whole", segment: 1)
    }

    @Test func `records from the start of one step to the end of another`() throws {
        var sitting = try Sitting(
            [timed("one"), timed("two"), timed("three"), thanks], recorders: [Self.span("two", "three")])
        #expect(
            sitting.timeIsUp(1, at: 30).contains(.record(Self.key(2), heart("whole"), from: .seconds(30))))
        #expect(sitting.tell(.paused, at: 40).stopped.isEmpty, "a pause does not end it")
        sitting.tell(.resumed, at: 41)
        #expect(sitting.timeIsUp(2, segment: 2, at: 61).stopped.isEmpty)
        #expect(sitting.timeIsUp(3, at: 91).contains(.stopRecording(Self.key(2), at: .seconds(91))))
        #expect(sitting.result("three") == nil && sitting.result("two")?.files.isEmpty == true)
        sitting.tell(.recorded(Self.key(2), files: [], problem: "late"), at: 93)
        #expect(sitting.result("three")?.recorderErrors == ["whole: late"], "the file goes where it stopped")
    }

    @Test func `spans the first to the last round of a block`() throws {
        let step = block("b", Block(repetitions: 2, steps: [read("x"), read("y")]))
        var sitting = try Sitting([step, thanks], recorders: [Self.span("b", "b")], begun: false)
        #expect(sitting.tell(.begin, at: 0).started == [Self.key(1)])
        for second in 1...3 { #expect(sitting.tell(.confirmed, at: Double(second)).started.isEmpty) }
        #expect(sitting.tell(.confirmed, at: 4).stopped == [Self.key(1)])
    }

    @Test func `keeps its first step waiting where it is required`() throws {
        var sitting = try Sitting(
            [read("r"), timed("s"), thanks], recorders: [Self.span("s", "s", required: true)])
        let shown = sitting.tell(.confirmed, at: 1)
        #expect(shown.shown?.phase == .waitingForSource("heartRate", problem: "not connected yet"))
        #expect(shown.started.isEmpty)
        #expect(sitting.tell(.sourceChanged("heartRate", problem: nil), at: 2).started == [Self.key(2)])
    }

    @Test func `stops when the run ends early, with its file in the step on show`() throws {
        var sitting = try Sitting([timed("one"), timed("two"), thanks], recorders: [Self.span("one", "two")])
        #expect(sitting.tell(.withdrawn, at: 10).stopped == [Self.key(1)])
        #expect(sitting.results.isEmpty)
        #expect(sitting.tell(.recorded(Self.key(1), files: [], problem: nil), at: 12).finish == .discarded)
    }

    @Test func `stops at the end of the list where its last step is never reached`() throws {
        let jump = Navigation(goTo: [.init(condition: nil, target: .end)])
        var sitting = try Sitting(
            [read("one", jump), read("two"), thanks], recorders: [Self.span("one", "two")])
        #expect(sitting.tell(.confirmed, at: 10).stopped == [Self.key(1)])
    }

    @Test func `a step left out by a rule starts and stops it all the same`() throws {
        let skip = Navigation(skipIf: [when("q", .gt, .number(3))])
        let steps = [ask("q"), read("from", skip), read("middle"), read("to", skip), thanks]
        var sitting = try Sitting(steps, recorders: [Self.span("from", "to")])
        #expect(sitting.answer("q", .scale(5), at: 1).started == [Self.key(2)])
        #expect(sitting.tell(.confirmed, at: 9).stopped == [Self.key(2)])
        #expect(sitting.result("to") == nil)
        sitting.tell(.recorded(Self.key(2), files: [], problem: nil), at: 10)
        #expect(sitting.result("to")?.skip == .rule)
    }

    @Test func `one that finishes by itself leaves its file in the step on show`() throws {
        var sitting = try Sitting([read("one"), read("two"), thanks], recorders: [Self.span("one", "two")])
        sitting.tell(.recorded(Self.key(1), files: [], problem: "the disk is full"), at: 1)
        #expect(sitting.tell(.confirmed, at: 2).stopped.isEmpty)
        #expect(sitting.result("one")?.recorderErrors == ["whole: the disk is full"])
        #expect(sitting.tell(.confirmed, at: 3).stopped.isEmpty)
    }
}
