import StudyModel

extension Reading {
    /// Doubts a step in which participants would look at nothing that tells them what to do.
    func checkWords(of step: Step, at range: SourceRange) {
        let isEmpty = step.title == nil && step.text == nil && step.detail == nil && step.image == nil
        let asks: Bool
        switch step.kind {
        case .question where step.soundCheck == nil: asks = true
        case .form(let form):
            for question in form.questions where question.title == nil && question.text == nil {
                doubtWords("the question '\(question.identifier)' has no words", at: range)
            }
            return
        case .instruction: asks = false
        case .active(let active):
            // A shorter one is a blank between two others, and whoever hears music listens.
            guard (step.facts.timing?.longest ?? .zero) >= .seconds(10), active.stimulus == nil,
                active.cues.isEmpty,
                active.prompts.isEmpty,
                !step.recorders.contains(where: { $0.signal == .rating })
            else { return }
            asks = false
        default: return
        }
        guard isEmpty else { return }
        doubtWords(asks ? "the question has no words" : "the step has no words", at: range)
    }

    private func doubtWords(_ message: String, at range: SourceRange) {
        doubt(
            .noWords, message + ": nothing says what to do", at: range,
            help: "add a 'title'; if an empty screen is meant, say so with 'expect: {no-words: REASON}'")
    }

    /// Doubts two texts that say the same of opposite things, such as both ends of a scale.
    func checkTexts(_ texts: [(field: Field<LocalizedText>, text: LocalizedText?)], in fields: Fields) {
        checkTexts(
            of: texts.compactMap { field, text in
                text.map { (Located(value: field.declaration.key, range: fields.place(of: field)), $0) }
            })
    }

    /// Doubts choices that participants cannot tell from one another.
    func checkTexts(of choices: [(value: Located<String>, text: LocalizedText)]) {
        var first: [String: String] = [:]
        for (value, text) in choices {
            let shown: [String] =
                switch text {
                case .plain(let words): [words]
                case .translated(let translations): translations.map { "\($0.language) \($0.text)" }
                }
            let words = shown.map {
                $0.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
            if let other = words.lazy.compactMap({ first[$0] }).first {
                doubt(
                    .sameText,
                    "participants cannot tell '\(value.value)' from '\(other)': the texts are the same",
                    at: value.range, help: "write another text, or leave one of them out")
            }
            for text in words { first[text] = first[text] ?? value.value }
        }
    }
}
