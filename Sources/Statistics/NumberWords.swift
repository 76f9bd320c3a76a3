import TextFormat

/// With its sign: `+0.52`.
package func signed(_ value: Double, _ places: Int) -> String {
    (value < 0 ? "-" : "+") + decimals(abs(value), places)
}

/// `+0.05 … +0.98`.
package func words(_ interval: ClosedRange<Double>?, _ places: Int) -> String {
    interval.map { "\(signed($0.lowerBound, places)) … \(signed($0.upperBound, places))" } ?? "not known"
}

/// A p value for people.
package func pText(_ p: Double) -> String { p < 0.001 ? "<0.001" : decimals(p, 3) }
