import BundleReplay
import Datasets
import Results

/// A run's heart rate over time, with steps, clips, pauses, gaps and the expected rate.
struct HeartRateChart {
    private let run: ExportedRun
    private let expected: ExpectedRates
    private let titles: [String: String]
    private let samples: [ResultBundle.HeartRate]
    private var drawing: Drawing
    private let time: Axis
    private let rate: Axis

    private static let left = 64.0
    private static let right = 948.0
    private static let top = 82.0
    private static let bottom = 358.0

    /// - Parameters:
    ///   - titles: what steps are called, by path.
    ///   - words: what the chart shows.
    init(of run: ExportedRun, expected: ExpectedRates, titles: [String: String], _ words: String) {
        (self.run, self.titles) = (run, titles)
        self.expected = expected
        samples = run.mainSamples
        drawing = Drawing(
            height: 416, description: "Heart rate over the run, with its steps and clips. \(words)")
        time = Axis(0...max(run.source.duration, 1), pixels: (Self.left, Self.right))
        var rates = samples.map(\.value)
        for step in run.steps {
            guard let course = expected[step] else { continue }
            for moment in Self.moments(of: step, 20) {
                guard let range = course.expected(at: moment)?.range else { continue }
                rates += [range.lowerBound, range.upperBound].filter(\.isFinite)
            }
        }
        let range = (rates.min() ?? 50)...(rates.max() ?? 100)
        let step = Axis.step((range.upperBound - range.lowerBound) / 5)
        rate = Axis(
            Axis.rounded(range.lowerBound - 1...range.upperBound + 1, to: step),
            pixels: (Self.bottom, Self.top))
    }

    var html: String {
        var chart = self
        chart.drawSteps()
        chart.drawGrid()
        chart.drawPauses()
        chart.drawExpected()
        chart.drawGaps()
        chart.drawSamples()
        chart.drawClips()
        chart.drawMarks()
        return chart.drawing.figure() + legend
    }

    /// Shades every other step, and writes the numbers of steps that have room above them.
    private mutating func drawSteps() {
        for step in run.steps where step.ordinal % 2 == 0 {
            let (from, to) = (time.place(step.start), time.place(step.end))
            drawing.rectangle(
                from, 10, to - from, Self.bottom - 10, "shade", tip: titles[step.path] ?? step.path)
        }
        drawing.text("step", Self.left - 8, 22, "end soft")
        var lastLabel = -1.0
        for step in run.steps {
            let (from, to) = (time.place(step.start), time.place(step.end))
            let name = Drawing.fitted(
                "\(step.ordinal) \(titles[step.path] ?? step.identifier)", to: to - from - 6)
            let label = name.isEmpty ? "\(step.ordinal)" : name
            let half = Drawing.width(of: label) / 2
            let middle = (from + to) / 2
            // A number that would overlap the one before it, or leave the picture, appears only in the table.
            guard middle - half > lastLabel + 2, middle + half <= Self.right + 10 else { continue }
            drawing.text(label, middle, 22, "middle")
            lastLabel = middle + half
        }
    }

    private mutating func drawClips() {
        let clips = run.steps.compactMap { step in step.clip.map { (step, $0) } }
        guard !clips.isEmpty else { return }
        drawing.text("clip", Self.left - 8, 48, "end soft")
        for (step, clip) in clips {
            guard let onset = clip.onset else { continue }
            let (from, to) = (time.place(onset), time.place(clip.end ?? step.end))
            let name = clip.title ?? clip.identifier
            drawing.rectangle(from, 33, to - from, 22, "clip", tip: name)
            drawing.text(Drawing.fitted(name, to: to - from - 8), from + 4, 48)
        }
    }

    private mutating func drawGrid() {
        for tick in rate.ticks(5) {
            let y = rate.place(tick)
            drawing.line((Self.left, y), (Self.right, y), "grid")
            drawing.text(Axis.label(tick), Self.left - 8, y + 4, "end soft")
        }
        drawing.text("heart rate, 1/min", 4, Self.top - 13, "soft")
        drawing.timeAxis(time.values.upperBound, from: Self.left, to: Self.right, at: Self.bottom) {
            "time since the run's start, \($0)"
        }
    }

    private mutating func drawPauses() {
        for pause in run.steps.flatMap(\.pauses) {
            let (from, to) = (time.place(pause.lowerBound), time.place(pause.upperBound))
            drawing.hatch(
                from, Self.top, max(to - from, 2), Self.bottom - Self.top, isCrossed: false, "cross")
        }
    }

