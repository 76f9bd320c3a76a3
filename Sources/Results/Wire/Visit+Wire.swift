import StudyModel
package import TextFormat

extension ResultBundle.Visit {
    /// The visits in `result.json`.
    ///
    /// - Parameter paths: the steps' identifiers after those of their blocks, in visiting order.
    package static func all(in result: JSON, paths: [String]) throws -> [Self] {
        let results = try result.field("results").asList { $0 }
        guard results.count == paths.count else {
            throw WireFailure("the result has other steps than the manifest")
        }
        return try zip(results, paths).enumerated().map { index, step in
            try Self(wire: step.0, ordinal: index + 1, path: step.1)
        }
    }

    private init(wire: JSON, ordinal: Int, path: String) throws {
        let info = try wire.field("userInfo")
        var answers: [ResultBundle.Answer] = []
        var recordings: [ResultBundle.Recording] = []
        for entry in try wire.field("results").asList({ $0 }) {
            if ResultRewriting.isFile(entry) {
                recordings.append(try ResultBundle.Recording(wire: entry))
            } else {
                answers.append(try ResultBundle.Answer(wire: entry))
            }
        }
        self.init(
            ordinal: ordinal, identifier: try wire.field("identifier").asIdentifier().text, path: path,
            visit: try info.field("visit").asCount(),
            round: try info.optional("round") { try $0.asCount() },
            start: try info.field("startOffset").asSeconds(), end: try info.field("endOffset").asSeconds(),
            isSkipped: try info.field("skipped").asBoolean(),
            skipReason: try info.optional("skipReason") { try $0.asText() },
            repeats: try info.optional("repeats") { try $0.asCount() },
            plannedDuration: try info.optional("plannedDuration") { try $0.asSeconds() },
            actualDuration: try info.optional("actualDuration") { try $0.asSeconds() },
            endedBy: try info.optional("endedBy") { try $0.asText() },
            isTimedOut: try info.optional("timedOut") { try $0.asBoolean() },
            condition: try info.optional("condition", ResultBundle.Condition.init(wire:)),
            outerRounds: try info.optional("outerRounds") { rounds in
                try rounds.asList { round in
                    ResultBundle.OuterRound(
                        block: try round.field("block").asIdentifier().text,
                        round: try round.optional("round") { try $0.asCount() },
                        condition: try round.optional("condition", ResultBundle.Condition.init(wire:)))
                }
            } ?? [],
            lateness: try info.optional("lateness") { lateness in
                try lateness.expect(lateness.object, "an object").members.map {
                    ResultBundle.Lateness(moment: $0.key, seconds: try $0.value.asSeconds())
                }
            } ?? [],
            pauses: try info.optional("pauses") { try $0.asList { try $0.asSpan() } } ?? [],
            standstills: try info.optional("standstills") { try $0.asList { try $0.asSpan() } } ?? [],
            recorderErrors: try info.optional("recorderErrors") { try $0.asList { try $0.asText() } } ?? [],
            clip: try info.optional("stimulus", ResultBundle.Clip.init(wire:)),
            program: try info.optional("program", ResultBundle.Program.init(wire:)), answers: answers,
            recordings: recordings,
            marks: try info.optional("marks") { try $0.asList(ResultBundle.Mark.init(wire:)) } ?? [])
    }
}

extension ResultBundle.Condition {
    fileprivate init(wire: JSON) throws {
        self.init(
            identifier: try wire.field("identifier").asText(),
            values: try wire.field("values").asDictionary { try $0.asText() })
    }
}

extension ResultBundle.Clip {
    fileprivate init(wire: JSON) throws {
        self.init(
            identifier: try wire.field("identifier").asIdentifier().text,
            title: try wire.optional("title") { try $0.asText() },
            file: try wire.optional("file") { try $0.asText() },
            sha256: try wire.optional("sha256") { try $0.asText() },
            draw: try wire.optional("draw") { try $0.asText() },
            onset: try wire.optional("onsetOffset") { try $0.asSeconds() },
            end: try wire.optional("endOffset") { try $0.asSeconds() },
            start: try wire.optional("start") { try $0.asSeconds() },
            gain: try wire.optional("gain") { try $0.asNumber() },
            loweredBy: try wire.optional("loweredBy") { try $0.asNumber() },
            problem: try wire.optional("problem") { try $0.asText() },
            underruns: try wire.optional("underruns") { try $0.asCount() },
            attributes: try wire.optional("attributes") { try $0.asDictionary { try $0.asText() } } ?? [:],
            changes: try wire.optional("changes") { try $0.asList(Change.init(wire:)) } ?? [])
    }
}

extension ResultBundle.Clip.Change {
    fileprivate init(wire: JSON) throws {
        self.init(
            offset: try wire.field("offset").asSeconds(),
            frame: try wire.optional("frame") { try $0.asInteger() },
            position: try wire.field("position").asSeconds(), tempo: try wire.field("tempo").asNumber(),
            gain: try wire.field("gain").asNumber())
    }

    /// As in a table.
    package var json: JSON {
        [
            "gain": .real(gain), "offset": .real(offset), "position": .real(position), "tempo": .real(tempo),
        ]
    }
}

