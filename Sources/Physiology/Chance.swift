/// Random numbers whose bits are the same on every machine: integers and exact arithmetic only.
extension RandomNumberGenerator {
    /// Uniform in 0..<1, with 53 bits.
    mutating func unitInterval() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Mean 0, standard deviation 1, never beyond ±6: the sum of twelve uniform numbers of 16 bits.
    ///
    /// Draws three numbers of the generator. Needs no logarithm, whose last bit differs between machines.
    package mutating func normal() -> Double {
        var sum = 0
        for _ in 0..<3 {
            let bits = next()
            sum += Int(bits & 0xffff) + Int(bits >> 16 & 0xffff) + Int(bits >> 32 & 0xffff) + Int(bits >> 48)
        }
        return Double(2 * sum - 12 * 0xffff) * 0x1p-17
    }
}

/// The sine of an angle counted in full turns, within 4e-6, from a polynomial.
///
/// Only additions and multiplications in a fixed order, so that the result has the same bits everywhere.
func sine(turns: Double) -> Double {
    var part = turns - turns.rounded(.toNearestOrEven)
    if part > 0.25 { part = 0.5 - part } else if part < -0.25 { part = -0.5 - part }
    let angle = part * (2 * Double.pi)
    let square = angle * angle
    let tail = 1.0 / 120 + square * (-1.0 / 5040 + square * (1.0 / 362880))
    return angle * (1 + square * (-1.0 / 6 + square * tail))
}
