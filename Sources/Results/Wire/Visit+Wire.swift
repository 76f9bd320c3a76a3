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
        self = try Self.infoForm.read(wire.field("userInfo"))
        (self.ordinal, self.path) = (ordinal, path)
        identifier = try wire.field("identifier").asIdentifier().text
        for entry in try wire.field("results").asList({ $0 }) {
            if ResultRewriting.isFile(entry) {
                recordings.append(try ResultBundle.Recording(wire: entry))
            } else {
                answers.append(try ResultBundle.Answer(wire: entry))
            }
        }
    }

    /// What ResearchKit has no key for: `userInfo` of a step's result.
    static let infoForm: WireForm<ResultBundle.Visit> = .record(
        { ResultBundle.Visit(visit: $0, start: $1, end: $2, isSkipped: $3) },
        WireField("visit", \.visit, .count), WireField("startOffset", \.start, .elapsed),
        WireField("endOffset", \.end, .elapsed), WireField("skipped", \.isSkipped, .boolean)
    ).and {
        WireField(optional: "round", \.round, .count)
        WireField(optional: "skipReason", \.skipReason, .text(.words(StepResult.SkipReason.self)))
        WireField(optional: "repeats", \.repeats, .count)
        WireField(optional: "plannedDuration", \.plannedDuration, .elapsed)
        WireField(optional: "actualDuration", \.actualDuration, .elapsed)
        WireField(optional: "endedBy", \.endedBy, .text(.words(StepResult.TimedEnd.self)))
        WireField(optional: "timedOut", \.isTimedOut, .boolean)
        WireField(optional: "condition", \.condition)
        WireField(optional: "trial", \.trial)
        WireField("outerRounds", unless: [], \.outerRounds, .list())
        WireField("lateness", missing: [], \.lateness, latenessForm)
        WireField("repeatedCues", unless: [:], \.repeatedCues, .named(.list(.elapsed)))
        WireField("pauses", missing: [], \.pauses, .list(.seconds))
        WireField("standstills", unless: [], \.standstills, .list(.seconds))
        WireField("recorderErrors", missing: [], \.recorderErrors, .list(.replaced))
        WireField(optional: "stimulus", \.clip)
        WireField(optional: "program", \.program)
        WireField("marks", unless: [], \.marks, .list())
        WireField("choiceOrders", unless: [:], \.choiceOrders, .named(.list(.text)))
        WireField(optional: "itemOrder", \.itemOrder, .list(.identifier))
        WireField("drafts", unless: [], \.drafts, .list())
    }

    private static let latenessForm = WireForm<[String: Double]>.named(.seconds).map(
        "times by moment",
        { times in
            times.sorted { $0.key < $1.key }.map { ResultBundle.Lateness(moment: $0.key, seconds: $0.value) }
        },
        back: { Dictionary(uniqueKeysWithValues: $0.map { ($0.moment, $0.seconds) }) })

    private init(visit: Int, start: Double, end: Double, isSkipped: Bool) {
        self.init(
            ordinal: 0, identifier: "", path: "", visit: visit, start: start, end: end, isSkipped: isSkipped,
            outerRounds: [], lateness: [], pauses: [], standstills: [], recorderErrors: [], answers: [],
            recordings: [])
    }

    /// The members for which ResearchKit has no key.
    ///
    /// - Parameter withAttributes: whether the clip's attributes are told.
    init(infoOf result: StepResult, withAttributes: Bool) {
        self.init(
            visit: result.visit, start: result.start.written, end: result.end.written,
            isSkipped: result.skip != nil)
        (round, repeats, isTimedOut) = (result.round, result.repeats, result.isTimedOut)
        (skipReason, endedBy) = (result.skip?.rawValue, result.endedBy?.rawValue)
        (plannedDuration, actualDuration) = (result.plannedDuration?.written, result.actualDuration?.written)
        condition = result.condition.map { ResultBundle.Condition($0) }
        trial = result.trial
        outerRounds = result.outerRounds.map { outer in
            ResultBundle.OuterRound(
                block: outer.block.text, round: outer.round,
                condition: outer.condition.map { ResultBundle.Condition($0) })
        }
        lateness = result.lateness.map { ResultBundle.Lateness(moment: $0.key, seconds: $0.value.written) }
        repeatedCues = result.repeatedCues.mapValues { $0.map(\.written) }
        (pauses, standstills) = (result.pauses.map(\.written), result.standstills.map(\.written))
        recorderErrors = result.recorderErrors
        clip = result.stimulus.map { ResultBundle.Clip($0, in: result, withAttributes: withAttributes) }
        program = result.program.map { ResultBundle.Program($0) }
        marks = result.marks.map { ResultBundle.Mark($0) }
        for (question, choices) in result.orders.choices { choiceOrders[question.text] = choices }
        itemOrder = result.orders.items?.map(\.text)
        drafts = result.drafts.map { draft in
            ResultBundle.Draft(
                question: draft.question.text, text: draft.text,
                times: ResultBundle.Answer.Times(draft.times))
        }
    }
}

