import StudyModel
import TextFormat

/// What a question asked for, by where it stands.
struct AskedQuestions {
    enum Asked: Hashable {
        case question(AnswerFormat)
        case consent(Consent)
    }

    private var byPlace: [[Identifier]: Asked] = [:]

    init(of task: Study.Task) {
        for step in task.steps { add(step, below: []) }
    }

    /// What the question asked for that a step at `path` answers.
    subscript(path: [Identifier], question: Identifier) -> Asked? { byPlace[path + [question]] }

    private mutating func add(_ step: Step, below path: [Identifier]) {
        let path = path + [step.identifier]
        switch step.kind {
        case .instruction, .active, .countdown, .completion: break
        case .question(let format): byPlace[path + [step.identifier]] = .question(format)
        case .form(let questions):
            for question in questions { byPlace[path + [question.identifier]] = .question(question.format) }
        case .consent(let consent): byPlace[path + [step.identifier]] = .consent(consent)
        case .block(let block):
            for step in block.steps { add(step, below: path) }
        }
    }
}

/// The ResearchKit class that bears an answer; an answer that was not given has the class of its question.
struct AnswerShape: Hashable {
    var className: String
    /// `ORKQuestionType`; `nil` for a consent.
    var questionType: Int?
    /// The unit of a number, where the study gives one.
    var unit: String?

    init(asked: AskedQuestions.Asked?, answer: Answer?) {
        switch (answer, asked) {
        case (.scale, _), (.continuous, _), (nil, .question(.scale)?), (nil, .question(.continuous)?):
            self.init("ORKScaleQuestionResult", 1)
        case (.choice, _), (nil, .question(.choice)?): self.init("ORKChoiceQuestionResult", 2)
        case (.choices, _), (nil, .question(.choices)?): self.init("ORKChoiceQuestionResult", 3)
        case (.number, _), (nil, .question(.number)?): self.init("ORKNumericQuestionResult", 5)
        case (.boolean, _), (nil, .question(.boolean)?): self.init("ORKBooleanQuestionResult", 7)
        case (.text, _), (nil, .question(.text)?): self.init("ORKTextQuestionResult", 8)
        case (.timeOfDay, _), (nil, .question(.timeOfDay)?): self.init("ORKTimeOfDayQuestionResult", 9)
        case (.date, _), (nil, .question(.date)?): self.init("ORKDateQuestionResult", 11)
        case (.consent, _), (nil, .consent?): self.init("ORKConsentSignatureResult", nil)
        case (nil, nil): self.init("ORKQuestionResult", 0)
        }
        if case .question(.number(let unit, _, _))? = asked { self.unit = unit }
    }

    private init(_ className: String, _ questionType: Int?) {
        self.className = className
        self.questionType = questionType
    }
}

extension Answer {
    /// The members of ResearchKit's result that bear the answer.
    func researchKitMembers(wallClock: WallClock, asked: AskedQuestions.Asked?) -> [String: JSON] {
        switch self {
        case .scale(let value): ["scaleAnswer": .integer(value)]
        case .continuous(let value): ["scaleAnswer": .real(value)]
        case .choice(let value): ["choiceAnswers": [.text(value)]]
        case .choices(let values): ["choiceAnswers": .texts(values)]
        case .boolean(let value): ["booleanAnswer": .boolean(value)]
        case .number(let value): ["numericAnswer": .real(value)]
        case .text(let value): ["textAnswer": .text(value)]
        case .date(let year, let month, let day):
            [
                "calendar": "gregorian",
                "dateAnswer": .text(wallClock.midnight(of: CivilDate(year: year, month: month, day: day))),
                "timeZone": .integer(wallClock.utcOffset / 60 * 60),
            ]
        case .timeOfDay(let hour, let minute):
            ["dateComponentsAnswer": .text("\(Self.twoDigits(hour)):\(Self.twoDigits(minute))")]
        case .consent(let signature):
            [
                "consented": true,
                "signature": .members([
                    "_class": "ORKConsentSignature",
                    "givenName": signature.map { .text($0) },
                    "identifier": "participant",
                    "requiresName": .boolean(Self.isNameRequired(asked) || signature != nil),
                    "requiresSignatureImage": false,
                ]),
            ]
        }
    }

    private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

    private static func isNameRequired(_ asked: AskedQuestions.Asked?) -> Bool {
        switch asked {
        case .consent(let consent)?: consent.isSignatureTyped
        case .question?, nil: false
        }
    }
}
