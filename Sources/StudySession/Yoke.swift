package import Results
import SessionPorts
package import StudyModel

/// How another participant's clips followed the heart, for yoked clips, which repeat that whatever their own
/// participant's heart does.
package struct Yoke: Sendable {
    /// The other run.
    package let run: String
    /// How the clip of each visit of a step changed, by the step; times are of hearing the clip, without pauses.
    let courses: [Identifier: [[Turn]]]

    struct Turn: Sendable {
        /// For how long the clip had been heard.
        var time: Duration
        var tempo: Double
        /// dB.
        var gain: Double
    }

    /// The courses in a bundle.
    package init(of bundle: ResultBundle) {
        run = bundle.manifest.run.runUUID
        var courses: [Identifier: [[Turn]]] = [:]
        for visit in bundle.visits {
            guard let clip = visit.clip, let onset = clip.onset, !clip.changes.isEmpty,
                let step = visit.path.split(separator: ".").last.flatMap({ Identifier(String($0)) })
            else { continue }
            courses[step, default: []].append(
                clip.changes.filter { $0.tempo > 0 }.map { change in
                    let paused = visit.pauses.reduce(0) {
                        $0 + max(0, min($1.upperBound, change.offset) - max($1.lowerBound, onset))
                    }
                    return Turn(
                        time: .nanoseconds(Int64(((change.offset - onset - paused) * 1e9).rounded())),
                        tempo: change.tempo, gain: change.gain)
                })
        }
        self.courses = courses
    }

    /// Whether there is a course for the clip of a step.
    package func has(_ step: Identifier) -> Bool { courses[step] != nil }
}
