import StudyModel
import TextFormat

/// When the beats of a clip are heard: a list of positions, or a steady tempo.
enum BeatsShape {
    static let kind: Kind<BeatGrid> = {
        let (listed, steady) = (positions, Kind.mapping(shape))
        return Kind(
            schema: { ["anyOf": [listed.schema($0), steady.schema($0)]] },
            read: { node, reading in
                if case .mapping = node.content { return steady.read(node, reading) }
                return read(node, reading)
            })
    }()

    /// Seconds; a clip has at most 24 h.
    private static let positions = Kind<[Located<Double>]>.list(
        Kind<Double>.number(0...86_400).located, atLeast: 2, noun: "position")

    private static func read(_ node: Node, _ reading: Reading) -> BeatGrid? {
        guard let listed = positions.read(node, reading), listed.count > 1 else { return nil }
        let nanoseconds = listed.map { Duration.nanoseconds(Int64(($0.value * 1e9).rounded())) }
        for place in 1..<listed.count where nanoseconds[place] <= nanoseconds[place - 1] {
            reading.report(
                .outOfRange, "a beat must come after the one before it", at: listed[place].range,
                help: "write the positions in ascending order")
            return nil
        }
        return .positions(nanoseconds)
    }

    private static let shape = Shape<BeatGrid>(
        name: "steadyBeats", title: "Steady beats", description: "Beats at a steady tempo.",
        fields: .of(tempo, first)
    ) { fields in
        let (tempo, first) = (fields[tempo], fields[first])
        guard let tempo else { return nil }
        return .steady(interval: .nanoseconds(Int64((60e9 / tempo).rounded())), first: first ?? .zero)
    }

    private static let tempo = Field(
        "tempo", .beatsPerMinute, isRequired: true, "Tempo", "Beats per minute.",
        example: "120 bpm")
    private static let first = Field(
        "first", .duration(zeroAllowed: true), usual: "0 s", "First beat",
        "Where in the clip the first beat is heard.", example: "0.25 s")
}

extension Kind<Double> {
    /// `120 bpm`.
    fileprivate static var beatsPerMinute: Kind {
        quantity(10...600, "bpm", "a tempo", pattern: "^[0-9]+(\\.[0-9]+)? bpm$", example: "120 bpm")
    }
}
