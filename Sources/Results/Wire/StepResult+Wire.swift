import StudyModel
import TextFormat

extension StepResult: Wired {
    /// The result as the journal holds it, with times in nanoseconds; ResearchKit's form of it is `ResearchKitForm`.
    static let form: WireForm<StepResult> = .record(
        {
            StepResult(
                ordinal: $0, path: $1, visit: $2, round: $3, start: $4, end: $5, skip: $6, answers: $7)
        }, WireField("ordinal", \.ordinal, .count), WireField("path", \.path, .list(.identifier)),
        WireField("visit", \.visit, .count), WireField(optional: "round", \.round, .count),
        WireField("start", \.start, .elapsed), WireField("end", \.end, .elapsed),
        WireField(optional: "skip", \.skip, .word("a reason to skip")),
        WireField("answers", \.answers, .list())
    ).and {
        WireField(optional: "plannedDuration", \.plannedDuration, .elapsed)
        WireField(optional: "actualDuration", \.actualDuration, .elapsed)
        WireField(optional: "endedBy", \.endedBy, .word("what ends a step"))
        WireField(optional: "program", \.program)
        WireField(optional: "timedOut", \.isTimedOut, .boolean)
        WireField(optional: "condition", \.condition)
        WireField(optional: "trial", \.trial)
        WireField("outerRounds", unless: [], \.outerRounds, .list())
        WireField("lateness", \.lateness, .named(.nanoseconds))
        WireField("repeatedCues", unless: [:], \.repeatedCues, .named(.list(.elapsed)))
        WireField("pauses", \.pauses, .list(.nanoseconds))
        WireField("standstills", unless: [], \.standstills, .list(.nanoseconds))
        WireField("drafts", unless: [], \.drafts, .list())
        WireField(optional: "stimulus", \.heard)
        WireField("files", \.files, .list())
        WireField("recorderErrors", \.recorderErrors, .list(.replaced))
        WireField("marks", unless: [], \.marks, .list())
        WireField(optional: "repeats", \.repeats, .count)
        WireField("orders", unless: ShownOrders(), \.orders, ShownOrders.form)
    }

    /// The clip, and how it was heard.
    private var heard: HeardClip? {
        get {
            stimulus.map {
                HeardClip(
                    drawn: $0, changes: changes, playback: playback, start: clipStart, through: clipThrough)
            }
        }
        set {
            (stimulus, playback) = (newValue?.drawn, newValue?.playback)
            (clipStart, clipThrough) = (newValue?.start, newValue?.through)
            changes = newValue?.changes ?? []
        }
    }
}

private struct HeardClip: Wired, Sendable {
    var drawn: DrawnStimulus
    var changes: [Playback.Change]
    var playback: Playback?
    var start: Duration?
    var through: Identifier?

    static let form: WireForm<HeardClip> = .record(
        HeardClip.init, WireField("drawn", \.drawn), WireField("changes", unless: [], \.changes, .list()),
        WireField(optional: "playback", \.playback), WireField(optional: "start", \.start, .elapsed),
        WireField(optional: "through", \.through, .identifier))
}

extension StepResult.OuterRound: Wired {
    static let form: WireForm<StepResult.OuterRound> = .record(
        StepResult.OuterRound.init, WireField("block", \.block, .identifier),
        WireField(optional: "round", \.round, .count), WireField(optional: "condition", \.condition))
}

extension StepResult.Trial: Wired {
    static let form: WireForm<StepResult.Trial> = .record(
        StepResult.Trial.init, WireField(optional: "track", \.track, .identifier),
        WireField("rung", \.rung, .count), WireField("value", \.value, .real),
        WireField("right", \.isRight, .boolean), WireField("reversal", \.isReversal, .boolean),
        WireField("atEnd", \.isAtEnd, .boolean))
}

extension ShownOrders: Wired {
    static let form: WireForm<ShownOrders> = .record(
        { ShownOrders() }
    ).and {
        WireField(optional: "items", \.items, .list(.identifier))
        WireField("choices", \.choices, choicesForm)
    }

    /// A list of pairs: a question and its choices.
    private static let choicesForm: WireForm<[Identifier: [String]]> = .init(
        .list(.tuple([.identifier, .list(.text)])),
        write: { .list($0.sorted { $0.key < $1.key }.map { [.text($0.key), .texts($0.value)] }) },
        read: { wire in
            var choices: [Identifier: [String]] = [:]
            for pair in try wire.asList({ try $0.asList { $0 } }) {
                guard pair.count == 2 else { throw wire.wrong("the choices of a question") }
                choices[try pair[0].asIdentifier()] = try pair[1].asList { try $0.asText() }
            }
            return choices
        })
}

extension FileResult: Wired {
    static let form: WireForm<FileResult> = .record(
        {
            FileResult(
                recorder: $0, fileName: $1, contentType: $2, start: $3, end: $4, segment: $5,
                sampleCount: $6, coverage: $7)
        }, WireField("recorder", \.recorder, .identifier), WireField("fileName", \.fileName, .file),
        WireField("contentType", \.contentType, .text(.recordedContentType)),
        WireField("start", \.start, .elapsed),
        WireField("end", \.end, .elapsed), WireField("segment", \.segment, .count),
        WireField("sampleCount", \.sampleCount, .count), WireField("coverage", \.coverage, .number(0...1))
    ).and {
        WireField("part", \.part, .count)
        WireField("gaps", \.gaps, .list())
        WireField("lateSamples", \.lateSamples, .count)
        WireField("droppedSamples", \.droppedSamples, .count)
        WireField(optional: "reason", \.reason, .replaced)
        WireField(optional: "sha256", \.sha256, .text(.checksum))
        WireField(optional: "sourceInformation", \.sourceInformation)
        WireField(optional: "rating", \.rating)
        WireField(optional: "taps", \.taps)
        WireField(optional: "biofeedback", \.biofeedback)
        WireField(optional: "waves", \.waves)
    }
}

extension FileResult.Gap: Wired {
    static let form: WireForm<FileResult.Gap> = .record(
        FileResult.Gap.init, WireField("from", \.from, .nanoseconds), WireField("to", \.to, .nanoseconds),
        WireField("reason", \.reason, .text(.word(FieldShape.gapReasons))))
}

extension DrawnStimulus: Wired {
    static let form: WireForm<DrawnStimulus> = .record(
        { DrawnStimulus(stimulus: $0, set: $1, method: $2, stream: $3, index: $4) },
        WireField("stimulus", \.stimulus), WireField(optional: "set", \.set, .identifier),
        WireField("method", \.method, .drawMethod), WireField(optional: "stream", \.stream, .text),
        WireField("index", \.index, .count)
    ).and {
        WireField("aims", unless: [:], \.aims, .named(.real))
    }
}

extension Stimulus: Wired {
    static let form: WireForm<Stimulus> = .record(
        {
            Stimulus(
                identifier: $0, file: $1, path: $2, title: $3, sha256: $4, duration: $5, beats: $6,
                attributes: $7)
        }, WireField("identifier", \.identifier, .identifier), WireField("file", \.file, .text),
        WireField("path", \.path, .text), WireField(optional: "title", \.title, .text),
        WireField(optional: "sha256", \.sha256, .text(.checksum)),
        WireField(optional: "duration", \.duration, .elapsed), WireField(optional: "beats", \.beats),
        WireField("attributes", \.attributes, .named(.text))
    ).and {
        WireField("gain", unless: 0, \.gain, .real)
        WireField(optional: "tone", \.tone, .word("a tone"))
    }
}
