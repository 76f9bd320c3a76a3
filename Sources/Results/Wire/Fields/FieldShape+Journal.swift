import StudyModel

extension FieldShape {
    /// A line of `journal.jsonl`: the first, or one of the others.
    package static let journal: FieldShape = .either([
        .fields(
            required: description.required.merging([
                "files": .named(.text),
                "journal": .integer(JournalHeader.currentFormat...JournalHeader.currentFormat),
                "seed": seed, "wallClock": wallClock,
            ]) { $1 },
            optional: description.optional.merging(["drawnFor": .participant, "number": sessionNumber]) { $1 }
        ),
        .all(["event": event, "n": .count, "t": .nanoseconds]),
        .all(["effect": effect, "n": .count, "t": .nanoseconds]),
    ])

    /// What happens to a run.
    package static let event: FieldShape = .cases([
        "recalled": .list(givenAnswer), "begin": nil, "confirmed": nil, "drafted": draftedAnswer,
        "answered": .list(givenAnswer),
        "skipped": nil, "wentBack": nil, "wentBackTo": .count, "paused": nil, "resumed": nil,
        "withdrawn": nil, "putAside": nil, "continued": nil, "interrupted": nil, "failed": .replaced,
        "woke": wake,
        "sourceChanged": .fields(required: ["source": .identifier], optional: ["problem": .replaced]),
        "played": playback, "adjusted": .all(["change": change, "ordinal": .count]),
        "recorded": .fields(
            required: ["files": .list(finishedFile), "key": recorderKey], optional: ["problem": .replaced]),
        "observed": .real, "heard": .real, "program": .all(["message": programMessage, "ordinal": .count]),
        "allocated": .all(["arm": .identifier, "slot": .count]), "notAllocated": .replaced,
        "marked": mark, "stoodStill": .nanoseconds, "saved": .count,
    ])

    /// What a run wants to be done.
    package static let effect: FieldShape = .cases([
        "show": presentation, "wake": .all(["at": .nanoseconds, "wake": wake]),
        "record": .all(["configuration": configuration, "from": .nanoseconds, "key": recorderKey]),
        "stopRecording": .all(["at": .nanoseconds, "key": recorderKey]),
        "play": .all([
            "at": .nanoseconds, "from": .nanoseconds,
            "clip": .fields(
                required: [
                    "drawn": drawnStimulus, "fade": .nanoseconds, "gain": .real, "loops": .boolean,
                    "ordinal": .count,
                ],
                optional: [
                    "ceiling": .real, "crossFade": .nanoseconds, "following": following,
                    "gainUnderPrompts": .real,
                    "loudness": .real,
                ]),
        ]),
        "stopPlaying": .all(["at": .nanoseconds, "ordinal": .count]),
        "cue": .cases(["sound": .identifier, "say": localizedText, "bell": nil]),
        "allocate": .list(.text), "deliver": visit, "end": .identifier,
    ])

    private static let presentation: FieldShape = .fields(
        required: [
            "canGoBack": .boolean, "canSkip": .boolean, "entry": .count, "ordinal": .count,
            "phase": .cases([
                "waiting": nil,
                "waitingForSource": .all(["problem": .replaced, "source": .identifier]),
                "waitingForArm": .fields(["problem": .replaced]),
                "running": .all(["end": .nanoseconds, "start": .nanoseconds]), "paused": .nanoseconds,
                "timeUp": nil, "saving": nil,
            ]), "section": .count, "visit": .count,
        ], optional: ["held": .boolean, "prompt": .all(["number": .count, "place": .count])])

    private static let wake: FieldShape = .all([
        "moment": .cases([
            "end": nil, "cue": .count, "until": nil, "timeLimit": nil, "prompt": nil, "promptLimit": nil,
        ]), "ordinal": .count, "segment": .count,
    ])

    private static let recorderKey: FieldShape = .all([
        "ordinal": .count, "recorder": .identifier, "segment": .count,
    ])

    private static let configuration: FieldShape = .fields(
        required: [
            "identifier": .identifier, "isRequired": .boolean, "kind": .text, "lateSampleGrace": .nanoseconds,
        ],
        optional: [
            "biofeedback": biofeedback, "channels": .list(.text),
            "format": .words(RecorderConfiguration.SoundFormat.self),
            "givesBeats": .boolean,
            "quantity": .fields(required: ["name": .identifier], optional: ["unit": .text]),
            "rating": ratingScale,
            "taps": .all(["keys": tapKeys]),
            "source": .identifier,
        ])

    private static let playback: FieldShape = .fields(
        required: ["onset": .nanoseconds, "ordinal": .count],
        optional: [
            "end": .nanoseconds, "gain": .real, "latency": .nanoseconds, "loweredBy": .real,
            "onsetFrame": .whole,
            "problem": .replaced,
            "sampleRate": .real, "underruns": .count,
        ])

    private static let change: FieldShape = .fields(
        required: ["at": .nanoseconds, "gain": .real, "position": .nanoseconds, "tempo": .real],
        optional: ["frame": .whole])

    private static let pace: FieldShape = .all(["interval": .nanoseconds, "smoothing": .nanoseconds])

