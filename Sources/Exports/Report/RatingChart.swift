import Analysing
import Datasets

/// What participants rated while a clip was heard: the mean of each second with its 95 % interval between participants,
/// above the change of the heart rate in the same seconds.
struct RatingChart {
    private let ratings: [RatingCourse]
    private let study: StudyResponse
    private let hearts: [String: StudyResponse.Group]

    /// More pictures than this nobody looks at.
    private static let mostPictures = 24
    private static let upper = CoursePanel.Frame(left: 64, top: 30, width: 884, height: 170)
    private static let lower = CoursePanel.Frame(left: 64, top: 258, width: 884, height: 130)

    /// - Returns: `nil` if nothing was rated while clips were heard.
    init?(of study: StudyResponse) {
        guard !study.ratings.isEmpty else { return nil }
        (ratings, self.study) = (study.ratings, study)
        let clips = study.groups.filter { $0.kind == .clip && !$0.course.isEmpty }
        hearts = Dictionary(clips.map { ($0.name, $0) }) { first, _ in first }
    }

    var html: String {
        let more =
            ratings.count > Self.mostPictures
            ? "<p>The first \(Self.mostPictures) of \(ratings.count). 'entrain analyse --over-time --format json' has all.</p>\n"
            : ""
        return more + ratings.prefix(Self.mostPictures).map(picture).joined()
    }

    private func picture(of rating: RatingCourse) -> String {
        let heart = hearts[rating.clip]
        let shown = rating.shownCourse
        let last = (shown + (heart?.shownCourse ?? [])).map(\.second).max() ?? 0
        let seconds = 0...Double(last) + 1
        let bottom = heart == nil ? Self.upper.bottom : Self.lower.bottom
        var drawing = Drawing(
            height: bottom + 60,
            description:
                "Mean of '\(rating.name)' after the onset of \(study.called(rating.clip)): \(shown.inWords)")
        drawing.text(rating.name, 4, 18, "soft")
        // All pictures of one rating have the same scale.
        let values = ratings.filter { $0.name == rating.name }.flatMap(\.shownCourse).range()
        CoursePanel(course: shown, seconds: seconds, values: values)
            .draw(in: Self.upper, ticks: (10, 5), &drawing)
        if let heart {
            drawing.text("change of the heart rate, 1/min", 4, Self.lower.top - 12, "soft")
            CoursePanel(
                course: heart.shownCourse, seconds: seconds, values: heart.shownCourse.range(with: [0]),
                hasZero: true
            ).draw(in: Self.lower, ticks: (10, 4), &drawing)
        }
        drawing.text(
            "time since the clip's onset, s", (Self.upper.left + Self.upper.right) / 2, bottom + 44,
            "middle soft")
        let most = rating.course.map(\.participants).max() ?? 0
        return drawing.figure(
            "\(rating.name) during \(study.called(rating.clip)): \(most) \(most == 1 ? "participant" : "participants") at most. The bands are "
                + "95 % intervals of the mean between participants.")
    }
}
