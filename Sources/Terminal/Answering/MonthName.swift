/// The names of months in the languages in which people write them out.
enum MonthName {
    /// January to December, as they stand within a day.
    private static let names: [String: String] = [
        "en": "January February March April May June July August September October November December",
        "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "el":
            "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου Δεκεμβρίου",
        "ar": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
        "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    ]
    private static let others: [String: [(String, Int)]] = [
        "de": [("maerz", 3), ("mrz", 3), ("janner", 1), ("feber", 2)]
    ]

    /// The name of a month, 1...12; `nil` if it is not known in this language.
    static func name(of month: Int, in language: String) -> String? {
        let all = names[language]?.split(separator: " ") ?? []
        return all.indices.contains(month - 1) ? String(all[month - 1]) : nil
    }

    /// The number of the month, 1...12, that a word names or abbreviates with three letters or more; `nil` if it names none or
    /// several. English is understood beside every language.
    static func number(of word: Substring, in language: String) -> Int? {
        let word = Notation.folded(word)
        guard word.count >= 3 else { return nil }
        for language in [language, "en"] {
            guard let names = names[language] else { continue }
            let all =
                names.split(separator: " ").enumerated().map { (Notation.folded($1), $0 + 1) }
                + (others[language] ?? [])
            let found = Set(all.filter { $0.0.hasPrefix(word) }.map(\.1))
            if let month = found.first, found.count == 1 { return month }
            if !found.isEmpty { return nil }
        }
        return nil
    }
}
