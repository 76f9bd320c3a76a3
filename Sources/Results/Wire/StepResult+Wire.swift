import StudyModel
import TextFormat

extension StepResult {
    /// The result as the journal holds it; ResearchKit's form of it is `ResearchKitForm`.
    var wire: JSON {
        .members([
            "actualDuration": actualDuration.map { .nanoseconds($0) },
            "answers": .list(answers.map(\.wire)),
            "condition": condition?.wire,
            "drafts": drafts.isEmpty ? nil : .list(drafts.map(\.wire)),
            "end": .nanoseconds(end),
            "endedBy": endedBy.map { .text($0.rawValue) },
            "files": .list(files.map(\.wire)),
            "lateness": .dictionary(lateness) { .nanoseconds($0) },
            "marks": marks.isEmpty ? nil : .list(marks.map(\.wire)),
            "ordinal": .integer(ordinal),
            "orders": orders.isEmpty ? nil : orders.wire,
            "outerRounds": outerRounds.isEmpty ? nil : .list(outerRounds.map(\.wire)),
            "path": .texts(path.map(\.text)),
            "pauses": .list(pauses.map(\.wire)),
            "plannedDuration": plannedDuration.map { .nanoseconds($0) },
            "program": program?.wire,
            "recorderErrors": .texts(recorderErrors),
            "repeats": repeats.map { .integer($0) },
            "round": round.map { .integer($0) },
            "skip": skip.map { .text($0.rawValue) },
            "standstills": standstills.isEmpty ? nil : .list(standstills.map(\.wire)),
            "start": .nanoseconds(start),
            "stimulus": stimulus.map {
                .members([
                    "changes": changes.isEmpty ? nil : .list(changes.map(\.wire)), "drawn": $0.wire,
                    "playback": playback?.wire,
                    "start": clipStart.map { .nanoseconds($0) },
                    "through": clipThrough.map { .text($0) },
                ])
            },
            "timedOut": isTimedOut.map { .boolean($0) },
            "visit": .integer(visit),
        ])
    }

    init(wire: JSON) throws {
        self.init(
            ordinal: try wire.field("ordinal").asCount(),
            path: try wire.field("path").asList { try $0.asIdentifier() },
            visit: try wire.field("visit").asCount(),
            round: try wire.optional("round") { try $0.asCount() },
            start: try wire.field("start").asInstant(), end: try wire.field("end").asInstant(),
            skip: try wire.optional("skip") { skip in
                try skip.expect(SkipReason(rawValue: skip.asText()), "a reason to skip")
            },
            answers: try wire.field("answers").asList(GivenAnswer.init(wire:)))
        plannedDuration = try wire.optional("plannedDuration") { try $0.asDuration() }
        actualDuration = try wire.optional("actualDuration") { try $0.asDuration() }
        endedBy = try wire.optional("endedBy") { end in
            try end.expect(TimedEnd(rawValue: end.asText()), "what ends a step")
        }
        program = try wire.optional("program", ProgramOutcome.init(wire:))
        isTimedOut = try wire.optional("timedOut") { try $0.asBoolean() }
        condition = try wire.optional("condition", Stimulus.init(wire:))
        outerRounds = try wire.optional("outerRounds") { try $0.asList(OuterRound.init(wire:)) } ?? []
        lateness = try wire.field("lateness").asDictionary { try $0.asDuration() }
        pauses = try wire.field("pauses").asList(Range.init(wire:))
        standstills = try wire.optional("standstills") { try $0.asList(Range.init(wire:)) } ?? []
        drafts = try wire.optional("drafts") { try $0.asList(DraftedAnswer.init(wire:)) } ?? []
        let clip = try wire.optional("stimulus") { $0 }
        clipStart = try clip.flatMap { try $0.optional("start") { try $0.asDuration() } }
        changes = try clip?.optional("changes") { try $0.asList(Playback.Change.init(wire:)) } ?? []
        clipThrough = try clip.flatMap { try $0.optional("through") { try $0.asIdentifier() } }
        stimulus = try clip.map { try DrawnStimulus(wire: $0.field("drawn")) }
        playback = try clip?.optional("playback", Playback.init(wire:))
        files = try wire.field("files").asList(FileResult.init(wire:))
        recorderErrors = try wire.field("recorderErrors").asList { try $0.asText() }
        marks = try wire.optional("marks") { try $0.asList(RunMark.init(wire:)) } ?? []
        repeats = try wire.optional("repeats") { try $0.asCount() }
        orders = try wire.optional("orders", ShownOrders.init(wire:)) ?? ShownOrders()
    }
}

extension Range<RunInstant> {
    fileprivate var wire: JSON { [.nanoseconds(lowerBound), .nanoseconds(upperBound)] }

    fileprivate init(wire: JSON) throws {
        let ends = try wire.asList { try $0.asInstant() }
        guard ends.count == 2, ends[0] <= ends[1] else { throw wire.wrong("a span of time") }
        self = ends[0]..<ends[1]
    }
}

extension StepResult.OuterRound {
    fileprivate var wire: JSON {
        .members([
            "block": .text(block),
            "condition": condition?.wire,
            "round": round.map { .integer($0) },
        ])
    }

