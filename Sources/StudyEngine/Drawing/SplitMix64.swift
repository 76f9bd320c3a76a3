import Hashing

/// The product's own random number generator. It gives the same numbers in every version and on every machine.
///
/// Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// An index, each with a probability proportional to its weight.
    ///
    /// - Parameter weights: finite, not negative, not all 0.
    package mutating func index(weighted weights: [Double]) -> Int {
        let drawn = unit() * weights.reduce(0, +)
        var cumulative = 0.0
        for (index, weight) in weights.enumerated() {
            cumulative += weight
            if cumulative > drawn { return index }
        }
        guard let last = weights.lastIndex(where: { $0 > 0 }) else {
            preconditionFailure("weights that are all 0")
        }
        return last
    }
}
