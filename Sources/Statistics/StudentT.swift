import Glibc

/// Student's t distribution.
package struct StudentT: Sendable {
    /// Degrees of freedom, more than 0.
    package var degrees: Double

    package init(degrees: Int) { self.init(degrees: Double(degrees)) }

    /// - Parameter degrees: more than 0; estimated degrees of freedom need not be whole numbers.
    package init(degrees: Double) {
        precondition(degrees > 0, "t needs degrees of freedom")
        self.degrees = degrees
    }

    /// The share of the distribution below `t`.
    package func share(below t: Double) -> Double {
        let tail = 0.5 * Self.incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5)
        return t > 0 ? 1 - tail : tail
    }

    /// The quantile at `share` of the distribution, to about 1e-12.
    ///
    /// - Parameter share: in 0.5..<1.
    package func quantile(_ share: Double) -> Double {
        var low = 0.0
        var high = 1.0
        while self.share(below: high) < share, high < 1e9 { high *= 2 }
        while true {
            let middle = (low + high) / 2
            guard low < middle, middle < high else { return middle }
            if self.share(below: middle) < share { low = middle } else { high = middle }
        }
    }

    /// The share of Fisher's F distribution above `f`.
    ///
    /// - Parameters:
    ///   - numerator: the degrees of freedom of the numerator.
    ///   - denominator: those of the denominator.
    package static func share(aboveF f: Double, _ numerator: Double, _ denominator: Double) -> Double {
        incompleteBeta(denominator / (denominator + numerator * f), denominator / 2, numerator / 2)
    }

    /// The regularised incomplete beta function.
    ///
    /// Source: Lentz's continued fraction; NIST Digital Library of Mathematical Functions, 8.17.22.
    static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        guard x <= (a + 1) / (a + b + 2) else { return 1 - incompleteBeta(1 - x, b, a) }
        let front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
        var c = 1.0
        var d = 1 / kept(1 - (a + b) * x / (a + 1))
        var fraction = d
        for step in 1...1000 {
            let m = Double(step)
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            d = 1 / kept(1 + even * d)
            c = kept(1 + even / c)
            fraction *= d * c
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            d = 1 / kept(1 + odd * d)
            c = kept(1 + odd / c)
            fraction *= d * c
            if abs(d * c - 1) < 1e-15 { break }
        }
        return front * fraction
    }

    /// Keeps a divisor away from 0.
    private static func kept(_ value: Double) -> Double { abs(value) < 1e-300 ? 1e-300 : value }
}
