/// Whether the beats of a lead point upwards or downwards, and where exactly their peaks are.
///
/// Leads may be inverted, and in some the S wave is as large as the R wave. The peak is sought in the direction in
/// which the beats so far were higher, so that intervals do not jump between two waves of the same beat.
struct QRSPolarity {
    private var up = 0.0
    private var down = 0.0
    private static let memory = 8.0
    /// A beat that points the other way reaches at least this many times as far there.
    private static let contrary = 2.5
    /// A peak at the end of the reach counts this share less than one in the middle, where the slopes are.
    private static let centring = 0.3

    /// The peak of a beat, with a fraction: the vertex of the parabola through the extreme sample and its neighbours.
    ///
    /// - Parameters:
    ///   - middle: an index within the beat.
    ///   - reach: how far from there the peak may be, in samples.
    mutating func peak(in signal: RecentValues, near middle: Int, reach: Int) -> Double {
        let range = signal.indices.clamped(to: middle - reach..<middle + reach + 1)
        guard let first = range.first else { return Double(middle) }
        let around = signal.indices.clamped(to: middle - 2 * reach..<middle + 2 * reach + 1)
        let level = median(around.map { signal[$0] }) ?? 0
        var (highest, lowest) = ((at: first, height: 0.0), (at: first, height: 0.0))
        for index in range {
            let distance = Double(index - middle) / Double(reach)
            let height = (signal[index] - level) * (1 - Self.centring * distance * distance)
            if height > highest.height { highest = (index, height) }
            if -height > lowest.height { lowest = (index, -height) }
        }
        let (above, below) = (highest.height, lowest.height)
        up += (above - up) / Self.memory
        down += (below - down) / Self.memory
        let isUp = up >= down ? below <= Self.contrary * above : above > Self.contrary * below
        let heights = range.map { isUp ? signal[$0] : -signal[$0] }
        return Double(first)
            + UpslopeBeats.vertex(of: heights, at: (isUp ? highest.at : lowest.at) - first).at
    }
}
