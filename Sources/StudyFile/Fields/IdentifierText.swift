import StudyModel

/// Identifiers as study files write them.
enum IdentifierText {
    static let pattern = "^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,64}$"

    static func read(_ text: String, at range: SourceRange, _ reading: Reading) -> Identifier? {
        if let identifier = Identifier(text) { return identifier }
        let fault =
            switch text {
            case ".", "..": "stands for a folder itself, or for the one around it"
            default: text.utf8.count > 64 ? "is longer than 64 characters" : "contains other characters"
            }
        reading.report(
            .identifierFormat,
            text.isEmpty ? "an identifier needs at least one character" : "the identifier '\(text)' \(fault)",
            at: range, help: "use 1 to 64 of the characters A-Z a-z 0-9 . _ -" + suggestion(for: text))
        return nil
    }

    private static func suggestion(for text: String) -> String {
        let replaced = String(text.map { $0 == " " || $0 == "/" ? "-" : $0 })
        return replaced != text && Identifier(replaced) != nil ? ", such as '\(replaced)'" : ""
    }
}

extension Kind<Identifier> {
    /// 1 to 64 characters out of `A-Z a-z 0-9 . _ -`.
    static var identifier: Kind {
        Kind(["type": ["string", "number", "boolean"], "pattern": .string(IdentifierText.pattern)]) {
            node, reading in
            reading.text(of: node, expected: "an identifier", help: "write a name of letters and digits")
                .flatMap { IdentifierText.read($0, at: node.range, reading) }
        }
    }
}
