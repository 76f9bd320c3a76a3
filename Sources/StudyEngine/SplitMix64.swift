/// The product's own random number generator. It gives the same numbers in every version and on every machine.
///
/// Source: Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014.
package struct SplitMix64: Hashable, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in `0..<bound`, each equally likely. A number beyond the last whole multiple of `bound` is drawn
    /// again.
    ///
    /// - Parameter bound: at least 1.
    package mutating func index(below bound: UInt64) -> UInt64 {
        precondition(bound > 0, "there is no index below 0")
        let beyond = (0 &- bound) % bound
        var drawn = next()
        while beyond != 0, drawn >= 0 &- beyond { drawn = next() }
        return drawn % bound
    }

    /// A number in `0..<bound`, each equally likely.
    ///
    /// - Parameter bound: at least 1.
    package mutating func index(below bound: Int) -> Int { Int(index(below: UInt64(bound))) }

    /// A number in 0..<1, a multiple of 2⁻⁵³.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

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

    /// Puts the elements into an order that is drawn uniformly (Fisher–Yates, from the end).
    package mutating func shuffle<Element>(_ elements: inout [Element]) {
        for last in stride(from: elements.count - 1, to: 0, by: -1) {
            elements.swapAt(last, index(below: last + 1))
        }
    }
}

extension SplitMix64: RandomNumberGenerator {}
