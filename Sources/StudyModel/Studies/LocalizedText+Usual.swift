extension LocalizedText {
    /// The word for yes where a study has none of its own, in many languages.
    package static let yes = usual { $0.yes }
    /// The word for no.
    package static let no = usual { $0.no }

    private static func usual(_ word: ((yes: String, no: String)) -> String) -> LocalizedText {
        .translated(words.map { Translation(language: Language($0), text: word($1)) })
    }

    /// English is the first, and counts in all other languages.
    private static let words: [(String, (yes: String, no: String))] = [
        ("en", ("Yes", "No")), ("de", ("Ja", "Nein")), ("fr", ("Oui", "Non")), ("es", ("Sí", "No")),
        ("it", ("Sì", "No")), ("pt", ("Sim", "Não")), ("nl", ("Ja", "Nee")), ("da", ("Ja", "Nej")),
        ("sv", ("Ja", "Nej")), ("nb", ("Ja", "Nei")), ("no", ("Ja", "Nei")), ("fi", ("Kyllä", "Ei")),
        ("pl", ("Tak", "Nie")), ("cs", ("Ano", "Ne")), ("hu", ("Igen", "Nem")), ("ro", ("Da", "Nu")),
        ("ru", ("Да", "Нет")), ("uk", ("Так", "Ні")), ("tr", ("Evet", "Hayır")), ("el", ("Ναι", "Όχι")),
        ("ar", ("نعم", "لا")), ("he", ("כן", "לא")), ("fa", ("بله", "نه")), ("zh", ("是", "否")),
        ("ja", ("はい", "いいえ")), ("ko", ("예", "아니요")),
    ]
}
