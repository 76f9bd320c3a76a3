import Analysing
import Datasets

/// The course of heart rates after a clip's onset: the mean of each second with its 95 % interval, for all clips in
/// a large panel and for each clip in a small one, all on one scale.
struct CourseChart {
    private let all: StudyResponse.Group
    private let clips: [StudyResponse.Group]
    private let study: StudyResponse
    private let seconds: ClosedRange<Double>
    private let changes: ClosedRange<Double>

    private static let mostPanels = 12
    private static let columns = 3
    private static let large = CoursePanel.Frame(left: 64, top: 30, width: 884, height: 230)

    /// - Returns: `nil` if no response has a course.
    init?(of study: StudyResponse) {
        let charted = study.groups.filter { !$0.course.isEmpty }
        guard let all = charted.first(where: { $0.kind == .all }), let last = all.shownCourse.last else {
            return nil
        }
        (self.all, self.study) = (all, study)
        let single = charted.filter { $0.kind == .clip }
        clips = single.count < 2 ? [] : Array(single.prefix(Self.mostPanels))
        seconds = 0...Double(([all] + clips).compactMap(\.shownCourse.last?.second).max() ?? last.second) + 1
        // A clip that few heard has bands of any width, which end at the frame.
        changes = all.shownCourse.range(with: [0] + clips.flatMap(\.shownCourse).map(\.mean))
    }

    var html: String {
        var large = Drawing(
            height: 330,
            description: "Mean change of the heart rate after the onset, all clips, 1/min: "
                + all.shownCourse.inWords)
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
            description: "Mean change of the heart rate after the onset, 1/min: "
                + clips.map { "\(study.called($0.name)): \($0.shownCourse.inWords)" }.joined(separator: "; "))
        for (index, group) in clips.enumerated() {
            let (column, row) = (index % Self.columns, index / Self.columns)
            let frame = CoursePanel.Frame(
                left: Double(column) * width + 44, top: Double(row) * height + 54, width: width - 60,
                height: height - 64)
            drawing.text(
                Drawing.fittedAround(study.called(group.name), to: frame.width), frame.left, frame.top - 10,
                "bold")
            draw(group, in: frame, ticks: (4, 4), &drawing)
        }
        drawing.text("change of the heart rate, 1/min", 4, 16, "soft")
        drawing.text("time since the clip's onset, s", 480, Double(rows) * height + 36, "middle soft")
        return drawing.figure(
            "Each clip on the same scale; the band is the 95 % interval, as far as it fits.")
    }

    private func draw(
        _ group: StudyResponse.Group, in frame: CoursePanel.Frame, ticks: (x: Int, y: Int),
        _ drawing: inout Drawing
    ) {
        CoursePanel(course: group.shownCourse, seconds: seconds, values: changes, hasZero: true)
            .draw(in: frame, ticks: ticks, &drawing)
    }
}
