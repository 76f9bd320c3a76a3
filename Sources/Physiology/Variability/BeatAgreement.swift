/// How far two devices or detectors agree about the beats of one heart.
///
/// The clock of the second is brought to that of the first: its offset by the likeness of the two rhythms, its drift by the
/// beats that match. A beat matches the nearest one of the other within 150 ms (ANSI/AAMI EC57), each at most once.
package struct BeatAgreement: Sendable {
    /// A beat with the interval that it ends.
    package struct Beat: Hashable, Sendable {
        /// Seconds on the clock of its recording.
        package var time: Double
        /// Milliseconds since the beat before it; `nil` for the first one after a gap.
        package var interval: Double?

        package init(time: Double, interval: Double?) { (self.time, self.interval) = (time, interval) }
    }

    /// Two intervals between the same two beats, ms.
    package struct Pair: Hashable, Sendable {
        package var first: Double
        package var second: Double
    }

    /// A beat that both have, by its places.
    struct Match: Hashable {
        var first: Int
        var second: Int
    }

    /// How the second clock stands to the first.
    package let clock: ClockLine
    /// The farthest that 31 beats in a row stay from that line, seconds: a clock that was set, or beats that are others.
    package let largestBreak: Double
    /// How many beats each has within the time that both have recorded.
    package let beats: (first: Int, second: Int)
    /// The time that both have recorded, seconds.
    package let seconds: Double
    /// How much later the second has each matched beat than the first, its clock corrected, seconds.
    package let delays: [Double]
    /// The intervals that both have, split where one does not follow the other.
    private let stretches: [[Pair]]
    /// The intervals that both have.
    package let pairs: [Pair]

    /// The share of the first's beats that the second has, 0...1.
    package var sensitivity: Double { Double(delays.count) / Double(max(beats.first, 1)) }
    /// The share of the second's beats that the first has, 0...1.
    package var precision: Double { Double(delays.count) / Double(max(beats.second, 1)) }
    /// The harmonic mean of both.
    package var f1: Double {
        let sum = sensitivity + precision
        return sum > 0 ? 2 * sensitivity * precision / sum : 0
    }

    /// Within which time beats match, seconds.
    package static let tolerance = 0.15
    /// What two recordings of one heart have at least: matched beats, and F1; and at most: the usual delay, seconds. Beats
    /// of two hearts that lie within 150 ms by chance are 75 ms apart.
    private static let bounds = (matches: 20, f1: 0.5, delay: 0.06)

    /// - Parameters:
    ///   - first: the beats of the first, in order of time.
    ///   - second: those of the second.
    /// - Returns: `nil` if nothing says that they are of the same heart at the same time.
    package init?(_ first: [Beat], _ second: [Beat]) {
        let (own, others) = (first.map(\.time), second.map(\.time))
        let fits = likelyLags(of: second, against: first).map { lag in Self.fit(own, others, from: lag) }
        guard let (line, matches) = fits.max(by: { $0.matches.count < $1.matches.count }),
            matches.count >= Self.bounds.matches
        else { return nil }
        let corrected = others.map(line.corrected)
        let low = max(own[0], corrected[0]) - Self.tolerance
        let high = min(own[own.count - 1], corrected[corrected.count - 1]) + Self.tolerance
        beats = (own.count { low <= $0 && $0 <= high }, corrected.count { low <= $0 && $0 <= high })
        seconds = high - low - 2 * Self.tolerance
        delays = matches.map { corrected[$0.second] - own[$0.first] }
        clock = line
        largestBreak = Self.largestBreak(delays)
        stretches = Self.stretches(matches, first, second)
        pairs = Array(stretches.joined())
        guard f1 >= Self.bounds.f1, median(delays.map(abs)) ?? 0 <= Self.bounds.delay else { return nil }
    }

    /// The mean and the standard deviation of the intervals' differences, the second minus the first, ms; `nil` below two
    /// pairs.
    package var differences: (mean: Double, deviation: Double)? {
        guard pairs.count > 1 else { return nil }
        let all = pairs.map { $0.second - $0.first }
        return (all.reduce(0, +) / Double(all.count), standardDeviation(all))
    }

    /// The root mean square of successive differences of the intervals that both have, ms; `nil` below two differences.
    package var rmssd: (first: Double, second: Double)? {
        guard let own = HeartRateVariability(stretches.map { $0.map(\.first) }),
            let other = HeartRateVariability(stretches.map { $0.map(\.second) })
        else { return nil }
        return (own.rmssd, other.rmssd)
    }

    private static func stretches(_ matches: [Match], _ first: [Beat], _ second: [Beat]) -> [[Pair]] {
        var stretches: [[Pair]] = [[]]
        for (earlier, later) in zip(matches, matches.dropFirst()) {
            if earlier.first + 1 == later.first, earlier.second + 1 == later.second,
                let own = first[later.first].interval, let other = second[later.second].interval
            {
                stretches[stretches.count - 1].append(Pair(first: own, second: other))
            } else {
                stretches.append([])
            }
        }
        return stretches
    }

    /// The largest median of 31 delays in a row.
    private static func largestBreak(_ delays: [Double]) -> Double {
        stride(from: 0, to: max(delays.count - 30, 1), by: 5).map { start in
            abs(median(Array(delays[start..<min(start + 31, delays.count)])) ?? 0)
        }.max() ?? 0
    }
}

