import StudyModel
import TextFormat

/// What an answer looks like: one key that says the format, with its details.
enum AnswerShape {
    static let shape = Shape<AnswerFormat>(
        name: "answer", title: "Answer", description: "What an answer looks like: exactly one of these keys.",
        fields: fields.map(\.declaration), rules: [.exactlyOne(fields.map(\.declaration.key))]
    ) { given in fields.compactMap { given[$0] }.first }

    /// The key of each kind of answer.
    private static let fields = AnswerKind.allCases.compactMap(field)

    private static func field(for kind: AnswerKind) -> Field<AnswerFormat>? {
        let key = kind.rawValue
        return switch kind {
        case .scale:
            Field(
                key, .mapping(ScaleShape.whole), "Scale", "A whole number on a scale.",
                example: ["from": 1, "to": 9])
        case .continuous:
            Field(
                key, .mapping(ScaleShape.continuous), "Continuous scale", "A number on a scale.",
                example: ["from": 0, "to": 100, "decimals": 1])
        case .choice:
            Field(
                key, ChoiceShape.list.map { .choice($0) }, "One of several",
                "The texts to choose from, or values with texts.", example: ["never", "sometimes", "often"])
        case .choices:
            Field(
                key, ChoiceShape.list.map { .choices($0) }, "Any of several",
                "The texts to choose from, or values with texts.",
                example: [["value": "walk", "text": "On foot"], ["value": "bike", "text": "By bicycle"]])
        case .boolean:
            Field(
                key, .mapping(booleanShape), "Yes or no", "Yes or no, in the study's words.",
                example: ["yes": "I agree", "no": "I do not agree"])
        case .number:
            Field(
                key, .mapping(numberShape), "Number", "A number.",
                example: ["unit": "years", "min": 18, "max": 99])
        case .text: Field(key, .mapping(textShape), "Text", "Words.", example: ["maximumLength": 200])
        case .date: Field(key, .mapping(empty(key, .date)), "Day", "A calendar day.", example: [:])
        case .timeOfDay:
            Field(key, .mapping(empty(key, .timeOfDay)), "Time of day", "A time of the day.", example: [:])
        case .consent: nil
        }
    }

    private static let yes = Field(
        "yes", .localizedText, usual: "Yes", "Yes", "The word for yes.", example: "I agree")
    private static let no = Field(
        "no", .localizedText, usual: "No", "No", "The word for no.", example: "I do not agree")
    private static let booleanShape = Shape<AnswerFormat>(
        name: "boolean", title: "Yes or no", description: "The words for yes and no.",
        fields: .of(yes, no)
    ) { fields in .boolean(yes: fields[yes] ?? .plain("Yes"), no: fields[no] ?? .plain("No")) }

    private static let unit = Field(
        "unit", .text(atMost: 40), "Unit", "What the number counts.", example: "years")
    private static let minimum = Field(
        "min", .number(-1e12...1e12), "Lowest", "The lowest number.", example: 18)
    private static let maximum = Field(
        "max", .number(-1e12...1e12), "Highest", "The highest number.", example: 99)
    private static let numberShape = Shape<AnswerFormat>(
        name: "number", title: "Number", description: "The unit and the limits of a number.",
        fields: .of(unit, minimum, maximum)
    ) { fields in
        let (unit, low, high) = (fields[unit], fields[minimum], fields.located(maximum))
        if let low, let high, high.value < low {
            fields.reading.report(.outOfRange, "'max' is less than 'min'", at: high.range)
        }
        return .number(unit: unit, minimum: low, maximum: high?.value)
    }

    private static let maximumLength = Field(
        "maximumLength", .integer(1...100_000), "Longest", "The largest number of characters.", example: 200)
    private static let pattern = Field(
        "pattern", .pattern, "Pattern",
        "A POSIX extended regular expression that the whole answer must match.",
        example: "[A-Z]{2}[0-9]{4}")
    private static let textShape = Shape<AnswerFormat>(
        name: "textAnswer", title: "Text", description: "The limits of a text.",
        fields: .of(maximumLength, pattern)
    ) { fields in
        let (length, pattern) = (fields[maximumLength], fields[pattern])
        return .text(maximumLength: length, pattern: pattern)
    }

    private static func empty(_ name: String, _ format: AnswerFormat) -> Shape<AnswerFormat> {
        Shape(name: name, title: name, description: "No details: {}.", fields: []) { _ in format }
    }
}

extension ConditionValue {
    /// A value that an answer of the given format can have.
    static func answer(
        _ node: Node, to format: AnswerFormat, _ comparison: Located<Navigation.Comparison>,
        _ reading: Reading
    ) -> Navigation.Value? {
        switch format {
        case .scale(let from, let to, _, _):
            return number(node, in: Double(from)...Double(max(from, to)), isWhole: true, reading)
        case .continuous(let from, let to, _): return number(node, in: from...max(from, to), reading)
        case .number(_, let minimum, let maximum):
            let low = minimum ?? -1e12
            return number(node, in: low...max(low, maximum ?? 1e12), reading)
        case .choice(let choices), .choices(let choices):
            rejectOrder(comparison, "choices have no order", reading)
            return choice(node, choices.map(\.value), reading)
        case .boolean:
            rejectOrder(comparison, "yes and no have no order", reading)
            return boolean(node, reading)
        case .text:
            rejectOrder(comparison, "texts have no order", reading)
            return node.scalarText.map { .text($0) }
        case .date: return dated(node, { CivilDate($0) != nil }, "a day such as 2026-05-31", reading)
        case .timeOfDay: return dated(node, isTime, "a time such as 13:30", reading)
        }
    }
}
