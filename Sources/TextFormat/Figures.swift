/// Numbers as people read them, whatever the locale.
package func whole(_ value: Double) -> String { decimals(value, 0) }

package func oneDecimal(_ value: Double) -> String { decimals(value, 1) }

/// A number with this many decimals; `–` if it is not a number, or larger than anything that is measured.
package func decimals(_ value: Double, _ count: Int) -> String {
    var scale = 1
    for _ in 0..<count { scale *= 10 }
    let scaled = (value * Double(scale)).rounded()
    guard abs(scaled) < 1e18 else { return "–" }
    let units = Int(scaled)
    let sign = units < 0 ? "-" : ""
    let rest = count == 0 ? "" : "." + digits(abs(units) % scale, count)
    return "\(sign)\(abs(units) / scale)\(rest)"
}

/// Seconds as milliseconds with three decimals.
package func milliseconds(_ seconds: Double) -> String { decimals(seconds * 1e3, 3) }

/// A length of time: `41.2 s` or `12 min 3 s`.
package func seconds(_ value: Double) -> String {
    guard value >= 120 else { return "\(oneDecimal(value)) s" }
    let total = Int(min(value, 1e15).rounded())
    return "\(total / 60) min \(total % 60) s"
}

/// Values as bars of eight heights, at most `width` bars. Each bar is the mean of its share of the values.
package func sparkline(_ values: [Double], width: Int) -> String {
    guard let lowest = values.min(), let highest = values.max() else { return "" }
    let count = min(width, values.count)
    let bars = Array("▁▂▃▄▅▆▇█")
    return String(
        (0..<count).map { index in
            let share = values[(values.count * index / count)..<(values.count * (index + 1) / count)]
            let mean = share.reduce(0, +) / Double(share.count)
            let height = highest > lowest ? (mean - lowest) / (highest - lowest) : 0.5
            return bars[height.isFinite ? min(7, max(0, Int(height * 8))) : 0]
        })
}

/// A number that is not negative, padded with zeros to `count` digits.
package func digits(_ value: Int, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
}

package func padded(_ text: String, to width: Int, isRight: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return isRight ? space + text : text + space
}

/// The rows of a table as lines. Each column is as wide as its widest cell, columns are two spaces apart, and no
/// line ends in a space.
package func aligned(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { cells in
        var line = zip(cells, widths).map { padded($0, to: $1) }.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }
}

/// A number with only the decimals that it needs: `3`, `0.45`.
package func plainNumber(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
}

/// `a`, `a and b`, `a, b and c`.
package func listed(_ names: [String], last: String = "and") -> String {
    guard let end = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " \(last) " + end
}

package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
