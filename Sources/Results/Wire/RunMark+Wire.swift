import StudyModel
import TextFormat

extension RunMark {
    /// The mark as events and effects hold it.
    var wire: JSON {
        .members([
            "by": author.map { .text($0) }, "control": control.map { .text($0.rawValue) },
            "kind": .text(kind.rawValue), "moment": .nanoseconds(moment),
            "severity": severity.map { .text($0.rawValue) }, "text": .text(text),
            "uncertainty": uncertainty.map { .nanoseconds($0) },
        ])
    }

    init(wire: JSON) throws {
        let kind = try wire.field("kind")
        let mark = RunMark(
            try kind.expect(Kind(rawValue: kind.asText()), "a kind of mark"),
            try wire.optional("severity") { word in
                try word.expect(Severity(rawValue: word.asText()), "how bad something was")
            },
            control: try wire.optional("control") { word in
                try word.expect(Control(rawValue: word.asText()), "what an experimenter can do")
            }, text: try wire.field("text").asText(), by: try wire.optional("by") { try $0.asText() },
            at: try wire.field("moment").asInstant())
        self = try wire.expect(mark, "a mark")
        uncertainty = try wire.optional("uncertainty") { try $0.asDuration() }
    }

    /// The mark as `result.json` holds it beside the step.
    var userInfo: JSON {
        .members([
            "by": author.map { .text($0) }, "control": control.map { .text($0.rawValue) },
            "kind": .text(kind.rawValue), "offset": .seconds(moment),
            "severity": severity.map { .text($0.rawValue) }, "text": .text(text),
            "uncertainty": uncertainty.map { .seconds($0) },
        ])
    }

    static let shape: FieldShape = .fields(
        required: ["kind": .words(Kind.self), "offset": .seconds, "text": .replaced],
        optional: [
            "by": .replaced, "control": .words(Control.self), "severity": .words(Severity.self),
            "uncertainty": .seconds,
        ])
}

extension ResultBundle.Mark {
    init(wire: JSON) throws {
        self.init(
            kind: try wire.field("kind").asText(),
            severity: try wire.optional("severity") { try $0.asText() },
            control: try wire.optional("control") { try $0.asText() },
            text: try wire.field("text").asText(), author: try wire.optional("by") { try $0.asText() },
            offset: try wire.field("offset").asSeconds(),
            uncertainty: try wire.optional("uncertainty") { try $0.asSeconds() })
    }
}
