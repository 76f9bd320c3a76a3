/// Systolic peaks by two moving averages of the squared signal.
///
/// Band-pass 0.5 to 8 Hz, negative part cut off, squared; blocks where the average over 111 ms exceeds the
/// one over 667 ms by 0.02 of the mean, at least 111 ms long, 300 ms apart; the highest sample of each.
/// Source: Elgendi et al. 2013, PLoS ONE 8(10): e76585, with the constants named there.
enum ElgendiBeats {
    /// - Returns: samples from the signal's start, ascending, with a fraction.
    static func find(in signal: [Double], rate: Double) -> [Double] {
        let filtered = BandPass(from: 0.5, to: 8, rate: rate).apply(to: signal)
        let squared = filtered.map { max(0, $0) * max(0, $0) }
        let peak = movingAverage(of: squared, width: Int((0.111 * rate).rounded()))
        let beat = movingAverage(of: squared, width: Int((0.667 * rate).rounded()))
        let offset = 0.02 * squared.reduce(0, +) / Double(max(1, squared.count))
        let least = Int((0.111 * rate).rounded())
        var beats: [Int] = []
        var first = 0
        for index in 0...filtered.count {
            if index < filtered.count && peak[index] > beat[index] + offset { continue }
            if index - first >= max(1, least) {
                let top = (first..<index).reduce(first) { filtered[$1] > filtered[$0] ? $1 : $0 }
                if beats.last.map({ Double(top - $0) > 0.3 * rate }) ?? true { beats.append(top) }
            }
            first = index + 1
        }
        return beats.map { UpslopeBeats.vertex(of: filtered, at: $0).at }
    }

    private static func movingAverage(of values: [Double], width: Int) -> [Double] {
        let before = max(1, width) / 2
        let after = max(1, width) - before
        var average = [Double](repeating: 0, count: values.count)
        var (low, high, sum) = (0, 0, 0.0)
        for index in values.indices {
            while high < min(values.count, index + after) {
                sum += values[high]
                high += 1
            }
            while low < index - before {
                sum -= values[low]
                low += 1
            }
            average[index] = sum / Double(high - low)
        }
        return average
    }
}
