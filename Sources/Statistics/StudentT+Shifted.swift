import Glibc

extension StudentT {
    /// The share of the noncentral distribution below `t`, which is that of means other than 0.
    ///
    /// Source: Lenth, Applied Statistics 38 (1989) 185, algorithm AS 243.
    ///
    /// - Parameter shift: the noncentrality parameter.
    package func share(below t: Double, shift: Double) -> Double {
        guard t >= 0 else { return 1 - share(below: -t, shift: -shift) }
        let half = shift * shift / 2
        // Beyond this shift the first terms would be 0, and nothing of the distribution is left below such a t.
        guard half < 700 else { return shift > 0 ? 0 : 1 }
        let x = t * t / (degrees + t * t)
        var even = 0.5 * exp(-half)
        var odd = shift * exp(-half) / (2 * Double.pi).squareRoot()
        var sum = 0.0
        var index = 0.0
        repeat {
            sum += even * Self.incompleteBeta(x, index + 0.5, degrees / 2)
            sum += odd * Self.incompleteBeta(x, index + 1, degrees / 2)
            index += 1
            even *= half / index
            odd *= half / (index + 0.5)
        } while index < half || even + abs(odd) > 1e-16 && index < 5000
        return min(1, max(0, 0.5 * erfc(shift / (2.0).squareRoot()) + sum))
    }
}
