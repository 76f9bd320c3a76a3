import StudyModel

/// How trials with and without a signal were answered.
struct Detection: Hashable, Sendable {
    var hits = 0
    var misses = 0
    var falseAlarms = 0
    var correctRejections = 0

    /// - Parameters:
    ///   - isSignal: whether the trial had a signal.
    ///   - isYes: whether it was answered as if it had one.
    mutating func count(isSignal: Bool, isYes: Bool) {
        switch (isSignal, isYes) {
        case (true, true): hits += 1
        case (true, false): misses += 1
        case (false, true): falseAlarms += 1
        case (false, false): correctRejections += 1
        }
    }

    /// d′ = z(H) − z(F); `nil` without a trial of either kind.
    var dPrime: Double? { rates.map { NormalDeviate.of($0.hit) - NormalDeviate.of($0.falseAlarm) } }

    /// c = −(z(H) + z(F)) / 2, above 0 where few trials are answered as signals; `nil` without a trial of either kind.
    var criterion: Double? { rates.map { -(NormalDeviate.of($0.hit) + NormalDeviate.of($0.falseAlarm)) / 2 } }

    /// The shares of signals and of noise that were answered as signals, with the log-linear correction (Hautus 1995):
    /// half a trial is added to each count and one trial to each number of trials, so that none is 0 or 1.
    private var rates: (hit: Double, falseAlarm: Double)? {
        let (signals, noise) = (hits + misses, falseAlarms + correctRejections)
        guard signals > 0, noise > 0 else { return nil }
        return ((Double(hits) + 0.5) / Double(signals + 1), (Double(falseAlarms) + 0.5) / Double(noise + 1))
    }
}

/// The standard normal distribution, by arithmetic alone: every machine gives the same number.
enum NormalDeviate {
    /// The number below which a share of the distribution lies.
    ///
    /// - Parameter share: from 1e-10 to 1 − 1e-10; the error is below 1e-15 of the number.
    ///
    /// Source: Wichura (1988), Algorithm AS 241, PPND16.
    static func of(_ share: Double) -> Double {
        let fromMiddle = share - 0.5
        if abs(fromMiddle) <= 0.425 {
            let r = 0.180625 - fromMiddle * fromMiddle
            return fromMiddle * quotient(r, middleAbove, middleBelow)
        }
        let tail = fromMiddle < 0 ? share : 1 - share
        let r = (-naturalLogarithm(tail)).squareRoot() - 1.6
        let deviate = quotient(r, tailAbove, tailBelow)
        return fromMiddle < 0 ? -deviate : deviate
    }

    private static func quotient(_ x: Double, _ above: [Double], _ below: [Double]) -> Double {
        let polynomial = { (terms: [Double]) in terms.reversed().reduce(0) { $0 * x + $1 } }
        return polynomial(above) / polynomial(below)
    }

    /// - Parameter x: above 0 and finite.
    private static func naturalLogarithm(_ x: Double) -> Double {
        // ln m = 2 artanh((m − 1) / (m + 1)), for m from 1 to 2.
        let y = (x.significand - 1) / (x.significand + 1)
        let sum = stride(from: 35, through: 1, by: -2).reduce(0) { $0 * y * y + 1 / Double($1) }
        return Double(x.exponent) * 0.693147180559945309417 + 2 * y * sum
    }

    private static let middleAbove = [
        3.3871328727963666080, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
        4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3,
    ]
    private static let middleBelow = [
        1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
        2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3,
    ]
    private static let tailAbove = [
        1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
        1.27045825245236838258, 2.41780725177450611770e-1, 2.27238449892691845833e-2,
        7.74545014278341407640e-4,
    ]
    private static let tailBelow = [
        1.0, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1,
        1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
        1.05075007164441684324e-9,
    ]
}
