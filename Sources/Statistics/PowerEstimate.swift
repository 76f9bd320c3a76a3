/// How many participants a future study with paired differences needs if it is like this one.
///
/// For the t test of paired differences, two-sided at 5 %.
package struct PowerEstimate: Hashable, Sendable {
    /// The number of participants that detects the same effect with a probability of 80 %; `nil` beyond a million.
    package var participantsFor80: Int?
    /// The number of participants that detects it with a probability of 90 %.
    package var participantsFor90: Int?
    /// The mean difference that the present number of participants detects with a probability of 80 %.
    package var detectable: Double

    private static let most = 1_000_000

    /// - Returns: `nil` if the effect has no size.
    package init?(_ difference: PairedDifference) {
        guard let effect = difference.effectSize, let deviation = difference.deviation else { return nil }
        participantsFor80 = Self.participants(effect: effect, power: 0.8)
        participantsFor90 = Self.participants(effect: effect, power: 0.9)
        detectable = deviation * Self.effect(count: difference.count, power: 0.8)
    }

    /// The probability of p < 0.05.
    ///
    /// - Parameters:
    ///   - effect: Cohen's dz.
    ///   - count: participants, at least 2.
    static func power(effect: Double, count: Int) -> Double {
        let t = StudentT(degrees: count - 1)
        let limit = t.quantile(0.975)
        let shift = abs(effect) * Double(count).squareRoot()
        return 1 - t.share(below: limit, shift: shift) + t.share(below: -limit, shift: shift)
    }

    private static func participants(effect: Double, power: Double) -> Int? {
        var low = 1
        var high = 2
        while Self.power(effect: effect, count: high) < power {
            low = high
            high *= 2
            if high > most { return nil }
        }
        while high - low > 1 {
            let middle = (low + high) / 2
            if Self.power(effect: effect, count: middle) < power { low = middle } else { high = middle }
        }
        return high
    }

    private static func effect(count: Int, power: Double) -> Double {
        var low = 0.0
        var high = 1.0
        while Self.power(effect: high, count: count) < power { high *= 2 }
        while true {
            let middle = (low + high) / 2
            guard low < middle, middle < high else { return middle }
            if Self.power(effect: middle, count: count) < power { low = middle } else { high = middle }
        }
    }
}