extension ResultBundle.OuterRound: Wired {
    static let form: WireForm<ResultBundle.OuterRound> = .record(
        ResultBundle.OuterRound.init, WireField("block", \.block, .identifier),
        WireField(optional: "round", \.round, .count), WireField(optional: "condition", \.condition))
}

extension ResultBundle.Condition: Wired {
    static let form: WireForm<ResultBundle.Condition> = .record(
        ResultBundle.Condition.init, WireField("identifier", \.identifier, .text),
        WireField("values", \.values, .named(.text)))

    fileprivate init(_ condition: Stimulus) {
        self.init(
            identifier: condition.identifier.text,
            values: condition.attributes.filter { $0.key != Stimulus.identity })
    }
}

extension ResultBundle.Draft: Wired {
    /// Its words stand under ResearchKit's key for text, whatever the question.
    static let form: WireForm<ResultBundle.Draft> = .record(
        ResultBundle.Draft.init, WireField("identifier", \.question, .identifier),
        WireField("textAnswer", \.text, .typed), WireField(among: \.times, ResultBundle.Answer.Times.form)
    ).derived("confirmed", .boolean) { _ in false }
}

extension ResultBundle.Clip: Wired {
    static let form: WireForm<ResultBundle.Clip> = .record(
        { ResultBundle.Clip(identifier: $0) }, WireField("identifier", \.identifier, .identifier)
    ).and {
        WireField("draw", missing: nil, \.draw, .known(.drawMethod))
        WireField("file", missing: nil, \.file, .known(.text))
        WireField("index", missing: nil, \.index, .known(.count))
        WireField(optional: "title", \.title, .text)
        WireField(optional: "sha256", \.sha256, .text(.checksum))
        WireField(optional: "onsetOffset", \.onset, .elapsed)
        WireField(optional: "endOffset", \.end, .elapsed)
        WireField(optional: "start", \.start, .elapsed)
        WireField(optional: "gain", \.gain, .real)
        WireField(optional: "loweredBy", \.loweredBy, .real)
        WireField(optional: "problem", \.problem, .replaced)
        WireField(optional: "underruns", \.underruns, .count)
        WireField(optional: "latency", \.latency, .elapsed)
        WireField(optional: "onsetFrame", \.onsetFrame, .whole)
        WireField(optional: "sampleRate", \.sampleRate, .magnitude)
        WireField("aims", unless: [:], \.aims, .named(.real))
        WireField("attributes", unless: [:], \.attributes, .named(.text))
        WireField("changes", unless: [], \.changes, .list())
        WireField(optional: "set", \.set, .identifier)
        WireField(optional: "stream", \.stream, .text)
        WireField(optional: "through", \.through, .identifier)
    }.derived("audio", optional: .word(["none"])) { $0.sampleRate == nil ? "none" : nil }

