package import Results
import StudyModel
import TextFormat

/// One thing that a run's bundle says about its participant.
package struct ParticipantTrait: Sendable {
    /// The question's identifier, or `arm`.
    package var name: String
    package var kind: Kind
    /// As text; several choices as a JSON list.
    package var text: String
    package var number: Double?
    /// Of a number, if the study names one.
    package var unit: String?

    package enum Kind: String, Sendable, CaseIterable {
        case number, boolean, choice, choices, arm
    }

    /// - Returns: `nil` for words and dates, since they could tell who answered, and for questions without an answer.
    init?(_ answer: ResultBundle.Answer) {
        (name, number, unit) = (answer.question, answer.value, answer.unit)
        guard let text = answer.text, let kind = Kind(answer) else { return nil }
        (self.kind, self.text) = (kind, text)
    }

    fileprivate init(arm: String) { (name, kind, text) = ("arm", .arm, arm) }
}

extension ParticipantTrait {
    private typealias Column = RowColumn<Self>

    static let columns: [RowColumn<Self>] = RowColumn.list {
        Column.required("characteristic", .text, "the question's identifier, or 'arm'") { $0.name }
        Column.required("kind", .text, "number, boolean, choice, choices or arm") { $0.kind.rawValue }
        Column.required("value", .text, "what it is, as text; several choices as a JSON list") { $0.text }
        Column.optional(
            "number", .real,
            "the answer as a number: yes is 1, no is 0, and a choice is its value if that is a number; empty if it says that there is no answer"
        ) { $0.number }
        Column.optional("unit", .text, "the unit of a number, as the study names it") { $0.unit }
    }
}

extension ParticipantTrait.Kind {
    package init?(_ answer: ResultBundle.Answer) {
        switch answer.kind {
        case "ORKScaleQuestionResult", "ORKNumericQuestionResult": self = .number
        case "ORKBooleanQuestionResult": self = .boolean
        case "ORKChoiceQuestionResult": self = answer.takesSeveral ? .choices : .choice
        default: return nil
        }
    }
}

extension ParticipantTrait {
    /// The participant's arm, and their answers before the first step that is timed; a question that was asked again
    /// counts once.
    package static func all(of bundle: ResultBundle) -> [ParticipantTrait] {
        let answers = bundle.visits.prefix { $0.plannedDuration == nil }.flatMap(\.answers)
        let arm = bundle.manifest.run.arm.map { ParticipantTrait(arm: $0.text) }
        var names: Set<String> = []
        return ([arm].compactMap(\.self) + answers.compactMap(ParticipantTrait.init)).filter {
            names.insert($0.name).inserted
        }
    }
}
