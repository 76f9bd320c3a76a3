import Glibc

/// The heart rate that is expected over a step, beats per minute over seconds since the step's start.
package struct ExpectedCurve: Hashable, Sendable {
    private enum Shape: Hashable, Sendable {
        case linear(times: [Double], rates: [Double])
        case monotone(MonotoneCurve)
        case exercise([Approach])
    }

    /// The approach to one target.
    private struct Approach: Hashable, Sendable {
        /// Seconds since the step's start.
        var begin: Double
        /// Beats per minute at that time.
        var start: Double
        /// The rate that is approached, beats per minute.
        var target: Double

        func rate(at seconds: Double) -> Double {
            let constant = target < start ? recoveryTimeConstant : exerciseTimeConstant
            return target + (start - target) * exp(-max(seconds - begin, 0) / constant)
        }
    }

    /// Time constant of the response to more effort, s.
    package static let exerciseTimeConstant = 45.0
    /// Time constant of the response to less effort, s.
    package static let recoveryTimeConstant = 60.0

    private let shape: Shape

    /// A curve through points, flat before the first and after the last.
    ///
    /// - Parameters:
    ///   - times: seconds, increasing.
    ///   - rates: beats per minute, one for each time.
    ///   - isMonotone: curved without overshoot rather than straight from point to point.
    /// - Returns: `nil` without points, with unequal counts, if a number is not finite, or if times do not
    ///   increase.
    package init?(times: [Double], rates: [Double], isMonotone: Bool) {
        guard !times.isEmpty, times.count == rates.count, (times + rates).allSatisfy(\.isFinite),
            zip(times, times.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        shape =
            isMonotone
            ? .monotone(MonotoneCurve(times: times, values: rates)) : .linear(times: times, rates: rates)
    }

    /// The first-order response to an effort that begins with the step: y' = (target - y) / 45 s.
    ///
    /// - Parameters:
    ///   - effort: 0...1 of the heart-rate reserve (Karvonen).
    ///   - restingRate: beats per minute at the step's start.
    ///   - maximumRate: beats per minute at full effort.
    package init(effort: Double, restingRate: Double, maximumRate: Double) {
        shape = .exercise([
            Approach(
                begin: 0, start: restingRate, target: restingRate + effort * (maximumRate - restingRate))
        ])
    }

    /// The first-order response to efforts that change: y' = (target - y) / 45 s upwards, / 60 s downwards.
    ///
    /// - Parameters:
    ///   - efforts: start times, s, increasing, and efforts, 0...1 of the heart-rate reserve.
    ///   - restingRate: beats per minute at the beginning, and without effort.
    ///   - maximumRate: beats per minute at full effort.
    /// - Returns: `nil` without efforts, if times do not increase, or if a number is not finite.
    package init?(efforts: [(from: Double, effort: Double)], restingRate: Double, maximumRate: Double) {
        guard !efforts.isEmpty, zip(efforts, efforts.dropFirst()).allSatisfy({ $0.from < $1.from }),
            (efforts.flatMap { [$0.from, $0.effort] } + [restingRate, maximumRate]).allSatisfy(\.isFinite)
        else { return nil }
        var approaches: [Approach] = []
        for (from, effort) in efforts {
            approaches.append(
                Approach(
                    begin: from, start: approaches.last?.rate(at: from) ?? restingRate,
                    target: restingRate + effort * (maximumRate - restingRate)))
        }
        shape = .exercise(approaches)
    }

    /// Beats per minute expected `seconds` after the step's start.
    package func rate(at seconds: Double) -> Double {
        switch shape {
        case .monotone(let curve):
            return curve.value(at: seconds)
        case .exercise(let approaches):
            let current = approaches.last { $0.begin <= seconds } ?? approaches[0]
            return current.rate(at: seconds)
        case .linear(let times, let rates):
            guard let (left, right) = times.interval(around: seconds) else {
                return seconds < times[0] ? rates[0] : rates[rates.count - 1]
            }
            let share = (seconds - times[left]) / (times[right] - times[left])
            return rates[left] + share * (rates[right] - rates[left])
        }
    }
}

/// How far from the expected rate still counts as expected.
package enum ExpectedBand: Hashable, Sendable {
    /// A share of the expected rate, 0...1.
    case relative(Double)
    /// Beats per minute.
    case absolute(Double)
    /// 5 beats per minute or 10 %, whichever is more: the limit of ANSI/AAMI for heart-rate meters.
    case standard

    /// Beats per minute to either side of `rate`.
    package func halfWidth(at rate: Double) -> Double {
        switch self {
        case .relative(let share): share * rate
        case .absolute(let width): width
        case .standard: max(5, rate / 10)
        }
    }
}

/// How measured rates agree with the expected ones; gaps beyond 5 s do not count as measured.
package struct CurveComparison: Hashable, Sendable {
    /// Mean distance from the curve over the measured time, beats per minute.
    package var meanAbsoluteError: Double
    /// Root of the mean squared distance over the measured time, beats per minute.
    package var rootMeanSquareError: Double
    /// Share of the measured time within the band, 0...1.
    package var shareInBand: Double
}

extension ExpectedCurve {
    /// Compares samples with the curve.
    ///
    /// - Parameters:
    ///   - times: seconds since the step's start, in order.
    ///   - rates: beats per minute, one for each time.
    ///   - band: what counts as agreement.
    /// - Returns: `nil` without samples.
    package func comparison(times: [Double], rates: [Double], band: ExpectedBand) -> CurveComparison? {
        precondition(times.count == rates.count, "one rate for each time")
        guard !times.isEmpty else { return nil }
        let weights = timeWeights(times)
        var (total, absolute, square, inside) = (0.0, 0.0, 0.0, 0.0)
        for index in times.indices {
            let expected = rate(at: times[index])
            let distance = abs(rates[index] - expected)
            total += weights[index]
            absolute += weights[index] * distance
            square += weights[index] * distance * distance
            if distance <= band.halfWidth(at: expected) { inside += weights[index] }
        }
        return CurveComparison(
            meanAbsoluteError: absolute / total, rootMeanSquareError: (square / total).squareRoot(),
            shareInBand: inside / total)
    }
}
