/// The names of months in the languages in which people write them out.
enum MonthName {
    /// January to December, in lower case and without marks above letters.
    private static let names: [String: String] = [
        "en": "january february march april may june july august september october november december",
        "de": "januar februar maerz april mai juni juli august september oktober november dezember",
        "fr": "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
        "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "pt": "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
        "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    ]
    private static let others: [String: [(String, Int)]] = ["de": [("marz", 3), ("janner", 1), ("feber", 2)]]

    /// The number of the month, 1...12, that a word names or abbreviates with three letters or more; `nil` if it names none or
    /// several. English is understood beside every language.
    static func number(of word: Substring, in language: String) -> Int? {
        let word = plain(word)
        guard word.count >= 3 else { return nil }
        for language in [language, "en"] {
            guard let names = names[language] else { continue }
            let all =
                names.split(separator: " ").enumerated().map { (String($1), $0 + 1) }
                + (others[language] ?? [])
            let found = Set(all.filter { $0.0.hasPrefix(word) }.map(\.1))
            if let month = found.first, found.count == 1 { return month }
            if !found.isEmpty { return nil }
        }
        return nil
    }

    /// Lower case, without marks above letters.
    private static func plain(_ word: Substring) -> String {
        var text = ""
        for character in word.lowercased() {
            switch character {
            case "é", "è", "ê": text.append("e")
            case "û", "ù", "ú": text.append("u")
            case "ç": text.append("c")
            case "ä": text.append("a")
            default: text.append(character)
            }
        }
        return text
    }
}