    fileprivate init(_ drawn: DrawnStimulus, in result: StepResult, withAttributes: Bool) {
        self.init(identifier: drawn.stimulus.identifier.text)
        (draw, index, aims) = (drawn.method, drawn.index, drawn.aims)
        (set, stream, through) = (drawn.set?.text, drawn.stream, result.clipThrough?.text)
        (file, title) = (drawn.stimulus.file, drawn.stimulus.title)
        sha256 = drawn.stimulus.sha256
        if withAttributes { attributes = drawn.stimulus.attributes }
        start = result.clipStart?.written
        changes = result.changes.map { change in
            Change(
                offset: change.instant.written, frame: change.frame.map(Int.init),
                position: change.position.written, tempo: change.tempo, gain: change.gain)
        }
        guard let playback = result.playback else { return }
        (onset, end) = (playback.onset.written, playback.end?.written)
        (gain, loweredBy) = (playback.gain, playback.loweredBy)
        (problem, underruns) = (playback.problem, playback.underruns)
        (latency, sampleRate) = (playback.latency?.written, playback.sampleRate)
        onsetFrame = playback.onsetFrame.map(Int.init)
    }
}

extension ResultBundle.Clip.Change: Wired {
    static let form: WireForm<ResultBundle.Clip.Change> = .record(
        ResultBundle.Clip.Change.init, WireField("offset", \.offset, .elapsed),
        WireField(optional: "frame", \.frame, .whole), WireField("position", \.position, .elapsed),
        WireField("tempo", \.tempo, .magnitude), WireField("gain", \.gain, .real))

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
        guard let changes = clip?.changes.filter({ $0.tempo > 0 }), !changes.isEmpty else { return nil }
        var said: [String] = []
        if let range = Self.range(of: changes.map(\.tempo)) {
            let mean = meanTempo.map { ", \(plainNumber(($0 * 1000).rounded() / 1000)) on average" } ?? ""
            said.append("tempo \(range) of its own\(mean)")
        }
        if let range = Self.range(of: changes.map(\.gain)) { said.append("level \(range) dB") }
        guard !said.isEmpty else { return nil }
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
        for (change, end) in zip(clip.changes, ends) where change.tempo > 0 {
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
    /// The number that the answer counts as: a number itself, yes as 1 and no as 0, or the value of a choice, unless it
    /// says that there is no answer.
    package var value: Double? {
        switch kind {
        case AnswerKind.boolean.researchKit.className: text.map { $0 == "true" ? 1 : 0 }
        case AnswerKind.choice.researchKit.className where isMissing: nil
        case AnswerKind.choice.researchKit.className where !takesSeveral:
            choices.flatMap { $0.count == 1 ? Double($0[0]).flatMap { $0.isFinite ? $0 : nil } : nil }
        default: number
        }
    }

    package init(wire: JSON) throws {
        let info = try wire["userInfo"].map(Info.form.read)
        self.init(
            question: try wire.field("identifier").asIdentifier().text,
            kind: try wire.field("_class").asText(),
            unit: try wire.optional("unit") { try $0.asText() }, other: info?.other, times: info?.times,
            prompt: info?.prompt, reaction: info?.reaction)
        isMissing = info?.isMissing ?? false
        takesSeveral = wire["questionType"]?.integer == AnswerKind.choices.researchKit.questionType
        guard let value = AnswerKind.members.lazy.compactMap({ wire[$0] }).first else { return }
        choices = value.list?.compactMap(\.text)
        switch value {
        case .text(let written): text = written
        case .integer, .real:
            number = value.number
            text = String(decoding: value.encoded(), as: UTF8.self)
        case .list(let list) where !takesSeveral && list.count == 1 && list[0].text != nil:
            text = list[0].text
        case .null, .boolean, .list, .object: text = String(decoding: value.encoded(), as: UTF8.self)
        }
    }
}

extension ResultBundle.Answer {
    /// What ResearchKit has no key for: `userInfo` of an answer.
    struct Info: Hashable, Wired {
        var times: Times?
        var prompt: Prompt?
        var reaction: Reaction?
        var other: String?
        var documentSHA256: String?
        var inputs: [ScoredInput] = []
        var isMissing = false

