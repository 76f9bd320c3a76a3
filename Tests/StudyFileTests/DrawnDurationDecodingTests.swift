import StudyFile
import StudyModel
import StudyTesting
import Testing

/// What a study says of durations that are drawn.
@Suite struct DrawnDurationDecodingTests {
    private static func text(_ duration: String, more: String = "") -> String {
        study("- {type: active, identifier: a, duration: \(duration)\(more)}")
    }

    @Test func `reads what a duration is drawn from`() throws {
        func active(_ duration: String) throws -> ActiveStep {
            let step = try #require(parse(Self.text(duration)).study?.tasks[0].steps[0])
            guard case .active(let active) = step.kind else { throw Fixture.Unreadable(path: duration) }
            return active
        }
        let range = try active("{from: 8 s, to: 0.2 min}")
        #expect(
            range.drawnDuration == .uniform(.seconds(8) ... .seconds(12)) && range.duration == .seconds(12))
        let list = try active("{oneOf: [35 s, 25 s, 25 s]}")
        #expect(list.drawnDuration == .oneOf([.seconds(35), .seconds(25), .seconds(25)]))
        #expect(list.duration == .seconds(35) && list.drawnDuration?.limits.lowerBound == .seconds(25))
        #expect(try active("30 s").drawnDuration == nil)
    }

    @Test func `reads an end that is counted from another step, and looks for that`() throws {
        let text = { (first: String, duration: String) in
            study("\(first)\n- {type: active, identifier: a, duration: \(duration)}")
        }
        let stressor = "- {type: active, identifier: stressor, duration: 5 min}"
        let parsed = parse(text(stressor, "{until: 20 min, after: stressor}"))
        #expect(parsed.diagnostics.isEmpty && parsed.hints.isEmpty)
        let step = parsed.study?.tasks[0].steps[1].active
        #expect(
            step?.ending == EventTime(.seconds(1200), after: "stressor") && step?.duration == .seconds(1200))
        for (duration, code) in [
            ("{until: 1 min, after: 1️⃣stresor}", "unknown-step"), ("{1️⃣until: 1 min}", "missing-key"),
            ("{until: 1 min, after: 1️⃣a}", "step-order"), ("{until: 1 min, after: 1️⃣end}", "step-order"),
            ("{until: 1 min, after: stressor, 1️⃣from: 1 s, to: 2 s}", "conflicting-keys"),
        ] { expectDiagnostics(text(stressor, duration), ["1️⃣": code], library: .sample) }
        let skipped =
            "- {type: question, identifier: q, title: Q, answer: {boolean: {}}, timeLimit: 9 s}\n- {type: active, identifier: stressor, duration: 5 min, skipIf: {timedOut: q}}"
        let hinted = parse(text(skipped, "{until: 20 min, after: stressor}"))
        #expect(hinted.diagnostics.map(\.code) == [.stepOrder] && hinted.study != nil)
    }

    @Test(arguments: [
        ("{from: 8 s, to: 1️⃣8 s}", "out-of-range"), ("{from: 8 s, to: 1️⃣7 s}", "out-of-range"),
        ("{1️⃣from: 8 s}", "missing-key"), ("{from: 8 s, to: 12 s, 1️⃣oneOf: [8 s]}", "conflicting-keys"),
        ("{oneOf: 1️⃣[]}", "empty-list"), ("{oneOf: [1️⃣8]}", "duration-format"), ("{oneOf: 1️⃣8 s}", "wrong-type"),
        ("{from: 1️⃣0.5 ms, to: 2 s}", "out-of-range"), ("{from: 1️⃣0 s, to: 2 s}", "out-of-range"),
    ])
    func `finds a mistake at its place, with help`(duration: String, expected: String) {
        expectDiagnostics(Self.text(duration), ["1️⃣": expected], library: .sample)
        let found = parse(Self.text(duration).replacing("1️⃣", with: "")).diagnostics
        #expect(found.allSatisfy { $0.help?.isEmpty == false })
    }

    @Test func `what happens in the step fits the shortest`() {
        expectDiagnostics(
            Self.text("{from: 8 s, to: 12 s}", more: ", cues: [{at: 1️⃣9 s, bell: true}]"),
            ["1️⃣": "out-of-range"],
            library: .sample)
        #expect(
            parse(Self.text("{from: 8 s, to: 12 s}", more: ", cues: [{at: 8 s, bell: true}]")).diagnostics
                .isEmpty)
    }
}
