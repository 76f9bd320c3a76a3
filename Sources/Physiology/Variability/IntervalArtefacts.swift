import StudyModel

/// Beats that were missed, invented or misplaced, found in a series of intervals.
///
/// The method of Lipponen and Tarvainen (J Med Eng Technol 2019, doi 10.1080/03091902.2019.1640306), with their
/// constants: intervals are judged by their differences from the one before and by their deviation from a running
/// median of 11, each relative to 5.2 times the quartile deviation of the 91 around.
struct IntervalArtefacts {
    typealias Kind = IntervalCorrection.Artefact.Kind

    private static let alpha = 5.2
    private static let slope = 0.13
    private static let offset = 0.17
    private static let windowReach = 45
    private static let medianReach = 5
    /// A change has effects as far away as the median and the differences reach.
    private static let nearness = medianReach + 3
    /// Deviations below the resolution of the finest usual clock do not count, ms.
    private static let smallestThreshold = 1.0

    /// What is wrong with each interval; `nil` if it is normal.
    private(set) var kinds: [Kind?]
    /// The running median of 11 around each interval, ms.
    let medians: [Double]
    /// How many intervals are artefacts.
    private(set) var count = 0

    /// - Parameter intervals: at least 3, finite, ms.
    init(in intervals: [Double]) {
        let mean = intervals.mean
        // One interval is added at the front, because the method counts beats.
        var series = Series(intervals: [mean] + intervals)
        series.classify()
        kinds = Array(series.kinds.dropFirst())
        medians = Array(series.medians.dropFirst())
        count = kinds.count { $0 != nil }
    }

    /// Examines only the places near changed intervals, because farther away the medians are the same and the
    /// quartiles nearly so.
    ///
    /// - Parameters:
    ///   - intervals: at least 3, finite, ms.
    ///   - changed: places of the changed intervals, ascending.
    init(in intervals: [Double], near changed: [Int]) {
        kinds = Array(repeating: nil, count: intervals.count)
        var medians = Array(repeating: 0.0, count: intervals.count)
        var stretches: [Range<Int>] = []
        for place in changed {
            let near = max(0, place - Self.nearness)..<min(intervals.count, place + Self.nearness + 1)
            if let last = stretches.last, near.lowerBound <= last.upperBound + 2 * Self.windowReach {
                stretches[stretches.count - 1] = last.lowerBound..<near.upperBound
            } else {
                stretches.append(near)
            }
        }
        for stretch in stretches {
            let context =
                max(
                    0, stretch.lowerBound - Self.windowReach)..<min(
                    intervals.count, stretch.upperBound + Self.windowReach)
            let part = IntervalArtefacts(in: Array(intervals[context]))
            for place in stretch {
                kinds[place] = part.kinds[place - context.lowerBound]
                medians[place] = part.medians[place - context.lowerBound]
            }
        }
        self.medians = medians
        count = kinds.count { $0 != nil }
    }

    /// One value for each beat: that of the interval that ends with the beat.
    private struct Series {
        var intervals: [Double]
        /// Differences from the interval before, relative to their threshold.
        var differences: [Double]
        var medians: [Double]
        /// Deviations from the median relative to their threshold; downward deviations are doubled.
        var deviations: [Double]
        /// Thresholds of the deviations, ms.
        var deviationThresholds: [Double]
        var kinds: [Kind?]

        init(intervals: [Double]) {
            self.intervals = intervals
            let count = intervals.count
            kinds = Array(repeating: nil, count: count)
            differences = Array(repeating: 0, count: count)
            for index in 1..<count { differences[index] = intervals[index] - intervals[index - 1] }
            differences[0] = (intervals[count - 1] - intervals[0]) / Double(count - 1)
            var medians = intervals
            SlidingWindow.quantiles([0.5], within: medianReach, of: intervals) { medians[$0] = $1[0] }
            self.medians = medians
            deviations = zip(intervals, medians).map { $0 < $1 ? 2 * ($0 - $1) : $0 - $1 }
            deviationThresholds = Self.thresholds(of: deviations)
            let differenceThresholds = Self.thresholds(of: differences)
            for index in 0..<count {
                differences[index] /= differenceThresholds[index]
                deviations[index] /= deviationThresholds[index]
            }
        }

        private static func thresholds(of series: [Double]) -> [Double] {
            var thresholds = series.map(abs)
            SlidingWindow.quantiles([0.25, 0.75], within: windowReach, of: thresholds.map { $0 }) {
                thresholds[$0] = max(smallestThreshold, alpha * ($1[1] - $1[0]) / 2)
            }
            return thresholds
        }

        /// The difference at a place, mirrored beyond the ends.
        private func difference(_ index: Int) -> Double {
            let last = differences.count - 1
            let inner = index > last ? 2 * last - index : abs(index)
            return differences[inner]
        }

        /// Follows the decisions of figure 1 of the paper.
        mutating func classify() {
            var index = 0
            while index < intervals.count {
                guard abs(differences[index]) > 1 else {
                    index += 1
                    continue
                }
                if isEctopic(index) {
                    kinds[index] = .ectopic
                    index += 1
                    continue
                }
                let isNextToJudge =
                    index + 1 < intervals.count
                    && abs(difference(index + 1)) < abs(difference(index + 2))
                for candidate in index...(isNextToJudge ? index + 1 : index) {
                    kinds[candidate] = longOrShort(candidate)
                    index += 1
                }
            }
        }

        private func isEctopic(_ index: Int) -> Bool {
            let here = differences[index]
            let (before, after) = (difference(index - 1), difference(index + 1))
            return here > 0
                ? max(before, after) < -slope * here - offset : min(before, after) > -slope * here + offset
        }

        private func longOrShort(_ index: Int) -> Kind? {
            let here = differences[index]
            let (next, second) = (difference(index + 1), difference(index + 2))
            let isLong = here > 1 && min(next, second) < -1
            let isShort = here < -1 && max(next, second) > 1
            guard isLong || isShort || abs(deviations[index]) > 3 else { return nil }
            if isShort, index + 1 < intervals.count {
                let joined = intervals[index] + intervals[index + 1]
                if abs(joined - medians[index]) < deviationThresholds[index] { return .extra }
            }
            if isLong, abs(intervals[index] / 2 - medians[index]) < deviationThresholds[index] {
                return .missed
            }
            return .longShort
        }
    }
}
