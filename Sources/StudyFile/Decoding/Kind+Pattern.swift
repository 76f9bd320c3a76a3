import Patterns

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
