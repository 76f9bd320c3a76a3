import StudyModel
import TextFormat

extension ReactionResult {
    /// The reaction as events and effects hold it.
    var wire: JSON {
        .members([
            "ignoredKeys": ignoredKeys == 0 ? nil : .integer(ignoredKeys),
            "press": press?.wire, "right": isRight.map { .boolean($0) },
        ])
    }

    init(wire: JSON) throws {
        self.init(press: try wire.optional("press", Press.init(wire:)))
        ignoredKeys = try wire.optional("ignoredKeys") { try $0.asCount() } ?? 0
        isRight = try wire.optional("right") { try $0.asBoolean() }
    }

    /// The reaction as `result.json` holds it beside the answer.
    var userInfo: JSON {
        .members([
            "ignoredKeys": .integer(ignoredKeys), "key": press.map { .text($0.key) },
            "measuredFrom": press.map { .text($0.reference.rawValue) },
            "onsetOffset": press.map { .seconds($0.onset) },
            "pressedOffset": press.map { .seconds($0.instant) }, "right": isRight.map { .boolean($0) },
            "time": press.map { .seconds($0.time) },
        ])
    }

    static let shape: FieldShape = .fields(
        required: ["ignoredKeys": .count],
        optional: [
            "key": .word(Set(Tapping.possibleKeys)), "measuredFrom": .words(Reference.self),
            "onsetOffset": .seconds, "pressedOffset": .seconds, "right": .boolean, "time": .seconds,
        ])

    static let journalled: FieldShape = .fields(
        required: [:],
        optional: [
            "ignoredKeys": .count,
            "press": .fields(
                required: [
                    "key": .word(Set(Tapping.possibleKeys)), "onset": .nanoseconds, "pressed": .nanoseconds,
                    "reference": .words(Reference.self),
                ], optional: ["repetition": .boolean]),
            "right": .boolean,
        ])
}

extension ReactionResult.Press {
    var wire: JSON {
        .members([
            "key": .text(key), "onset": .nanoseconds(onset), "pressed": .nanoseconds(instant),
            "reference": .text(reference.rawValue), "repetition": isRepetition ? true : nil,
        ])
    }

    init(wire: JSON) throws {
        let reference = try wire.field("reference")
        self.init(
            key: try wire.field("key").asText(), at: try wire.field("pressed").asInstant(),
            onset: try wire.field("onset").asInstant(),
            reference: try reference.expect(
                ReactionResult.Reference(rawValue: reference.asText()), "what a reaction is measured from"))
        isRepetition = try wire.optional("repetition") { try $0.asBoolean() } ?? false
    }
}

extension ResultBundle.Answer.Reaction {
    init(wire: JSON) throws {
        self.init(
            key: try wire.optional("key") { try $0.asText() },
            time: try wire.optional("time") { try $0.asSeconds() },
            onset: try wire.optional("onsetOffset") { try $0.asSeconds() },
            pressed: try wire.optional("pressedOffset") { try $0.asSeconds() },
            measuredFrom: try wire.optional("measuredFrom") { try $0.asText() },
            isRight: try wire.optional("right") { try $0.asBoolean() },
            ignoredKeys: try wire.field("ignoredKeys").asCount())
    }
}
