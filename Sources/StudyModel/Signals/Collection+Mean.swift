extension Collection<Double> {
    /// The arithmetic mean; not a number if there are no values.
    @inlinable package var mean: Double { reduce(0, +) / Double(count) }
}
