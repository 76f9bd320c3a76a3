import StudyModel

/// A text that participants read, with its place.
struct ReadText {
    /// Its languages, if it has several, each with the place of its tag.
    var languages: [Located<String>]
    var range: SourceRange
    var reading: Reading
    /// The text, if there is only one.
    var plain: String?
    var form = StudyText.Form.words
    /// The place of the value of a round that is the text.
    let origin: TextPlace?

    init(
        languages: [Located<String>], range: SourceRange, reading: Reading, plain: String? = nil,
        form: StudyText.Form = .words
    ) {
        (self.languages, self.range, self.reading) = (languages, range, reading)
        (self.plain, self.form) = (plain, form)
        let cell = reading.row?.places[range] ?? reading.arm?.places[range]
        origin = cell.map { TextPlace($0.range, $0.reading.source) }
    }

    /// How the text is written in several languages.
    func written(_ languages: String) -> String { form.written(languages, of: plain ?? "") }
}

extension StudyText.Form {
    /// A text in several languages as YAML.
    ///
    /// - Parameters:
    ///   - languages: the pairs of languages and words.
    ///   - plain: the only text until now.
    func written(_ languages: String, of plain: String) -> String {
        switch self {
        case .words, .document: "{\(languages)}"
        case .choice: "{value: \(plain.asValue), text: {\(languages)}}"
        }
    }
}

extension StudyContext {
    /// Every language of the study in order of appearance; texts that lack one are reported.
    func languages() -> [Language] {
        let translated = texts.filter { $0.plain == nil }
        var counts: [(tag: String, count: Int)] = []
        for tag in translated.flatMap({ $0.languages.map(\.value) }) where LanguageTag.isKnown(tag) {
            if let place = counts.firstIndex(where: { $0.tag == tag }) {
                counts[place].count += 1
            } else {
                counts.append((tag, 1))
            }
        }
        // A language that only a few texts have is more likely a slip in these than a gap in all others.
        let common = counts.filter { $0.count * 2 >= translated.count }.map(\.tag)
        let usual = common.isEmpty ? counts.map(\.tag) : common
        for text in translated { check(text, usual) }
        reportPlain(usual, translated: translated.count)
        return counts.map { Language($0.tag) }
    }

    private func check(_ text: ReadText, _ usual: [String]) {
        let own = text.languages.map(\.value)
        let missing = usual.filter { !own.contains($0) }
        let odd = text.languages.filter { !usual.contains($0.value) }
        let isSlip = missing.count == 1 && odd.count == 1
        for tag in odd {
            let meant =
                isSlip
                ? missing[0] : LanguageTag.isKnown(tag.value) ? nil : LanguageTag.suggestion(for: tag.value)
            let words = { (tag: String) in "did you mean '\(tag)'?" }
            if !LanguageTag.isKnown(tag.value) {
                text.reading.report(
                    .unknownLanguage, "'\(tag.value.prefix(40))' is not a language", at: tag.range,
                    help: meant.map { .write($0, words($0)) }
                        ?? "write the tag of ISO 639-1, such as en, fr or pt-BR")
            } else {
                text.reading.report(
                    .missingTranslation, "few texts of the study are in '\(tag.value)'", at: tag.range,
                    help: Help(meant.map(words) ?? "add '\(tag.value): …' to all texts, or leave it out here")
                )
            }
        }
        guard let first = missing.first, odd.isEmpty else { return }
        text.reading.report(
            .missingTranslation, "this text is missing in \(missing.joined(separator: ", "))", at: text.range,
            help: Help("add '\(first): …', or leave the language out everywhere"))
    }

    /// Reports texts in one language if others have several. If only a few have several, reports this once for all.
    private func reportPlain(_ usual: [String], translated: Int) {
        guard usual.count > 1 else { return }
        let plain = texts.filter { $0.plain?.hasWords == true }
        let isRule = plain.count <= translated
        for (place, text) in plain.enumerated() where isRule || place == 0 {
            let others = plain.count - 1
            text.reading.report(
                .missingTranslation,
                "this text is in one language only, others are in \(usual.joined(separator: ", "))"
                    + (isRule || others == 0
                        ? "" : "; so \(others == 1 ? "is one more" : "are \(others) more")"),
                at: text.range,
                help: Help(
                    "write it for each language: \(text.written(usual.map { "\($0): …" }.joined(separator: ", ")))"
                ), severity: .warning)
        }
    }
}

extension String {
    /// Whether there is something to translate: a letter outside of placeholders.
    var hasWords: Bool {
        var depth = 0
        return contains { character in
            depth += character == "{" ? 1 : character == "}" ? -1 : 0
            return depth == 0 && character.isLetter
        }
    }
}
