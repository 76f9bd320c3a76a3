import StudyModel
import TextFormat

/// A clip that the participant chooses; its question is still to be looked up.
struct ChosenClip {
    var question: Located<Identifier>
    var set: Located<Identifier>
    /// The clip if there is no answer.
    var otherwise: Located<Identifier>?
    /// The mapping.
    var range: SourceRange
    /// Whether the answer is a number that the clip is to be near, and not the clip's name.
    var isNumber = false

    /// The value of `play`: a clip, or the question whose answer names one.
    enum Play {
        case clip(Located<Identifier>)
        case answer(ChosenClip)
        case nearest(NearestShape.Draft)
    }

    static let shape = Shape<ChosenClip>(
        name: "chosenClip", title: "Chosen clip", description: "A clip that the participant chooses.",
        fields: .of(answer, from, otherwise)
    ) { fields in
        let (question, set, otherwise) = (fields[answer], fields[from], fields[otherwise])
        guard let question, let set else { return nil }
        return ChosenClip(question: question, set: set, otherwise: otherwise, range: fields.range)
    }

    private static let answer = Field(
        "answer", Kind<Identifier>.identifier.located, isRequired: true, "Answer",
        "The question whose last answer names the clip.", example: "favourite")
    private static let from = Field(
        "from", Kind<Identifier>.identifier.located, isRequired: true, "Set",
        "The stimulus set that holds the clips.", example: "clips")
    private static let otherwise = Field(
        "otherwise", Kind<Identifier>.identifier.located, "Otherwise",
        "The clip of the set that is played if there is no answer; without this key nothing is played.",
        example: "chill_preview_3")
}

extension Kind<ChosenClip.Play> {
    /// A clip, a mapping with the question, or one with what the clip is to be near.
    static var play: Kind {
        let clip = Kind<Identifier>.identifier.orValue.located
        let chosen = Kind<ChosenClip>.mapping(ChosenClip.shape)
        let nearest = Kind<NearestShape.Draft>.mapping(NearestShape.shape)
        return Kind(
            schema: { ["anyOf": [clip.schema($0), chosen.schema($0), nearest.schema($0)]] },
            read: { node, reading in
                if case .mapping(let pairs) = node.content, pairs.value(of: "nearest") != nil {
                    return nearest.read(node, reading).map { .nearest($0) }
                }
                if case .mapping = node.content { return chosen.read(node, reading).map { .answer($0) } }
                return clip.read(node, reading).map { .clip($0) }
            })
    }
}

extension ChosenClip {
    /// The choice with its set looked up. Its question is looked up when the whole task has been read.
    func resolved(_ reading: Reading) -> Stimulus.Use.Choice? {
        guard let pool = reading.set(set) else { return nil }
        if let otherwise, let clips = pool.pool, !clips.contains(where: { $0.identifier == otherwise.value })
        {
            reading.reportUnknownClip(otherwise, among: clips.map(\.identifier.text))
        }
        reading.context.chosenClips.append(self)
        return .answered(question: question.value, set: set.value, otherwise: otherwise?.value)
    }
}

extension TaskSteps {
    /// Reports chosen clips whose question has other answers, or may have none.
    func checkChosenClips(_ worked: [AnswerScore]) {
        for (position, draft) in drafts.enumerated() {
            for step in draft.withInner {
                for chosen in step.chosenClips { check(chosen, of: step, at: position, worked) }
            }
        }
    }

    /// Reports a chosen clip whose question has other answers, or may have none.
    ///
    /// - Parameters:
    ///   - step: the step that plays it.
    ///   - position: of the step in the task's own list.
    func check(
        _ chosen: ChosenClip, of step: StepDraft, at position: Int, _ worked: [AnswerScore]
    ) {
        let question = chosen.question
        guard let format = format(of: question),
            let pool = reading.context.rounds(of: chosen.set.value)?.pool
        else { return }
        let clips = pool.map(\.identifier.text)
        if chosen.isNumber {
            guard format.isNumeric, format.missingValues.isEmpty else {
                reading.report(
                    .conditionValue, "'\(question.value)' is not always answered with a number",
                    at: question.range, help: "name a question with a scale or a number")
                return
            }
        } else {
            guard checkChoices(of: format, chosen, clips) else { return }
        }
        checkOrder(of: question.value, worked, at: question.range, step, at: position)
        let asking = drafts.flatMap(\.withInner).first { $0.asks(question.value) }
        guard chosen.otherwise == nil, let asking, asking.mayLeave(question.value), let first = clips.first
        else { return }
        reading.report(
            .noClip, "'\(question.value)' can be left without an answer, and then nothing is played",
            at: question.range,
            help: Help("add 'otherwise' with the clip that is then played, such as 'otherwise: \(first)'"),
            severity: .warning)
    }

    /// Reports a question whose choices are no clips of the set.
    private func checkChoices(of format: AnswerFormat, _ chosen: ChosenClip, _ clips: [String]) -> Bool {
        let question = chosen.question
        guard case .oneOf(let choices) = format.domain, format.kind != .boolean else {
            reading.report(
                .conditionValue, "'\(question.value)' is not answered with one choice of several",
                at: question.range,
                help:
                    "name a question with 'answer: {choice: …}' whose values are clips of '\(chosen.set.value)'"
            )
            return false
        }
        if let other = choices.first(where: { $0.isOther || !clips.contains($0.value) }) {
            reading.report(
                .unknownClip,
                "the choice '\(other.value.prefix(64))' of '\(question.value)' is no clip of '\(chosen.set.value)'",
                at: question.range,
                help:
                    "let the values of the choices be clips; '\(chosen.set.value)' has: \(clips.prefix(20).joined(separator: ", "))"
            )
            return false
        }
        return true
    }
}

extension StepDraft {
    /// Whether the step, or a question in it, can be skipped.
    fileprivate func mayLeave(_ question: Identifier) -> Bool {
        guard let step, !step.isOptional, skipIf.isEmpty else { return true }
        return step.facts.asked.contains { $0.identifier == question && $0.mayBeMissing }
    }
}
