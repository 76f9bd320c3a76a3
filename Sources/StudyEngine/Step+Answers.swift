import StudyModel

extension Step {
    /// The answers in the order of the questions, with `nil` for each question left unanswered.
    ///
    /// - Returns: `nil` if a question that needs an answer has none, if an answer does not fit its format, or if
    ///   something was answered that was not asked.
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

    /// One answer for each question: the draft if it can be an answer, otherwise none.
    func answers(of drafts: [DraftedAnswer]) -> [GivenAnswer] {
        (questions ?? []).map { question in
            let draft = drafts.last { $0.question == question.identifier }
            let answer = draft?.answer.flatMap { question.accepts($0) ? $0 : nil }
            return GivenAnswer(question: question.identifier, answer: answer, times: draft?.times)
        }
    }

    /// The answers so far, with later answers to some of the questions if these fit.
    func answers(_ given: [GivenAnswer], behind answers: [GivenAnswer]) -> [GivenAnswer] {
        (questions ?? []).map { question in
            let isMeant = { (answer: GivenAnswer) in answer.question == question.identifier }
            return given.last { isMeant($0) && $0.answer.map(question.accepts) == true }
                ?? answers.last(where: isMeant) ?? GivenAnswer(question: question.identifier, answer: nil)
        }
    }

    /// Whether the step asks that question.
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

    /// The questions that the step asks; `nil` if it asks nothing.
    fileprivate var questions: [Asked]? {
        switch kind {
        case .question(let format, _):
            [Asked(identifier: identifier, isOptional: isOptional, accepts: format.accepts)]
        case .form(let form):
            form.questions.map(Asked.init)
        case .program(let program): program.questions.map(Asked.init)
        case .consent(let consent):
            [Asked(identifier: identifier, isOptional: isOptional, accepts: consent.accepts)]
        case .active: timedQuestions.isEmpty ? nil : timedQuestions.map { Asked($0) }
        case .instruction, .countdown, .review, .allocation, .block, .completion: nil
        }
    }
}

extension Step {
    /// All questions that the step asks, or for a block the questions of its steps.
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
