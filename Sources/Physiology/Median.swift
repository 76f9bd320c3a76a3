import StudyModel

/// The middle value; for an even count, the mean of the two middle values.
///
/// - Returns: `nil` if there are no values.
package func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

/// The standard deviation of values, with n - 1 in the denominator.
///
/// - Parameter values: at least two.
package func standardDeviation(_ values: [Double]) -> Double {
    let mean = values.mean
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
}
