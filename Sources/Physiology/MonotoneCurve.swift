/// A curve through points that never overshoots between them: monotone wherever the points are.
///
/// Piecewise cubic Hermite interpolation with the slopes of Fritsch and Butland (1984), the variant of the
/// Fritsch-Carlson method that SciPy's `PchipInterpolator` and MATLAB's `pchip` use. Flat beyond the ends.
struct MonotoneCurve: Hashable, Sendable {
    private let times: [Double]
    private let values: [Double]
    private let slopes: [Double]

    /// - Parameters:
    ///   - times: at least one, increasing.
    ///   - values: one for each time.
    init(times: [Double], values: [Double]) {
        self.times = times
        self.values = values
        slopes = Self.slopes(times, values)
    }

    /// The curve at `time`.
    func value(at time: Double) -> Double {
        guard let (left, right) = times.interval(around: time) else {
            return time < times[0] ? values[0] : values[values.count - 1]
        }
        let width = times[right] - times[left]
        let share = (time - times[left]) / width
        let rest = 1 - share
        return rest * rest * ((1 + 2 * share) * values[left] + share * width * slopes[left])
            + share * share * ((1 + 2 * rest) * values[right] - rest * width * slopes[right])
    }

    private static func slopes(_ times: [Double], _ values: [Double]) -> [Double] {
        guard times.count > 1 else { return [0] }
        let widths = zip(times.dropFirst(), times).map { $0 - $1 }
        let secants = zip(zip(values.dropFirst(), values).map { $0 - $1 }, widths).map { $0 / $1 }
        guard secants.count > 1 else { return [secants[0], secants[0]] }
        let inner = secants.indices.dropFirst().map { index in
            slope(widths[index - 1], widths[index], secants[index - 1], secants[index])
        }
        let last = secants.count - 1
        return [edgeSlope(widths[0], widths[1], secants[0], secants[1])] + inner
            + [edgeSlope(widths[last], widths[last - 1], secants[last], secants[last - 1])]
    }

    /// The weighted harmonic mean of the neighbouring secants; 0 at a peak, in a trough and beside a plateau.
    private static func slope(_ before: Double, _ after: Double, _ left: Double, _ right: Double) -> Double {
        guard left * right > 0 else { return 0 }
        let leftWeight = 2 * after + before
        let rightWeight = after + 2 * before
        return (leftWeight + rightWeight) / (leftWeight / left + rightWeight / right)
    }

    /// The three-point slope at an end, kept from overshooting; `near` and `far` are counted from the end.
    private static func edgeSlope(_ nearWidth: Double, _ farWidth: Double, _ near: Double, _ far: Double)
        -> Double
    {
        let slope = ((2 * nearWidth + farWidth) * near - nearWidth * far) / (nearWidth + farWidth)
        if slope * near <= 0 { return 0 }
        return near * far <= 0 && abs(slope) > 3 * abs(near) ? 3 * near : slope
    }
}

extension [Double] {
    /// The neighbouring indices between whose increasing values `value` lies; `nil` outside.
    func interval(around value: Double) -> (left: Int, right: Int)? {
        guard let first, let last, first <= value, value <= last, count > 1 else { return nil }
        var left = 0
        var right = count - 1
        while right - left > 1 {
            let middle = (left + right) / 2
            if self[middle] <= value { left = middle } else { right = middle }
        }
        return (left, right)
    }
}