/// How the clock of a second recording stands to that of a first: what must be added to its times.
package struct ClockLine: Hashable, Sendable {
    /// Seconds to add at `reference`.
    package var offset: Double
    /// Seconds more to add for each second after it; a millionth is a part per million.
    package var slope = 0.0
    /// The standard error of `slope`; `nil` if it was not estimated.
    package var slopeError: Double?
    /// A time of the second clock.
    package var reference = 0.0

    func corrected(_ time: Double) -> Double { time + offset + slope * (time - reference) }
}

extension BeatAgreement {
    /// Follows the second clock from where the rhythms are most alike, and fits a line to what matches.
    fileprivate static func fit(
        _ first: [Double], _ second: [Double], from lag: Double
    ) -> (line: ClockLine, matches: [Match]) {
        var points = followed(first, second, from: lag)
        for _ in 0..<2 {
            guard points.count > 10 else { break }
            let line = Self.line(through: points)
            let matches = Self.matches(first, second.map(line.corrected), within: tolerance)
            points = matches.map { (second[$0.second], first[$0.first] - second[$0.second]) }
        }
        let line = points.count > 10 ? Self.line(through: points) : ClockLine(offset: lag)
        return (line, Self.matches(first, second.map(line.corrected), within: tolerance))
    }

    /// By how much the second is behind at each beat that matches. Five minutes after five minutes are followed from the
    /// middle outwards, so that clocks which drift apart by more than an interval are not lost.
    private static func followed(
        _ first: [Double], _ second: [Double], from lag: Double
    ) -> [(time: Double, offset: Double)] {
        let (middle, length) = (second[second.count / 2], 300.0)
        func part(_ number: Int) -> [Double] {
            let start = middle + Double(number) * length
            return second.filter { start <= $0 && $0 < start + length }
        }
        func offsets(of part: [Double], by offset: Double, within reach: Double) -> [(
            time: Double, offset: Double
        )] {
            matches(first, part.map { $0 + offset }, within: reach).map {
                (part[$0.second], first[$0.first] - part[$0.second])
            }
        }
        let ahead = part(0).isEmpty ? part(-1) : part(0)
        let tried = (-15...15).map { lag + Double($0) / 10 }
        let counts = tried.map { offsets(of: ahead, by: $0, within: 0.05).count }
        guard let best = counts.indices.max(by: { counts[$0] < counts[$1] }) else { return [] }
        var points: [(time: Double, offset: Double)] = []
        for direction in [1, -1] {
            var (number, offset) = (direction == 1 ? 0 : -1, tried[best])
            while direction == 1
                ? middle + Double(number) * length <= second[second.count - 1]
                : middle + Double(number + 1) * length > second[0]
            {
                let found = offsets(of: part(number), by: offset, within: 0.25)
                points += found
                if found.count > 10 { offset = median(found.map(\.offset)) ?? offset }
                number += direction
            }
        }
        return points
    }

    /// Each beat with the nearest of the other, at most once; the nearest pairs go first.
    private static func matches(_ first: [Double], _ second: [Double], within reach: Double) -> [Match] {
        var candidates: [(distance: Double, match: Match)] = []
        var start = 0
        for (place, time) in first.enumerated() {
            while start < second.count, second[start] < time - reach { start += 1 }
            var other = start
            while other < second.count, second[other] <= time + reach {
                candidates.append((abs(second[other] - time), Match(first: place, second: other)))
                other += 1
            }
        }
        var (own, others): (Set<Int>, Set<Int>) = ([], [])
        var kept: [Match] = []
        for (_, match) in candidates.sorted(by: { $0.distance < $1.distance })
        where !own.contains(match.first) && !others.contains(match.second) {
            own.insert(match.first)
            others.insert(match.second)
            kept.append(match)
        }
        return kept.sorted { $0.first < $1.first }
    }

