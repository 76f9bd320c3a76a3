/// Where the finger was lifted and laid back: the level leaves that of the finger by far, and comes back soon.
///
/// What lies between looks like a pulse once its cliffs are held down and its noise is band-passed, but there was none.
enum FingerLifts {
    /// The level leaves by so many times the height of the pulse.
    private static let leaving = 8.0
    /// It came back where it is so near again, in heights of the pulse.
    private static let near = 4.0
    /// Longer absences are another picture, such as one of another exposure. Seconds.
    private static let longest = 15.0
    /// The level before is that of so many seconds.
    private static let memory = 2.0
    /// It must stay back for so long, seconds.
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
            // The usual test is cheap: most samples lie near the one before.
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

    /// Where a level is back for good; `nil` if it did not leave, or stays away.
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
