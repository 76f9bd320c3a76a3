import StudyModel

extension Step {
    /// The answers in the order of the questions, with `nil` for each question left unanswered.
    ///
    /// - Returns: `nil` if a question that needs an answer has none, if an answer does not fit its format, or if
    ///   something was answered that was not asked.
    func accepted(_ given: [GivenAnswer]) -> [GivenAnswer]? {
        let (asked, names) = (facts.asked, given.map(\.question))
        guard !asked.isEmpty, Set(names).count == names.count,
            Set(names).isSubset(of: asked.map(\.identifier))
        else { return nil }
        var answers: [GivenAnswer] = []
        for question in asked {
            let given =
                given.first { $0.question == question.identifier }
                ?? GivenAnswer(question: question.identifier, answer: nil)
            guard given.answer.map(question.accepts) ?? question.question.isOptional else { return nil }
            answers.append(given)
        }
        return answers
    }

    /// One answer for each question: the draft if it can be an answer, otherwise none.
    func answers(of drafts: [DraftedAnswer]) -> [GivenAnswer] {
        facts.asked.map { question in
            let draft = drafts.last { $0.question == question.identifier }
            let answer = draft?.answer.flatMap { question.accepts($0) ? $0 : nil }
            return GivenAnswer(question: question.identifier, answer: answer, times: draft?.times)
        }
    }

    /// The answers so far, with later answers to some of the questions if these fit.
    func answers(_ given: [GivenAnswer], behind answers: [GivenAnswer]) -> [GivenAnswer] {
        facts.asked.map { question in
            let isMeant = { (answer: GivenAnswer) in answer.question == question.identifier }
            return given.last { isMeant($0) && $0.answer.map(question.accepts) == true }
                ?? answers.last(where: isMeant) ?? GivenAnswer(question: question.identifier, answer: nil)
        }
    }

    /// All questions that the step asks, or for a block the questions of its steps.
    var askedQuestions: [Identifier] { withInner.flatMap(\.facts.asked).map(\.identifier) }
}
