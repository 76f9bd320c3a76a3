import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Terminal

@Suite struct PulseScrollTests {
    /// Half a second of a wave of 60 per minute, ending at `end`.
    private func sight(until end: Double, quality: Double = 0.94, isClear: Bool = true) -> CameraStatus {
        let frames = (0..<15).map { index in
            let time = end - 1.5 + Double(index) / 30
            let phase = time - time.rounded(.down)
            return Timed(
                PulseFrame(red: 190, green: 60, blue: 30, filtered: phase < 0.3 ? phase : 0.3 - phase),
                at: .seconds(time), arrival: .seconds(end))
        }
        return CameraStatus(
            frames: frames, quality: quality, isClear: isClear, instant: .seconds(end))
    }

    private func interview(_ screen: Screen, quality: Double = 0.94, isClear: Bool = true) -> Interview {
        var interview = Interview()
        interview.handle(.screen(screen))
        for half in 4...40 {
            let sight = sight(until: Double(half) / 2, quality: quality, isClear: isClear)
            interview.handle(.pulse("heartRate", sight))
        }
        return interview
    }

    private func picture(_ interview: Interview, columns: Int = 64, rows: Int = 22) -> String {
        let size = TerminalSize(columns: columns, rows: rows)
        let frame = interview.picture(at: .seconds(20), in: size).frame
        return frame.lines.map { $0.text + "\n" }.joined() + String(repeating: "=", count: columns) + "\n"
    }

    @Test func `the wave, the quality and what to do look as they should`() {
        let timed = { (phase: Presentation.Phase, shows: Bool) in
            Screen.sample(Screen.thirtySeconds, phase: phase, text: "Sit still.", showsHeartRate: shows)
        }
        let waiting = Presentation.Phase.waitingForSource("heartRate", problem: .noPulse)
        var text = picture(interview(timed(Screen.running, true)))
        text += picture(interview(timed(Screen.running, false)))
        text += picture(interview(timed(Screen.running, true), quality: 0.31, isClear: false))
        text += picture(interview(timed(waiting, true), quality: 0.31, isClear: false))
        text += picture(interview(timed(Screen.running, true), isClear: false), columns: 30, rows: 8)
        #expect(goldenDifference(text, "pulse.txt") == nil)
    }

    @Test func `nothing is shown of a camera that fell silent`() {
        let interview = interview(.sample(Screen.thirtySeconds, phase: Screen.running, showsHeartRate: true))
        let size = TerminalSize(columns: 64, rows: 22)
        func shows(at second: Double) -> Bool {
            interview.picture(at: .seconds(second), in: size).frame.lines.contains {
                $0.text.contains("94 %")
            }
        }
        #expect(shows(at: 22) && !shows(at: 24))
    }

    @Test func `the wave moves on by itself, and only where it is on show`() {
        let shown = interview(.sample(Screen.thirtySeconds, phase: Screen.running, showsHeartRate: true))
        let next = shown.nextChange(after: .seconds(20.05))
        #expect(next.map { RunInstant.seconds(20.05) < $0 && $0 <= .seconds(20.25) } == true)
        let hidden = interview(.question(.date()))
        #expect(hidden.nextChange(after: .seconds(20)) == nil)
    }

    @Test func `what was drawn keeps its shape while it moves`() {
        var scroll = PulseScroll()
        for half in 4...100 { scroll.take(sight(until: Double(half) / 2)) }
        let step = 30.0 / 120
        let now = scroll.drawn(at: .seconds(50), columns: 60, strips: 1, rows: 2)
        let later = scroll.drawn(at: .seconds(50 + 2 * step), columns: 60, strips: 1, rows: 2)
        for (first, second) in zip(now, later) { #expect(first.dropFirst(1) == second.dropLast(1)) }
    }

    @Test(arguments: [(0, 0), (1, 1), (76, 3)])
    func `is drawn in any room`(columns: Int, rows: Int) {
        var scroll = PulseScroll()
        scroll.take(sight(until: 3))
        #expect(scroll.drawn(at: .seconds(3), columns: columns, strips: 3, rows: rows).count == 3 * rows)
    }

    @Test func `lines tell when the pulse comes and goes, and how it gets better`() {
        var dialogue = Dialogue(keepsEarlyLines: false, isShowOnly: false)
        _ = dialogue.handle(.screen(.sample(.instruction)), at: .start)
        var lines: [String] = []
        func take(_ quality: Double, _ isClear: Bool, at end: Double) {
            let sight = sight(until: end, quality: quality, isClear: isClear)
            lines += dialogue.handle(.pulse("heartRate", sight), at: .seconds(end)).lines
        }
        take(0, false, at: 2)
        lines += dialogue.handle(.source("heartRate", problem: .noPulse), at: .seconds(2)).lines
        take(0.3, false, at: 3)
        take(0.6, false, at: 8)
        take(0.95, true, at: 9)
        take(0.96, true, at: 10)
        lines += dialogue.handle(.source("heartRate", problem: nil), at: .seconds(10)).lines
        lines += dialogue.handle(.source("heartRate", problem: "unplugged"), at: .seconds(11)).lines
        #expect(
            lines == [
                "Cover the lens with your fingertip, and keep still. Signal quality: 0 %",
                "Press Return to go on.", "Signal quality: 60 %", "Press Return to go on.",
                "Your pulse can be seen well. Signal quality: 95 %", "Press Return to go on.",
                "Heart rate: no signal", "Press Return to go on.",
            ])
    }

    @Test func `dots lie where they were set, and nowhere outside`() {
        var dots = BrailleDots(columns: 2, rows: 1)
        for (column, row) in [(0, 0), (3, 3), (4, 0), (0, 4), (-1, 0)] { dots.set(column: column, row: row) }
        #expect(dots.lines == ["⠁⢀"])
    }
}
