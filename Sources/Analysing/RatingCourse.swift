import Physiology

/// What participants rated while a clip was heard, second by second.
package struct RatingCourse: Sendable {
    /// The recorder, with the dimension if it has two: `feeling.valence`.
    package var name: String
    package var clip: String
    /// How often the clip was rated.
    package var clips: Int
    package var course: [MeanOfSecond]

    /// A course for each rating and clip, by name and clip.
    static func all(of rated: [RatedClip]) -> [RatingCourse] {
        Dictionary(grouping: rated) { [$0.name, $0.clip] }.map { key, rated in
            RatingCourse(
                name: key[0], clip: key[1], clips: rated.count,
                course: MeanOfSecond.course(of: rated.map { ($0.participant, $0.values) }))
        }.filter { !$0.course.isEmpty }.sorted { ($0.name, $0.clip) < ($1.name, $1.clip) }
    }
}

/// What one participant rated while one clip was heard.
struct RatedClip: Sendable {
    var participant: String
    /// As of `RatingCourse`.
    var name: String
    var clip: String
    /// The mean of each whole second after the clip's onset; the mark holds its place until it is moved.
    var values: [Double?]

    /// The ratings of a step that played a clip; none if it was left early, repeated or not heard.
    static func all(of step: RecordedRun.Step, by participant: String) -> [RatedClip] {
        guard let clip = step.stimulus, let onset = step.onset, !step.isReplaced, !step.isSkipped else {
            return []
        }
        let span = onset...max(onset, step.end)
        return step.marks.sorted { $0.key < $1.key }.map { name, marks in
            let inOrder = marks.sorted { $0.offset < $1.offset }
            let ends = inOrder.dropFirst().map(\.offset) + [span.upperBound]
            let held = zip(inOrder, ends).map { HeartRateCourse.Held($0.offset, $1, $0.value) }
            return RatedClip(
                participant: participant, name: name, clip: clip,
                values: HeartRateCourse.means(of: held, in: span))
        }
    }
}
