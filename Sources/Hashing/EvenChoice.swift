extension RandomNumberGenerator {
    /// A number in `0..<bound`, each equally likely. A number beyond the last whole multiple of `bound` is drawn again.
    ///
    /// The standard library's own choices may change between its versions; draws of studies must not.
    ///
    /// - Parameter bound: at least 1.
    @inlinable package mutating func index(below bound: UInt64) -> UInt64 {
        precondition(bound > 0, "there is no index below 0")
        // 2⁶⁴ mod bound, computed without 2⁶⁴ itself.
        let beyond = (0 &- bound) % bound
        var drawn: UInt64 = next()
        while beyond != 0, drawn >= 0 &- beyond { drawn = next() }
        return drawn % bound
    }

    /// A number in `0..<bound`, each equally likely.
    ///
    /// - Parameter bound: at least 1.
    @inlinable package mutating func index(below bound: Int) -> Int { Int(index(below: UInt64(bound))) }

    /// A number in 0..<1, a multiple of 2⁻⁵³.
    @inlinable package mutating func unit() -> Double {
        let drawn: UInt64 = next()
        return Double(drawn >> 11) * 0x1p-53
    }

    /// Puts the elements into an order that is drawn uniformly (Fisher–Yates, from the end).
    @inlinable package mutating func shuffle<Element>(_ elements: inout [Element]) {
        for last in stride(from: elements.count - 1, to: 0, by: -1) {
            elements.swapAt(last, index(below: last + 1))
        }
    }
}