    /// A line by least squares, without the points that are farther from a first one than three times the usual distance.
    private static func line(through points: [(time: Double, offset: Double)]) -> ClockLine {
        let first = leastSquares(points)
        let distances = points.map {
            abs($0.offset - first.offset - first.slope * ($0.time - first.reference))
        }
        let limit = max(3 * 1.4826 * (median(distances) ?? 0), 0.001)
        return leastSquares(zip(points, distances).filter { $0.1 <= limit }.map(\.0))
    }

    private static func leastSquares(_ points: [(time: Double, offset: Double)]) -> ClockLine {
        let count = Double(points.count)
        let (time, offset) = (
            points.reduce(0) { $0 + $1.time } / count, points.reduce(0) { $0 + $1.offset } / count
        )
        let spread = points.reduce(0) { $0 + ($1.time - time) * ($1.time - time) }
        guard spread > 0, points.count > 2 else { return ClockLine(offset: offset, reference: time) }
        let slope = points.reduce(0) { $0 + ($1.time - time) * ($1.offset - offset) } / spread
        let rest = points.reduce(0) { sum, point in
            let distance = point.offset - offset - slope * (point.time - time)
            return sum + distance * distance
        }
        let error = (rest / (count - 2) / spread).squareRoot()
        return ClockLine(offset: offset, slope: slope, slopeError: error, reference: time)
    }
}

/// By how many seconds the second clock may be behind the first: where the two rhythms are most alike, the likeliest first.
///
/// - Returns: at most five; empty if the recordings share no 20 seconds within ten minutes of each other.
private func likelyLags(of second: [BeatAgreement.Beat], against first: [BeatAgreement.Beat]) -> [Double] {
    guard let begin = first.first?.time, let other = second.first?.time else { return [] }
    let rate = 4.0
    let (own, others) = (Rhythm(first, from: begin, rate), Rhythm(second, from: other, rate))
    let (reach, least) = (Int(600 * rate), Int(20 * rate))
    var found: [(likeness: Double, lag: Int)] = []
    // Recordings without dates are first laid with their beginnings on each other.
    let isNear = abs(begin - other) < 86_400
    let shift = isNear ? Int(((other - begin) * rate).rounded()) : 0
    for lag in -reach...reach {
        guard let likeness = own.likeness(to: others, laterBy: shift + lag, least: least) else { continue }
        found.append((likeness, lag))
    }
    var lags: [Double] = []
    for (_, lag) in found.sorted(by: { $0.likeness > $1.likeness }) {
        let seconds = Double(lag) / rate + (isNear ? 0 : begin - other)
        // Neighbours of a place are the same place.
        if lags.allSatisfy({ abs($0 - seconds) > 1 }) { lags.append(seconds) }
        if lags.count == 5 { break }
    }
    return lags
}

/// Intervals over time, sampled evenly.
private struct Rhythm {
    /// Milliseconds; `nan` where beats are missing.
    private var values: [Double]

    init(_ beats: [BeatAgreement.Beat], from begin: Double, _ rate: Double) {
        values = []
        for beat in beats {
            let end = Int(((beat.time - begin) * rate).rounded(.down))
            guard end >= values.count, end < 4_000_000 else { continue }
            guard let interval = beat.interval else {
                values += [Double](repeating: .nan, count: end + 1 - values.count)
                continue
            }
            let start = Int(((beat.time - interval / 1000 - begin) * rate).rounded(.down)) + 1
            if start > values.count { values += [Double](repeating: .nan, count: start - values.count) }
            values += [Double](repeating: interval, count: end + 1 - values.count)
        }
    }

    /// Pearson's r with another rhythm that began so many samples later; `nil` if they share too few.
    func likeness(to other: Rhythm, laterBy lag: Int, least: Int) -> Double? {
        let (from, to) = (max(0, lag), min(values.count, other.values.count + lag))
        guard to - from >= least else { return nil }
        var (count, sumX, sumY, sumXX, sumYY, sumXY) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        // A long recording needs no more than ten thousand places to be told from another.
        for index in stride(from: from, to: to, by: max(1, (to - from) / 10_000)) {
            let (x, y) = (values[index], other.values[index - lag])
            guard !x.isNaN, !y.isNaN else { continue }
            count += 1
            sumX += x
            sumY += y
            sumXX += x * x
            sumYY += y * y
            sumXY += x * y
        }
        guard Int(count) >= min(least, (to - from) / max(1, (to - from) / 10_000)) / 2 else { return nil }
        let (varianceX, varianceY) = (sumXX - sumX * sumX / count, sumYY - sumY * sumY / count)
        guard varianceX > 0, varianceY > 0 else { return 0 }
        return (sumXY - sumX * sumY / count) / (varianceX * varianceY).squareRoot()
    }
}
