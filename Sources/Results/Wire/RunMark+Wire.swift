import StudyModel
import TextFormat

extension RunMark {
    /// The mark as events and effects hold it.
    var wire: JSON {
        .members([
            "kind": .text(kind.rawValue), "moment": .nanoseconds(moment),
            "severity": severity.map { .text($0.rawValue) }, "text": .text(text),
        ])
    }

    init(wire: JSON) throws {
        let kind = try wire.field("kind")
        let mark = RunMark(
            try kind.expect(Kind(rawValue: kind.asText()), "a kind of mark"),
            try wire.optional("severity") { word in
                try word.expect(Severity(rawValue: word.asText()), "how bad something was")
            }, text: try wire.field("text").asText(), at: try wire.field("moment").asInstant())
        self = try wire.expect(mark, "a mark")
    }

    /// The mark as `result.json` holds it beside the step.
    var userInfo: JSON {
        .members([
            "kind": .text(kind.rawValue), "offset": .seconds(moment),
            "severity": severity.map { .text($0.rawValue) }, "text": .text(text),
        ])
    }

    static let shape: FieldShape = .fields(
        required: ["kind": .words(Kind.self), "offset": .seconds, "text": .replaced],
        optional: ["severity": .words(Severity.self)])
}

extension ResultBundle.Mark {
    init(wire: JSON) throws {
        self.init(
            kind: try wire.field("kind").asText(),
            severity: try wire.optional("severity") { try $0.asText() },
            text: try wire.field("text").asText(), offset: try wire.field("offset").asSeconds())
    }
}
