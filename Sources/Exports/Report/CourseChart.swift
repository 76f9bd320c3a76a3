import Datasets

/// The course of heart rates after a clip's onset: the mean of each second with its 95 % interval, for all clips in
/// a large panel and for each clip in a small one, all on one scale.
struct CourseChart {
    private let all: StudyResponse.Group
    private let clips: [StudyResponse.Group]
    private let seconds: ClosedRange<Double>
    private let changes: ClosedRange<Double>

    private static let mostPanels = 12
    private static let columns = 3
    private static let large = Frame(left: 64, top: 30, width: 884, height: 230)

    /// A panel's plot, px.
    private struct Frame {
        var left: Double
        var top: Double
        var width: Double
        var height: Double
        var bottom: Double { top + height }
        var right: Double { left + width }
    }

    /// - Returns: `nil` if no response was followed.
    init?(of study: StudyResponse) {
        let followed = study.groups.filter { !$0.course.isEmpty }
        guard let all = followed.first(where: { $0.kind == .all }), let last = all.shownCourse.last else {
            return nil
        }
        self.all = all
        let single = followed.filter { $0.kind == .clip }
        clips = single.count < 2 ? [] : Array(single.prefix(Self.mostPanels))
        seconds = 0...Double(([all] + clips).compactMap(\.shownCourse.last?.second).max() ?? last.second) + 1
        let ends = ([all] + clips).flatMap(\.shownCourse).flatMap { [$0.mean] + Self.ends(of: $0) }
        let range = min(0, ends.min() ?? 0)...max(0, ends.max() ?? 0)
        changes = Axis.rounded(range, to: Axis.step((range.upperBound - range.lowerBound) / 5))
    }

    var html: String {
        var large = Drawing(
            height: 330,
            description: "Mean change of the heart rate in each second after the onset, all clips")
        draw(all, in: Self.large, ticks: (10, 5), &large)
        large.text("change of the heart rate, 1/min", 4, 18, "soft")
        large.text(
            "time since the clip's onset, s", (Self.large.left + Self.large.right) / 2,
            Self.large.bottom + 44,
            "middle soft")
        let caption =
            "All clips: \(all.course.map(\.participants).max() ?? 0) participants at most. The band is the 95 % interval."
        let more = clips.isEmpty ? "" : smallPanels
        return large.figure(caption) + more
    }

    private var smallPanels: String {
        let rows = (clips.count + Self.columns - 1) / Self.columns
        let (width, height) = (320.0, 190.0)
        var drawing = Drawing(
            height: Double(rows) * height + 44,
            description: "Mean change of the heart rate in each second after the onset, clip by clip")
        for (index, group) in clips.enumerated() {
            let (column, row) = (index % Self.columns, index / Self.columns)
            let frame = Frame(
                left: Double(column) * width + 44, top: Double(row) * height + 54, width: width - 60,
                height: height - 64)
            drawing.text(
                Drawing.fittedAround(group.name, to: frame.width), frame.left, frame.top - 10, "bold")
            draw(group, in: frame, ticks: (4, 3), &drawing)
        }
        drawing.text("change of the heart rate, 1/min", 4, 16, "soft")
        drawing.text("time since the clip's onset, s", 480, Double(rows) * height + 36, "middle soft")
        return drawing.figure("Each clip on the same scale; the band is the 95 % interval.")
    }

    private func draw(
        _ group: StudyResponse.Group, in frame: Frame, ticks: (x: Int, y: Int), _ drawing: inout Drawing
    ) {
        let time = Axis(seconds, pixels: (frame.left, frame.right))
        let rate = Axis(changes, pixels: (frame.bottom, frame.top))
        let places = group.shownCourse.map { time.place(Double($0.second) + 0.5) }
        let bands = zip(places, group.shownCourse).compactMap { x, second in
            second.interval.map {
                (x: x, low: rate.place($0.lowerBound), high: rate.place($0.upperBound))
            }
        }
        drawing.path(
            bands.map { ($0.x, $0.high) } + bands.reversed().map { ($0.x, $0.low) }, "band", isClosed: true)
        for tick in rate.ticks(ticks.y) {
            drawing.line((frame.left, rate.place(tick)), (frame.right, rate.place(tick)), "grid")
            drawing.text(Axis.label(tick), frame.left - 8, rate.place(tick) + 4, "end soft")
        }
        for tick in time.ticks(ticks.x) {
            drawing.line((time.place(tick), frame.bottom), (time.place(tick), frame.bottom + 5), "axis")
            drawing.text(Axis.label(tick), time.place(tick), frame.bottom + 20, "middle soft")
        }
        drawing.line((frame.left, frame.bottom), (frame.right, frame.bottom), "axis")
        drawing.line((frame.left, rate.place(0)), (frame.right, rate.place(0)), "middle-line")
        drawing.path(zip(places, group.shownCourse).map { ($0, rate.place($1.mean)) }, "data")
    }

    private static func ends(of second: MeanOfSecond) -> [Double] {
        second.interval.map { [$0.lowerBound, $0.upperBound] } ?? []
    }
}
