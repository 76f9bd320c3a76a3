/// Removes a slow trend by smoothness priors (Tarvainen et al. 2002, IEEE Trans Biomed Eng 49:172): a high-pass filter
/// that changes with time as little as the data allow.
package enum SmoothnessPriors {
    /// With this value, the cut-off at 4 Hz is about 0.035 Hz.
    package static let regularization = 500.0

    /// The signal without its trend.
    ///
    /// The trend solves (1 + λ² D'D) trend = signal, where D is the second difference. The matrix has five bands,
    /// and is solved by Cholesky's method.
    /// - Parameter signal: samples at equal distances.
    package static func detrended(_ signal: [Double], regularization: Double = regularization) -> [Double] {
        let count = signal.count
        guard count > 4 else { return signal.map { _ in 0 } }
        let weight = regularization * regularization
        var (diagonal, next, second) = (
            Array(repeating: 1.0, count: count), Array(repeating: 0.0, count: count),
            Array(repeating: 0.0, count: count)
        )
        // Each row 1, -2, 1 of the second difference contributes its square.
        for row in 0..<count - 2 {
            for (offset, factor) in [1.0, -2, 1].enumerated() {
                diagonal[row + offset] += weight * factor * factor
            }
            next[row] -= 2 * weight
            next[row + 1] -= 2 * weight
            second[row] += weight
        }
        // The lower factor: `diagonal`, and the two diagonals below it in `next` and `second`.
        for row in 0..<count {
            if row > 0 { diagonal[row] -= next[row - 1] * next[row - 1] }
            if row > 1 { diagonal[row] -= second[row - 2] * second[row - 2] }
            diagonal[row] = diagonal[row].squareRoot()
            if row > 0 { next[row] -= second[row - 1] * next[row - 1] }
            next[row] /= diagonal[row]
            second[row] /= diagonal[row]
        }
        var trend = signal
        for row in 0..<count {
            if row > 0 { trend[row] -= next[row - 1] * trend[row - 1] }
            if row > 1 { trend[row] -= second[row - 2] * trend[row - 2] }
            trend[row] /= diagonal[row]
        }
        for row in (0..<count).reversed() {
            if row + 1 < count { trend[row] -= next[row] * trend[row + 1] }
            if row + 2 < count { trend[row] -= second[row] * trend[row + 2] }
            trend[row] /= diagonal[row]
        }
        return zip(signal, trend).map { $0 - $1 }
    }
}
