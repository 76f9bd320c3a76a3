import StudyModel
import TextFormat

/// The format of an answer: one key that names the format, with its details.
enum AnswerShape {
    /// A format, and what is said if an answer is refused.
    struct Draft {
        var format: AnswerFormat
        var invalidMessage: LocalizedText?
        /// The right answer, not yet read.
        var right: Node?
        /// The order of the choices, if it is given.
        var order: Located<ItemOrder>?
    }

    static let shape = Shape<Draft>(
        name: "answer", title: "Answer",
        description: "What an answer looks like: one of the keys for its kind, and the keys for every kind.",
        fields: fields.map(\.declaration) + .of(order, invalidMessage, correct),
        rules: [.exactlyOne(fields.map(\.declaration.key)), .needsOne("order", of: ["choice", "choices"])]
    ) { given in
        let formats = fields.compactMap { given[$0] }
        let (order, message) = (given.located(order), given[invalidMessage])
        let right = given[correct]
        return formats.first.map {
            Draft(
                format: $0.ordered(order?.value ?? .fixed), invalidMessage: message, right: right,
                order: order)
        }
    }

    private static let correct = Field(
        "correct", Kind<Node>.scalar, "Correct",
        "The answer that is right, for scores that count right answers; the participant does not see it.",
        example: 7)

    private static let order = Field(
        "order", .itemOrder, usual: "fixed", "Order",
        "The order of the choices: drawn for each participant (shuffle), or the study's or its reverse by a draw (reverse); those with 'other' or 'exclusive' keep their places.",
        example: "shuffle")
    private static let invalidMessage = Field(
        "invalidMessage", .localizedText, "Message for a refused answer",
        "What the participant reads if an answer cannot be accepted, in place of the program's words.",
        example: "Please write your age in whole years.")

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
                key, ChoiceShape.listOfOne.map { .choice($0) }, "One of several",
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
        case .date:
            Field(
                key, .mapping(limits("date", firstDay, lastDay) { .date(minimum: $0, maximum: $1) }), "Day",
                "A calendar day.", example: ["min": "1900-01-01"])
        case .timeOfDay:
            Field(
                key,
                .mapping(limits("timeOfDay", firstTime, lastTime) { .timeOfDay(minimum: $0, maximum: $1) }),
                "Time of day", "A time of the day.", example: ["max": "23:00"])
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
    ) { fields in
        let words = (yes: fields[yes], no: fields[no])
        fields.reading.checkTexts([(yes, words.yes), (no, words.no)], in: fields)
        return .boolean(yes: words.yes ?? .yes, no: words.no ?? .no)
    }

    private static let unit = Field(
        "unit", .text(atMost: 40), "Unit", "What the number counts.", example: "years")
    private static let minimum = Field(
        "min", .number(-1e12...1e12), "Lowest", "The lowest number.", example: 18)
    private static let maximum = Field(
        "max", .number(-1e12...1e12), "Highest", "The highest number.", example: 99)
    private static let numberShape = Shape<AnswerFormat>(
        name: "number", title: "Number", description: "The unit and the limits of a number.",
        fields: .of(unit, minimum, maximum, integer)
    ) { fields in
        let (unit, low, high) = (fields[unit], fields[minimum], fields.located(maximum))
        let isWhole = fields[integer] ?? false
        if let low, let high, high.value < low {
            fields.reportSwapped(maximum, "'max' is less than 'min'")
        }
        if isWhole, let low, let high, low <= high.value, low.rounded(.up) > high.value {
            fields.reading.report(
                .outOfRange, "there is no whole number from 'min' to 'max'", at: high.range,
                help: "widen the limits, or leave 'integer' out")
        }
        return .number(unit: unit, minimum: low, maximum: high?.value, isWhole: isWhole)
    }

    private static let integer = Field(
        "integer", .boolean, usual: false, "Whole", "Whether it is a whole number.", example: true)

    private static let maximumLength = Field(
        "maximumLength", .integer(1...100_000), "Longest", "The largest number of characters.", example: 200)
    private static let pattern = Field(
        "pattern", .pattern, "Pattern",
        "A POSIX extended regular expression that the whole answer must match, as RE2 reads it.",
        example: "[A-Z]{2}[0-9]{4}")
    private static let textShape = Shape<AnswerFormat>(
        name: "textAnswer", title: "Text", description: "The limits of a text.",
        fields: .of(maximumLength, pattern, multipleLines)
    ) { fields in
        let (length, pattern, lines) = (fields[maximumLength], fields[pattern], fields[multipleLines])
        return .text(maximumLength: length, pattern: pattern, hasSeveralLines: lines ?? false)
    }

    private static let multipleLines = Field(
        "multipleLines", .boolean, usual: false, "Several lines",
        "Whether the text may have several lines; an empty line then ends it.",
        example: true)

    private static let firstDay = Field("min", .day, "First", "The first day.", example: "1900-01-01")
    private static let lastDay = Field("max", .day, "Last", "The last day.", example: "2026-12-31")
    private static let firstTime = Field("min", .time, "First", "The first time.", example: "06:00")
    private static let lastTime = Field("max", .time, "Last", "The last time.", example: "23:00")

    private static func limits(
        _ name: String, _ first: Field<String>, _ last: Field<String>,
        _ format: @escaping @Sendable (String?, String?) -> AnswerFormat
    ) -> Shape<AnswerFormat> {
        Shape(
            name: name, title: name, description: "The limits, if any.", fields: .of(first, last)
        ) { fields in
            let (low, high) = (fields[first], fields.located(last))
            if let low, let high, high.value < low {
                fields.reportSwapped(last, "'max' is before 'min'")
            }
            return format(low, high?.value)
        }
    }
}

