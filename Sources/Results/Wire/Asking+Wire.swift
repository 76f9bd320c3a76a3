import StudyModel
import TextFormat

extension Asking {
    /// The asking as events and effects hold it.
    var wire: JSON {
        .members([
            "ended": .nanoseconds(ended), "endedBy": .text(endedBy.rawValue), "number": .integer(number),
            "planned": .nanoseconds(planned), "shown": shown.map { .nanoseconds($0) },
        ])
    }

    init(wire: JSON) throws {
        let reason = try wire.field("endedBy")
        self.init(
            number: try wire.field("number").asCount(), planned: try wire.field("planned").asInstant(),
            shown: try wire.optional("shown") { try $0.asInstant() },
            ended: try wire.field("ended").asInstant(),
            endedBy: try reason.expect(End(rawValue: reason.asText()), "what ends a prompt"))
    }

    /// The asking as `result.json` holds it beside the answer.
    var userInfo: JSON {
        .members([
            "endedBy": .text(endedBy.rawValue), "endedOffset": .seconds(ended), "number": .integer(number),
            "plannedOffset": .seconds(planned), "shownOffset": shown.map { .seconds($0) },
            "timedOut": .boolean(isTimedOut),
        ])
    }

    static let shape: FieldShape = .fields(
        required: [
            "endedBy": .words(End.self), "endedOffset": .seconds, "number": .count,
            "plannedOffset": .seconds, "timedOut": .boolean,
        ], optional: ["shownOffset": .seconds])
}

extension ResultBundle.Answer.Prompt {
    init(wire: JSON) throws {
        self.init(
            number: try wire.field("number").asCount(), planned: try wire.field("plannedOffset").asSeconds(),
            shown: try wire.optional("shownOffset") { try $0.asSeconds() },
            ended: try wire.field("endedOffset").asSeconds(), endedBy: try wire.field("endedBy").asText(),
            isTimedOut: try wire.field("timedOut").asBoolean())
    }
}
