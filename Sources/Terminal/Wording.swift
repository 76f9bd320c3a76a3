package import StudyModel

/// The program's own words in one language.
package struct Wording: Hashable, Sendable {
    private enum Tongue: Hashable, Sendable {
        case english
        case french
        case german
        case spanish
    }

    private let tongue: Tongue

    /// The words for a screen in `language`; English where the program does not speak it.
    package init(_ language: Language?) {
        switch language?.tag.split(separator: "-").first?.lowercased() {
        case "fr": tongue = .french
        case "de": tongue = .german
        case "es": tongue = .spanish
        default: tongue = .english
        }
    }

    /// The phrase, with `arguments` in the place of `%1` and `%2`.
    package func callAsFunction(_ phrase: Phrase, _ arguments: String...) -> String {
        callAsFunction(phrase, arguments)
    }

    func callAsFunction(_ phrase: Phrase, _ arguments: [String]) -> String {
        let text =
            switch tongue {
            case .english: phrase.row.english
            case .french: phrase.row.french
            case .german: phrase.row.german
            case .spanish: phrase.row.spanish
            }
        guard !arguments.isEmpty else { return text }
        var parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)[...]
        var result = parts.popFirst().map { String(Substring($0)) } ?? ""
        for part in parts {
            // What stands for an argument is a digit from 1.
            let index = part.first.map { Int($0) - Int(UInt8(ascii: "1")) } ?? -1
            if arguments.indices.contains(index) {
                result += arguments[index] + String(Substring(part.dropFirst()))
            } else {
                result += "%" + String(Substring(part))
            }
        }
        return result
    }

    /// A source as participants know it; others than the usual one have the name that the study gives them.
    func name(of source: Identifier) -> String {
        switch source {
        case "heartRate": self(.heartRate)
        case "microphone": self(.microphone)
        default: source.text
        }
    }
}
