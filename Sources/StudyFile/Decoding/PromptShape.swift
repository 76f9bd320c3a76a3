import StudyModel
import TextFormat

/// Questions that are asked while a timed step goes on.
enum PromptShape {
    /// A prompt as written; `prompt` is `nil` if it could not be read.
    struct Draft {
        var question: FormShape.Draft
        var prompt: Prompt?
        /// The place of its first moment.
        var moment: SourceRange
    }

    static let field = Field(
        "prompts", .list(.mapping(shape), noun: "prompt"), "Prompts",
        "Questions that are asked while the step goes on.",
        example: [
            [
                "identifier": "effort", "title": "How hard is it?",
                "answer": ["scale": ["from": 6, "to": 20]],
                "every": "60 s", "timeLimit": "10 s",
            ]
        ])

    /// - Parameter shortest: the shortest time that the step can last, if that is known.
    static func check(_ drafts: [Draft], in shortest: Duration?, _ reading: Reading) {
        reading.rejectDuplicates(drafts.map(\.question.identifier), noun: "prompt")
        guard let shortest else { return }
        for draft in drafts {
            guard let prompt = draft.prompt, prompt.first >= shortest else { continue }
            reading.report(
                .outOfRange, "the step is over before it asks this", at: draft.moment,
                help: "write a time below the step's duration, or make the step longer")
        }
    }

    private static let shape = Shape<Draft>(
        name: "prompt", title: "Prompt",
        description: "A question that is asked while the step goes on, once or again and again.",
        fields: FormShape.questionFields + .of(first, every, timeLimit),
        rules: [.atLeastOne(["every", "first"])]
    ) { fields in
        let question = FormShape.readQuestion(fields)
        let (begin, period, limit) = (fields.located(first), fields.located(every), fields.located(timeLimit))
        guard let question else { return nil }
        if let format = question.question?.format { check(format, fields) }
        if let period, period.value < .seconds(1) {
            fields.reading.report(
                .outOfRange, "nobody can answer that often", at: period.range,
                help: "write 1 s or more")
        }
        if let period, let limit, limit.value > period.value {
            fields.reading.report(
                .outOfRange, "it is asked again before that time is over", at: limit.range,
                help: "write at most the time of 'every', or leave 'timeLimit' out")
        }
        guard let moment = begin ?? period else {
            return Draft(question: question, prompt: nil, moment: fields.range)
        }
        let prompt = question.question.map {
            Prompt($0, first: moment.value, every: period?.value, timeLimit: limit?.value)
        }
        return Draft(question: question, prompt: prompt, moment: moment.range)
    }

    /// Reports an answer that needs more than a line or two of the running step.
    private static func check(_ format: AnswerFormat, _ fields: Fields) {
        let place = fields.place(of: FormShape.answer)
        guard format.kind.traits.fitsPrompt else {
            let kinds = AnswerKind.allCases.filter(\.traits.fitsPrompt).map(\.rawValue)
            fields.reading.report(
                .promptAnswer,
                "an answer of the kind '\(format.kind.rawValue)' cannot be given while the step goes on",
                at: place, help: "use \(listed(kinds, last: "or")); or ask it in a step of its own")
            return
        }
        guard let count = format.offer?.choices.count, count > mostChoices else { return }
        fields.reading.report(
            .promptAnswer, "\(count) choices are too many to read while the step goes on", at: place,
            help: "write at most \(mostChoices), or ask it in a step of its own")
    }

    /// As many choices as there are digits to choose them with.
    private static let mostChoices = 9

    private static let first = Field(
        "first", .duration(), "First",
        "When it is first asked, counted from the step's start; by default, after the time of 'every'.",
        example: "30 s")
    private static let every = Field(
        "every", .duration().called("duration of 1 s or more"), "Every",
        "The time from one asking to the next; without it, the question is asked once.",
        example: "60 s")
    private static let timeLimit = Field(
        "timeLimit", .duration(), "Time limit",
        "How much time there is to answer; by default, until the next prompt is due or the step ends.",
        example: "10 s")
}
