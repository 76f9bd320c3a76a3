import Glibc

/// Beats at the steepest rise of each pulse wave, whose moment varies less than the peak's.
enum UpslopeBeats {
    /// Two beats are never closer than this share of the local period.
    static let refractory = 0.62
    /// The least height of a rise, as a share of the ninety-fifth percentile.
    static let leastHeight = 0.15
    /// How long after the signal's start a wave must rise, and how long before its end it must have turned down, in
    /// seconds. At a cut-off wave, the filter makes up the rest.
    static let proof = 0.1
    /// How far the overtones may move a beat, in seconds.
    static let sharpening = 0.1

    /// - Parameters:
    ///   - signal: band-passed, of even amplitude.
    ///   - sharp: the same with more overtones, which gives the exact moment.
    ///   - rate: samples per second.
    ///   - track: the local period.
    /// - Returns: samples from the signal's start, ascending, with a fraction.
    static func find(
        in signal: [Double], sharp: [Double], rate: Double, track: PeriodTrack
    ) -> [Double] {
        let factor = max(1, Int((100 / rate).rounded(.up)))
        let upsampling = Upsampling(factor)
        let fine = upsampling.apply(to: signal)
        let slope = gradient(of: fine)
        let sharpSlope = gradient(of: upsampling.apply(to: sharp))
        let step = 1 + slope.count / 4_000
        let least =
            leastHeight * quantile(0.95, of: stride(from: 0, to: slope.count, by: step).map { slope[$0] })
        var rises: [(at: Double, height: Double)] = []
        let cut = 1 + Int(proof * rate * Double(factor))
        for index in cut..<max(cut, lastCrest(of: fine, before: fine.count - 1 - cut))
        where slope[index] > least && slope[index] > slope[index - 1] && slope[index] >= slope[index + 1] {
            rises.append(vertex(of: slope, at: index))
        }
        let fineRate = rate * Double(factor)
        return thinned(rises) { at in refractory * track.period(at: at / fineRate) * fineRate }
            .map { steepest(of: sharpSlope, near: $0, reach: Int(sharpening * fineRate)) / Double(factor) }
    }

    /// The place of the highest slope around a place.
    private static func steepest(of slope: [Double], near place: Double, reach: Int) -> Double {
        let middle = Int(place.rounded())
        var best = middle
        for index in max(0, middle - reach)...min(slope.count - 1, middle + reach)
        where slope[index] > slope[best] { best = index }
        return vertex(of: slope, at: best).at
    }

    /// Where the last wave turns down. A rise without a turn is cut off by the signal's end.
    private static func lastCrest(of signal: [Double], before end: Int) -> Int {
        var index = end
        while index > 0 && signal[index] < signal[index + 1] { index -= 1 }
        while index > 0 && signal[index] >= signal[index + 1] { index -= 1 }
        return index
    }

    /// The highest rises, each with no other one within its clearance.
    private static func thinned(
        _ rises: [(at: Double, height: Double)], clearance: (Double) -> Double
    ) -> [Double] {
        var isTaken = [Bool](repeating: false, count: rises.count)
        for index in rises.indices.sorted(by: { rises[$0].height > rises[$1].height }) {
            let (at, _) = rises[index]
            let free = clearance(at)
            var other = index - 1
            while other >= 0 && !isTaken[other] && at - rises[other].at < free { other -= 1 }
            if other >= 0 && at - rises[other].at < free { continue }
            other = index + 1
            while other < rises.count && !isTaken[other] && rises[other].at - at < free { other += 1 }
            if other < rises.count && rises[other].at - at < free { continue }
            isTaken[index] = true
        }
        return rises.indices.filter { isTaken[$0] }.map { rises[$0].at }
    }

    private static func gradient(of signal: [Double]) -> [Double] {
        guard signal.count > 1 else { return signal.map { _ in 0 } }
        var slope = [Double](repeating: 0, count: signal.count)
        for index in 1..<signal.count - 1 { slope[index] = (signal[index + 1] - signal[index - 1]) / 2 }
        slope[0] = signal[1] - signal[0]
        slope[signal.count - 1] = signal[signal.count - 1] - signal[signal.count - 2]
        return slope
    }

    /// The top of the parabola through a local maximum and its neighbours.
    static func vertex(of values: [Double], at index: Int) -> (at: Double, height: Double) {
        guard index > 0, index + 1 < values.count else { return (Double(index), values[index]) }
        let bend = values[index - 1] - 2 * values[index] + values[index + 1]
        guard bend < 0 else { return (Double(index), values[index]) }
        let shift = (values[index - 1] - values[index + 1]) / (2 * bend)
        return (Double(index) + min(0.5, max(-0.5, shift)), values[index])
    }
}

/// Interpolates between samples by a sinc in a Kaiser window (beta 5) over ten samples to each side.
struct Upsampling {
    private let factor: Int
    private let phases: [[Double]]
    private static let reach = 10

    init(_ factor: Int) {
        self.factor = factor
        phases = (1..<max(2, factor)).map { phase in
            let fraction = Double(phase) / Double(factor)
            let taps = (1 - Self.reach...Self.reach).map { tap -> Double in
                let x = Double(tap) - fraction
                let edge = x / Double(Self.reach)
                return sin(.pi * x) / (.pi * x) * Self.bessel(5 * max(0, 1 - edge * edge).squareRoot())
            }
            let sum = taps.reduce(0, +)
            return taps.map { $0 / sum }
        }
    }

    /// The modified Bessel function of order zero, by its series.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for k in 1...25 {
            term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
            sum += term
        }
        return sum
    }

    /// `factor` times as many samples; beyond the ends, the last value continues.
    func apply(to signal: [Double]) -> [Double] {
        guard factor > 1, let first = signal.first, let last = signal.last else { return signal }
        let edge = [Double](repeating: first, count: Self.reach - 1)
        let padded = edge + signal + [Double](repeating: last, count: Self.reach)
        var result = [Double]()
        result.reserveCapacity(signal.count * factor)
        for index in signal.indices {
            result.append(signal[index])
            for taps in phases {
                var sum = 0.0
                for tap in taps.indices { sum += taps[tap] * padded[index + tap] }
                result.append(sum)
            }
        }
        return result
    }
}
