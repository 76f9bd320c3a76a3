import StudyModel
import TextFormat

extension Event {
    /// The event as the journal holds it.
    var wire: JSON {
        switch self {
        case .recalled(let answers): .variant("recalled", .list(answers.map(\.wire)))
        case .begin: "begin"
        case .confirmed: "confirmed"
        case .drafted(let draft): .variant("drafted", draft.wire)
        case .answered(let answers): .variant("answered", .list(answers.map(\.wire)))
        case .skipped: "skipped"
        case .wentBack: "wentBack"
        case .wentBackTo(let ordinal): .variant("wentBackTo", .integer(ordinal))
        case .paused: "paused"
        case .resumed: "resumed"
        case .withdrawn: "withdrawn"
        case .putAside: "putAside"
        case .continued: "continued"
        case .interrupted: "interrupted"
        case .failed(let reason): .variant("failed", .text(reason))
        case .woke(let wake): .variant("woke", wake.wire)
        case .sourceChanged(let source, let problem):
            .variant(
                "sourceChanged",
                .members(["problem": problem.map { .text($0.description) }, "source": .text(source)]))
        case .played(let report): .variant("played", report.wire)
        case .adjusted(let ordinal, let change):
            .variant("adjusted", ["change": change.wire, "ordinal": .integer(ordinal)])
        case .recorded(let key, let files, let problem):
            .variant(
                "recorded",
                .members([
                    "files": .list(files.map(\.wire)),
                    "key": key.wire,
                    "problem": problem.map { .text($0) },
                ]))
        case .observed(let rate): .variant("observed", .anyReal(rate))
        case .heard(let level): .variant("heard", .anyReal(level))
        case .program(let ordinal, let message):
            .variant("program", ["message": message.wire, "ordinal": .integer(ordinal)])
        case .allocated(let arm, let slot):
            .variant("allocated", ["arm": .text(arm), "slot": .integer(slot)])
        case .notAllocated(let problem): .variant("notAllocated", .text(problem))
        case .marked(let mark): .variant("marked", mark.wire)
        case .stoodStill(let start): .variant("stoodStill", .nanoseconds(start))
        case .saved(let ordinal): .variant("saved", .integer(ordinal))
        }
    }

    init(wire: JSON) throws {
        let (name, payload) = try wire.asVariant()
        switch name {
        case "recalled": self = .recalled(try payload.asList(GivenAnswer.init(wire:)))
        case "begin": self = .begin
        case "confirmed": self = .confirmed
        case "drafted": self = .drafted(try DraftedAnswer(wire: payload))
        case "answered": self = .answered(try payload.asList(GivenAnswer.init(wire:)))
        case "skipped": self = .skipped
        case "wentBack": self = .wentBack
        case "wentBackTo": self = .wentBackTo(try payload.asCount())
        case "paused": self = .paused
        case "resumed": self = .resumed
        case "withdrawn": self = .withdrawn
        case "putAside": self = .putAside
        case "continued": self = .continued
        case "interrupted": self = .interrupted
        case "failed": self = .failed(try payload.asText())
        case "woke": self = .woke(try Wake(wire: payload))
        case "sourceChanged":
            self = .sourceChanged(
                try payload.field("source").asIdentifier(),
                problem: try payload.optional("problem") { SourceProblem(try $0.asText()) })
        case "played": self = .played(try Playback(wire: payload))
        case "adjusted":
            self = .adjusted(
                ordinal: try payload.field("ordinal").asCount(),
                try Playback.Change(wire: payload.field("change")))
        case "recorded":
            self = .recorded(
                try RecorderKey(wire: payload.field("key")),
                files: try payload.field("files").asList(FileResult.init(wire:)),
                problem: try payload.optional("problem") { try $0.asText() })
        case "observed": self = .observed(try payload.asNumber())
        case "heard": self = .heard(try payload.asNumber())
        case "program":
            self = .program(
                try payload.field("ordinal").asCount(), try ProgramMessage(wire: payload.field("message")))
        case "allocated":
            self = .allocated(
                try payload.field("arm").asIdentifier(), slot: try payload.field("slot").asCount())
        case "notAllocated": self = .notAllocated(try payload.asText())
        case "marked": self = .marked(try RunMark(wire: payload))
        case "stoodStill": self = .stoodStill(since: try payload.asInstant())
        case "saved": self = .saved(try payload.asCount())
        default: throw wire.wrong("an event")
        }
    }
}

extension GivenAnswer {
    var wire: JSON {
        .members([
            "answer": answer?.wire, "asking": asking?.wire,
            "inputs": inputs.isEmpty ? nil : .list(inputs.map(\.wire)),
            "question": .text(question), "reaction": reaction?.wire, "times": times?.wire,
        ])
    }

