import StudyModel

/// Scales to answer on.
enum ScaleShape {
    static let whole = Shape<AnswerFormat>(
        name: "scale", title: "Scale", description: "Whole numbers, at most 101 of them.",
        fields: .of(from, to, fromLabel, toLabel)
    ) { fields in
        let (low, high) = (fields[from], fields.located(to))
        let (left, right) = (fields[fromLabel], fields[toLabel])
        guard let low, let high else { return nil }
        if high.value <= low {
            fields.reading.report(.outOfRange, "'to' must be above 'from'", at: high.range)
        } else if high.value - low > 100 {
            fields.reading.report(
                .outOfRange, "a scale has at most 101 values, this has \(high.value - low + 1)",
                at: high.range,
                help: "use 'continuous' for finer scales")
        }
        return .scale(from: low, to: high.value, fromLabel: left, toLabel: right)
    }

    static let continuous = Shape<AnswerFormat>(
        name: "continuous", title: "Continuous scale", description: "Any number between two.",
        fields: .of(lowest, highest, decimals)
    ) { fields in
        let (low, high, places) = (fields[lowest], fields.located(highest), fields[decimals])
        guard let low, let high else { return nil }
        if high.value <= low {
            fields.reading.report(.outOfRange, "'to' must be above 'from'", at: high.range)
        }
        return .continuous(from: low, to: high.value, decimals: places ?? 1)
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
        "decimals", .integer(0...6), usual: 1, "Decimals", "Digits after the point.", example: 1)
}
