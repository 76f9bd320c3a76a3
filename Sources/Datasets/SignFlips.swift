/// Whether conditions differ, by turning around what each participant adds to the score of the conditions.
///
/// Where conditions do nothing, a participant's score could as well have been the other way round, whatever the
/// distribution, and though participants answer conditions differently (Hemerik et al. 2020, doi 10.1111/rssb.12369).
package struct SignFlips: Sendable {
    /// The share of flips in which conditions explain at least as much.
    package var p: Double
    /// How many were looked at.
    package var count: Int
    /// Whether these were all there are.
    package var isExact: Bool

    /// So many are drawn if there are too many for all.
    static let drawn = 9_999

    /// What participants add in each direction.
    struct Scores {
        /// Of each participant, one for each direction.
        var ofParticipants: [[Double]]
        /// The directions of what is adjusted for; the rest are those in which conditions may differ.
        var others: Range<Int>
        /// The sum of all squares.
        var squares: Double

        /// How much conditions explain of what the others leave: grows as F does.
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

    init(_ scores: Scores, drawn: Int, using random: inout some RandomNumberGenerator) {
        let vectors = scores.ofParticipants
        var sums = (vectors.first ?? []).indices.map { place in vectors.reduce(0) { $0 + $1[place] } }
        let threshold = scores.share(sums) * (1 - 1e-9)
        isExact = vectors.count <= PairedDifference.mostForExact
        count = isExact ? 1 << vectors.count : drawn
        var far = isExact ? 0 : 1
        if isExact {
            // From flip to flip by one sign (Gray's code).
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
