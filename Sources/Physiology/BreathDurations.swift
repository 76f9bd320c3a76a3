/// The durations of the breaths in the movement of a belt, each from one deepest moment to the next.
///
/// The movement is smoothed over 0.7 s, and its slow drift over 8 s is removed. Between two breaths the belt falls and rises by
/// at least a fifth of what it usually does within 10 s to each side; smaller movements are not breaths. Removing the
/// smallest movements follows Khodadad et al. 2018, Physiol Meas 39: 094001.
struct BreathDurations {
    /// Seconds, in order.
    private(set) var all: [Double] = []

    /// Samples per second of the grid.
    private static let rate = 10.0
    private static let smoothing = 7
    private static let drift = 80
    private static let leastShare = 0.2
    private static let neighbourhood = 10.0
    /// Across a longer gap there is no breath, seconds.
    private static let longestGap = 3.0

    /// - Parameter belt: in order of time.
    init(of belt: Breathing.Series) {
        var stretch: [(place: Int, value: Double)] = []
        var sum = (place: Int.min, value: 0.0, count: 0.0)
        for sample in belt where sample.value.isFinite && abs(sample.time) < 1e9 {
            let place = Int((sample.time * Self.rate).rounded(.down))
            guard place != sum.place else {
                sum.value += sample.value
                sum.count += 1
                continue
            }
            if sum.count > 0 { stretch.append((sum.place, sum.value / sum.count)) }
            if let last = stretch.last, Double(place - last.place) > Self.longestGap * Self.rate {
                add(stretch)
                stretch = []
            }
            sum = (place, sample.value, 1)
        }
        if sum.count > 0 { stretch.append((sum.place, sum.value / sum.count)) }
        add(stretch)
    }

    /// Breaths per minute; `nil` if there are too few.
    var ratePerMinute: Double? {
        let total = all.reduce(0, +)
        return all.count >= 3 && total > 0 ? 60 * Double(all.count) / total : nil
    }

    /// The standard deviation of the durations relative to their mean.
    var variation: Double {
        let mean = all.reduce(0, +) / Double(max(all.count, 1))
        let spread = all.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(all.count, 1))
        return mean > 0 ? spread.squareRoot() / mean : 1
    }

    private mutating func add(_ stretch: [(place: Int, value: Double)]) {
        guard let first = stretch.first, let last = stretch.last, last.place - first.place > 2 * Self.drift
        else { return }
        var signal: [Double] = []
        signal.reserveCapacity(last.place - first.place + 1)
        for (left, right) in zip(stretch, stretch.dropFirst()) {
            let length = Double(right.place - left.place)
            for step in 0..<(right.place - left.place) {
                signal.append(left.value + (right.value - left.value) * Double(step) / length)
            }
        }
        signal.append(last.value)
        signal = Self.mean(of: Self.mean(of: signal, over: Self.smoothing), over: Self.smoothing)
        let slow = Self.mean(of: Self.mean(of: signal, over: Self.drift), over: Self.drift)
        for index in signal.indices { signal[index] -= slow[index] }
        let tops = Self.turns(of: signal).filter(\.isTop)
        all += zip(tops.dropFirst(), tops).map { Double($0.place - $1.place) / Self.rate }
    }

    /// The mean of the samples around each one; of fewer at the ends.
    private static func mean(of signal: [Double], over count: Int) -> [Double] {
        var sums = [0.0]
        sums.reserveCapacity(signal.count + 1)
        for value in signal { sums.append(sums[sums.count - 1] + value) }
        return signal.indices.map { index in
            let (low, high) = (max(0, index - count / 2), min(signal.count, index + count / 2 + 1))
            return (sums[high] - sums[low]) / Double(high - low)
        }
    }

    /// Where the signal turns.
    private struct Turn {
        var place: Int
        var value: Double
        var isTop: Bool
    }

    /// Tops and bottoms by turns, without those of small movements.
    private static func turns(of signal: [Double]) -> [Turn] {
        var turns: [Turn] = []
        for index in signal.indices.dropFirst().dropLast() {
            let isTop = signal[index] > signal[index - 1] && signal[index] >= signal[index + 1]
            guard isTop || signal[index] < signal[index - 1] && signal[index] <= signal[index + 1] else {
                continue
            }
            let turn = Turn(place: index, value: signal[index], isTop: isTop)
            guard let last = turns.last, last.isTop == isTop else {
                turns.append(turn)
                continue
            }
            if isTop ? turn.value > last.value : turn.value < last.value { turns[turns.count - 1] = turn }
        }
        while turns.count > 3, removeSmall(from: &turns) {}
        return turns
    }

    /// Removes movements that are too small, the smallest first, no two of them side by side.
    ///
    /// - Returns: whether there were any.
    private static func removeSmall(from turns: inout [Turn]) -> Bool {
        let heights = zip(turns.dropFirst(), turns).map { abs($0.value - $1.value) }
        let reach = Int(neighbourhood * rate)
        var (low, high) = (0, 0)
        let shares = heights.indices.map { index -> Double in
            while turns[low].place < turns[index].place - reach { low += 1 }
            while high < heights.count, turns[high].place <= turns[index].place + reach { high += 1 }
            let usual = quantile(0.75, of: Array(heights[low..<high]))
            return usual > 0 ? heights[index] / usual : 0
        }
        var isRemoved = [Bool](repeating: false, count: turns.count)
        var isTouched = [Bool](repeating: false, count: turns.count)
        for index in shares.indices.sorted(by: { shares[$0] < shares[$1] }) where shares[index] < leastShare {
            let around = max(0, index - 1)...min(turns.count - 1, index + 2)
            guard !isTouched[around].contains(true) else { continue }
            for place in around { isTouched[place] = true }
            // The movement's two turns go; at an end only the outer one.
            if index > 0 { isRemoved[index + 1] = true }
            if index + 1 < shares.count { isRemoved[index] = true }
        }
        guard isRemoved.contains(true) else { return false }
        turns = turns.indices.filter { !isRemoved[$0] }.map { turns[$0] }
        return true
    }
}
