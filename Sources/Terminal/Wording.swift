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
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "%") {
            result += rest[..<mark]
            rest = rest[mark...].dropFirst()
            guard let digit = rest.first?.wholeNumberValue, arguments.indices.contains(digit - 1) else {
                result += "%"
                continue
            }
            result += arguments[digit - 1]
            rest = rest.dropFirst()
        }
        return result + rest
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
