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
        var result: [UInt8] = []
        var isPlace = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "%") {
                if isPlace { result.append(byte) }
                isPlace = true
            } else if isPlace {
                // What stands for an argument is a digit from 1.
                let index = Int(byte) - Int(UInt8(ascii: "1"))
                result +=
                    index >= 0 && index < arguments.count
                    ? Array(arguments[index].utf8) : [UInt8(ascii: "%"), byte]
                isPlace = false
            } else {
                result.append(byte)
            }
        }
        return String(decoding: isPlace ? result + [UInt8(ascii: "%")] : result, as: UTF8.self)
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
