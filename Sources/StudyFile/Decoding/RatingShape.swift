import StudyModel
import TextFormat

/// What a participant rates continuously during a step.
enum RatingShape {
    static let fields: [FieldDeclaration] = .of(scale, vertical, rate, source)

    /// - Parameter name: the name of the recorder, which is also that of its only dimension.
    static func read(_ fields: Fields, name: Identifier?) -> RatingScale? {
        let (across, upwards, rate) = (fields[scale], fields[vertical], fields[rate])
        guard let across, let name, fields.node(vertical) == nil || upwards != nil else { return nil }
        var dimensions = [across.named(upwards == nil ? name : "horizontal")]
        if let upwards { dimensions.append(upwards.named("vertical")) }
        if dimensions.count > 1, dimensions[0].name == dimensions[1].name {
            fields.reading.report(
                .duplicateIdentifier, "both dimensions are called '\(dimensions[0].name)'",
                at: fields.place(of: vertical), help: "give each a 'name' of its own")
        }
        return RatingScale(dimensions: dimensions, rate: rate ?? 10)
    }

    /// The device that also moves the mark, as written.
    static func readSource(_ fields: Fields) -> Located<Identifier>? { fields[source] }

    /// Reports ratings whose keys are used by something else: by another rating, or by a question of the step.
    static func check(_ recorders: [RecorderVariants.Draft], in kind: Step.Kind, _ reading: Reading) {
        let ratings = recorders.filter { $0.recorder.rating != nil }
        for (place, rating) in ratings.enumerated()
        where ratings[..<place].contains(where: { $0.recorder.source == rating.recorder.source }) {
            reading.report(
                .ratingKeys,
                rating.recorder.source.map { "two ratings in one step would be moved by '\($0)'" }
                    ?? "two ratings in one step would use the same keys", at: rating.identifier.range,
                help:
                    "make one rating of both, with a second dimension: 'vertical'; or give one a 'source' of its own"
            )
        }
        if case .active = kind { return }
        guard let rating = ratings.first else { return }
        reading.report(
            .ratingKeys, "only an active step can have a rating: the keys do something else in this one",
            at: rating.identifier.range, help: "put the rating into a step with 'type: active'")
    }

    /// A dimension that may still be without a name.
    private struct Draft: Sendable {
        var name: Identifier?
        var dimension: @Sendable (Identifier) -> RatingScale.Dimension

        func named(_ usual: Identifier) -> RatingScale.Dimension { dimension(name ?? usual) }
    }

    private static let shape = Shape<Draft>(
        name: "ratingScale", title: "Scale of a rating",
        description: "What is rated, from one end to the other.",
        fields: .of(name, from, to, fromLabel, toLabel, start, step)
    ) { fields in
        let (name, low, high) = (fields[name], fields[from], fields.located(to))
        let (lowLabel, highLabel) = (fields[fromLabel], fields[toLabel])
        fields.reading.checkTexts([(fromLabel, lowLabel), (toLabel, highLabel)], in: fields)
        let (start, step) = (fields.located(start), fields.located(step))
        guard let low, let high else { return nil }
        guard high.value > low else {
            let above = plainNumber(low.rounded(.down) + 1)
            fields.reading.report(
                .outOfRange, "'to' must be above 'from'", at: high.range,
                help: Help("write a number above \(plainNumber(low)), such as \(above)"))
            return nil
        }
        check(start, in: low...high.value, fields)
        check(step, in: 0...high.value - low, fields, isAbove: true)
        guard let lowLabel, let highLabel else { return nil }
        return Draft(name: name) { [high = high.value, start = start?.value, step = step?.value] name in
            RatingScale.Dimension(
                name: name, from: low, to: high, fromLabel: lowLabel, toLabel: highLabel,
                start: start ?? low / 2 + high / 2, step: step ?? (high - low) / 20)
        }
    }

    private static func check(
        _ number: Located<Double>?, in range: ClosedRange<Double>, _ fields: Fields, isAbove: Bool = false
    ) {
        guard let number, !range.contains(number.value) || isAbove && number.value == range.lowerBound else {
            return
        }
        let low = (isAbove ? "above " : "") + plainNumber(range.lowerBound)
        fields.reading.report(
            .outOfRange, "\(plainNumber(number.value)) is not on the scale", at: number.range,
            help: "write a number from \(low) to \(plainNumber(range.upperBound))")
    }

    private static let scale = Field(
        "scale", .mapping(shape), isRequired: true, "Scale",
        "What is rated, from left to right.",
        example: ["from": 0, "to": 100, "fromLabel": "calm", "toLabel": "tense"])
    private static let vertical = Field(
        "vertical", .mapping(shape), "Vertical scale",
        "What is also rated, from bottom to top: the mark then moves on a plane.",
        example: ["name": "arousal", "from": -50, "to": 50, "fromLabel": "calm", "toLabel": "excited"])
    private static let rate = Field(
        "rate", .perSecond, usual: "10 /s", "Rate",
        "How often the position is kept besides each change.",
        example: "10 /s")
    private static let source = Field(
        "source", Kind<Identifier>.identifier.located, "Source",
        "The joystick or MIDI controller that also moves the mark, by its name under sources.",
        example: "slider")
    private static let name = Field(
        "name", Kind<Identifier>.identifier, "Name",
        "What the dimension is called in results: the recorder's identifier, or horizontal and vertical.",
        example: "valence")
    private static let from = Field(
        "from", .number(-1e6...1e6), isRequired: true, "From", "The lowest value.", example: 0)
    private static let to = Field(
        "to", .number(-1e6...1e6), isRequired: true, "To", "The highest value.", example: 100)
    private static let fromLabel = Field(
        "fromLabel", .localizedText, isRequired: true, "Label of the lowest", "What the lowest value means.",
        example: "calm")
    private static let toLabel = Field(
        "toLabel", .localizedText, isRequired: true, "Label of the highest", "What the highest value means.",
        example: "tense")
    private static let start = Field(
        "start", .number(-1e6...1e6), "Start", "Where the mark is at first; by default in the middle.",
        example: 50)
    private static let step = Field(
        "step", .number(0...1e6), "Step",
        "How far an arrow key moves the mark; by default a twentieth of the scale.", example: 5)
}

extension Kind<Double> {
    /// `10 /s`, above 0 and at most 100.
    static var perSecond: Kind {
        quantity(
            0.001...100, "/s", "a rate", pattern: "^(?!0+(\\.0+)? )[0-9]+(\\.[0-9]+)? /s$", example: "10 /s")
    }
}
