/// The value in the middle; of an even count the mean of the two in the middle.
///
/// - Returns: `nil` where there is no value.
package func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}
