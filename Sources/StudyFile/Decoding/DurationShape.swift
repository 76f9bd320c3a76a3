import StudyModel
import TextFormat

/// How long a step lasts: a duration, or what it is drawn from.
enum DurationShape {
    /// A duration or a draw of one.
    enum Length: Sendable {
        case fixed(Duration)
        case drawn(DrawnDuration)

        var limits: ClosedRange<Duration> {
            switch self {
            case .fixed(let duration): duration...duration
            case .drawn(let draw): draw.limits
            }
        }

        var draw: DrawnDuration? {
            switch self {
            case .fixed: nil
            case .drawn(let draw): draw
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
        name: "drawnDuration", title: "Drawn duration", description: "What a duration is drawn from.",
        fields: .of(from, to, oneOf),
        rules: [.exactlyOne(["from", "oneOf"]), .needs("from", ["to"]), .needs("to", ["from"])]
    ) { fields in
        let (low, high, list) = (fields[from], fields[to], fields[oneOf])
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
