import StudyModel
import TextFormat

/// What is right, and the scores that compare trials with and without a signal.
extension TaskSteps {
    func right(_ node: Node, for format: AnswerFormat) -> Navigation.Value? {
        ConditionValue.answer(node, to: format, Located(value: .eq, range: node.range), reading)
    }

    /// What is right in a step.
    func right(_ node: Node, to question: Identifier, _ format: AnswerFormat, in step: Step) -> Step.Right? {
        guard let reaction = step.active?.reaction, question == step.identifier else {
            return right(node, for: format).map { .answer($0) }
        }
        guard node.scalarText == ReactionShape.noKey else {
            let words = reaction.keys.map(\.value) + [ReactionShape.noKey]
            let choices = words.map { AnswerFormat.Choice(value: $0, text: .plain($0)) }
            return right(node, for: .choice(choices)).map { .answer($0) }
        }
        if reaction.keys.contains(where: { $0.value == ReactionShape.noKey }) {
            reading.report(
                .conflictingKeys,
                "'none' says that no key is right, and it is also what one of the keys stands for",
                at: node.range, help: "let the key stand for another value")
        }
        return .noKey
    }

    /// Whether there are trials with a signal and trials without one; reports what is not there.
    func hasBothKinds(of draft: ScoreShape.Draft) -> Bool {
        let asked = Set(draft.inputs.map(\.value))
        let rights = drafts.flatMap(\.inEveryRound).flatMap { step in
            step.right.filter { asked.contains($0.key) }.map { question, node in
                (word: node.scalarText ?? "", isNoKey: step.isNoKeyRight(question, node))
            }
        }
        let signal = draft.signal?.scalarText
        let isSignal = rights.map { right in signal.map { Self.isSame($0, right.word) } ?? !right.isNoKey }
        let mistake: String
        let help: Help
        switch (isSignal.contains(true), isSignal.contains(false)) {
        case _ where signal != nil && rights.contains(where: \.isNoKey):
            mistake = "'signal' names an answer, and no key is right in some trials"
            help = "leave 'signal' out: there is a signal wherever a key is right"
        case (true, true): return true
        case (false, _) where signal != nil:
            mistake = "'\(signal ?? "")' is right in no trial, so none has a signal"
            help = "name an answer that is right in some trials"
        case (_, false) where signal != nil:
            mistake = "'\(signal ?? "")' is right in every trial, so all have a signal"
            help = "let another answer be right in trials without a signal"
        case (true, false):
            mistake = "a key is right in every trial, so all have a signal"
            help =
                "write 'correct: none' where no key is right, or name the answer that says there is a 'signal'"
        case (false, _):
            mistake = "no key is right in any trial, so none has a signal"
            help = "let a key be right in some trials"
        }
        reading.report(
            .scoreInput, mistake, at: draft.signal?.range ?? draft.inputs[0].range, help: help)
        return false
    }

    /// Whether two spellings mean the same answer.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        one == other || DecimalText.number(one).map { $0 == DecimalText.number(other) } == true
    }
}

extension StepDraft {
    /// Whether what is right is that no key is pressed.
    fileprivate func isNoKeyRight(_ question: Identifier, _ right: Node) -> Bool {
        step?.active?.reaction != nil && identifier?.value == question
            && right.scalarText == ReactionShape.noKey
    }

    /// The step and all steps in it; those of a block as each of its rounds has them.
    fileprivate var inEveryRound: [StepDraft] {
        let rounds = filled.isEmpty ? inner : filled.flatMap(\.steps)
        return [self] + (rounds + inserted).flatMap(\.inEveryRound)
    }
}