extension ResultBundle.Visit {
    /// How tempo and level of the clip changed, in words; `nil` if they did not.
    package var changesInWords: String? {
        guard let changes = clip?.changes, !changes.isEmpty else { return nil }
        var said: [String] = []
        if let range = Self.range(of: changes.map(\.tempo)) {
            let mean = meanTempo.map { ", \(plainNumber(($0 * 1000).rounded() / 1000)) on average" } ?? ""
            said.append("tempo \(range) of its own\(mean)")
        }
        if let range = Self.range(of: changes.map(\.gain)) { said.append("level \(range) dB") }
        return counted(changes.count - 1, "change") + " while it was heard: " + said.joined(separator: "; ")
    }

    /// `0.9 to 1.1`; `nil` where all are equal.
    private static func range(of values: [Double]) -> String? {
        guard let low = values.min(), let high = values.max(), low < high else { return nil }
        return
            "\(plainNumber((low * 1000).rounded() / 1000)) to \(plainNumber((high * 1000).rounded() / 1000))"
    }

    /// The mean tempo at which the clip was heard, as a factor of its own; `nil` if it did not change.
    package var meanTempo: Double? {
        guard let clip, !clip.changes.isEmpty, let end = clip.end else { return nil }
        let ends = clip.changes.dropFirst().map(\.offset) + [end]
        var (sum, time) = (0.0, 0.0)
        for (change, end) in zip(clip.changes, ends) {
            let paused = pauses.reduce(0) {
                $0 + max(0, min($1.upperBound, end) - max($1.lowerBound, change.offset))
            }
            let heard = max(0, end - change.offset - paused)
            sum += heard * change.tempo
            time += heard
        }
        return time > 0 ? sum / time : nil
    }
}

extension ResultBundle.Answer {
    /// The number that the answer counts as: a number itself, yes as 1 and no as 0, or the value of a choice.
    package var value: Double? {
        switch kind {
        case AnswerKind.boolean.researchKit.className: text.map { $0 == "true" ? 1 : 0 }
        case AnswerKind.choice.researchKit.className:
            choices.flatMap { $0.count == 1 ? Double($0[0]).flatMap { $0.isFinite ? $0 : nil } : nil }
        default: number
        }
    }

    package init(wire: JSON) throws {
        self.init(
            question: try wire.field("identifier").asIdentifier().text,
            kind: try wire.field("_class").asText(),
            unit: try wire.optional("unit") { try $0.asText() },
            other: try wire.optional("userInfo") { try $0.optional("other") { try $0.asText() } } ?? nil,
            times: try wire.optional("userInfo", Times.init(wire:)) ?? nil,
            prompt: try wire.optional("userInfo") { try $0.optional("prompt", Prompt.init(wire:)) } ?? nil,
            reaction: try wire.optional("userInfo") { try $0.optional("reaction", Reaction.init(wire:)) }
                ?? nil
        )
        guard let value = AnswerKind.members.lazy.compactMap({ wire[$0] }).first else { return }
        choices = value.list?.compactMap(\.text)
        switch value {
        case .text(let written): text = written
        case .integer, .real:
            number = value.number
            text = String(decoding: value.encoded(), as: UTF8.self)
        case .list(let list) where list.count == 1 && list[0].text != nil: text = list[0].text
        case .null, .boolean, .list, .object: text = String(decoding: value.encoded(), as: UTF8.self)
        }
    }
}

extension ResultBundle.Answer.Times {
    /// - Returns: `nil` if nobody saw the question.
    fileprivate init?(wire: JSON) throws {
        guard let shown = try wire.optional("shownOffset", { try $0.asSeconds() }) else { return nil }
        self.init(
            shown: shown,
            touched: try wire.optional("touchedOffset") { try $0.asSeconds() },
            changed: try wire.optional("changedOffset") { try $0.asSeconds() },
            confirmed: try wire.optional("confirmedOffset") { try $0.asSeconds() },
            changes: try wire.field("changes").asCount())
    }
}

extension ResultBundle.Recording {
    fileprivate init(wire: JSON) throws {
        let info = try wire.field("userInfo")
        self.init(
            recorder: try wire.field("identifier").asIdentifier().text,
            name: try wire.field("fileName").asFileName(), start: try info.field("startOffset").asSeconds(),
            end: try info.field("endOffset").asSeconds(), segment: try info.field("segment").asCount(),
            part: try info.field("part").asCount(), sampleCount: try info.field("sampleCount").asCount(),
            coverage: try info.field("coverage").asNumber(in: 0...1),
            gaps: try info.field("gaps").asList { gap in
                ResultBundle.Gap(span: try gap.asSpan(), reason: try gap.field("reason").asText())
            }, lateSamples: try info.field("lateSamples").asCount(),
            droppedSamples: try info.field("droppedSamples").asCount(),
            reason: try info.optional("reason") { try $0.asText() },
            source: try info.optional("sourceInformation", SourceInformation.init(wire:)),
            rating: try info.optional("rating", FileResult.Rating.init(wire:)),
            taps: try info.optional("taps", FileResult.Taps.init(wire:)),
            biofeedback: try info.optional("biofeedback", Biofeedback.init(wire:)),
            waves: try info.optional("waves", FileResult.Waves.init(wire:)))
    }
}

extension JSON {
    /// `{"from": …, "to": …}` in seconds.
    fileprivate func asSpan() throws -> Range<Double> {
        let (from, to) = (try field("from").asSeconds(), try field("to").asSeconds())
        guard from <= to else { throw wrong("a span of time") }
        return from..<to
    }
}
