import Physiology

/// The mean of paired differences, with its interval, effect size and p value.
package struct PairedDifference: Sendable {
    /// How many differences there are.
    package var count: Int
    /// Their mean.
    package var mean: Double
    /// Their standard deviation, with count − 1; `nil` with fewer than two.
    package var deviation: Double?
    /// The 95 % interval of the mean by Student's t; `nil` with fewer than two.
    package var interval: ClosedRange<Double>?
    /// Cohen's dz: the mean divided by the deviation; `nil` if the differences do not vary.
    package var effectSize: Double?
    /// The share of sign flips whose mean is at least as far from 0, two-sided.
    package var p: Double
    /// How many sign flips were examined.
    package var flips: Int
    /// Whether all possible flips were examined.
    package var isExact: Bool

    /// Up to this many differences, all sign flips are examined.
    package static let mostForExact = 16
    /// Otherwise this many are drawn.
    package static let drawnFlips = 99_999

    /// Differences smaller than this are rounding errors of equal means, in any unit.
    private static let rounding = 1e-9

    /// - Parameters:
    ///   - differences: one for each participant. The result is `nil` if there are none.
    ///   - drawnFlips: how many flips are drawn if there are too many for all of them.
    ///   - random: the generator for the flips.
    package init?(
        _ differences: [Double], drawnFlips: Int = Self.drawnFlips,
        using random: inout some RandomNumberGenerator
    ) {
        guard !differences.isEmpty else { return nil }
        let differences = differences.map { abs($0) < Self.rounding ? 0 : $0 }
        count = differences.count
        let number = Double(count)
        let mean = differences.reduce(0, +) / number
        self.mean = mean
        if count > 1 {
            let spread = standardDeviation(differences)
            let deviation = spread < Self.rounding ? 0 : spread
            let half = StudentT(degrees: count - 1).quantile(0.975) * deviation / number.squareRoot()
            self.deviation = deviation
            interval = mean - half...mean + half
            effectSize = deviation > 0 ? mean / deviation : nil
        }
        isExact = count <= Self.mostForExact
        flips = isExact ? 1 << count : drawnFlips
        p = isExact ? Self.exact(differences) : Self.drawn(differences, drawnFlips, &random)
    }

    /// Sums that differ only by rounding count as equal.
    private static func threshold(_ differences: [Double]) -> Double {
        abs(differences.reduce(0, +)) - 1e-12 * differences.reduce(0) { $0 + abs($1) }
    }

    /// Goes through the flips by changing one sign at a time (Gray code).
    private static func exact(_ differences: [Double]) -> Double {
        let threshold = threshold(differences)
        var signs = Array(repeating: 1.0, count: differences.count)
        var far = 0
        for flip in 1...(1 << differences.count) {
            let sum = zip(differences, signs).reduce(0) { $0 + $1.0 * $1.1 }
            if abs(sum) >= threshold { far += 1 }
            let next = flip.trailingZeroBitCount
            if next < signs.count { signs[next].negate() }
        }
        return Double(far) / Double(1 << differences.count)
    }

    /// The observed flip counts as one of them, so that p is never 0.
    private static func drawn(
        _ differences: [Double], _ flips: Int, _ random: inout some RandomNumberGenerator
    ) -> Double {
        let threshold = threshold(differences)
        let sums = stride(from: 0, to: differences.count, by: 8).flatMap { start in
            flippedSums(of: differences[start..<min(start + 8, differences.count)])
        }
        // The flips go through the differences together, so that the sums of eight stay in the processor's nearest memory.
        let (eights, words) = (sums.count / 256, (sums.count / 256 + 7) / 8)
        let most = min(max(flips, 1), 64)
        var bits = Array(repeating: UInt64(0), count: words * most)
        var far = 1
        for start in stride(from: 0, to: flips, by: most) {
            let together = min(most, flips - start)
            for flip in 0..<together {
                for word in 0..<words { bits[word * most + flip] = random.next() }
            }
            var flipped = Array(repeating: 0.0, count: together)
            for eight in 0..<eights {
                let (word, place) = (eight / 8 * most, UInt64(eight % 8 * 8))
                for flip in 0..<together {
                    flipped[flip] += sums[eight * 256 + Int(bits[word + flip] >> place & 255)]
                }
            }
            far += flipped.count { abs($0) >= threshold }
        }
        return Double(far) / Double(flips + 1)
    }

    /// The sum of at most eight differences for each way of flipping them: one lookup instead of eight additions.
    private static func flippedSums(of few: ArraySlice<Double>) -> [Double] {
        (0..<256).map { flip in
            few.enumerated().reduce(0) { sum, member in
                sum + (flip >> member.offset & 1 == 0 ? member.element : -member.element)
            }
        }
    }
}
