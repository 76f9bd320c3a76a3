import StudyModel

extension FieldShape {
    /// A recorder's file of items.
    package static let recording: FieldShape = .all(["items": .list(.either(items))])

    /// With which the names of recorders' files begin.
    package static let types = Set(
        [Signal.heartRate.type, Signal.rrIntervals.type] + Signal.numbers.map(\.signal.type)
            + Signal.waves.map(\.type) + [
                "pulseWaveform", "events", "stimulusPosition", Signal.rating.type, Signal.taps.type,
                Signal.biofeedback.type,
            ])

    private static var items: [FieldShape] {
        let numbers = Signal.numbers.map { measured($0.signal, .number(BundleLimits.number)) }
        return [heartRate, interval] + numbers + Signal.waves.map(wave) + [
            rated, tap, shown, picture, act, position,
        ]
    }

    private static let heartRate = measured(
        .heartRate, .number(BundleLimits.heartRate),
        ["beatOffset": .seconds, "rrIntervals": .list(.number(BundleLimits.interval))])
    private static let interval = measured(.rrIntervals, .number(BundleLimits.interval))

    private static let instant: [String: FieldShape] = ["runOffset": .seconds, "timestampSince1970": .moment]

    /// A sample from a source.
    private static func measured(
        _ signal: Signal, _ value: FieldShape, _ metadata: [String: FieldShape] = [:]
    ) -> FieldShape {
        let known: [String: FieldShape] = [
            "beatUncertainty": .seconds, "elapsed": .real, "quality": .number(BundleLimits.number),
            "sensorContact": .boolean,
        ]
        var members: [String: FieldShape] = [
            "endDate": .date,
            "metadata": .fields(
                required: ["runOffset": .seconds],
                optional: known.merging(metadata) { $1 }.merging(arrival) { $1 }),
            "source": .text, "startDate": .date, "timestampSince1970": .moment,
            "type": .constant(signal.type),
            "value": value,
        ]
        if let unit = signal.unit { members["unit"] = .word([unit]) }
        return .all(members)
    }

    /// A number of a waveform's channel.
    private static func wave(_ signal: Signal) -> FieldShape {
        guard
            case .fields(var required, var optional) = measured(signal, .number(BundleLimits.number))
        else { preconditionFailure("an item has members") }
        required["channel"] = channelName
        required["unit"] = nil
        optional["unit"] = channelUnit
        return .fields(required: required, optional: optional)
    }

    private static let arrival: [String: FieldShape] = ["arrivalOffset": .seconds]

    private static let rated: FieldShape = .all([
        "dimension": .text, "kind": .words(RatedPosition.Kind.self),
        "metadata": .fields(required: ["runOffset": .seconds], optional: arrival),
        "timestampSince1970": .moment, "type": .constant(Signal.rating.type),
        "value": .number(BundleLimits.number),
    ])

    private static let tap: FieldShape = .fields(
        required: [
            "key": .word(Set(Tapping.possibleKeys)),
            "metadata": .fields(required: ["runOffset": .seconds], optional: arrival),
            "timestampSince1970": .moment, "type": .constant(Signal.taps.type),
        ],
        optional: [
            "asynchrony": .seconds, "beat": .count, "phase": .number(-180...180),
            "position": .number(BundleLimits.elapsed),
        ])

    /// What a display showed from a moment on.
    private static let shown: FieldShape = .fields(
        required: [
            "display": .word(Set(Biofeedback.names)),
            "metadata": .fields(required: ["runOffset": .seconds], optional: arrival),
            "shown": .word(Set(Biofeedback.Shown.names)), "timestampSince1970": .moment,
            "type": .constant(Signal.biofeedback.type),
        ], optional: ["unit": .text, "value": .number(BundleLimits.number)])

    /// A picture of a fingertip.
    private static let picture: FieldShape = .fields(
        required: instant.merging([
            "beats": .list(.seconds), "blue": .real, "filtered": .real, "green": .real, "quality": .real,
            "red": .real,
        ]) { $1 }, optional: arrival)

    private static let act: FieldShape = .all(instant.merging(["detail": .typed, "kind": .text]) { $1 })

    private static let position: FieldShape = .all(
        instant.merging(["position": .number(BundleLimits.elapsed), "stimulus": .identifier]) { $1 })
}