        static let form: WireForm<Info> = .record(
            Info.init, WireField(among: \.times, Times.form), WireField(optional: "prompt", \.prompt),
            WireField(optional: "reaction", \.reaction), WireField(optional: "other", \.other, .typed),
            WireField(optional: "documentSHA256", \.documentSHA256, .text(.checksum)),
            WireField("inputs", unless: [], \.inputs, .list()),
            WireField("missing", unless: false, \.isMissing, .boolean))
    }
}

extension ResultBundle.Answer.Times {
    /// When a question was seen, touched, changed and confirmed; `nil` if nobody saw it.
    static let form: WireForm<Self?> = .record(
        { shown, touched, changed, confirmed, changes in
            try shown.map { shown in
                guard let changes else { throw WireFailure("'changes' is missing") }
                return Self(
                    shown: shown, touched: touched, changed: changed, confirmed: confirmed, changes: changes)
            }
        }, WireField(optional: "shownOffset", \.?.shown, .elapsed),
        WireField(optional: "touchedOffset", \.?.touched, .elapsed),
        WireField(optional: "changedOffset", \.?.changed, .elapsed),
        WireField(optional: "confirmedOffset", \.?.confirmed, .elapsed),
        WireField(optional: "changes", \.?.changes, .count))

    init(_ times: AnswerTimes) {
        self.init(
            shown: times.shown.written, touched: times.touched?.written, changed: times.changed?.written,
            confirmed: times.confirmed?.written, changes: times.changes)
    }
}

extension ResultBundle.Recording {
    fileprivate init(wire: JSON) throws {
        self = try Self.infoForm.read(wire.field("userInfo"))
        recorder = try wire.field("identifier").asIdentifier().text
        name = try wire.field("fileName").asFileName()
    }

    /// What ResearchKit has no key for: `userInfo` of a file.
    static let infoForm: WireForm<ResultBundle.Recording> = .record(
        { start, end, segment, part, count, coverage, gaps, late, dropped in
            ResultBundle.Recording(
                recorder: "", name: "", start: start, end: end, segment: segment, part: part,
                sampleCount: count, coverage: coverage, gaps: gaps, lateSamples: late,
                droppedSamples: dropped)
        }, WireField("startOffset", \.start, .elapsed), WireField("endOffset", \.end, .elapsed),
        WireField("segment", \.segment, .count), WireField("part", \.part, .count),
        WireField("sampleCount", \.sampleCount, .count), WireField("coverage", \.coverage, .number(0...1)),
        WireField("gaps", \.gaps, .list()), WireField("lateSamples", \.lateSamples, .count),
        WireField("droppedSamples", \.droppedSamples, .count)
    ).and {
        WireField(optional: "reason", \.reason, .replaced)
        WireField(optional: "sourceInformation", \.source)
        WireField(optional: "rating", \.rating)
        WireField(optional: "taps", \.taps)
        WireField(optional: "biofeedback", \.biofeedback)
        WireField(optional: "waves", \.waves)
    }

    init(_ file: FileResult, language: Language?) {
        self.init(
            recorder: file.recorder.text, name: file.fileName, start: file.start.written,
            end: file.end.written, segment: file.segment, part: file.part, sampleCount: file.sampleCount,
            coverage: file.coverage,
            gaps: file.gaps.map { gap in
                ResultBundle.Gap(span: gap.from.written..<gap.to.written, reason: gap.reason)
            }, lateSamples: file.lateSamples, droppedSamples: file.droppedSamples, reason: file.reason,
            source: file.sourceInformation, rating: file.rating?.said(in: language), taps: file.taps,
            biofeedback: file.biofeedback, waves: file.waves)
    }
}

extension ResultBundle.Gap: Wired {
    static let form: WireForm<ResultBundle.Gap> = .record(
        { ResultBundle.Gap(span: $0, reason: $1) }, WireField(among: \.span, .seconds),
        WireField("reason", \.reason, .text(.word(FieldShape.gapReasons))))
}

extension Duration {
    /// Seconds as results hold them, to the nanosecond.
    var written: Double { Double(wholeNanoseconds) / 1e9 }
}

extension RunInstant {
    /// Seconds since the run's start as results hold them, to the nanosecond.
    var written: Double { offset.written }
}

extension Range<RunInstant> {
    var written: Range<Double> { lowerBound.written..<upperBound.written }
}
