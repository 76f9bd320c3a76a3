import StudyModel
import TextFormat

/// The heart rate that a study expects during a step.
enum ExpectedShape {
    static let shape = Shape<ExpectedHeartRate>(
        name: "expected", title: "Expected heart rate",
        description:
            "The heart rate that is expected during the step: points to go through, or the response to an effort.",
        fields: .of(points, interpolation, model, effort, restingRate, maximumRate, band),
        rules: [
            .exactlyOne(["points", "effort"]), .needs("interpolation", ["points"]),
            .needs("effort", ["restingRate", "maximumRate"]), .needs("restingRate", ["effort"]),
            .needs("maximumRate", ["effort"]), .needs("model", ["effort"]),
        ]
    ) { fields in
        let (points, isMonotone, band) = (fields[points], fields[interpolation], fields[band])
        if fields[model] != nil {
            fields.reportOlder(
                model, "'effort' says already that it is the response to an effort", "leave 'model' out")
        }
        let (effort, resting, maximum) = (fields[effort], fields[restingRate], fields.located(maximumRate))
        if let points {
            reportDisorder(of: points, fields.reading)
            let curve = ExpectedHeartRate.Curve.points(points.map(\.value), isMonotone: isMonotone ?? true)
            return ExpectedHeartRate(curve: curve, band: band)
        }
        guard let effort, let resting, let maximum else { return nil }
        if maximum.value <= resting {
            fields.reading.report(
                .outOfRange, "the highest rate must be above the resting rate", at: maximum.range)
        }
        return ExpectedHeartRate(
            curve: .exercise(effort: effort, restingRate: resting, maximumRate: maximum.value), band: band)
    }

    private static let points = Field(
        "points", .list(Kind.point.located, atLeast: 2, noun: "point"), "Points",
        "Times from the step's start up to its end, each with the rate expected then, beats per minute; in order of time.",
        example: [["0 s", 64], ["60 s", 110]])
    private static let interpolation = Field(
        "interpolation", .word([("monotone", true), ("linear", false)]), usual: "monotone", "Interpolation",
        "How the curve leads from point to point: monotone (smooth, without overshoot) or linear.",
        example: "monotone")
    private static let model = Field(
        "model", .word(["exercise"]), "Model", "A first-order response to an effort.", example: "exercise"
    ).older
    private static let effort = Field(
        "effort", .number(0...1), "Effort",
        "The share of the heart-rate reserve; the heart's response is of first order.", example: 0.6)
    private static let restingRate = Field(
        "restingRate", .number(20...240), "Resting rate", "Beats per minute.", example: 64)
    private static let maximumRate = Field(
        "maximumRate", .number(20...240), "Highest rate", "Beats per minute, above restingRate.", example: 185
    )
    private static let band = Field(
        "band", .band, "Band", "How far from the curve still counts as expected: '10 %' or '5 bpm'.",
        example: "10 %")

    private static func reportDisorder(of points: [Located<ExpectedHeartRate.Point>], _ reading: Reading) {
        for (previous, point) in zip(points, points.dropFirst()) where point.value.time <= previous.value.time
        {
            reading.report(
                .outOfRange, "this point does not come after the one before it", at: point.range,
                help: "write the points in order of time")
        }
    }
}

extension Kind<ExpectedHeartRate.Point> {
    /// `[60 s, 110]`
    fileprivate static var point: Kind {
        let (time, rate) = (Kind<Duration>.duration(zeroAllowed: true), Kind<Double>.number(20...240))
        return Kind(
            schema: { definitions in
                [
                    "type": "array", "minItems": 2, "maxItems": 2,
                    "items": [time.schema(definitions), rate.schema(definitions)],
                ]
            },
            read: { node, reading in
                guard case .sequence(let parts) = node.content, parts.count == 2 else {
                    reading.reportKind(
                        of: node, expected: "a time and a rate", help: "write a point such as [60 s, 110]")
                    return nil
                }
                let (when, what) = (time.read(parts[0], reading), rate.read(parts[1], reading))
                guard let when, let what else { return nil }
                return .init(time: when, rate: what)
            })
    }
}
