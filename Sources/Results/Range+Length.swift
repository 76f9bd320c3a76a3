extension Range<Double> {
    /// In seconds, of a span of time.
    package var length: Double { upperBound - lowerBound }
}

extension Sequence<Range<Double>> {
    /// The sum of all lengths, exact to the nanosecond.
    package var totalLength: Double { (reduce(0) { $0 + $1.length } * 1e9).rounded() / 1e9 }
}
