import StudyModel
import TextFormat

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
            at: range, help: help(for: text))
        return nil
    }

    private static func help(for text: String) -> Help {
        let usual = "use 1 to 64 of the characters A-Z a-z 0-9 . _ -"
        let replaced = String(text.flatMap(plain).prefix(64))
        guard replaced != text, replaced.contains(where: \.isLetter), Identifier(replaced) != nil else {
            return Help(usual)
        }
        return .write(replaced, "\(usual), such as '\(replaced)'")
    }

    /// A character in a form that an identifier may contain.
    private static func plain(_ character: Character) -> String {
        if character.isASCII, character.isLetter || character.isNumber || "._-".contains(character) {
            return String(character)
        }
        let spelled: [Character: String] = [
            "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "é": "e", "è": "e",
            "ê": "e", "à": "a", "â": "a", "ç": "c", "ñ": "n", "ô": "o", "î": "i", "û": "u", "ù": "u",
        ]
        let isQuote = "\"'“”„‘’‚«»".contains(character)
        return spelled[character] ?? (isQuote ? "" : "-")
    }
}

extension Kind<Identifier> {
    /// 1 to 64 characters out of `A-Z a-z 0-9 . _ -`.
    static var identifier: Kind {
        let schema: JSON = [
            "$comment": "identifier", "type": ["string", "number", "boolean"],
            "pattern": .text(IdentifierText.pattern),
        ]
        return Kind(schema) { node, reading in
            reading.text(of: node, expected: "an identifier", help: "write a name of letters and digits")
                .flatMap { IdentifierText.read($0, at: node.range, reading) }
        }
    }
}
