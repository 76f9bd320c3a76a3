package import StudyModel
import TextFormat

/// The program's own words in one language.
package struct Wording: Sendable {
    /// The languages that the program speaks.
    static let words = Words([
        "de": { PackageResources.de_json },
        "en": { PackageResources.en_json },
        "es": { PackageResources.es_json },
        "fr": { PackageResources.fr_json },
    ])

    private let texts: [String: String]
    /// Whether these are the program's English words.
    package let isEnglish: Bool

    /// The words for a screen in `language`; English if the program does not have that language.
    package init(_ language: Language?) {
        let spoken = language.flatMap { Self.words.language(for: $0.tag) } ?? "en"
        isEnglish = spoken == "en"
        let own = Self.words.texts(in: spoken)
        texts = language == .pseudo ? Self.longer(own) : own
    }

    /// Phrases for trying layouts. Words and letters that are to be typed stay as they are.
    private static func longer(_ texts: [String: String]) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: texts.map { key, text in
                let isTyped = key.hasPrefix("word") || key.hasSuffix("Letter")
                return (key, isTyped ? text : PseudoText.of(text))
            })
    }

    /// Whether the program speaks a language.
    package static func speaks(_ language: Language) -> Bool {
        language == .pseudo || words.language(for: language.tag) != nil
    }

    /// Why a run waits, as far as that can be said in this language, and who can change it.
    package func waiting(because problem: SourceProblem) -> [String] {
        let reason =
            problem == .notConnectedYet ? self(.notConnectedYet) : isEnglish ? problem.description : nil
        return [reason].compactMap(\.self) + [self(.waitCallExperimenter)]
    }

    /// The phrase, with `arguments` in place of `%1` and `%2`.
    package func callAsFunction(_ phrase: Phrase, _ arguments: String...) -> String {
        callAsFunction(phrase, arguments)
    }

    /// The phrase, with `arguments` in place of `%1` and `%2`.
    package func callAsFunction(_ phrase: Phrase, _ arguments: [String]) -> String {
        guard let text = texts[phrase.rawValue] else { preconditionFailure("no words for \(phrase)") }
        return text.filled(with: arguments)
    }

    /// A source's name for participants. Sources other than the usual one keep the name that the study gives them.
    package func name(of source: Identifier) -> String {
        switch source {
        case "heartRate": self(.heartRate)
        case "microphone": self(.microphone)
        default: source.text
        }
    }
}
