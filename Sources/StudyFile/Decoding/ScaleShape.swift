import StudyModel
import TextFormat

/// Scales to answer on.
enum ScaleShape {
    typealias Scale = AnswerFormat.Scale

    static let whole = Shape<AnswerFormat>(
        name: "scale", title: "Scale", description: "Whole numbers, at most 101 of them.",
        fields: .of(from, to, fromLabel, toLabel, labels, start, showNumber)
    ) { fields in
        let (low, high) = (fields[from], fields.located(to))
        let details = Details(fields)
        guard let low, let high else { return nil }
        if high.value > low, high.value - low > 100 {
            fields.reading.report(
                .outOfRange, "a scale has at most 101 values, this has \(high.value - low + 1)",
                at: high.range,
                help: Help("write \(low + 100) or less, or use 'continuous' for finer scales"))
        }
        return .scale(
            scale(
                details, from: Double(low), to: Located(value: Double(high.value), range: high.range),
                decimals: 0))
    }

    static let continuous = Shape<AnswerFormat>(
        name: "continuous", title: "Continuous scale", description: "Any number between two.",
        fields: .of(lowest, highest, decimals, fromLabel, toLabel, labels, start, showNumber)
    ) { fields in
        let (low, high, places) = (fields[lowest], fields.located(highest), fields[decimals])
        let details = Details(fields)
        guard let low, let high else { return nil }
        return .continuous(scale(details, from: low, to: high, decimals: places ?? 1))
    }

    /// What both kinds of scale have in addition to their ends.
    private struct Details {
        let reading: Reading
        let ends: (low: LocalizedText?, high: LocalizedText?)
        let labels: [Located<Scale.Label>]
        let start: Located<Double>?
        let areNumbersShown: Bool?

        init(_ fields: Fields) {
            reading = fields.reading
            ends = (fields[fromLabel], fields[toLabel])
            reading.checkTexts([(fromLabel, ends.low), (toLabel, ends.high)], in: fields)
            (labels, start) = (fields[ScaleShape.labels] ?? [], fields.located(ScaleShape.start))
            areNumbersShown = fields[showNumber]
        }
    }

    private static func scale(
        _ details: Details, from low: Double, to high: Located<Double>, decimals: Int
    ) -> Scale {
        let others = details.labels
        var labels: [Scale.Label] = []
        for (value, text, field) in [
            (low, details.ends.low, fromLabel), (high.value, details.ends.high, toLabel),
        ] {
            guard let text else { continue }
            if let twin = others.first(where: { $0.value.value == value }) {
                details.reading.report(
                    .conflictingKeys, "the end has a label of its own: '\(field.declaration.key)'",
                    at: twin.range, help: "keep one of both")
            }
            labels.append(Scale.Label(value: value, text: text))
        }
        if high.value <= low {
            let above = plainNumber(low.rounded(.down) + 1)
            details.reading.report(
                .outOfRange, "'to' must be above 'from'", at: high.range,
                help: Help("write a number above \(plainNumber(low)), such as \(above)"))
            return Scale(from: low, to: high.value, decimals: decimals)
        }
        for (value, range) in others.map({ ($0.value.value, $0.range) })
            + (details.start.map { [($0.value, $0.range)] } ?? [])
        where !isPoint(value, from: low, to: high.value, decimals: decimals) {
            let nearest = plainNumber(min(max(value.rounded(), low), high.value))
            details.reading.report(
                .outOfRange, "the scale has no value \(plainNumber(value))", at: range,
                help:
                    Help(
                        "write \(nearest), or another \(decimals == 0 ? "whole number" : "value") "
                            + "from \(plainNumber(low)) to \(plainNumber(high.value))"))
        }
        return Scale(
            from: low, to: high.value, decimals: decimals,
            labels: (labels + others.map(\.value)).sorted { $0.value < $1.value },
            start: details.start?.value,
            areNumbersShown: details.areNumbersShown ?? true)
    }

    private static func isPoint(_ value: Double, from low: Double, to high: Double, decimals: Int) -> Bool {
        let scaled = (0..<decimals).reduce(value) { value, _ in value * 10 }
        return low <= value && value <= high && abs(scaled - scaled.rounded()) < 1e-6
    }

    private static let from = Field(
        "from", .integer(-1_000_000...1_000_000), isRequired: true, "From", "The lowest value.", example: 1)
    private static let to = Field(
        "to", .integer(-1_000_000...1_000_000), isRequired: true, "To", "The highest value.", example: 9)
    private static let fromLabel = Field(
        "fromLabel", .localizedText, "Label of the lowest", "What the lowest value means.",
        example: "not at all")
    private static let toLabel = Field(
        "toLabel", .localizedText, "Label of the highest", "What the highest value means.",
        example: "very much")
    private static let lowest = Field(
        "from", .number(-1e9...1e9), isRequired: true, "From", "The lowest value.", example: 0)
    private static let highest = Field(
        "to", .number(-1e9...1e9), isRequired: true, "To", "The highest value.", example: 100)
    private static let decimals = Field(
        "decimals", .integer(0...6), usual: 1, "Decimals",
        "Digits after the point at most; nothing is rounded.", example: 1)
    private static let labels = Field(
        "labels", .labels, "Labels", "What values mean, by value; any of them, or all.",
        example: ["1": "never", "3": "sometimes", "5": "always"])
    private static let start = Field(
        "start", .number(-1e9...1e9), "Start",
        "Where the first arrow key puts the mark, by default the end from which the arrow comes; nothing is chosen before it.",
        example: 5)
    private static let showNumber = Field(
        "showNumber", .boolean, usual: true, "Show the number",
        "Whether the participant sees the numbers; without them it is a visual analogue scale.",
        example: false)
}

extension Kind<[Located<AnswerFormat.Scale.Label>]> {
    /// Texts by the values that they explain.
    fileprivate static var labels: Kind {
        let text = Kind<LocalizedText>.localizedText
        return Kind(
            schema: { definitions in
                [
                    "type": "object", "minProperties": 1,
                    "propertyNames": ["pattern": "^[-+]?[0-9]+(\\.[0-9]+)?$"],
                    "additionalProperties": text.schema(definitions),
                ]
            },
            read: { node, reading in
                guard case .mapping(let pairs) = node.content, !pairs.isEmpty else {
                    reading.reportKind(
                        of: node, expected: "texts by value",
                        help: "write a text for each value: {1: never, 5: always}")
                    return nil
                }
                return pairs.compactMap { pair in
                    guard let value = DecimalText.number(pair.key.value) else {
                        reading.report(
                            .wrongType, "'\(pair.key.value.prefix(40))' is not a value of a scale",
                            at: pair.key.range,
                            help:
                                "write the value in decimal digits, and behind it what it means: {1: never, 5: always}"
                        )
                        return nil
                    }
                    return text.read(pair.value, reading).map {
                        Located(value: .init(value: value, text: $0), range: pair.key.range)
                    }
                }
            })
    }
}
