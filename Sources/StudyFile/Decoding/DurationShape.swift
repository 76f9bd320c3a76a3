import StudyModel
import TextFormat

/// How long a step lasts: a duration, what it is drawn from, or until when.
enum DurationShape {
    /// A duration, a draw of one, or an end that is counted from that of another step.
    enum Length: Sendable {
        case fixed(Duration)
        case drawn(DrawnDuration)
        case until(Duration, after: Located<Identifier>)

        /// Of an end that is counted from another step only the longest is known.
        var limits: ClosedRange<Duration> {
            switch self {
            case .fixed(let duration), .until(let duration, _): duration...duration
            case .drawn(let draw): draw.limits
            }
        }

        var draw: DrawnDuration? {
            switch self {
            case .fixed, .until: nil
            case .drawn(let draw): draw
            }
        }

        /// The step after whose end the end is counted.
        var event: Located<Identifier>? {
            switch self {
            case .until(_, let step): step
            case .fixed, .drawn: nil
            }
        }
    }

    static let kind: Kind<Length> = {
        let (fixed, drawn) = (Kind<Duration>.duration(), Kind.mapping(shape))
        return Kind(
            schema: { ["anyOf": [fixed.schema($0), drawn.schema($0)]] },
            read: { node, reading in
                if case .mapping = node.content { return drawn.read(node, reading) }
                return fixed.read(node, reading).map { .fixed($0) }
            })
    }()

    private static let shape = Shape<Length>(
        name: "drawnDuration", title: "Drawn duration",
        description: "What a duration is drawn from, or when the step is to end.",
        fields: .of(from, to, oneOf, until, after),
        rules: [
            .exactlyOne(["from", "oneOf", "until"]), .needs("from", ["to"]), .needs("to", ["from"]),
            .needs("until", ["after"]), .needs("after", ["until"]),
        ]
    ) { fields in
        let (low, high, list) = (fields[from], fields[to], fields[oneOf])
        let (time, step) = (fields[until], fields[after])
        if let time, let step { return .until(time, after: step) }
        if let list { return list.isEmpty ? nil : .drawn(.oneOf(list)) }
        guard let low, let high else { return nil }
        guard low < high.value else {
            fields.reading.report(
                .outOfRange, "'to' is not longer than 'from'", at: high.range,
                help: "write the shorter duration at 'from', or a single duration")
            return nil
        }
        return .drawn(.uniform(low...high.value))
    }

    private static let from = Field(
        "from", whole, "From",
        "The shortest duration; every millisecond up to the longest is equally likely.",
        example: "8 s")
    private static let to = Field("to", whole.located, "To", "The longest duration.", example: "12 s")
    private static let oneOf = Field(
        "oneOf", .list(whole, atLeast: 1, noun: "duration"), "One of",
        "Durations, each equally likely; one that is listed twice is twice as likely.",
        example: ["25 s", "35 s"])

    private static let until = Field(
        "until", .duration(), "Until",
        "The step ends this long after the end of another one, whatever came between; at once if that time is over.",
        example: "20 min")
    private static let after = Field(
        "after", Kind<Identifier>.identifier.located, "After",
        "The step or block from whose last end the time is counted.", example: "stressor")

    /// Draws are made in whole milliseconds.
    private static let whole: Kind<Duration> = {
        let duration = Kind<Duration>.duration()
        return Kind(schema: duration.schema) { node, reading in
            guard let value = duration.read(node, reading) else { return nil }
            if value.components.attoseconds % 1_000_000_000_000_000 == 0 { return value }
            reading.report(
                .outOfRange, "durations are drawn in whole milliseconds", at: node.range,
                help: "write it without parts of a millisecond")
            return nil
        }
    }()
}
