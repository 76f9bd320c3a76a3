/// Tests whether conditions differ by flipping the sign of each participant's contribution to the score of the
/// conditions.
///
/// If conditions have no effect, a participant's score might as well have the opposite sign, whatever its
/// distribution, and even if participants respond to conditions differently (Hemerik et al. 2020, doi
/// 10.1111/rssb.12369).
package struct SignFlips: Sendable {
    /// The share of flips in which conditions explain at least as much.
    package var p: Double
    /// How many flips were examined.
    package var count: Int
    /// Whether all possible flips were examined.
    package var isExact: Bool

    /// How many are drawn if there are too many to examine all.
    package static let drawn = 9_999

    /// What participants contribute in each direction.
    package struct Scores {
        /// For each participant, one value for each direction.
        var ofParticipants: [[Double]]
        /// The directions of the adjustments; the remaining ones are those in which conditions may differ.
        var others: Range<Int>
        /// The sum of all squares.
        var squares: Double

        package init(ofParticipants: [[Double]], others: Range<Int>, squares: Double) {
            (self.ofParticipants, self.others, self.squares) = (ofParticipants, others, squares)
        }

        /// How much conditions explain of what the adjustments leave; it grows with F.
        fileprivate func share(_ sums: [Double]) -> Double {
            var (adjusted, explained) = (0.0, 0.0)
            for place in sums.indices {
                if others.contains(place) {
                    adjusted += sums[place] * sums[place]
                } else {
                    explained += sums[place] * sums[place]
                }
            }
            return explained / max(squares - adjusted, .leastNormalMagnitude)
        }
    }

    package init(_ scores: Scores, drawn: Int, using random: inout some RandomNumberGenerator) {
        let vectors = scores.ofParticipants
        var sums = (vectors.first ?? []).indices.map { place in vectors.reduce(0) { $0 + $1[place] } }
        let threshold = scores.share(sums) * (1 - 1e-9)
        isExact = vectors.count <= PairedDifference.mostForExact
        count = isExact ? 1 << vectors.count : drawn
        var far = isExact ? 0 : 1
        if isExact {
            // From one flip to the next by changing one sign (Gray code).
            var signs = Array(repeating: 1.0, count: vectors.count)
            for flip in 1...(1 << vectors.count) {
                if scores.share(sums) >= threshold { far += 1 }
                let next = flip.trailingZeroBitCount
                guard next < signs.count else { break }
                signs[next].negate()
                for place in sums.indices { sums[place] += 2 * signs[next] * vectors[next][place] }
            }
        } else {
            let whole = sums
            for _ in 0..<drawn {
                sums = whole
                var bits: UInt64 = 0
                for (person, vector) in vectors.enumerated() {
                    if person % 64 == 0 { bits = random.next() }
                    if bits & 1 == 1 {
                        for place in sums.indices { sums[place] -= 2 * vector[place] }
                    }
                    bits >>= 1
                }
                if scores.share(sums) >= threshold { far += 1 }
            }
        }
        p = Double(far) / Double(isExact ? count : drawn + 1)
    }
}
