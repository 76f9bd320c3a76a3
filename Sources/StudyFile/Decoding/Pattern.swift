import Glibc

/// POSIX extended regular expressions, kept small enough that none can take long.
enum Pattern {
    /// What is wrong with a pattern, in words; `nil` where nothing is.
    static func fault(in pattern: String) -> String? {
        guard pattern.unicodeScalars.count <= 200 else { return "it is longer than 200 characters" }
        guard repetitions(in: pattern) <= 1_000 else { return "its repetitions multiply to more than 1000" }
        var previous: Character?
        for character in pattern {
            if previous == "\\", ("1"..."9").contains(character) { return "it refers back to a group" }
            previous = previous == "\\" ? nil : character
        }
        var expression = unsafe regex_t()
        let status = unsafe regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB)
        guard status != 0 else {
            unsafe regfree(&expression)
            return nil
        }
        var message = [CChar](repeating: 0, count: 200)
        let length = unsafe regerror(status, &expression, &message, message.count)
        let text = message.prefix(max(0, min(length, message.count) - 1)).map { UInt8(bitPattern: $0) }
        return String(decoding: text, as: UTF8.self).lowercased()
    }

    /// The product of the numbers in all `{m,n}`: an upper limit of how far the expression unfolds.
    private static func repetitions(in pattern: String) -> Int {
        var product = 1
        for part in pattern.split(separator: "{").dropFirst() {
            let numbers = part.prefix { $0 != "}" }.split(separator: ",").compactMap { Int($0) }
            let (next, overflows) = product.multipliedReportingOverflow(by: max(1, numbers.max() ?? 1))
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
                .patternFormat, "'\(pattern.prefix(40))' is no pattern: \(fault)", at: node.range,
                help: "write a POSIX extended regular expression such as '[A-Z]{2}[0-9]{4}'")
            return nil
        }
    }
}
