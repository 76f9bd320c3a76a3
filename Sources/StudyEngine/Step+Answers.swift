import StudyModel

extension Step {
    /// The answers in the order of the questions, with `nil` for each left unanswered.
    ///
    /// - Returns: `nil` if a question that needs an answer has none, where an answer is outside its format, or
    ///   where something was answered that was not asked.
    func accepted(_ given: [GivenAnswer]) -> [GivenAnswer]? {
        guard let questions else { return nil }
        let names = given.map(\.question)
        guard Set(names).count == names.count, Set(names).isSubset(of: questions.map(\.identifier)) else {
            return nil
        }
        var answers: [GivenAnswer] = []
        for question in questions {
            let given =
                given.first { $0.question == question.identifier }
                ?? GivenAnswer(question: question.identifier, answer: nil)
            guard given.answer.map(question.accepts) ?? question.isOptional else { return nil }
            answers.append(given)
        }
        return answers
    }

    /// One answer for each question: what was drafted, where that can be one, and else none.
    func answers(of drafts: [DraftedAnswer]) -> [GivenAnswer] {
        (questions ?? []).map { question in
            let draft = drafts.last { $0.question == question.identifier }
            let answer = draft?.answer.flatMap { question.accepts($0) ? $0 : nil }
            return GivenAnswer(question: question.identifier, answer: answer, times: draft?.times)
        }
    }

    /// The answers so far with later ones to some of the questions, as far as these can be answers.
    func answers(_ given: [GivenAnswer], behind answers: [GivenAnswer]) -> [GivenAnswer] {
        (questions ?? []).map { question in
            let isMeant = { (answer: GivenAnswer) in answer.question == question.identifier }
            return given.last { isMeant($0) && $0.answer.map(question.accepts) == true }
                ?? answers.last(where: isMeant) ?? GivenAnswer(question: question.identifier, answer: nil)
        }
    }

    /// Whether it asks that question.
    func asks(_ question: Identifier) -> Bool { questions?.contains { $0.identifier == question } == true }

    fileprivate struct Asked {
        var identifier: Identifier
        var isOptional: Bool
        var accepts: (Answer) -> Bool

        init(identifier: Identifier, isOptional: Bool, accepts: @escaping (Answer) -> Bool) {
            (self.identifier, self.isOptional, self.accepts) = (identifier, isOptional, accepts)
        }

        init(_ question: Question) {
            self.init(
                identifier: question.identifier, isOptional: question.isOptional,
                accepts: question.format.accepts)
        }
    }

    /// What the step asks; `nil` if it asks nothing.
    fileprivate var questions: [Asked]? {
        switch kind {
        case .question(let format, _):
            [Asked(identifier: identifier, isOptional: isOptional, accepts: format.accepts)]
        case .form(let form):
            form.questions.map(Asked.init)
        case .program(let program): program.questions.map(Asked.init)
        case .consent(let consent):
            [Asked(identifier: identifier, isOptional: isOptional, accepts: consent.accepts)]
        case .active(let active):
            active.prompts.isEmpty ? nil : active.prompts.map { Asked($0.question) }
        case .instruction, .countdown, .review, .allocation, .block, .completion: nil
        }
    }
}

extension Step {
    /// Everything that it asks, or of a block, what its steps ask.
    var askedQuestions: [Identifier] {
        withInner.flatMap { ($0.questions ?? []).map(\.identifier) }
    }
}

extension Consent {
    fileprivate func accepts(_ answer: Answer) -> Bool {
        if answer == .declined { return true }
        guard case .consent(let signature) = answer else { return false }
        return !isSignatureTyped || signature?.contains { !$0.isWhitespace } == true
    }
}
