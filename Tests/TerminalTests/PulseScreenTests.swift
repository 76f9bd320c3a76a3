import SessionPorts
import StudyModel
import StudySession
import StudyTesting
import Testing

@testable import Terminal

/// A pulse that somebody watches outside of a study.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PulseScreenTests {
    /// Reports of a pulse of 60 per minute, from 0 s to `end`: each half a second the frames, the quality and a rate.
    private static func reports(until end: Double, quality: Double = 0.94) -> [SourceReport] {
        stride(from: 0.5, through: end, by: 0.5).flatMap { moment -> [SourceReport] in
            let frames = (0..<15).map { index -> SourceReport in
                let time = moment - 0.5 + Double(index) / 30
                let phase = time - time.rounded(.down)
                let frame = PulseFrame(
                    red: 190, green: 60, blue: 30, filtered: phase < 0.3 ? phase : 0.3 - phase,
                    beats: phase < 1.0 / 30 ? [0.01] : [], quality: quality)
                return .measured(Timed(.picture(frame), at: .seconds(time), arrival: .seconds(moment)))
            }
            let rate = HeartRateSample(rate: 60.4, sensorContact: true, quality: quality)
            return frames + [
                .quality(SignalQuality(quality, isClear: quality > 0.5, at: .seconds(moment))), .live,
                .sample(Timed(rate, at: .seconds(moment), arrival: .seconds(moment))),
            ]
        }
    }

    private func picture(_ view: PulseView, at second: Double, _ columns: Int = 64, _ rows: Int = 20)
        -> [String]
    {
        let frame = view.frame(at: .seconds(second), in: TerminalSize(columns: columns, rows: rows))
        #expect(frame.lines.count <= rows && frame.lines.allSatisfy { $0.columns <= columns })
        return frame.lines.map(\.text)
    }

    private func text(_ lines: [String]) -> String {
        lines.map { $0 + "\n" }.joined() + String(repeating: "=", count: 64) + "\n"
    }

    @Test func `the wave, its beats, the rate and the quality look as they should`() {
        var view = PulseView(title: "/dev/video0")
        var all = text(picture(view, at: 0))
        Self.reports(until: 20).forEach { view.take($0) }
        all += text(picture(view, at: 20))
        view.take(.lost(.noPulse))
        view.take(.quality(SignalQuality(0.21, isClear: false, at: .seconds(20.5))))
        all += text(picture(view, at: 20.5))
        view.take(.lost("the camera was unplugged"))
        all += text(picture(view, at: 30))
        #expect(goldenDifference(all, "pulse-screen.txt") == nil)
    }

    @Test(arguments: [(1, 1), (3, 2), (20, 6), (40, 12), (200, 60)])
    func `is drawn on any terminal`(columns: Int, rows: Int) {
        var view = PulseView(title: "a file with quite a long name.mp4")
        Self.reports(until: 10).forEach { view.take($0) }
        #expect(picture(view, at: 10, columns, rows).last?.isEmpty == false, "how it ends is always said")
    }

    @Test(arguments: ["q", "\u{1B}", "\u{3}"])
    func `a key ends it, and leaves the terminal as it was`(key: String) async {
        let terminal = PseudoTerminal(habits: [("94 %", key)])
        let (reports, sink) = AsyncStream.makeStream(of: SourceReport.self)
        Self.reports(until: 5).forEach { sink.yield($0) }
        await RunLoop.with { loop in
            let screen = PulseScreen(
                of: "finger.mp4", input: terminal.program, output: terminal.program, on: nil,
                usesUnicode: true)
            await screen.show(reports, on: loop.clock(.realTime(speed: 1), at: .seconds(5)))
        }
        #expect(terminal.isSane)
        await terminal.finish()
    }

    @Test func `it ends with its reports`() async {
        let terminal = PseudoTerminal()
        let (reports, sink) = AsyncStream.makeStream(of: SourceReport.self)
        sink.finish()
        await PulseScreen(
            of: "finger.mp4", input: terminal.program, output: terminal.program, on: nil,
            usesUnicode: true
        ).show(reports, on: ManualClock())
        #expect(terminal.isSane)
        await terminal.finish()
    }
}
