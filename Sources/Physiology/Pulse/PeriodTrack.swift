import Glibc

/// The duration of a heart beat, second by second, by autocorrelation with continuity.
///
/// Each window of 8 s scores 48 periods; the true one repeats after T and 2 T, but neither after T/2 (a diastolic
/// wave) nor T/3 (a fraction of the rate); for rates that no heart has, it must repeat neither after T/5 nor T/7.
/// The best path through all windows pays 6 for each unit of change in the period's logarithm.
struct PeriodTrack {
    /// Seconds from the signal's start to the middle of the first window.
    private let centre: Double
    /// Seconds per beat, one for each window.
    private(set) var periods: [Double] = []

    /// What is known about each period after the first window, for a track that continues from there.
    private(set) var memory: Memory?

    /// The score of the best path to each period.
    struct Memory: Sendable {
        fileprivate let values: [Float]
    }

    static let window = 8.0
    private static let hop = 1.0
    private static let count = 48
    /// Shorter periods are tracked than are reported, so that faster rates are recognised as such.
    static let shortest = 0.25
    private static let longest = 1.8
    private static let changeCost = 6.0
    static let ladder = (0..<count).map {
        shortest * exp(Double($0) / Double(count - 1) * log(longest / shortest))
    }
    typealias Lanes = SIMD8<Float>

    /// - Parameters:
    ///   - signal: band-passed and of even amplitude, at least a second of it.
    ///   - rate: samples per second.
    ///   - memory: what was known about each period before; `nil` at the beginning.
    init(of signal: [Double], rate: Double, memory: Memory? = nil) {
        let step = max(1, Int(rate / 25))
        let slow = stride(from: 0, to: signal.count, by: step).map { Float(signal[$0]) }
        let slowRate = rate / Double(step)
        let length = min(slow.count, Int(Self.window * slowRate))
        let count = 1 + Int(Double(slow.count - length) / (Self.hop * slowRate))
        let starts = (0..<count).map { Int(Double($0) * Self.hop * slowRate) }
        centre = Double(length) / 2 / slowRate
        let lags = Lags(rate: slowRate, length: length)
        var scores: [[Float]] = []
        scores.reserveCapacity(count)
        for first in stride(from: 0, to: count, by: Lanes.scalarCount) {
            let group = Array(starts[first..<min(first + Lanes.scalarCount, count)])
            let windows = Self.windows(of: slow, at: group, length: length)
            let lanes = lags.scores(Self.autocorrelation(of: windows, lags: lags.last))
            for lane in group.indices { scores.append(lanes.map { $0[lane] }) }
        }
        findPath(scores, from: memory)
    }

    /// Windows without their means, one in each lane of a vector.
    private static func windows(of signal: [Float], at starts: [Int], length: Int) -> [Lanes] {
        var windows = [Lanes](repeating: .zero, count: length)
        for (lane, start) in starts.enumerated() {
            var sum: Float = 0
            for index in 0..<length { sum += signal[start + index] }
            let mean = sum / Float(length)
            for index in 0..<length { windows[index][lane] = signal[start + index] - mean }
        }
        return windows
    }

    /// Autocorrelation from lag 0 up to `lags`, 1 at lag 0, corrected for the shorter overlap.
    private static func autocorrelation(of windows: [Lanes], lags: Int) -> [Lanes] {
        let length = windows.count
        var result = [Lanes](repeating: .zero, count: lags + 1)
        for lag in stride(from: 0, through: lags, by: 4) {
            var sums: (Lanes, Lanes, Lanes, Lanes) = (.zero, .zero, .zero, .zero)
            let common = max(0, length - lag - 3)
            for index in 0..<common {
                let value = windows[index]
                sums.0 += value * windows[index + lag]
                sums.1 += value * windows[index + lag + 1]
                sums.2 += value * windows[index + lag + 2]
                sums.3 += value * windows[index + lag + 3]
            }
            for index in common..<max(common, length - lag) {
                sums.0 += windows[index] * windows[index + lag]
                if index + lag + 1 < length { sums.1 += windows[index] * windows[index + lag + 1] }
                if index + lag + 2 < length { sums.2 += windows[index] * windows[index + lag + 2] }
            }
            for (offset, sum) in [sums.0, sums.1, sums.2, sums.3].enumerated() where lag + offset <= lags {
                result[lag + offset] = sum
            }
        }
        let power = result[0] + 1e-9
        for lag in result.indices {
            let overlap = max(Float(length - lag), 0.3 * Float(length))
            result[lag] = result[lag] / power * (Float(length) / overlap)
        }
        return result
    }

