import StudyModel
import TextFormat

extension Effect {
    /// The effect as the journal holds it.
    var wire: JSON {
        switch self {
        case .show(let presentation): .variant("show", presentation.wire)
        case .wake(let wake, let instant):
            .variant("wake", ["at": .nanoseconds(instant), "wake": wake.wire])
        case .record(let key, let configuration, let start):
            .variant(
                "record",
                ["configuration": configuration.wire, "from": .nanoseconds(start), "key": key.wire])
        case .stopRecording(let key, let instant):
            .variant("stopRecording", ["at": .nanoseconds(instant), "key": key.wire])
        case .play(let drawn, let settings, let ordinal, let instant, let position):
            .variant(
                "play",
                [
                    "at": .nanoseconds(instant),
                    "clip": .members([
                        "ceiling": settings.ceiling.map { .anyReal($0) },
                        "crossFade": settings.crossFade == .zero ? nil : .nanoseconds(settings.crossFade),
                        "drawn": drawn.wire, "fade": .nanoseconds(settings.fade),
                        "following": settings.following?.wire, "gain": .anyReal(settings.gain),
                        "gainUnderPrompts": settings.gainUnderPrompts == 0
                            ? nil : .anyReal(settings.gainUnderPrompts),
                        "loops": .boolean(settings.loops),
                        "loudness": settings.loudness.map { .anyReal($0) }, "ordinal": .integer(ordinal),
                    ]),
                    "from": .nanoseconds(position),
                ])
        case .stopPlaying(let ordinal, let instant):
            .variant("stopPlaying", ["at": .nanoseconds(instant), "ordinal": .integer(ordinal)])
        case .cue(let signal): .variant("cue", signal.wire)
        case .allocate(let levels): .variant("allocate", .texts(levels))
        case .deliver(let result): .variant("deliver", result.wire)
        case .end(let reason): .variant("end", .text(reason.rawValue))
        }
    }

    init(wire: JSON) throws {
        let (name, payload) = try wire.asVariant()
        switch name {
        case "show": self = .show(try Presentation(wire: payload))
        case "wake":
            self = .wake(try Wake(wire: payload.field("wake")), at: try payload.field("at").asInstant())
        case "record":
            self = .record(
                try RecorderKey(wire: payload.field("key")),
                try RecorderConfiguration(wire: payload.field("configuration")),
                from: try payload.field("from").asInstant())
        case "stopRecording":
            self = .stopRecording(
                try RecorderKey(wire: payload.field("key")), at: try payload.field("at").asInstant())
        case "play":
            let clip = try payload.field("clip")
            var settings = Playback.Settings(
                fade: try clip.field("fade").asDuration(), gain: try clip.field("gain").asNumber(),
                loops: try clip.field("loops").asBoolean())
            settings.loudness = try clip.optional("loudness") { try $0.asNumber() }
            settings.ceiling = try clip.optional("ceiling") { try $0.asNumber() }
            settings.crossFade = try clip.optional("crossFade") { try $0.asDuration() } ?? .zero
            settings.following = try clip.optional("following", Following.init(wire:))
            settings.gainUnderPrompts = try clip.optional("gainUnderPrompts") { try $0.asNumber() } ?? 0
            self = .play(
                try DrawnStimulus(wire: clip.field("drawn")), settings,
                ordinal: try clip.field("ordinal").asCount(), at: try payload.field("at").asInstant(),
                from: try payload.field("from").asDuration())
        case "stopPlaying":
            self = .stopPlaying(
                ordinal: try payload.field("ordinal").asCount(), at: try payload.field("at").asInstant())
        case "cue": self = .cue(try Cue.Signal(wire: payload))
        case "allocate": self = .allocate(try payload.asList { try $0.asText() })
        case "deliver": self = .deliver(try StepResult(wire: payload))
        case "end": self = .end(try payload.expect(FinishReason(rawValue: payload.asText()), "a reason"))
        default: throw wire.wrong("an effect")
        }
    }
}

extension Presentation {
    var wire: JSON {
        .members([
            "canGoBack": .boolean(canGoBack),
            "canSkip": .boolean(canSkip),
            "entry": .integer(entry),
            "held": isHeld ? true : nil,
            "ordinal": .integer(ordinal),
            "phase": phase.wire,
            "prompt": prompt.map { ["number": .integer($0.number), "place": .integer($0.place)] },
            "section": .integer(section),
            "visit": .integer(pass),
        ])
    }

