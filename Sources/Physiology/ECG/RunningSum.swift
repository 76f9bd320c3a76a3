/// The sum of the last values of a signal.
struct RunningSum {
    private var values: [Double]
    private var next = 0
    private var sum: Double

    /// - Parameters:
    ///   - width: how many values, at least 1.
    ///   - first: the value that is taken to have been there before.
    init(width: Int, first: Double) {
        values = [Double](repeating: first, count: max(1, width))
        sum = first * Double(values.count)
    }

    /// How many values are summed.
    var width: Int { values.count }

    /// Takes a value and returns the mean of the last ones, itself included.
    mutating func mean(with value: Double) -> Double {
        sum += value - values[next]
        values[next] = value
        next += 1
        if next == values.count {
            next = 0
            // Rounding errors would add up over a day.
            sum = values.reduce(0, +)
        }
        return sum / Double(values.count)
    }
}

/// The most recent values of a signal, found by their index.
struct RecentValues {
    private var values: [Double]
    /// How many values there have been.
    private(set) var count = 0

    /// - Parameter capacity: how many are remembered, at least 1.
    init(capacity: Int) { values = [Double](repeating: 0, count: max(1, capacity)) }

    /// The indices that are remembered.
    var indices: Range<Int> { max(0, count - values.count)..<count }

    mutating func append(_ value: Double) {
        values[count % values.count] = value
        count += 1
    }

    /// - Parameter index: one of `indices`.
    subscript(index: Int) -> Double { values[index % values.count] }
}
