import CPattern
package import StudyModel

/// POSIX extended regular expressions, matched by RE2 in time linear in the length of the text.
package enum Pattern {
    /// What is wrong with a pattern, in words; `nil` if nothing is.
    package static func fault(in pattern: String) -> String? {
        guard pattern.unicodeScalars.count <= 200 else { return "it is longer than 200 characters" }
        guard repetitions(in: pattern) <= 1_000 else { return "its repetitions multiply to more than 1000" }
        if pattern.contains("[[.") || pattern.contains("[[=") { return "it names characters by collation" }
        if pattern.contains("{,") { return "'{,' lacks its lower number: write '{0,'" }
        var previous: Character?
        for character in pattern {
            if previous == "\\", ("1"..."9").contains(character) { return "it refers back to a group" }
            previous = previous == "\\" ? nil : character
        }
        var words = [CChar](repeating: 0, count: 300)
        guard unsafe entrain_pattern_is_wrong(pattern, &words, words.count) else { return nil }
        return String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether the whole of a text matches a pattern. Every text matches one that has a fault, so that nobody gets stuck.
    package static func matches(_ pattern: String, _ text: String) -> Bool {
        unsafe entrain_pattern_matches(pattern, text)
    }

    /// The product of the numbers in all `{m,n}`: an upper limit for how far the expression expands.
    private static func repetitions(in pattern: String) -> Int {
        var product = 1
        for part in pattern.split(separator: "{").dropFirst() {
            let numbers = part.prefix { $0.isWholeNumber || $0 == "," }.split(separator: ",")
            // A number that cannot be read is too large to be one.
            let most = numbers.map { Int($0) ?? .max }.max() ?? 1
            let (next, overflows) = product.multipliedReportingOverflow(by: max(1, most))
            if overflows { return .max }
            product = next
        }
        return product
    }
}

extension AnswerFormat {
    /// Whether a text matches the pattern of the format, if it has one.
    package func matches(_ answer: Answer) -> Bool {
        guard let pattern, case .text(let text) = answer else { return true }
        return Pattern.matches(pattern, text)
    }
}
