import StudyModel

extension Step {
    /// Everything in it that a participant reads or hears, in the order of the screen.
    var wordings: [Wording] {
        [Wording("title", ifAny: title), Wording("text", ifAny: text), Wording("detail", ifAny: detail)]
            .compactMap(\.self) + ownWordings + recorders.flatMap(\.wordings)
    }

    private var ownWordings: [Wording] {
        let facts = facts
        let spoken = (facts.timing?.cues ?? []).compactMap { cue in
            if case .say(let text) = cue.signal { Wording("spoken \(cue.moment.words)", text) } else { nil }
        }
        let asked = facts.asked.flatMap { asked -> [Wording] in
            switch asked.place {
            case .step:
                asked.question.format.wordings
                    + [Wording("if an answer is refused", ifAny: asked.question.invalidMessage)].compactMap(
                        \.self)
            case .item: form?.isMatrix == true ? [] : asked.question.wordings(isNamed: true)
            case .prompt, .program: asked.question.wordings(isNamed: true)
            case .key: facts.timing?.reaction?.wordings ?? []
            case .document(let consent):
                [
                    Wording("document", consent.document),
                    Wording("for those who do not agree", ifAny: consent.declined),
                ].compactMap(\.self)
            }
        }
        return spoken + (form?.isMatrix == true ? form?.wordings ?? [] : []) + asked
    }
}

extension Form {
    /// The questions, and for a matrix its scale once.
    fileprivate var wordings: [Wording] {
        guard isMatrix, let shared = questions.first?.format, questions.allSatisfy({ $0.format == shared })
        else {
            return questions.flatMap { $0.wordings(isNamed: true) }
        }
        let items = questions.flatMap { question in
            var alone = question
            alone.format = .number()
            return alone.wordings(isNamed: true)
        }
        return items + shared.wordings
    }
}

extension Reaction {
    fileprivate var wordings: [Wording] {
        keys.compactMap { Wording("key \($0.name)", ifAny: $0.text) }
            + [
                Wording("after a right reaction", ifAny: feedback?.right),
                Wording("after a wrong reaction", ifAny: feedback?.wrong),
                Wording("if no key came in time", ifAny: feedback?.late),
            ].compactMap(\.self)
    }
}
