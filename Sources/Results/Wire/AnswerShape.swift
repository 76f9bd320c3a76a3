import StudyModel
import TextFormat

/// What a question asked for, by the place of the question.
struct AskedQuestions {
    private var byPlace: [[Identifier]: Step.Asked] = [:]
    /// The values that the program works out, wherever they stand.
    private var scores: [Identifier: Step.Asked] = [:]

    init(of task: Study.Task) {
        for score in task.scores {
            for value in score.values { scores[value.identifier] = Step.Asked(value, .item) }
        }
        for step in task.steps { add(step, below: []) }
    }

    /// What the question of a step at `path` asked for.
    subscript(path: [Identifier], question: Identifier) -> Step.Asked? {
        byPlace[path + [question]] ?? scores[question]
    }

    private mutating func add(_ step: Step, below path: [Identifier]) {
        let (path, facts) = (path + [step.identifier], step.facts)
        for asked in facts.asked { byPlace[path + [asked.identifier]] = asked }
        for step in facts.inner { add(step, below: path) }
    }
}

/// The ResearchKit class for an answer. A missing answer has the class of its question.
struct AnswerShape: Hashable {
    var className: String
    /// `ORKQuestionType`; `nil` for a consent.
    var questionType: Int?
    /// The unit of a number, if the study gives one.
    var unit: String?

    init(asked: Step.Asked?, answer: Answer?) {
        let form = (answer?.kind ?? asked?.kind)?.researchKit
        className = form?.className ?? "ORKQuestionResult"
        questionType = form.map(\.questionType) ?? 0
        unit = asked?.format?.unit
    }
}

extension AnswerKind {
    /// The ResearchKit class and `ORKQuestionType` of an answer, and the member that holds it.
    var researchKit: (className: String, questionType: Int?, member: String) {
        switch self {
        case .scale, .continuous: ("ORKScaleQuestionResult", 1, "scaleAnswer")
        case .choice: ("ORKChoiceQuestionResult", 2, "choiceAnswers")
        case .choices: ("ORKChoiceQuestionResult", 3, "choiceAnswers")
        case .number: ("ORKNumericQuestionResult", 5, "numericAnswer")
        case .boolean: ("ORKBooleanQuestionResult", 7, "booleanAnswer")
        case .text: ("ORKTextQuestionResult", 8, "textAnswer")
        case .timeOfDay: ("ORKTimeOfDayQuestionResult", 9, "dateComponentsAnswer")
        case .date: ("ORKDateQuestionResult", 11, "dateAnswer")
        case .consent: ("ORKConsentSignatureResult", nil, "consented")
        }
    }

    /// The members that hold answers.
    package static let members = allCases.map(\.researchKit.member)

    /// The members of ResearchKit's result that only an answer of this kind has.
    var shapes: [String: FieldShape] {
        let member = researchKit.member
        return switch self {
        case .scale, .continuous: [member: .number(BundleLimits.number)]
        case .choice, .choices: [member: .list(.text)]
        case .number: [member: .number(BundleLimits.number), "unit": .text]
        case .boolean: [member: .boolean]
        case .text: [member: .typed]
        case .timeOfDay: [member: .timeOfDay]
        case .date:
            [
                member: .answeredDate, "calendar": .word(["gregorian"]),
                "timeZone": .dropped(.integer(BundleLimits.utcOffset)),
            ]
        case .consent: [member: .boolean, "signature": FieldShape.signature]
        }
    }

    /// An answer of this kind as the journal holds it.
    var journalled: FieldShape {
        switch self {
        case .scale: .whole
        case .continuous, .number: .real
        case .choice: .either([.text, .all(["other": .typed, "value": .text])])
        case .choices: .either([.list(.text), .all(["other": .typed, "values": .list(.text)])])
        case .boolean: .boolean
        case .text: .typed
        case .date: .tuple([.whole, .whole, .whole])
        case .timeOfDay: .tuple([.whole, .whole])
        case .consent: .fields(["declined": .boolean, "signature": .typed])
        }
    }
}

