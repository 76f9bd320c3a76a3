import StudyModel
import TextFormat

extension ProgramMessage {
    var wire: JSON {
        switch self {
        case .shows(let text): .variant("shows", .text(text))
        case .answers(let answers): .variant("answers", .list(answers.map(\.wire)))
        case .sample(let sample): .variant("sample", sample.wire)
        case .unclear(let problem): .variant("unclear", .text(problem))
        case .ended(let problem): .variant("ended", .members(["problem": problem.map { .text($0) }]))
        }
    }

    init(wire: JSON) throws {
        let (name, payload) = try wire.asVariant()
        switch name {
        case "shows": self = .shows(try payload.asText())
        case "answers": self = .answers(try payload.asList(GivenAnswer.init(wire:)))
        case "sample": self = .sample(try ProgramSample(wire: payload))
        case "unclear": self = .unclear(try payload.asText())
        case "ended": self = .ended(problem: try payload.optional("problem") { try $0.asText() })
        default: throw wire.wrong("what a program says")
        }
    }
}

extension ProgramSample {
    var wire: JSON {
        ["identifier": .text(name), "instant": .nanoseconds(instant), "value": .anyReal(value)]
    }

    init(wire: JSON) throws {
        self.init(
            name: try wire.field("identifier").asIdentifier(), value: try wire.field("value").asNumber(),
            at: try wire.field("instant").asInstant())
    }
}

extension ProgramOutcome {
    var wire: JSON {
        .members([
            "droppedSamples": .integer(droppedSamples), "firstUnclear": firstUnclear.map { .text($0) },
            "problem": problem.map { .text($0) }, "samples": .list(samples.map(\.wire)),
            "unclear": .integer(unclearCount),
        ])
    }

    init(wire: JSON) throws {
        self.init()
        samples = try wire.field("samples").asList(ProgramSample.init(wire:))
        droppedSamples = try wire.field("droppedSamples").asCount()
        unclearCount = try wire.field("unclear").asCount()
        firstUnclear = try wire.optional("firstUnclear") { try $0.asText() }
        problem = try wire.optional("problem") { try $0.asText() }
    }

    /// As in `result.json`: like the journal's form, but with times in seconds.
    var userInfo: JSON {
        .members([
            "droppedSamples": .integer(droppedSamples), "firstUnclear": firstUnclear.map { .text($0) },
            "problem": problem.map { .text($0) },
            "samples": .list(
                samples.map { sample in
                    [
                        "identifier": .text(sample.name), "offset": .seconds(sample.instant),
                        "value": .anyReal(sample.value),
                    ]
                }),
            "unclear": .integer(unclearCount),
        ])
    }

    static let shape: FieldShape = .fields(
        required: [
            "droppedSamples": .count,
            "samples": .list(.all(["identifier": .identifier, "offset": .seconds, "value": .real])),
            "unclear": .count,
        ], optional: ["firstUnclear": .replaced, "problem": .replaced])
}

extension ResultBundle.Program {
    init(wire: JSON) throws {
        self.init(
            samples: try wire.field("samples").asList { sample in
                ResultBundle.Program.Sample(
                    name: try sample.field("identifier").asIdentifier().text,
                    value: try sample.field("value").asNumber(),
                    offset: try sample.field("offset").asSeconds())
            },
            droppedSamples: try wire.field("droppedSamples").asCount(),
            unclearCount: try wire.field("unclear").asCount(),
            firstUnclear: try wire.optional("firstUnclear") { try $0.asText() },
            problem: try wire.optional("problem") { try $0.asText() })
    }
}
