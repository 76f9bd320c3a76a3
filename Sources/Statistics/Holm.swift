/// The values corrected by Holm's method, in their order.
package func correctedAfterHolm(_ values: [Double]) -> [Double] {
    var corrected = values
    var least = 0.0
    for (place, index) in values.indices.sorted(by: { values[$0] < values[$1] }).enumerated() {
        least = max(least, min(1, values[index] * Double(values.count - place)))
        corrected[index] = least
    }
    return corrected
}
