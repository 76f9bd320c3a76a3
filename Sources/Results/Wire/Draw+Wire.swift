import StudyModel
import TextFormat

extension Draw {
    /// The draw as `plan.json` holds it.
    var wire: JSON {
        .members([
            "as": sameAs.map { .text($0) },
            "categories": categories.map { .dictionary($0) { .dictionary($0) { .text($0) } } },
            "chosen": .texts(chosen),
            "constraints": constraints.map { .list($0.map(\.wire)) },
            "method": .text(method),
            "number": number.map { .integer($0) },
            "pool": .texts(pool),
            "row": row.map { .integer($0) },
            "stream": .text(stream),
            "weights": weights.map { .list($0.map { .anyReal($0) }) },
        ])
    }

    init(wire: JSON) throws {
        self.init(
            stream: try wire.field("stream").asText(), method: try wire.field("method").asText(),
            pool: try wire.field("pool").asList { try $0.asText() },
            chosen: try wire.field("chosen").asList { try $0.asText() })
        weights = try wire.optional("weights") { try $0.asList { try $0.asNumber() } }
        constraints = try wire.optional("constraints") { try $0.asList(OrderConstraint.init(wire:)) }
        categories = try wire.optional("categories") {
            try $0.asDictionary { try $0.asDictionary { try $0.asText() } }
        }
        number = try wire.optional("number") { try $0.asInteger() }
        row = try wire.optional("row") { try $0.asInteger() }
        sameAs = try wire.optional("as") { try $0.asText() }
    }
}

extension OrderConstraint {
    /// The constraint as the study writes it.
    var wire: JSON {
        switch self {
        case .noImmediateRepeat(let attribute): .variant("noImmediateRepeat", .text(attribute))
        case .maximumRun(let attribute, let length):
            .variant("maximumRun", ["length": .integer(length), "of": .text(attribute)])
        case .minimumDistance(let attribute, let steps):
            .variant("minimumDistance", ["of": .text(attribute), "steps": .integer(steps)])
        case .equalHalves(let attribute): .variant("equalHalves", .text(attribute))
        case .firstOf(let names): .variant("firstOf", .texts(names.map(\.text)))
        case .notFirst(let names): .variant("notFirst", .texts(names.map(\.text)))
        case .notLast(let names): .variant("notLast", .texts(names.map(\.text)))
        }
    }

    init(wire: JSON) throws {
        let (name, payload) = try wire.asVariant()
        switch name {
        case "noImmediateRepeat": self = .noImmediateRepeat(attribute: try payload.asText())
        case "maximumRun":
            self = .maximumRun(
                attribute: try payload.field("of").asText(), length: try payload.field("length").asInteger())
        case "minimumDistance":
            self = .minimumDistance(
                attribute: try payload.field("of").asText(), steps: try payload.field("steps").asInteger())
        case "equalHalves": self = .equalHalves(attribute: try payload.asText())
        case "firstOf": self = .firstOf(try payload.asList { try $0.asIdentifier() })
        case "notFirst": self = .notFirst(try payload.asList { try $0.asIdentifier() })
        case "notLast": self = .notLast(try payload.asList { try $0.asIdentifier() })
        default: throw wire.wrong("a constraint")
        }
    }
}
