/// An answer or score of an earlier session that the rules or texts of a task use.
public struct RecalledAnswer: Hashable, Sendable {
    /// The name by which they use it: the session's, a dot, and the question's.
    public var identifier: Identifier
    /// The earlier session.
    public var session: Identifier
    /// The question, or the score, in the task of that session.
    public var question: Identifier
    /// How it was asked.
    public var format: AnswerFormat

    /// - Returns: `nil` if the two names together are longer than an identifier can be.
    public init?(_ question: Identifier, of session: Identifier, _ format: AnswerFormat) {
        guard let identifier = Identifier("\(session).\(question)") else { return nil }
        (self.identifier, self.session, self.question) = (identifier, session, question)
        self.format = format
    }
}

extension Collection<StepResult> {
    /// The last answer that was given to each question, and the last value of each score.
    package var lastAnswers: [Identifier: Answer] {
        var last: [Identifier: Answer] = [:]
        for result in sorted(by: { $0.ordinal < $1.ordinal }) {
            for given in result.answers { if let answer = given.answer { last[given.question] = answer } }
        }
        return last
    }
}

extension RunPlan {
    /// What the run uses of earlier sessions, in any arm.
    package var recalled: [RecalledAnswer] {
        Set(inEachArm.flatMap(\.task.recalled)).sorted { $0.identifier < $1.identifier }
    }

    /// What the run uses of the answers that earlier sessions got; nothing for those that have none.
    ///
    /// - Parameter answers: by session and question.
    package func recalled(from answers: [Identifier: [Identifier: Answer]]) -> [GivenAnswer] {
        recalled.compactMap { wanted in
            answers[wanted.session]?[wanted.question].map {
                GivenAnswer(question: wanted.identifier, answer: $0)
            }
        }
    }
}
