import SessionPorts
import StudyModel
import Testing

@testable import Terminal

/// Displays of the heart, and to breathe with: on the screen and by lines.
@Suite struct BiofeedbackScreenTests {
    private static let pacer = Biofeedback.pacer(
        BreathingPacer(inhalation: .seconds(4), hold: .seconds(1), exhalation: .seconds(5)))
    private static let displays: [Screen.Display] = [
        .init(recorder: "pacer", biofeedback: pacer), .init(recorder: "rate", biofeedback: .heartRate),
        .init(recorder: "rmssd", biofeedback: .variability(.rmssd, over: .seconds(30))),
    ]

    private static func screen(_ displays: [Screen.Display], phase: Presentation.Phase = Screen.running)
        -> Screen
    {
        var screen = Screen.sample(Screen.thirtySeconds, phase: phase, title: "Breathe.")
        screen.displays = displays
        return screen
    }

    private static func text(_ interview: Interview, at now: RunInstant, rows: Int = 40) -> String {
        interview.picture(at: now, in: TerminalSize(columns: 80, rows: rows)).frame.lines.map(\.text)
            .joined(separator: "\n")
    }

    /// How much of the bar is filled, in columns of 50.
    private static func filled(_ interview: Interview, at now: RunInstant) -> Int? {
        let lines = text(interview, at: now).split(separator: "\n")
        guard
            let words = lines.firstIndex(where: {
                $0.contains("Breathe in") || $0.contains("Hold") || $0.contains("Breathe out")
            })
        else { return nil }
        return lines[words + 1].count { $0 == "█" }
    }

    @Test func `the bar grows to breathe in, stays to hold and shrinks to breathe out`() {
        var interview = Interview()
        interview.handle(.screen(Self.screen([Self.displays[0]])), at: .seconds(8))
        interview.handle(.shown("pacer", .breath(.in), at: .seconds(8)), at: .seconds(8))
        #expect([8, 9, 10, 12].map { Self.filled(interview, at: .seconds($0)) } == [0, 13, 25, 50])
        #expect(Self.text(interview, at: .seconds(9)).contains("Breathe in  3"))
        interview.handle(.shown("pacer", .breath(.hold), at: .seconds(12)), at: .seconds(12))
        #expect(Self.filled(interview, at: .seconds(12.5)) == 50)
        interview.handle(.shown("pacer", .breath(.out), at: .seconds(13)), at: .seconds(13))
        #expect([13, 15.5, 18].map { Self.filled(interview, at: .seconds($0)) } == [50, 25, 0])
        #expect(
            interview.nextChange(after: .seconds(13))
                == RunInstant.seconds(13).advanced(by: .milliseconds(100)))
    }

    @Test func `numbers say what they are, and that they are not known yet or lost`() {
        var interview = Interview()
        interview.handle(.screen(Self.screen(Array(Self.displays.dropFirst()))), at: .seconds(8))
        interview.handle(.shown("rate", .value(72), at: .seconds(8)), at: .seconds(8))
        interview.handle(.shown("rmssd", .unknown, at: .seconds(8)), at: .seconds(8))
        let early = Self.text(interview, at: .seconds(8))
        #expect(early.contains("Heart rate, beats per minute"))
        #expect(early.contains("Heart-rate variability (RMSSD of the last 30 s): not known yet"))
        interview.handle(.shown("rmssd", .value(41), at: .seconds(9)), at: .seconds(9))
        interview.handle(.shown("rate", .lost, at: .seconds(9)), at: .seconds(9))
        let later = Self.text(interview, at: .seconds(9))
        #expect(later.contains("Heart rate: no signal"))
        #expect(later.contains("Heart-rate variability (RMSSD of the last 30 s), ms"))
        // A low terminal has the same numbers in one line each.
        #expect(
            Self.text(interview, at: .seconds(9), rows: 16).contains(
                "Heart-rate variability (RMSSD of the last 30 s): 41 ms"))
    }

    @Test func `a paused step shows nothing, and another step has its own displays`() {
        var interview = Interview()
        interview.handle(.screen(Self.screen([Self.displays[1]])), at: .seconds(8))
        interview.handle(.shown("rate", .value(72), at: .seconds(8)), at: .seconds(8))
        let paused = Self.screen([Self.displays[1]], phase: .paused(remaining: .seconds(9)))
        interview.handle(.screen(paused), at: .seconds(9))
        #expect(!Self.text(interview, at: .seconds(9)).contains("Heart rate"))
        var other = Self.screen([Self.displays[1]])
        other.ordinal += 1
        interview.handle(.screen(other), at: .seconds(10))
        #expect(Self.text(interview, at: .seconds(10)).contains("Heart rate: not known yet"))
    }

    @Test func `lines say each part of a breath, and numbers every ten seconds at most`() {
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        let lines = dialogue.handle(.screen(Self.screen(Self.displays)), at: .seconds(8)).lines
        #expect(lines.contains("Heart rate: said every 10 seconds when it changes."))
        func said(_ name: Identifier, _ shown: Biofeedback.Shown, _ second: Double) -> [String] {
            dialogue.handle(.shown(name, shown, at: .seconds(second)), at: .seconds(second)).lines
        }
        #expect(said("pacer", .breath(.in), 8) == ["Breathe in"])
        #expect(said("pacer", .breath(.hold), 12) == ["Hold"])
        #expect(said("pacer", .breath(.out), 13) == ["Breathe out"])
        #expect(said("rate", .value(70), 8) == ["Heart rate: 70 beats per minute"])
        #expect(said("rate", .value(71), 9) == [])
        #expect(said("rate", .value(72), 17.9) == [])
        #expect(said("rate", .value(72), 18) == ["Heart rate: 72 beats per minute"])
        #expect(said("rate", .value(72), 40) == [])
        #expect(said("rate", .lost, 41) == ["Heart rate: no signal"])
        #expect(said("rmssd", .value(35), 41) == ["Heart-rate variability (RMSSD of the last 30 s): 35 ms"])
        #expect(said("other", .value(35), 42) == [])
    }
}
