import CPattern

/// POSIX extended regular expressions, matched by RE2 in time linear in the length of the text.
enum Pattern {
    /// What is wrong with a pattern, in words; `nil` if nothing is.
    static func fault(in pattern: String) -> String? {
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

    /// Whether a whole text matches a valid pattern.
    static func matches(_ pattern: String, _ text: String) -> Bool {
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

extension Kind<String> {
    /// A POSIX extended regular expression.
    static var pattern: Kind {
        let text = Kind.text(atMost: 1_000)
        return Kind(schema: text.schema) { node, reading in
            guard let pattern = text.read(node, reading) else { return nil }
            guard let fault = Pattern.fault(in: pattern) else { return pattern }
            reading.report(
                .patternFormat, "'\(pattern.prefix(40))' is not a pattern: \(fault)", at: node.range,
                help: "write a POSIX extended regular expression such as '[A-Z]{2}[0-9]{4}'")
            return nil
        }
    }
}