extension Answer {
    /// The members of ResearchKit's result that hold the answer.
    ///
    /// - Parameter date: when it was given.
    func researchKitMembers(
        wallClock: WallClock, asked: Step.Asked?, date: String
    ) -> [String: JSON] {
        let member = kind.researchKit.member
        return switch self {
        case .scale(let value): [member: .integer(value)]
        case .continuous(let value), .number(let value): [member: .real(value)]
        case .choice(let value, _): [member: [.text(value)]]
        case .choices(let values, _): [member: .texts(values)]
        case .boolean(let value): [member: .boolean(value)]
        case .text(let value): [member: .text(value)]
        case .date(let year, let month, let day):
            [
                "calendar": "gregorian",
                member: .text(wallClock.midnight(of: CivilDate(year: year, month: month, day: day))),
                "timeZone": .integer(wallClock.utcOffset / 60 * 60),
            ]
        case .timeOfDay: [member: .text(words.joined())]
        case .declined: [member: false]
        case .consent(let signature):
            [
                member: true,
                "signature": .members([
                    "_class": "ORKConsentSignature",
                    "givenName": signature.map { .text($0) },
                    "identifier": "participant",
                    "requiresName": .boolean(asked?.document?.isSignatureTyped == true || signature != nil),
                    "requiresSignatureImage": false,
                    "signatureDate": .text(date),
                ]),
            ]
        }
    }
}

extension Answer: Wired {
    /// The answer as events and effects hold it.
    static let form: WireForm<Answer> = .init(
        .cases(Dictionary(uniqueKeysWithValues: AnswerKind.allCases.map { ($0.rawValue, $0.journalled) })),
        write: { .variant($0.kind.rawValue, $0.payload) }, read: Answer.init(reading:))

    private var payload: JSON {
        switch self {
        case .scale(let value): .integer(value)
        case .continuous(let value): .anyReal(value)
        case .choice(let value, nil): .text(value)
        case .choice(let value, let other?): ["other": .text(other), "value": .text(value)]
        case .choices(let values, nil): .texts(values)
        case .choices(let values, let other?): ["other": .text(other), "values": .texts(values)]
        case .boolean(let value): .boolean(value)
        case .number(let value): .anyReal(value)
        case .text(let value): .text(value)
        case .date(let year, let month, let day): [.integer(year), .integer(month), .integer(day)]
        case .timeOfDay(let hour, let minute): [.integer(hour), .integer(minute)]
        case .consent(let signature): .members(["signature": signature.map { .text($0) }])
        case .declined: ["declined": true]
        }
    }

    private init(reading wire: JSON) throws {
        let (name, payload) = try wire.asVariant()
        guard let kind = AnswerKind(rawValue: name) else { throw wire.wrong("an answer") }
        switch kind {
        case .scale: self = .scale(try payload.asInteger())
        case .continuous: self = .continuous(try payload.asNumber())
        case .choice:
            self =
                if payload.object == nil { .choice(try payload.asText()) } else {
                    .choice(try payload.field("value").asText(), other: try payload.field("other").asText())
                }
        case .choices:
            self =
                if payload.object == nil { .choices(try payload.asList { try $0.asText() }) } else {
                    .choices(
                        try payload.field("values").asList { try $0.asText() },
                        other: try payload.field("other").asText())
                }
        case .boolean: self = .boolean(try payload.asBoolean())
        case .number: self = .number(try payload.asNumber())
        case .text: self = .text(try payload.asText())
        case .date:
            let parts = try payload.asList { try $0.asInteger() }
            guard parts.count == 3 else { throw payload.wrong("year, month and day") }
            self = .date(year: parts[0], month: parts[1], day: parts[2])
        case .timeOfDay:
            let parts = try payload.asList { try $0.asInteger() }
            guard parts.count == 2 else { throw payload.wrong("hour and minute") }
            self = .timeOfDay(hour: parts[0], minute: parts[1])
        case .consent:
            let isDeclined = try payload.optional("declined") { try $0.asBoolean() } ?? false
            let signature = try payload.optional("signature") { try $0.asText() }
            self = isDeclined ? .declined : .consent(signature: signature)
        }
    }
}
