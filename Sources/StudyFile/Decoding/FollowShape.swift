import StudyModel
import TextFormat

/// How a clip answers the participant's heart rate while it plays.
enum FollowShape {
    static let shape = Shape<Following>(
        name: "follow", title: "Follow", description: "What of the clip follows a signal while it plays.",
        fields: .of(tempo, loudness, yokedTo),
        rules: [
            .atLeastOne(["tempo", "loudness", "yokedTo"]), .atMostOne(["tempo", "yokedTo"]),
            .atMostOne(["loudness", "yokedTo"]),
        ]
    ) { fields in
        let (tempo, loudness, yokedTo) = (fields[tempo], fields[loudness], fields[yokedTo])
        if let yokedTo { fields.reading.context.yokes.append(yokedTo) }
        return Following(tempo: tempo, loudness: loudness, yokedTo: yokedTo?.value)
    }

    private static let yokedTo = Field(
        "yokedTo", Kind<Identifier>.identifier.located, "Yoked to",
        "The step of another participant's run whose clip is imitated, whatever the heart does here.",
        example: "calm")

    private static let tempo = Field(
        "tempo", .mapping(tempoShape), "Tempo",
        "How the clip's tempo follows; its pitch stays as it is.",
        example: ["of": "heartRate", "target": "-5 %", "between": ["-20 %", "20 %"]])
    private static let loudness = Field(
        "loudness", .mapping(loudnessShape), "Loudness", "How the clip's level follows.",
        example: ["of": "heartRate", "points": [[60, "-12 dB"], [100, "0 dB"]]])

    private static let tempoShape = Shape<Following.Tempo>(
        name: "followTempo", title: "Tempo that follows",
        description: "A tempo that is brought near the heart rate.",
        fields: .of(signal, target, between, beatsPerHeartbeat, every, smooth)
    ) { fields in
        let (target, between, beats) = (fields[target], fields.located(between), fields[beatsPerHeartbeat])
        let (every, smooth) = (fields[every], fields[smooth])
        guard fields[signal] != nil else { return nil }
        let limits = between?.value ?? [-0.2, 0.2]
        guard limits.count == 2, limits[0] <= 0, limits[1] >= 0 else {
            fields.reading.report(
                .outOfRange, "the clip's own tempo is not between these", at: between?.range ?? fields.range,
                help: "write the lowest change first and the highest second, such as [-20 %, 20 %]")
            return nil
        }
        return Following.Tempo(
            target: target ?? 0, range: limits[0]...limits[1], beatsPerHeartbeat: beats ?? [1],
            pace: pace(every, smooth))
    }

    private static let loudnessShape = Shape<Following.Loudness>(
        name: "followLoudness", title: "Loudness that follows",
        description: "A level that is a function of the heart rate.",
        fields: .of(signal, points, every, smooth)
    ) { fields in
        let (points, every, smooth) = (fields[points], fields[every], fields[smooth])
        guard fields[signal] != nil, let points else { return nil }
        for (previous, point) in zip(points, points.dropFirst()) where point.value.rate <= previous.value.rate
        {
            fields.reading.report(
                .outOfRange, "this heart rate is not above the one before it", at: point.range,
                help: "write the points by ascending heart rate")
            return nil
        }
        return Following.Loudness(points: points.map(\.value), pace: pace(every, smooth))
    }

    private static func pace(_ every: Duration?, _ smooth: Duration?) -> Following.Pace {
        Following.Pace(interval: every ?? .seconds(2), smoothing: smooth ?? .seconds(10))
    }

    private static let signal = Field(
        "of", .word([("heartRate", true)]), isRequired: true, "Of", "What is followed: the heart rate.",
        example: "heartRate")
    private static let target = Field(
        "target", .share(-0.5...0.5), usual: "0 %", "Target",
        "How far from the heart rate the clip's beats are to be.", example: "-5 %")
    private static let between = Field(
        "between", .list(.share(-0.5...1), atLeast: 2, noun: "change"), usual: ["-20 %", "20 %"], "Between",
        "How much the clip's own tempo changes at most, slower and faster.",
        example: ["-20 %", "20 %"])
    private static let beatsPerHeartbeat = Field(
        "beatsPerHeartbeat", .list(.number(0.125...8), atLeast: 1, noun: "number"), usual: [1],
        "Beats per heartbeat",
        "How many beats of the clip there may be for each heartbeat; what changes the clip least at its first change is kept to its end.",
        example: [0.5, 1, 2])
    private static let points = Field(
        "points", .list(Kind.levelAtRate.located, atLeast: 2, noun: "point"), isRequired: true, "Points",
        "Heart rates, each with the change of level there; straight between them, level beyond them.",
        example: [[60, "-12 dB"], [100, "0 dB"]])
    private static let every = Field(
        "every", .duration(from: .milliseconds(500), to: .seconds(60)), usual: "2 s", "Every",
        "How often it is adjusted.",
        example: "2 s")
    private static let smooth = Field(
        "smooth", .duration(from: .milliseconds(500), to: .seconds(600)), usual: "10 s", "Smooth",
        "Over how much of the last time the heart rates are averaged.", example: "10 s")

