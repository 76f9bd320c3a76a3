/// Intervals between beats, and which of them a heart can have made.
enum InterBeatIntervals {
    static let shortest = 0.33
    static let longest = 1.8
    /// The largest share by which an interval may differ from the median of the seven around it.
    static let tolerance = 0.2
    private static let reach = 3

    /// The intervals of a segment's beats without those too short, too long, or out of line.
    static func clean(_ beats: [Double]) -> [Pulse.Interval] {
        let plausible = zip(beats, beats.dropFirst())
            .map { Pulse.Interval(start: $0, length: $1 - $0) }
            .filter { shortest <= $0.length && $0.length <= longest }
        return plausible.indices.filter { index in
            let low = max(0, min(index - reach, plausible.count - 2 * reach - 1))
            let around = plausible[low..<min(low + 2 * reach + 1, plausible.count)].map(\.length).sorted()
            let median = (around[around.count / 2] + around[(around.count - 1) / 2]) / 2
            return abs(plausible[index].length - median) <= tolerance * median
        }.map { plausible[$0] }
    }
}
