import Datasets
import Results

/// How late each planned moment of a run was.
struct TimingChart {
    private let moments: [(at: Double, name: String, lateness: Double)]
    private let duration: Double

    private static let left = 64.0
    private static let right = 948.0

    private let words: String

    /// - Parameter words: what the chart shows.
    init(of run: ExportedRun, _ words: String) {
        self.words = words
        duration = max(run.source.duration, 1)
        moments = run.steps.flatMap { step in
            step.lateness.map { moment in
                (
                    moment.moment == "end" ? step.end : step.start, "\(moment.moment) of \(step.path)",
                    moment.seconds * 1000
                )
            }
        }
    }

    var html: String {
        guard !moments.isEmpty else { return "" }
        var drawing = Drawing(
            height: 210, description: "How late each planned moment was, in milliseconds. \(words)")
        let (top, bottom) = (30.0, 150.0)
        let low = min(0, moments.map(\.lateness).min() ?? 0)
        let high = max(moments.map(\.lateness).max() ?? 0, 0.1)
        let late = Axis(
            Axis.rounded(low...high, to: Axis.step((high - low) / 3)), pixels: (bottom, top))
        for tick in late.ticks(3) {
            let y = late.place(tick)
            drawing.line((Self.left, y), (Self.right, y), "grid")
            drawing.text(Axis.label(tick), Self.left - 8, y + 4, "end soft")
        }
        drawing.text("late, ms", 4, 16, "soft")
        drawing.timeAxis(duration, from: Self.left, to: Self.right, at: bottom) {
            "planned moment, \($0) since the run's start"
        }
        let time = Axis(0...duration, pixels: (Self.left, Self.right))
        for moment in moments {
            let x = time.place(moment.at)
            drawing.line((x, late.place(0)), (x, late.place(moment.lateness)), "axis")
            drawing.circle(
                x, late.place(moment.lateness), 3, "dot",
                tip: "\(moment.name): \(Axis.decimals(moment.lateness, 3)) ms")
        }
        return drawing.figure()
    }
}
