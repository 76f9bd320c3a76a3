import Physiology
import Statistics
import StudyModel

/// How a group's heart rate had changed, or what they rated, in one second after the onset of their clips.
package struct MeanOfSecond: Hashable, Sendable {
    /// The whole second after the onset, from 0.
    package var second: Int
    /// How many participants have a value in that second.
    package var participants: Int
    /// The mean of their rates minus the baseline, beats per minute, or of their ratings. Each participant counts
    /// once.
    package var mean: Double
    /// The 95 % interval of the mean by Student's t; `nil` with fewer than two participants.
    package var interval: ClosedRange<Double>?

    /// If fewer than half of the first seconds' participants are left, the mean describes other people, and is not
    /// drawn.
    package static let fewestShare = 0.5

    /// The mean of each second in which at least one participant has a rate.
    static func course(of responses: [ClipResponse]) -> [MeanOfSecond] {
        course(of: responses.map { ($0.participant, $0.course?.changes ?? []) })
    }

    /// The mean of each second in which at least one participant has a value.
    ///
    /// - Parameter clips: a participant's values second by second, for each clip.
    static func course(of clips: [(participant: String, values: [Double?])]) -> [MeanOfSecond] {
        let people = Dictionary(grouping: clips, by: \.participant).sorted { $0.key < $1.key }.map {
            $0.value.map(\.values)
        }
        var quantiles: [Int: Double] = [:]
        return (0..<(people.joined().map(\.count).max() ?? 0)).compactMap { second in
            let changes = people.compactMap { courses in
                mean(of: courses.compactMap { second < $0.count ? $0[second] : nil })
            }
            guard let middle = mean(of: changes) else { return nil }
            let count = changes.count
            var found = MeanOfSecond(second: second, participants: count, mean: middle)
            guard count > 1 else { return found }
            let quantile = quantiles[count] ?? StudentT(degrees: count - 1).quantile(0.975)
            quantiles[count] = quantile
            let half = quantile * standardDeviation(changes) / Double(count).squareRoot()
            found.interval = middle - half...middle + half
            return found
        }
    }

    private static func mean(of values: [Double]) -> Double? {
        values.isEmpty ? nil : values.mean
    }
}

extension [MeanOfSecond] {
    /// The seconds in which at least half of the group has a value.
    fileprivate var shown: [MeanOfSecond] {
        let most = map(\.participants).max() ?? 0
        return filter { Double($0.participants) >= MeanOfSecond.fewestShare * Double(most) }
    }
}

extension StudyResponse.Group {
    /// The seconds in which at least half of the group has a rate.
    package var shownCourse: [MeanOfSecond] { course.shown }
}

extension RatingCourse {
    /// The seconds in which at least half of the participants have a rating.
    package var shownCourse: [MeanOfSecond] { course.shown }
}
