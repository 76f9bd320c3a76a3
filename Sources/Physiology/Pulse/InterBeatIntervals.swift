/// Intervals between beats, and which of them a heart can have produced.
enum InterBeatIntervals {
    /// The shortest interval: with breathing, a rate of 220 per minute reaches this value. Seconds.
    static let shortest = 0.25
    static let longest = 1.8
    /// The largest share by which an interval may differ from the median of the seven around it.
    static let tolerance = 0.2
    private static let reach = 3

    /// Two intervals around a misplaced beat differ from twice the usual interval by at most this share.
    private static let pairTolerance = 0.1

    /// How many intervals there are between some beats, and their total length.
    ///
    /// A beat that was detected too early or too late makes one interval too short and its neighbour too long.
    /// Together they are right, and count as two.
    ///
    /// - Parameters:
    ///   - beats: of one segment, ascending.
    ///   - clean: the intervals between them without outliers.
    static func total(
        of beats: ArraySlice<Double>, clean: ArraySlice<Pulse.Interval>
    ) -> (count: Int, seconds: Double) {
        let lengths = zip(beats.dropFirst(), beats).map { $0 - $1 }
        let starts = Set(clean.map(\.start))
        var isCounted = beats.dropLast().map { starts.contains($0) }
        let usual = quantile(0.5, of: clean.map(\.length))
        var isPaired = [Bool](repeating: false, count: lengths.count)
        for index in lengths.indices where !isCounted[index] && usual > 0 {
            let error = { (other: Int) in abs(lengths[index] + lengths[other] - 2 * usual) }
            let neighbours = [index - 1, index + 1].filter { lengths.indices.contains($0) && !isPaired[$0] }
            guard let other = neighbours.min(by: { error($0) < error($1) }),
                error(other) <= pairTolerance * 2 * usual
            else { continue }
            for place in [index, other] { (isCounted[place], isPaired[place]) = (true, true) }
        }
        return lengths.indices.reduce((0, 0)) { sum, index in
            isCounted[index] ? (sum.0 + 1, sum.1 + lengths[index]) : sum
        }
    }

    /// The intervals of a segment's beats without those that are too short, too long, or outliers.
    static func clean(_ beats: [Double]) -> [Pulse.Interval] {
        let plausible = zip(beats, beats.dropFirst())
            .map { Pulse.Interval(start: $0, length: $1 - $0) }
            .filter { shortest <= $0.length && $0.length <= longest }
        return plausible.indices.filter { index in
            let low = max(0, min(index - reach, plausible.count - 2 * reach - 1))
            let around = plausible[low..<min(low + 2 * reach + 1, plausible.count)]
            let usual = median(around.map(\.length)) ?? 0
            return abs(plausible[index].length - usual) <= tolerance * usual
        }.map { plausible[$0] }
    }
}
