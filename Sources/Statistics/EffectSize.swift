import Glibc

/// A difference divided by a standard deviation.
package struct EffectSize: Hashable, Sendable {
    package var value: Double
    /// The 95 % interval, by the noncentral t distribution.
    package var interval: ClosedRange<Double>

    /// - Parameters:
    ///   - estimate: the difference, with its standard error and degrees of freedom.
    ///   - deviation: the standard deviation.
    /// - Returns: `nil` if nothing varies.
    package init?(_ estimate: Double, error: Double, degrees: Double, by deviation: Double) {
        guard deviation > 0, error > 0, (estimate / deviation).isFinite else { return nil }
        value = estimate / deviation
        let t = estimate / error
        let scale = error / deviation
        let student = StudentT(degrees: degrees)
        interval = student.shift(above: t) * scale...student.shift(below: t) * scale
    }
}

extension StudentT {
    /// The shift for which 97.5 % of the distribution lies below `t`.
    fileprivate func shift(above t: Double) -> Double { shift(t, share: 0.975) }
    /// The shift for which 2.5 % of the distribution lies below `t`.
    fileprivate func shift(below t: Double) -> Double { shift(t, share: 0.025) }

    /// Beyond this t, the terms of the distribution vanish, and it is almost normal.
    private static let farthest = 30.0

    private func shift(_ t: Double, share: Double) -> Double {
        let side = share > 0.5 ? -1.0 : 1
        let width = 1.959_963_984_540_054 * (1 + t * t / (2 * degrees)).squareRoot()
        guard abs(t) + width < Self.farthest else { return t + side * width }
        // With a larger shift, less of the distribution lies below t.
        var (low, high) = (t - 4 * width, t + 4 * width)
        while true {
            let middle = (low + high) / 2
            guard low < middle, middle < high, high - low > 1e-12 else { return middle }
            if self.share(below: t, shift: middle) > share { low = middle } else { high = middle }
        }
    }
}

extension EffectSize {
    /// `+0.52 (95 % interval +0.05 … +0.98)`.
    package var words: String {
        "\(signed(value, 2)) (95 % interval \(Statistics.words(interval, 2)))"
    }
}