    /// Finds the best path. The cost is linear in the steps of the ladder, so two sweeps find each best step.
    private mutating func findPath(_ scores: [[Float]], from memory: Memory?) {
        let cost = Float(Self.changeCost * log(Self.longest / Self.shortest) / Double(Self.count - 1))
        var values = memory?.values ?? [Float](repeating: 0, count: Self.count)
        var origins: [[Int]] = []
        origins.reserveCapacity(scores.count)
        for (index, row) in scores.enumerated() {
            var from = Array(0..<Self.count)
            for k in 1..<Self.count where values[k - 1] - cost > values[k] {
                values[k] = values[k - 1] - cost
                from[k] = from[k - 1]
            }
            for k in (0..<Self.count - 1).reversed() where values[k + 1] - cost > values[k] {
                values[k] = values[k + 1] - cost
                from[k] = from[k + 1]
            }
            let best = values.max() ?? 0
            for k in 0..<Self.count { values[k] += row[k] - best }
            if index == 0 { self.memory = Memory(values: values) } else { origins.append(from) }
        }
        var best = 0
        for k in 1..<Self.count where values[k] > values[best] { best = k }
        var path = [best]
        for from in origins.reversed() {
            best = from[best]
            path.append(best)
        }
        path.reverse()
        periods = path.map { Self.ladder[$0] }
    }

    /// The period at a time in seconds from the segment's start, interpolated linearly between the windows'
    /// middles.
    func period(at time: Double) -> Double {
        let position = max(0, (time - centre) / Self.hop)
        let index = Int(min(position, Double(periods.count - 1)))
        guard index + 1 < periods.count else { return periods[periods.count - 1] }
        return periods[index] + (periods[index + 1] - periods[index]) * (position - Double(index))
    }
}

/// The places of the ladder's periods, and of their doubles, halves, thirds, fifths and sevenths, in an
/// autocorrelation.
private struct Lags {
    typealias Place = (index: Int, weight: Float)
    let last: Int
    private let whole: [Place]
    private let double: [Place?]
    private let half: [Place]
    private let third: [Place]
    /// `nil` if it is shorter than any heart's period.
    private let fifth: [Place?]
    private let seventh: [Place?]

    init(rate: Double, length: Int) {
        let limit = length - 1
        let places = { (factor: Double) -> [Place] in
            PeriodTrack.ladder.map { period in
                let lag = min(period * factor * rate, Double(limit))
                let index = min(Int(lag), limit - 1)
                return (index, Float(lag - Double(index)))
            }
        }
        whole = places(1)
        half = places(0.5)
        third = places(1.0 / 3)
        let ofHearts = { (factor: Double) -> [Place?] in
            zip(places(factor), PeriodTrack.ladder).map { $1 * factor >= PeriodTrack.shortest ? $0 : nil }
        }
        (fifth, seventh) = (ofHearts(1.0 / 5), ofHearts(1.0 / 7))
        double = zip(places(2), PeriodTrack.ladder).map { 2 * $1 * rate < Double(limit) ? $0 : nil }
        last = double.reduce(whole.map(\.index).max() ?? 0) { max($0, $1?.index ?? 0) } + 1
    }

    /// Every period's score from an autocorrelation, lane by lane.
    func scores(_ r: [PeriodTrack.Lanes]) -> [PeriodTrack.Lanes] {
        let at = { (place: Place) in r[place.index] + (r[place.index + 1] - r[place.index]) * place.weight }
        return whole.indices.map { k in
            let odd = pointwiseMax(fifth[k].map(at) ?? .zero, seventh[k].map(at) ?? .zero)
            let shorter = pointwiseMax(pointwiseMax(at(half[k]), at(third[k])), odd)
            let repeated = double[k].map(at) ?? .zero
            return at(whole[k]) + 0.5 * repeated - 0.9 * shorter
        }
    }
}
