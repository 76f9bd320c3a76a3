/// Where the finger was lifted and put back: the level moves far away from that of the finger, and soon comes back.
///
/// After limiting its steps and band-passing its noise, the time between looks like a pulse, but there was none.
enum FingerLifts {
    /// How many heights of the pulse the level must move to count as away.
    private static let leaving = 8.0
    /// How near the level must come again to count as back, in heights of the pulse.
    private static let near = 4.0
    /// A longer absence counts as another picture, such as one with another exposure. Seconds.
    private static let longest = 15.0
    /// The level before is that of this many seconds.
    private static let memory = 2.0
    /// How long the level must stay back, seconds.
    private static let proof = 0.5

    /// - Parameters:
    ///   - signal: as measured, at an even rate.
    ///   - rate: samples per second.
    /// - Returns: `nil` for a signal without a pulse.
    static func find(in signal: [Double], rate: Double) -> [Range<Int>]? {
        let second = max(2, Int(rate))
        let heights = stride(from: 0, to: signal.count - second, by: second).map { start in
            let part = signal[start..<start + second]
            return (part.max() ?? 0) - (part.min() ?? 0)
        }
        let height = quantile(0.5, of: heights)
        guard height > 0 else { return nil }
        var lifts: [Range<Int>] = []
        var index = second
        while index < signal.count {
            // This usual test is cheap, because most samples lie near the one before.
            guard abs(signal[index] - signal[index - 1]) > height else {
                index += 1
                continue
            }
            let before = quantile(0.5, of: Array(signal[max(0, index - Int(memory * rate))..<index]))
            guard let end = end(of: signal, from: index, level: before, height: height, rate: rate) else {
                index += 1
                continue
            }
            lifts.append(index..<end)
            index = end
        }
        return lifts
    }

    /// Where a level is back for good; `nil` if it did not leave, or does not return.
    private static func end(
        of signal: [Double], from start: Int, level: Double, height: Double, rate: Double
    ) -> Int? {
        let last = min(signal.count, start + Int(longest * rate))
        let stay = Int(proof * rate)
        var hasLeft = false
        var back = 0
        for index in start..<last {
            let distance = abs(signal[index] - level)
            if distance > leaving * height { hasLeft = true }
            if !hasLeft, index - start > stay { return nil }
            back = distance <= near * height ? back + 1 : 0
            if hasLeft, back > stay { return index - stay }
        }
        return nil
    }
}
