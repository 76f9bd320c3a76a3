import StudyModel

extension Step {
    /// The answers in the order of the questions, with `nil` for each left unanswered.
    ///
    /// - Returns: `nil` where a question that needs an answer has none, where an answer is outside its format, or
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

    /// Whether it asks that question.
    func asks(_ question: Identifier) -> Bool { questions?.contains { $0.identifier == question } == true }

    fileprivate struct Asked {
        var identifier: Identifier
        var isOptional: Bool
        var accepts: (Answer) -> Bool
    }

    /// What the step asks; `nil` where it asks nothing.
    fileprivate var questions: [Asked]? {
        switch kind {
        case .question(let format, _):
            [Asked(identifier: identifier, isOptional: isOptional, accepts: format.accepts)]
        case .form(let form):
            form.questions.map {
                Asked(identifier: $0.identifier, isOptional: $0.isOptional, accepts: $0.format.accepts)
            }
        case .consent(let consent):
            [Asked(identifier: identifier, isOptional: isOptional, accepts: consent.accepts)]
        case .instruction, .active, .countdown, .review, .block, .completion: nil
        }
    }
}

extension Block {
    /// Everything that its steps ask.
    var questions: [Identifier] { steps.flatMap { ($0.questions ?? []).map(\.identifier) } }
}

extension Consent {
    fileprivate func accepts(_ answer: Answer) -> Bool {
        if answer == .declined { return true }
        guard case .consent(let signature) = answer else { return false }
        return !isSignatureTyped || signature?.contains { !$0.isWhitespace } == true
    }
}
