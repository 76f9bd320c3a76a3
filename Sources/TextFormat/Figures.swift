/// Numbers as people read them, whatever the locale.
package func whole(_ value: Double) -> String { "\(Int(value.rounded()))" }

package func oneDecimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
}

/// A number that is not negative, with so many decimals.
package func decimals(_ value: Double, _ count: Int) -> String {
    var scale = 1
    for _ in 0..<count { scale *= 10 }
    let units = Int((value * Double(scale)).rounded())
    return "\(units / scale).\(digits(units % scale, count))"
}

/// Seconds as milliseconds with three decimals.
package func milliseconds(_ seconds: Double) -> String {
    let micro = Int((seconds * 1e6).rounded())
    return "\(micro < 0 ? "-" : "")\(abs(micro) / 1000).\(digits(abs(micro) % 1000, 3))"
}

/// A length of time: `41.2 s` or `12 min 3 s`.
package func seconds(_ value: Double) -> String {
    guard value >= 120 else { return "\(oneDecimal(value)) s" }
    let total = Int(value.rounded())
    return "\(total / 60) min \(total % 60) s"
}

/// Values as bars of eight heights, at most `width` of them; each the mean of its share.
package func sparkline(_ values: [Double], width: Int) -> String {
    guard let lowest = values.min(), let highest = values.max() else { return "" }
    let count = min(width, values.count)
    let bars = Array("▁▂▃▄▅▆▇█")
    return String(
        (0..<count).map { index in
            let share = values[(values.count * index / count)..<(values.count * (index + 1) / count)]
            let mean = share.reduce(0, +) / Double(share.count)
            let height = highest > lowest ? (mean - lowest) / (highest - lowest) : 0.5
            return bars[min(7, Int(height * 8))]
        })
}

/// A number that is not negative, with zeros before it where it has fewer than `count` digits.
package func digits(_ value: Int, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
}

package func padded(_ text: String, to width: Int, isRight: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return isRight ? space + text : text + space
}

package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