    init(wire: JSON) throws {
        self.init(
            ordinal: try wire.field("ordinal").asCount(), section: try wire.field("section").asCount(),
            pass: try wire.field("visit").asCount(), entry: try wire.field("entry").asCount(),
            phase: try Phase(wire: wire.field("phase")), canSkip: try wire.field("canSkip").asBoolean(),
            canGoBack: try wire.field("canGoBack").asBoolean())
        isHeld = try wire.optional("held") { try $0.asBoolean() } ?? false
        prompt = try wire.optional("prompt") { prompt in
            OpenPrompt(
                place: try prompt.field("place").asCount(), number: try prompt.field("number").asCount())
        }
    }
}

extension Presentation.Phase {
    var wire: JSON {
        switch self {
        case .waiting: "waiting"
        case .waitingForSource(let source, let problem):
            .variant("waitingForSource", ["problem": .text(problem.description), "source": .text(source)])
        case .waitingForArm(let problem):
            .variant("waitingForArm", .members(["problem": problem.map { .text($0) }]))
        case .running(let start, let end):
            .variant("running", ["end": .nanoseconds(end), "start": .nanoseconds(start)])
        case .paused(let remaining): .variant("paused", .nanoseconds(remaining))
        case .timeUp: "timeUp"
        case .saving: "saving"
        }
    }

    init(wire: JSON) throws {
        let (name, payload) = try wire.asVariant()
        switch name {
        case "waiting": self = .waiting
        case "waitingForSource":
            self = .waitingForSource(
                try payload.field("source").asIdentifier(),
                problem: SourceProblem(try payload.field("problem").asText()))
        case "waitingForArm":
            self = .waitingForArm(problem: try payload.optional("problem") { try $0.asText() })
        case "running":
            self = .running(
                start: try payload.field("start").asInstant(), end: try payload.field("end").asInstant())
        case "paused": self = .paused(remaining: try payload.asDuration())
        case "timeUp": self = .timeUp
        case "saving": self = .saving
        default: throw wire.wrong("a phase")
        }
    }
}

extension RecorderConfiguration {
    var wire: JSON {
        .members([
            "biofeedback": biofeedback?.wire,
            "channels": channels.isEmpty ? nil : .texts(channels),
            "format": signal.form == .sound ? .text(soundFormat.rawValue) : nil,
            "givesBeats": givesBeats ? true : nil,
            "identifier": .text(identifier),
            "isRequired": .boolean(isRequired),
            "kind": .text(signal.kind),
            "lateSampleGrace": .nanoseconds(lateSampleGrace),
            "quantity": signal.quantityName.map { name in
                .members(["name": .text(name), "unit": signal.unit.map { .text($0) }])
            },
            "rating": rating?.wire,
            "source": source.map { .text($0) },
            "taps": tapping?.wire,
        ])
    }

    init(wire: JSON) throws {
        let kind = try wire.field("kind")
        let quantity = try wire.optional("quantity") { quantity in
            Signal.quantity(
                named: try quantity.field("name").asIdentifier(),
                unit: try quantity.optional("unit") { try $0.asText() })
        }
        self.init(
            identifier: try wire.field("identifier").asIdentifier(),
            signal: try quantity ?? kind.expect(Signal(named: kind.asText()), "a kind of recorder"),
            source: try wire.optional("source") { try $0.asIdentifier() },
            lateSampleGrace: try wire.field("lateSampleGrace").asDuration(),
            isRequired: try wire.field("isRequired").asBoolean(),
            soundFormat: try wire.optional("format") { format in
                try format.expect(SoundFormat(rawValue: format.asText()), "a format of sound")
            } ?? .flac,
            rating: try wire.optional("rating", RatingScale.init(wire:)),
            tapping: try wire.optional("taps", Tapping.init(wire:)))
        biofeedback = try wire.optional("biofeedback", Biofeedback.init(wire:))
        channels = try wire.optional("channels") { try $0.asList { try $0.asText() } } ?? []
        givesBeats = try wire.optional("givesBeats") { try $0.asBoolean() } ?? false
    }
}

extension Cue.Signal {
    var wire: JSON {
        switch self {
        case .sound(let name): .variant("sound", .text(name))
        case .say(let words): .variant("say", words.wire)
        case .bell: "bell"
        }
    }

    init(wire: JSON) throws {
        let (name, payload) = try wire.asVariant()
        switch name {
        case "sound": self = .sound(try payload.asIdentifier())
        case "say": self = .say(try LocalizedText(wire: payload))
        case "bell": self = .bell
        default: throw wire.wrong("a cue")
        }
    }
}

extension LocalizedText {
    var wire: JSON {
        switch self {
        case .plain(let text): .text(text)
        case .translated(let translations):
            .list(translations.map { ["language": .text($0.language.tag), "text": .text($0.text)] })
        }
    }

    init(wire: JSON) throws {
        if let text = wire.text {
            self = .plain(text)
        } else {
            self = .translated(
                try wire.asList { item in
                    Translation(
                        language: Language(try item.field("language").asText()),
                        text: try item.field("text").asText())
                })
        }
    }
}