    init(wire: JSON) throws {
        self.init(
            question: try wire.field("question").asIdentifier(),
            answer: try wire.optional("answer", Answer.init(wire:)),
            times: try wire.optional("times", AnswerTimes.init(wire:)))
        inputs = try wire.optional("inputs") { try $0.asList(ScoredInput.init(wire:)) } ?? []
        asking = try wire.optional("asking", Asking.init(wire:))
        reaction = try wire.optional("reaction", ReactionResult.init(wire:))
    }
}

extension ScoredInput {
    var wire: JSON { .members(["identifier": .text(question), "value": value.map { .anyReal($0) }]) }

    init(wire: JSON) throws {
        self.init(
            question: try wire.field("identifier").asIdentifier(),
            value: try wire.optional("value") { try $0.asNumber() })
    }
}

extension DraftedAnswer {
    var wire: JSON {
        .members([
            "answer": answer?.wire, "question": .text(question), "text": .text(text), "times": times.wire,
        ])
    }

    init(wire: JSON) throws {
        self.init(
            question: try wire.field("question").asIdentifier(), text: try wire.field("text").asText(),
            times: try AnswerTimes(wire: wire.field("times")))
        answer = try wire.optional("answer", Answer.init(wire:))
    }
}

extension AnswerTimes {
    var wire: JSON {
        .members([
            "changed": changed.map { .nanoseconds($0) }, "changes": .integer(changes),
            "confirmed": confirmed.map { .nanoseconds($0) }, "shown": .nanoseconds(shown),
            "touched": touched.map { .nanoseconds($0) },
        ])
    }

    init(wire: JSON) throws {
        self.init(shown: try wire.field("shown").asInstant())
        touched = try wire.optional("touched") { try $0.asInstant() }
        changed = try wire.optional("changed") { try $0.asInstant() }
        confirmed = try wire.optional("confirmed") { try $0.asInstant() }
        changes = try wire.field("changes").asCount()
    }
}

extension Wake {
    var wire: JSON {
        let moment: JSON =
            switch moment {
            case .end: "end"
            case .cue(let index): .variant("cue", .integer(index))
            case .until: "until"
            case .timeLimit: "timeLimit"
            case .prompt: "prompt"
            case .promptLimit: "promptLimit"
            }
        return ["moment": moment, "ordinal": .integer(ordinal), "segment": .integer(segment)]
    }

    init(wire: JSON) throws {
        let (name, payload) = try wire.field("moment").asVariant()
        let moment: Moment =
            switch name {
            case "end": .end
            case "cue": .cue(try payload.asCount())
            case "until": .until
            case "timeLimit": .timeLimit
            case "prompt": .prompt
            case "promptLimit": .promptLimit
            default: throw wire.wrong("a planned moment")
            }
        self.init(
            ordinal: try wire.field("ordinal").asCount(), segment: try wire.field("segment").asCount(),
            moment: moment)
    }
}

extension RecorderKey {
    var wire: JSON {
        ["ordinal": .integer(ordinal), "recorder": .text(recorder), "segment": .integer(segment)]
    }

    init(wire: JSON) throws {
        self.init(
            ordinal: try wire.field("ordinal").asCount(),
            recorder: try wire.field("recorder").asIdentifier(),
            segment: try wire.field("segment").asCount())
    }
}

extension Playback {
    var wire: JSON {
        .members([
            "end": end.map { .nanoseconds($0) },
            "gain": gain.map { .anyReal($0) },
            "latency": latency.map { .nanoseconds($0) },
            "loweredBy": loweredBy.map { .anyReal($0) },
            "onset": .nanoseconds(onset),
            "onsetFrame": onsetFrame.map { .integer(Int($0)) },
            "ordinal": .integer(ordinal),
            "problem": problem.map { .text($0) },
            "sampleRate": sampleRate.map { .anyReal($0) },
            "underruns": underruns.map { .integer($0) },
        ])
    }

    init(wire: JSON) throws {
        self.init(
            ordinal: try wire.field("ordinal").asCount(), onset: try wire.field("onset").asInstant(),
            end: try wire.optional("end") { try $0.asInstant() },
            onsetFrame: try wire.optional("onsetFrame") { Int64(try $0.asInteger()) },
            sampleRate: try wire.optional("sampleRate") { try $0.asNumber() },
            underruns: try wire.optional("underruns") { try $0.asCount() },
            latency: try wire.optional("latency") { try $0.asDuration() },
            problem: try wire.optional("problem") { try $0.asText() })
        gain = try wire.optional("gain") { try $0.asNumber() }
        loweredBy = try wire.optional("loweredBy") { try $0.asNumber() }
    }
}
