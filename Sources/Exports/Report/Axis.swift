import Datasets
import Results
import TextFormat

/// Maps values to pixels, and chooses round numbers for the ticks.
struct Axis {
    let values: ClosedRange<Double>
    let pixels: (from: Double, to: Double)

    /// - Parameter values: the range, which must contain more than one value.
    init(_ values: ClosedRange<Double>, pixels: (from: Double, to: Double)) {
        let isFlat = values.lowerBound == values.upperBound
        self.values = isFlat ? values.lowerBound - 1...values.upperBound + 1 : values
        self.pixels = pixels
    }

    func place(_ value: Double) -> Double {
        let share = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
        return pixels.from + share * (pixels.to - pixels.from)
    }

    /// Round numbers, about `count` of them.
    func ticks(_ count: Int) -> [Double] {
        let step = Self.step((values.upperBound - values.lowerBound) / Double(max(1, count)))
        let first = (values.lowerBound / step - 1e-9).rounded(.up)
        let last = (values.upperBound / step + 1e-9).rounded(.down)
        guard first <= last else { return [] }
        return (0...Int(last - first)).map { (first + Double($0)) * step }
    }

    /// The smallest of 1, 2 and 5 times a power of ten that is not below `raw`.
    static func step(_ raw: Double) -> Double {
        guard raw > 0, raw.isFinite else { return 1 }
        var power = 1.0
        while power * 10 <= raw { power *= 10 }
        while power > raw { power /= 10 }
        return [1, 2, 5].map { $0 * power }.first { $0 >= raw } ?? 10 * power
    }

    /// The range stretched to round numbers.
    static func rounded(_ values: ClosedRange<Double>, to step: Double) -> ClosedRange<Double> {
        let low = (values.lowerBound / step).rounded(.down) * step
        let high = (values.upperBound / step).rounded(.up) * step
        return low...(high > low ? high : low + step)
    }

    /// A number with no more decimals than it needs.
    static func label(_ value: Double) -> String {
        let rounded = (value * 1e6).rounded() / 1e6
        let sign = rounded < 0 ? "−" : ""
        if rounded == rounded.rounded(), abs(rounded) < 1e15 { return "\(sign)\(Int(abs(rounded)))" }
        return sign + String(decoding: JSON.real(abs(rounded)).encoded(), as: UTF8.self)
    }

    /// A difference with two decimals and its sign.
    static func signed(_ value: Double) -> String {
        value > 0 ? "+\(decimals(value, 2))" : decimals(value, 2)
    }

    /// `+1.16 (−0.14 to +2.45)`: an estimate, and its interval if there is one.
    static func signed(_ value: Double, _ interval: ClosedRange<Double>?) -> String {
        signed(value)
            + (interval.map { " (\(signed($0.lowerBound)) to \(signed($0.upperBound)))" } ?? "")
    }

    /// A number with this many decimals.
    static func decimals(_ value: Double, _ count: Int) -> String {
        var scale = 1.0
        for _ in 0..<count { scale *= 10 }
        guard value.isFinite, abs(value) < 1e12 else { return "–" }
        let units = Int((abs(value) * scale).rounded())
        let rest = "\(units % Int(scale))"
        let sign = value < 0 && units > 0 ? "−" : ""
        let zeros = String(repeating: "0", count: max(0, count - rest.count))
        return count == 0 ? "\(sign)\(units)" : "\(sign)\(units / Int(scale)).\(zeros)\(rest)"
    }

    /// `m:ss.d`.
    static func time(_ seconds: Double) -> String {
        let tenths = Int((max(0, seconds) * 10).rounded())
        let rest = tenths / 10 % 60
        return "\(tenths / 600):\(rest < 10 ? "0" : "")\(rest).\(tenths % 10)"
    }
}
