import StudyModel

/// What an answer looks like: one key that says the format, with its details.
enum AnswerShape {
    static let shape = Shape<AnswerFormat>(
        name: "answer", title: "Answer", description: "What an answer looks like: exactly one of these keys.",
        fields: .of(scale, continuous, choice, choices, boolean, number, text, date, timeOfDay),
        rules: [
            .exactlyOne([
                "scale", "continuous", "choice", "choices", "boolean", "number", "text", "date", "timeOfDay",
            ])
        ]
    ) { fields in
        let formats = [
            fields[scale], fields[continuous], fields[choice].map { .choice($0) },
            fields[choices].map { .choices($0) }, fields[boolean], fields[number], fields[text], fields[date],
            fields[timeOfDay],
        ]
        return formats.compactMap(\.self).first
    }

    private static let scale = Field(
        "scale", .mapping(ScaleShape.whole), "Scale", "A whole number on a scale.",
        example: ["from": 1, "to": 9])
    private static let continuous = Field(
        "continuous", .mapping(ScaleShape.continuous), "Continuous scale", "A number on a scale.",
        example: ["from": 0, "to": 100, "decimals": 1])
    private static let choice = Field(
        "choice", ChoiceShape.list, "One of several", "The texts to choose from, or values with texts.",
        example: ["never", "sometimes", "often"])
    private static let choices = Field(
        "choices", ChoiceShape.list, "Any of several", "The texts to choose from, or values with texts.",
        example: [["value": "walk", "text": "On foot"], ["value": "bike", "text": "By bicycle"]])
    private static let boolean = Field(
        "boolean", .mapping(booleanShape), "Yes or no", "Yes or no, in the study's words.",
        example: ["yes": "I agree", "no": "I do not agree"])
    private static let number = Field(
        "number", .mapping(numberShape), "Number", "A number.",
        example: ["unit": "years", "min": 18, "max": 99])
    private static let text = Field(
        "text", .mapping(textShape), "Text", "Words.", example: ["maximumLength": 200])
    private static let date = Field(
        "date", .mapping(empty("date", .date)), "Day", "A calendar day.", example: [:])
    private static let timeOfDay = Field(
        "timeOfDay", .mapping(empty("timeOfDay", .timeOfDay)), "Time of day", "A time of the day.",
        example: [:])

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
        "maximumLength", .integer(1...100_000), "Longest", "The most characters.", example: 200)
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