    fileprivate init(wire: JSON) throws {
        self.init(
            block: try wire.field("block").asIdentifier(),
            round: try wire.optional("round") { try $0.asCount() },
            condition: try wire.optional("condition", Stimulus.init(wire:)))
    }
}

extension ShownOrders {
    var wire: JSON {
        .members([
            "choices": .list(choices.sorted { $0.key < $1.key }.map { [.text($0.key), .texts($0.value)] }),
            "items": items.map { .texts($0.map(\.text)) },
        ])
    }

    init(wire: JSON) throws {
        self.init()
        items = try wire.optional("items") { try $0.asList { try $0.asIdentifier() } }
        for pair in try wire.field("choices").asList({ try $0.asList { $0 } }) {
            guard pair.count == 2 else { throw wire.wrong("the choices of a question") }
            choices[try pair[0].asIdentifier()] = try pair[1].asList { try $0.asText() }
        }
    }
}

extension FileResult {
    var wire: JSON {
        .members([
            "biofeedback": biofeedback?.wire,
            "contentType": .text(contentType),
            "coverage": .anyReal(coverage),
            "droppedSamples": .integer(droppedSamples),
            "end": .nanoseconds(end),
            "fileName": .text(fileName),
            "gaps": .list(
                gaps.map { gap in
                    [
                        "from": .nanoseconds(gap.from),
                        "reason": .text(gap.reason),
                        "to": .nanoseconds(gap.to),
                    ]
                }),
            "lateSamples": .integer(lateSamples),
            "part": .integer(part),
            "rating": rating?.wire,
            "taps": taps?.wire,
            "reason": reason.map { .text($0) },
            "recorder": .text(recorder),
            "sampleCount": .integer(sampleCount),
            "segment": .integer(segment),
            "sha256": sha256.map { .text($0) },
            "sourceInformation": sourceInformation?.wire,
            "start": .nanoseconds(start),
            "waves": waves?.wire,
        ])
    }

    init(wire: JSON) throws {
        self.init(
            recorder: try wire.field("recorder").asIdentifier(),
            fileName: try wire.field("fileName").asFileName(),
            contentType: try wire.field("contentType").asText(),
            start: try wire.field("start").asInstant(),
            end: try wire.field("end").asInstant(), segment: try wire.field("segment").asCount(),
            sampleCount: try wire.field("sampleCount").asCount(),
            coverage: try wire.field("coverage").asNumber())
        part = try wire.field("part").asCount()
        gaps = try wire.field("gaps").asList { gap in
            Gap(
                from: try gap.field("from").asInstant(), to: try gap.field("to").asInstant(),
                reason: try gap.field("reason").asText())
        }
        lateSamples = try wire.field("lateSamples").asCount()
        droppedSamples = try wire.field("droppedSamples").asCount()
        reason = try wire.optional("reason") { try $0.asText() }
        sha256 = try wire.optional("sha256") { try $0.asText() }
        sourceInformation = try wire.optional("sourceInformation", SourceInformation.init(wire:))
        rating = try wire.optional("rating", Rating.init(wire:))
        taps = try wire.optional("taps", Taps.init(wire:))
        biofeedback = try wire.optional("biofeedback", Biofeedback.init(wire:))
        waves = try wire.optional("waves", Waves.init(wire:))
    }
}

extension DrawnStimulus {
    var wire: JSON {
        .members([
            "aims": aims.isEmpty ? nil : .dictionary(aims) { .anyReal($0) },
            "index": .integer(index),
            "method": .text(method),
            "set": set.map { .text($0) },
            "stimulus": stimulus.wire,
            "stream": stream.map { .text($0) },
        ])
    }

    init(wire: JSON) throws {
        self.init(
            stimulus: try Stimulus(wire: wire.field("stimulus")),
            set: try wire.optional("set") { try $0.asIdentifier() },
            method: try wire.field("method").asText(),
            stream: try wire.optional("stream") { try $0.asText() },
            index: try wire.field("index").asCount())
        aims = try wire.optional("aims") { try $0.asDictionary { try $0.asNumber() } } ?? [:]
    }
}

extension Stimulus {
    var wire: JSON {
        .members([
            "attributes": .dictionary(attributes) { .text($0) },
            "beats": beats?.wire,
            "duration": duration.map { .nanoseconds($0) },
            "file": .text(file),
            "gain": gain == 0 ? nil : .anyReal(gain),
            "identifier": .text(identifier),
            "path": .text(path),
            "sha256": sha256.map { .text($0) },
            "title": title.map { .text($0) },
            "tone": tone.map { .text($0.rawValue) },
        ])
    }

    init(wire: JSON) throws {
        self.init(
            identifier: try wire.field("identifier").asIdentifier(), file: try wire.field("file").asText(),
            path: try wire.field("path").asText(), title: try wire.optional("title") { try $0.asText() },
            sha256: try wire.optional("sha256") { try $0.asText() },
            duration: try wire.optional("duration") { try $0.asDuration() },
            beats: try wire.optional("beats", BeatGrid.init(wire:)),
            attributes: try wire.field("attributes").asDictionary { try $0.asText() })
        gain = try wire.optional("gain") { try $0.asNumber() } ?? 0
        tone = try wire.optional("tone") { try $0.expect(ReferenceTone(rawValue: $0.asText()), "a tone") }
    }
}
