import Results
import StudyModel

/// A question that was asked: a row of `answers`.
struct AnswerRow {
    var visit: ResultBundle.Visit
    var answer: ResultBundle.Answer
    /// The kind of answer, as the codebook names it.
    var kind: AnswerKind?
    /// The clip that it is about.
    var stimulus: String?

    private typealias Column = RowColumn<Self>

    static let columns: [RowColumn<Self>] = RowColumn.list {
        Column.visit { $0.visit }
        Column.optional(
            "stimulus", .text,
            "the clip of the same step, or the last one before it: in the same round of its block, or outside of blocks"
        ) { $0.stimulus }
        Column.required("question", .text, "the question") { $0.answer.question }
        Column.optional(
            "kind", .text,
            "the kind of answer, as in the codebook; empty if the bundle's study cannot be read"
        ) { $0.kind?.rawValue }
        Column.optional("answer", .text, "the answer as text; several choices as a JSON list") {
            $0.answer.text
        }
        Column.optional(
            "value", .real,
            "the answer as a number: yes is 1, no is 0, and a choice is its value if that is a number; empty if it says that there is no answer"
        ) { $0.answer.value }
        Column.optional("unit", .text, "the number's unit") { $0.answer.unit }
        Column.optional("other", .text, "the words of a choice that asks for words") { $0.answer.other }
        Column.optional("shown_seconds", .real, "when it was first shown, s since the run's start") {
            $0.answer.times?.shown
        }
        Column.optional(
            "touched_seconds", .real, "when the first key was pressed for it, s since the run's start"
        ) { $0.answer.times?.touched }
        Column.optional("changed_seconds", .real, "when its answer last changed, s since the run's start") {
            $0.answer.times?.changed
        }
        Column.optional("confirmed_seconds", .real, "when it was confirmed, s since the run's start") {
            $0.answer.times?.confirmed
        }
        Column.optional("changes", .integer, "how often its answer changed") { $0.answer.times?.changes }
        Column.optional("prompt", .integer, "which asking of a prompt it is, from 1; empty if a step asked") {
            $0.answer.prompt?.number
        }
        Column.optional("prompt_planned_seconds", .real, "when the prompt was due, s since the run's start") {
            $0.answer.prompt?.planned
        }
        Column.optional(
            "prompt_shown_seconds", .real,
            "when the prompt was shown, s since the run's start; empty if it never was"
        ) { $0.answer.prompt?.shown }
        Column.optional("prompt_ended_seconds", .real, "when the prompt was over, s since the run's start") {
            $0.answer.prompt?.ended
        }
        Column.optional(
            "prompt_ended_by", .text, "what ended the prompt: answer, timeLimit, nextPrompt or stepEnd"
        ) { $0.answer.prompt?.endedBy }
        Column.optional("key", .text, "the key that answered, if a key was to answer") {
            $0.answer.reaction?.key
        }
        Column.optional("reaction_seconds", .real, "from the onset to the key, s") {
            $0.answer.reaction?.time
        }
        Column.optional(
            "onset_seconds", .real, "the moment from which the reaction is measured, s since the run's start"
        ) { $0.answer.reaction?.onset }
        Column.optional(
            "measured_from", .text,
            "what happened at the onset: sound (heard), plannedSound (nobody could hear it) or step (the step's start)"
        ) { $0.answer.reaction?.measuredFrom }
        Column.optional(
            "right", .boolean,
            "whether it was the right key or, where no key is right, whether none came; empty if the right key was missing, or if nothing is named as right"
        ) { $0.answer.reaction?.isRight }
        Column.optional(
            "ignored_keys", .integer, "keys that did not count: before the onset, or repeated by a held key"
        ) { $0.answer.reaction?.ignoredKeys }
        Column.required("class", .text, "ResearchKit's class") { $0.answer.kind }
    }
}
