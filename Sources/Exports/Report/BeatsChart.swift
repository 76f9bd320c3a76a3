import Datasets
import Physiology
import Results

/// The intervals between a run's beats, with what analyses correct of them, and those beats in the waves.
struct BeatsChart {
    private let beats: [JudgedInterval]
    private let refused: Breathing.Series
    private let waves: [(waves: ResultBundle.Waves, channel: Int)]
    private let duration: Double
    private let source: String

    private static let left = 64.0
    private static let right = 948.0
    /// So many corrected beats are shown in their waves.
    private static let mostStrips = 24
    /// A strip shows so many seconds to each side of a beat.
    private static let reach = 3.0

    /// - Throws: if a waveform is not what the result says.
    init(of run: ExportedRun) throws {
        beats = run.judgedIntervals
        duration = max(run.source.duration, 1)
        waves = beats.contains { $0.artefact != nil } ? try run.beatWaves() : []
        refused = run.refused
        source = run.beatSource.map { " from the \($0)" } ?? ""
    }

    var html: String {
        guard !beats.isEmpty else {
            return "<p class=\"none\">No intervals between beats were recorded.</p>\n"
        }
        return series + strips
    }

    /// What the chart shows, in words.
    var note: String {
        let corrected = beats.filter { $0.artefact != nil }
        let kinds = corrected.counts { $0.artefact?.rawValue ?? "" }.sorted { $0.key < $1.key }
            .map { "\($0.value) \($0.key)" }
        let gaps = beats.count(where: \.isAfterGap)
        let poor = refused.reduce(0) { $0 + $1.value }
        return "\(beats.count) intervals\(source), \(corrected.count) of them corrected"
            + (kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))")
            + "; \(gaps) \(gaps == 1 ? "gap" : "gaps")"
            + (poor > 0 ? "; \(Axis.decimals(poor, 1)) s of the ECG are too poor for beats" : "")
            + ". A ring is an interval as recorded that analyses do not use, the line is what they use."
    }

    private var series: String {
        var drawing = Drawing(
            height: 300, description: "Intervals between beats over the run, and what was corrected. \(note)")
        let (top, bottom) = (30.0, 240.0)
        let all = beats.map(\.length) + beats.flatMap(\.corrected)
        let range = (all.min() ?? 0)...(all.max() ?? 1)
        let step = Axis.step((range.upperBound - range.lowerBound) / 4)
        let length = Axis(Axis.rounded(range, to: step), pixels: (bottom, top))
        for tick in length.ticks(4) {
            drawing.line((Self.left, length.place(tick)), (Self.right, length.place(tick)), "grid")
            drawing.text(Axis.label(tick), Self.left - 8, length.place(tick) + 4, "end soft")
        }
        drawing.text("interval, s", 4, 16, "soft")
        drawing.timeAxis(duration, from: Self.left, to: Self.right, at: bottom) {
            "time since the run's start, \($0)"
        }
        let x = Axis(0...duration, pixels: (Self.left, Self.right)).place
        for poor in refused {
            drawing.hatch(
                x(poor.time), top, max(x(poor.time + poor.value) - x(poor.time), 2), bottom - top,
                isCrossed: true, "cross")
        }
        var piece: [(x: Double, y: Double)] = []
        for beat in beats {
            if beat.isAfterGap {
                drawing.path(piece, "data")
                piece = []
            }
            var end = beat.end - beat.corrected.reduce(0, +)
            for used in beat.corrected {
                end += used
                piece.append((x(end), length.place(used)))
            }
        }
        drawing.path(piece, "data")
        for beat in beats {
            guard let remark = beat.remark else { continue }
            drawing.circle(
                x(beat.end), length.place(beat.length), 4, "mark",
                tip: "\(Axis.time(beat.end)) \(remark)")
        }
        return drawing.figure()
    }

    /// Each corrected beat in its wave, as many as there is room for.
    private var strips: String {
        let shown = beats.filter { $0.artefact != nil }.compactMap { beat in
            waves.lazy.map { $0.waves.part(around: beat.end, reach: Self.reach, of: $0.channel) }
                .first { $0.count > 10 }.map { (beat, $0) }
        }
        guard !shown.isEmpty else { return "" }
        let figures = shown.prefix(Self.mostStrips).map { strip($0.0, $0.1) }
        let rest = shown.count - figures.count
        return "<div class=\"strips\">\n\(figures.joined())</div>\n"
            + (rest > 0 ? "<p>\(rest) more corrected beats are not shown.</p>\n" : "")
    }

    /// A corrected beat in its wave. A line stands at the end of each interval.
    private func strip(_ beat: JudgedInterval, _ part: [(time: Double, value: Double)]) -> String {
        var drawing = Drawing(
            width: 460, height: 110, description: "The wave around \(Axis.time(beat.end)), with its beats")
        let values = part.map(\.value)
        let time = Axis(beat.end - Self.reach...beat.end + Self.reach, pixels: (4, 456))
        let value = Axis((values.min() ?? 0)...(values.max() ?? 1), pixels: (98, 14))
        for other in beats where time.values.contains(other.end) {
            let x = time.place(other.end)
            drawing.line((x, 6), (x, 104), other == beat ? "mark" : "grid")
        }
        drawing.path(part.map { (time.place($0.time), value.place($0.value)) }, "data")
        return drawing.figure("\(Axis.time(beat.end)) \(beat.remark ?? "")")
    }
}