    private mutating func drawMarks() {
        for mark in run.steps.flatMap(\.marks) {
            let x = time.place(mark.offset)
            drawing.line((x, Self.top), (x, Self.bottom), "mark")
            drawing.circle(x, Self.top, 4, "mark", tip: "\(mark.title): \(mark.remark)")
        }
    }

    private mutating func drawGaps() {
        var known: Set<Range<Double>> = []
        for gap in run.heartRateGaps where known.insert(gap).inserted {
            let (from, to) = (time.place(gap.lowerBound), time.place(gap.upperBound))
            drawing.hatch(from, Self.top, max(to - from, 2), Self.bottom - Self.top, isCrossed: true, "cross")
        }
    }

    private mutating func drawExpected() {
        for step in run.steps {
            guard let course = expected[step], step.end > step.start else { continue }
            var piece: [(x: Double, rate: Double, range: ClosedRange<Double>)] = []
            for moment in Self.moments(of: step, 60) {
                if let (rate, range) = course.expected(at: moment) {
                    piece.append((time.place(moment), rate, range))
                } else {
                    drawExpected(piece)
                    piece = []
                }
            }
            drawExpected(piece)
        }
    }

    private mutating func drawExpected(_ piece: [(x: Double, rate: Double, range: ClosedRange<Double>)]) {
        let upper = piece.map { (x: $0.x, y: rate.place($0.range.upperBound)) }
        let lower = piece.map { (x: $0.x, y: rate.place($0.range.lowerBound)) }
        drawing.path(upper + lower.reversed(), "expected", isClosed: true)
        drawing.path(piece.map { ($0.x, rate.place($0.rate)) }, "middle-line")
    }

    private static func moments(of step: ResultBundle.Visit, _ parts: Int) -> [Double] {
        (0...parts).map { step.start + (step.end - step.start) * Double($0) / Double(parts) }
    }

    /// Samples more than 5 s apart are not joined.
    private mutating func drawSamples() {
        var piece: [(x: Double, y: Double)] = []
        var last: Double?
        for sample in samples {
            if let last, sample.runOffset - last > BIDSHeartRate.widestGap {
                draw(piece)
                piece = []
            }
            piece.append((time.place(sample.runOffset), rate.place(sample.value)))
            last = sample.runOffset
        }
        draw(piece)
        if samples.isEmpty {
            drawing.text(
                "no heart rate was recorded", (Self.left + Self.right) / 2, (Self.top + Self.bottom) / 2,
                "middle soft")
        }
    }

    private mutating func draw(_ piece: [(x: Double, y: Double)]) {
        drawing.path(piece, "data")
        if piece.count == 1 { drawing.circle(piece[0].x, piece[0].y, 2.5, "dot") }
    }

    /// A legend of the picture's elements.
    private var legend: String {
        let sources = run.heart.sources
        let of = sources.count > 1 ? ", from \(HTML.cell(sources[0].name))" : ""
        var entries = [(#"<path d="M2 11L10 5L18 10L32 4" class="data"/>"#, "heart rate as received" + of)]
        if run.steps.contains(where: { expected[$0] != nil }) {
            entries.append(
                (
                    #"<path d="M2 2H32V15H2Z" class="expected"/><path d="M2 8.5H32" class="middle-line"/>"#,
                    "expected, with its band"
                ))
        }
        if run.steps.contains(where: { $0.clip != nil }) {
            entries.append((#"<rect x="2" y="2" width="30" height="12" class="clip"/>"#, "clip"))
        }
        if !run.heartRateGaps.isEmpty {
            entries.append(
                (
                    #"<path d="M4 14L14 2M12 14L22 2M20 14L30 2M4 2L14 14M12 2L22 14M20 2L30 14" class="cross"/>"#,
                    "gap: no heart rate came"
                ))
        }
        if run.steps.contains(where: { !$0.pauses.isEmpty }) {
            entries.append((#"<path d="M4 14L14 2M12 14L22 2M20 14L30 2" class="cross"/>"#, "pause"))
        }
        if run.steps.contains(where: { !$0.marks.isEmpty }) {
            entries.append(
                (
                    #"<path d="M17 4V14" class="mark"/><circle cx="17" cy="4" r="3" class="mark"/>"#,
                    "marked by the experimenter"
                ))
        }
        let spans = entries.map {
            "<span><svg viewBox=\"0 0 34 16\" aria-hidden=\"true\">\($0.0)</svg>\($0.1)</span>"
        }
        return "<div class=\"legend\">\(spans.joined())</div>\n"
    }
}