    private static let following: FieldShape = .fields([
        "loudness": .all(["pace": pace, "points": .list(.all(["gain": .real, "rate": .real]))]),
        "tempo": .all([
            "beatsPerHeartbeat": .list(.real), "from": .real, "pace": pace, "target": .real, "to": .real,
        ]), "yokedTo": .identifier,
    ])

    private static let programSamples: FieldShape = .all([
        "identifier": .identifier, "instant": .nanoseconds, "value": .real,
    ])

    private static let programMessage: FieldShape = .cases([
        "shows": .text, "answers": .list(givenAnswer), "sample": programSamples, "unclear": .replaced,
        "ended": .fields(["problem": .replaced]),
    ])

    private static let mark: FieldShape = .fields(
        required: ["kind": .words(RunMark.Kind.self), "moment": .nanoseconds, "text": .replaced],
        optional: [
            "by": .replaced, "control": .words(RunMark.Control.self),
            "severity": .words(RunMark.Severity.self), "uncertainty": .nanoseconds,
        ])

    private static let times: FieldShape = .fields(
        required: ["changes": .count, "shown": .nanoseconds],
        optional: ["changed": .nanoseconds, "confirmed": .nanoseconds, "touched": .nanoseconds])

    private static let asking: FieldShape = .fields(
        required: [
            "ended": .nanoseconds, "endedBy": .words(Asking.End.self), "number": .count,
            "planned": .nanoseconds,
        ], optional: ["shown": .nanoseconds])

    private static let answer: FieldShape = .cases(
        Dictionary(uniqueKeysWithValues: AnswerKind.allCases.map { ($0.rawValue, $0.journalled) }))

    private static let givenAnswer: FieldShape = .fields(
        required: ["question": .identifier],
        optional: [
            "answer": answer, "asking": asking,
            "inputs": .list(.fields(required: ["identifier": .identifier], optional: ["value": .real])),
            "reaction": ReactionResult.journalled, "times": times,
        ])

    private static let draftedAnswer: FieldShape = .fields(
        required: ["question": .identifier, "text": .typed, "times": times], optional: ["answer": answer])

    private static let stimulus: FieldShape = .fields(
        required: ["attributes": .named(.text), "file": .text, "identifier": .identifier, "path": .text],
        optional: [
            "beats": beats, "duration": .nanoseconds, "gain": .real, "sha256": .checksum, "title": .text,
            "tone": .word(["sides", "steady"]),
        ])

    private static let beats: FieldShape = .cases([
        "positions": .list(.nanoseconds), "steady": .all(["first": .nanoseconds, "interval": .nanoseconds]),
    ])

    private static let drawnStimulus: FieldShape = .fields(
        required: ["index": .count, "method": .text, "stimulus": stimulus],
        optional: ["aims": .named(.real), "set": .identifier, "stream": .text])

    private static let finishedFile: FieldShape = .fields(
        required: [
            "contentType": .text, "coverage": .real, "droppedSamples": .count, "end": .nanoseconds,
            "fileName": .file,
            "gaps": .list(.all(["from": .nanoseconds, "reason": .word(gapReasons), "to": .nanoseconds])),
            "lateSamples": .count, "part": .count, "recorder": .identifier, "sampleCount": .count,
            "segment": .count, "start": .nanoseconds,
        ],
        optional: [
            "biofeedback": biofeedback, "rating": rating, "reason": .replaced, "sha256": .checksum,
            "sourceInformation": sourceInformation, "taps": taps, "waves": waves,
        ])

    /// A step's result with times in nanoseconds.
    private static let visit: FieldShape = .fields(
        required: [
            "answers": .list(givenAnswer), "end": .nanoseconds, "files": .list(finishedFile),
            "lateness": .named(.nanoseconds), "ordinal": .count, "path": .list(.identifier),
            "pauses": .list(.tuple([.nanoseconds, .nanoseconds])), "recorderErrors": .list(.replaced),
            "start": .nanoseconds, "visit": .count,
        ],
        optional: [
            "actualDuration": .nanoseconds, "condition": stimulus, "drafts": .list(draftedAnswer),
            "endedBy": .words(StepResult.TimedEnd.self), "marks": .list(mark),
            "orders": .fields(
                required: ["choices": .list(.tuple([.identifier, .list(.text)]))],
                optional: ["items": .list(.identifier)]),
            "outerRounds": .list(
                .fields(required: ["block": .identifier], optional: ["condition": stimulus, "round": .count])),
            "plannedDuration": .nanoseconds, "standstills": .list(.tuple([.nanoseconds, .nanoseconds])),
            "program": .fields(
                required: [
                    "droppedSamples": .count, "samples": .list(programSamples), "unclear": .count,
                ], optional: ["firstUnclear": .replaced, "problem": .replaced]),
            "repeats": .count, "round": .count, "skip": .words(StepResult.SkipReason.self),
            "stimulus": .fields(
                required: ["drawn": drawnStimulus],
                optional: [
                    "changes": .list(change), "playback": playback, "start": .nanoseconds,
                    "through": .identifier,
                ]),
            "timedOut": .boolean,
        ])
}
