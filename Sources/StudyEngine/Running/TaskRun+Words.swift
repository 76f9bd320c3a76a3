package import StudyModel
import TextFormat

extension TaskRun {
    /// What a participant reads: a text of the step on show, with its placeholders filled in.
    ///
    /// - Parameter missing: replaces a placeholder that has no value.
    package func words(
        _ text: LocalizedText, for presentation: Presentation, in language: Language?, missing: String
    ) -> String {
        Placeholder.filled(text.text(in: language)) { name in
            guard let reference = TextReference(name) else { return nil }
            return value(of: reference, for: presentation, in: language).map { printable($0) } ?? missing
        }
    }

    /// A format whose choices have their placeholders filled in.
    package func words(_ format: AnswerFormat, _ words: (LocalizedText) -> String) -> AnswerFormat {
        guard let (choices, order) = format.offer else { return format }
        let filled = choices.map { choice in
            var choice = choice
            if choice.text.hasPlaces { choice.text = .plain(words(choice.text)) }
            return choice
        }
        return format.offering(filled, order: order)
    }

    private func value(
        of reference: TextReference, for presentation: Presentation, in language: Language?
    ) -> String? {
        switch reference {
        case .answer(let question), .score(let question):
            guard let answer = memory.answer(to: question) else { return nil }
            // The words of a choice may contain another choice. Its words are filled in, but not those within them.
            let format = plan.task.format(of: question).map { format in
                words(format) { text in
                    Placeholder.filled(text.text(in: language)) { name in
                        guard case .answer(let other) = TextReference(name) else { return nil }
                        return memory.answer(to: other)?.spoken.joined(separator: ", ")
                    }
                }
            }
            return (format?.words(for: answer, in: language) ?? answer.spoken).joined(separator: ", ")
        case .clip(let key):
            let entry = entry(for: presentation)
            let own = visit?.result.ordinal == presentation.ordinal ? visit?.clip?.drawn : nil
            let clip = (own ?? entry.clipOfRound)?.stimulus ?? memory.lastClip
            return clip?.words(of: key)
        }
    }
}

extension LocalizedText {
    /// Whether it may contain placeholders.
    fileprivate var hasPlaces: Bool {
        switch self {
        case .plain(let text): text.contains("{")
        case .translated(let translations): translations.contains { $0.text.contains("{") }
        }
    }
}

extension AnswerFormat {
    /// An answer in the study's own words: one text, or one for each choice.
    fileprivate func words(for answer: Answer, in language: Language?) -> [String] {
        if case .boolean = answer, kind == .boolean {
            return meanings.filter { $0.value == answer }.map { $0.text.text(in: language) }
        }
        guard let choices = offer?.choices, answer.kind == kind else { return answer.spoken }
        return answer.words.map { value in
            let choice = choices.first { $0.value == value }
            let own = choice?.isOther == true ? answer.other : nil
            return own ?? choice?.text.text(in: language) ?? value
        }
    }
}

extension Answer {
    /// The answer in words; a number without needless decimals.
    fileprivate var spoken: [String] {
        if case .number(let number) = compared { return [plainNumber(number)] }
        if case .text(let text) = self {
            return [text.split(whereSeparator: \.isNewline).joined(separator: " ")]
        }
        return words
    }
}