    /// Reports clips that cannot follow: they have no tempo.
    static func check(_ following: Following, _ choice: Stimulus.Use.Choice, _ fields: Fields, at node: Node)
    {
        if following.yokedTo == nil, !fields.reading.context.sources.contains("heartRate") {
            fields.reading.report(
                .noSource, "the clip follows the heart rate, and the study declares no source 'heartRate'",
                at: node.range, help: "declare it: 'sources: {heartRate: {type: bluetooth, …}}'",
                severity: .warning)
        }
        guard following.tempo != nil else { return }
        let lacking = fields.reading.context.clips(of: choice).filter { $0.tempo == nil }
        guard let first = lacking.first else { return }
        fields.reading.report(
            .noTempo,
            lacking.count == 1
                ? "the catalogue gives no tempo for the clip '\(first.identifier)'"
                : "the catalogue gives no tempo for \(lacking.count) clips, '\(first.identifier)' first",
            at: node.range, help: "write the tempo in the catalogue: 'tempo: 120', or its 'beats'")
    }
}

extension TaskSteps {
    /// Reports clips that are yoked to a step whose clip does not follow.
    func checkYokes() {
        for yoke in reading.context.yokes {
            let steps = drafts.flatMap(\.withInner)
            guard let step = steps.first(where: { $0.identifier?.value == yoke.value }) else {
                reportUnknownStep(yoke, among: steps.compactMap { $0.identifier?.value })
                continue
            }
            let following = step.step?.active?.stimulus?.settings.following
            guard following?.tempo == nil, following?.loudness == nil else { continue }
            reading.report(
                .noClip, "the clip of '\(yoke.value)' does not follow the heart", at: yoke.range,
                help: "name a step whose stimulus has 'follow' with 'tempo' or 'loudness'")
        }
        reading.context.yokes = []
    }
}

extension Kind<Double> {
    /// `-5 %`, as a share.
    fileprivate static func share(_ range: ClosedRange<Double>) -> Kind {
        quantity(
            (range.lowerBound * 100)...(range.upperBound * 100), "%", "a percentage",
            pattern: "^-?[0-9]+(\\.[0-9]+)? %$", example: "-5 %"
        ).map { $0 / 100 }
    }
}

extension Kind<Duration> {
    /// A duration between two.
    static func duration(from least: Duration, to most: Duration) -> Kind {
        let any = Kind.duration()
        let ends = [least, most].map { "\(plainNumber($0 / .seconds(1))) s" }
        return Kind(schema: any.schema) { node, reading in
            guard let value = any.read(node, reading) else { return nil }
            guard value >= least, value <= most else {
                reading.reportRange(of: node, from: ends[0], to: ends[1])
                return nil
            }
            return value
        }.called("duration from \(ends[0]) to \(ends[1])")
    }
}

extension Kind<Following.Loudness.Point> {
    /// `[60, -12 dB]`
    fileprivate static var levelAtRate: Kind {
        let (rate, gain) = (Kind<Double>.number(20...240), Kind<Double>.decibels)
        return Kind(
            schema: { definitions in
                [
                    "type": "array", "minItems": 2, "maxItems": 2,
                    "items": [rate.schema(definitions), gain.schema(definitions)],
                ]
            },
            read: { node, reading in
                guard case .sequence(let parts) = node.content, parts.count == 2 else {
                    reading.reportKind(
                        of: node, expected: "a heart rate and a level",
                        help: "write a point such as [60, -12 dB]")
                    return nil
                }
                let (rate, gain) = (rate.read(parts[0], reading), gain.read(parts[1], reading))
                guard let rate, let gain else { return nil }
                return .init(rate: rate, gain: gain)
            })
    }
}