extension AnswerFormat {
    fileprivate func ordered(_ order: ItemOrder) -> AnswerFormat {
        offer.map { offering($0.choices, order: order) } ?? self
    }
}

extension Kind<ItemOrder> {
    /// The order of what a step shows.
    static var itemOrder: Kind {
        .word([("fixed", .fixed), ("shuffle", .shuffle), ("reverse", .reverse)])
    }
}

extension Kind<String> {
    /// A day such as 1987-03-25.
    fileprivate static var day: Kind {
        written("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "a day such as 1987-03-25") { CivilDate($0) != nil }
    }

    /// A time such as 07:45.
    fileprivate static var time: Kind {
        written("^[0-9]{2}:[0-9]{2}$", "a time such as 07:45") { Answer(timeOfDay: $0) != nil }
    }

    private static func written(
        _ pattern: String, _ expected: String, _ isValid: @escaping @Sendable (String) -> Bool
    ) -> Kind {
        let words = String(expected.dropFirst("a ".count))
        return Kind(["$comment": .text(words), "type": "string", "pattern": .text(pattern)]) {
            node, reading in
            guard let text = node.scalarText, !node.isNull else {
                reading.reportKind(of: node, expected: expected, help: "write \(expected)")
                return nil
            }
            if isValid(text) { return text }
            reading.report(
                .outOfRange, "'\(text.prefix(40))' is not \(expected)", at: node.range,
                help: DatedText.help(for: text, otherwise: "write \(expected)", isValid))
            return nil
        }
    }
}

extension ConditionValue {
    /// A value that an answer in the given format can have.
    static func answer(
        _ node: Node, to format: AnswerFormat, _ comparison: Located<Navigation.Comparison>,
        _ reading: Reading
    ) -> Navigation.Value? {
        switch format.domain {
        case .interval(let minimum, let maximum, let isWhole):
            let low = minimum ?? -1e12
            return number(node, in: low...max(low, maximum ?? 1e12), isWhole: isWhole, reading)
        case .oneOf where format.kind == .boolean:
            rejectOrder(comparison, "yes and no have no order", reading)
            return boolean(node, reading)
        case .oneOf(let choices), .severalOf(let choices):
            rejectOrder(comparison, "choices have no order", reading)
            return choice(node, choices.map(\.value), reading)
        case .free:
            rejectOrder(comparison, "texts have no order", reading)
            return node.scalarText.map { .text($0) }
        case .ordered(let meaning, _, _):
            let example =
                switch meaning {
                case .day: "a day such as 2026-05-31"
                case .time: "a time such as 13:30"
                }
            return dated(node, { format.answer(dated: $0) != nil }, example, reading)
        }
    }
}
