import StudyModel
import TextFormat

/// Reads the value that a condition compares with, as the same kind as the other side.
enum ConditionValue {
    /// A heart rate, beats per minute.
    static func rate(_ node: Node, _ reading: Reading) -> Navigation.Value? {
        measured(
            node, in: 20...300, "a heart rate is a number of beats per minute", help: "write a number",
            reading)
    }

    /// How much the time between beats varies, ms.
    static func variability(_ node: Node, _ reading: Reading) -> Navigation.Value? {
        let quantity = reading.quantity(
            node, ["ms"], "a variability of the heart rate",
            help: "write a number, a space and ms, such as '40 ms'")
        guard let quantity else { return nil }
        if (0...1_000).contains(quantity.value) { return .number(quantity.value) }
        reading.reportRange(of: node, from: "0 ms", to: "1000 ms")
        return nil
    }

    /// A sound level, 0...1 of full scale.
    static func soundLevel(_ node: Node, _ reading: Reading) -> Navigation.Value? {
        measured(
            node, in: 0...1, "a sound level is a share of the loudest that the microphone can measure",
            help: "write a number from 0 to 1, such as 0.45", reading)
    }

    /// The difference between two heart rates, in beats per minute, or between two variabilities, in ms; or in percent
    /// of the second.
    static func difference(of rate: Navigation.HeartRate, _ node: Node, _ reading: Reading) -> Navigation
        .Value?
    {
        let isVariability = rate.variability != nil
        let (own, most) = isVariability ? ("ms", 1_000.0) : ("bpm", 300)
        let quantity = reading.quantity(
            node, [own[...], "%"], "a difference of \(isVariability ? "variabilities" : "heart rates")",
            help: "write a number, a space and \(own) or %, such as '5 \(own)', '-3 \(own)' or '10 %'")
        guard let (number, unit) = quantity else { return nil }
        guard (-most...most).contains(number) else {
            reading.reportRange(
                of: node, from: "-\(plainNumber(most)) \(unit)", to: "\(plainNumber(most)) \(unit)")
            return nil
        }
        return .number(number)
    }

    /// The number of a session or round.
    static func count(_ node: Node, upTo most: Int, _ reading: Reading) -> Navigation.Value? {
        Kind<Int>.integer(1...most).read(node, reading).map { .number(Double($0)) }
    }

    private static func measured(
        _ node: Node, in range: ClosedRange<Double>, _ message: String, help: Help, _ reading: Reading
    ) -> Navigation.Value? {
        guard let value = number(node) else {
            let meant = meant(by: node, in: range, isWhole: false)
            reportMismatch(
                node, message, help: meant.map { .write($0, "\(help.text): \($0)") } ?? help, reading)
            return nil
        }
        if range.contains(value) { return .number(value) }
        reading.reportRange(of: node, range)
        return nil
    }

    private static func number(_ node: Node) -> Double? {
        if case .scalar(let text, .plain) = node.content { DecimalText.number(text) } else { nil }
    }

    static func number(
        _ node: Node, in range: ClosedRange<Double>, isWhole: Bool = false, _ reading: Reading
    ) -> Navigation.Value? {
        guard let value = number(node) else {
            let meant = meant(by: node, in: range, isWhole: isWhole)
            let words = "write a number, without quotes and unit"
            reportMismatch(
                node, "the answer is a number",
                help: meant.map { .write($0, "\(words): \($0)") } ?? Help(words),
                reading)
            return nil
        }
        guard range.contains(value), !isWhole || value == value.rounded() else {
            let limits = "from \(plainNumber(range.lowerBound)) to \(plainNumber(range.upperBound))"
            reportMismatch(
                node, "no answer can be \(node.quotedText)",
                help: Help("the answers are \(isWhole ? "whole numbers" : "numbers") \(limits)"),
                reading)
            return nil
        }
        return .number(value)
    }

    /// The possible number that a text stands for, with a decimal comma or in quotes; `nil` if it may mean another.
    private static func meant(by node: Node, in range: ClosedRange<Double>, isWhole: Bool) -> String? {
        guard var text = node.scalarText, !DecimalText.mayGroup(text) else { return nil }
        if text.lowercased().hasSuffix(" bpm") { text.removeLast(4) }
        guard let number = DecimalText.number(text.replacing(",", with: ".")), range.contains(number),
            !isWhole || number == number.rounded()
        else { return nil }
        return plainNumber(number)
    }

    static func choice(_ node: Node, _ values: [String], _ reading: Reading) -> Navigation.Value? {
        word(node, values, "no choice has", reading)
    }

    /// One of the existing values.
    static func word(
        _ node: Node, _ values: [String], _ nobodyHas: String, _ reading: Reading
    ) -> Navigation.Value? {
        guard let text = node.scalarText else { return nil }
        if values.contains(text) { return .text(text) }
        reportMismatch(
            node, "\(nobodyHas) the value '\(text.prefix(40))'",
            help: Help.nearest(to: text, among: values, all: "the values are"), reading)
        return nil
    }

    static func boolean(_ node: Node, _ reading: Reading) -> Navigation.Value? {
        if case .scalar(let text, .plain) = node.content {
            if text.lowercased() == "true" { return .boolean(true) }
            if text.lowercased() == "false" { return .boolean(false) }
        }
        reportMismatch(node, "the answer is yes or no", help: "write true for yes, false for no", reading)
        return nil
    }

    static func dated(
        _ node: Node, _ isValid: (String) -> Bool, _ expected: String, _ reading: Reading
    ) -> Navigation.Value? {
        guard let text = node.scalarText else { return nil }
        if isValid(text) { return .text(text) }
        reportMismatch(
            node, "the answer is \(expected)",
            help: DatedText.help(for: text, otherwise: "write \(expected)", isValid), reading)
        return nil
    }

    static func rejectOrder(
        _ comparison: Located<Navigation.Comparison>, _ reason: String, _ reading: Reading
    ) {
        switch comparison.value {
        case .eq, .ne: return
        case .lt, .gt, .le, .ge:
            reading.report(
                .conditionValue, "'\(comparison.value.rawValue)' cannot compare these answers: \(reason)",
                at: comparison.range, help: "use eq (equal) or ne (not equal)")
        }
    }

    private static func reportMismatch(_ node: Node, _ message: String, help: Help?, _ reading: Reading) {
        reading.report(.conditionValue, message, at: node.range, help: help)
    }
}
