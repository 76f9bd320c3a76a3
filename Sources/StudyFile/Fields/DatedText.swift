/// Days and times as people write them.
enum DatedText {
    /// The day or time that was probably meant: `31.12.2010`, `2010/12/31`, `7:45` or `7.45`.
    static func meant(by text: String, _ isValid: (String) -> Bool) -> String? {
        let parts = text.split { !$0.isNumber }.map { $0.count == 1 ? "0\($0)" : String($0) }
        var candidates: [String] = []
        if parts.count == 3 {
            let (a, b, c) = (parts[0], parts[1], parts[2])
            candidates =
                a.count == 4 ? ["\(a)-\(b)-\(c)", "\(a)-\(c)-\(b)"] : ["\(c)-\(b)-\(a)", "\(c)-\(a)-\(b)"]
        } else if parts.count == 2 {
            candidates = ["\(parts[0]):\(parts[1])"]
        }
        return candidates.first(where: isValid)
    }
}

extension Fields {
    /// Reports limits in the wrong order.
    func reportSwapped<Value>(_ low: Field<Value>, _ high: Field<Value>, _ message: String) {
        let (first, last) = (place(of: low), place(of: high))
        reading.report(
            .outOfRange, message, at: last,
            help: Help(
                "swap the two",
                edits: [
                    TextEdit(range: first, text: reading.source.text(last)),
                    TextEdit(range: last, text: reading.source.text(first)),
                ]))
    }
}
