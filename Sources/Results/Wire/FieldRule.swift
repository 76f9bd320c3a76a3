import StudyModel

/// What happens to one field of a bundle when it is pseudonymised.
///
/// The lists name what may leave the laboratory, format by format. A field that is on no list is dropped, and so is
/// a value whose form does not fit its rule.
package indirect enum FieldRule: Sendable {
    /// A number or a truth value stays.
    case number
    /// One of these words stays; any other is replaced.
    case word(Set<String>)
    /// Digits of a time of day, or of a checksum, stay.
    case timeOfDay, checksum
    /// Names that the study gives stay, without codes, addresses, names of machines and, if dates move, dates.
    case text
    /// A participant's words are replaced and counted; a machine's words are replaced.
    case typed, replaced
    /// A day that a participant gave as an answer is dropped and counted.
    case answeredDate
    /// A date in ResearchKit's form, or seconds since 1970, is moved.
    case date, moment
    /// A run, a participant or a recorder's file gets another name.
    case run, participant, file
    case list(FieldRule)
    case fields([String: FieldRule])
    /// Members of any name, each by this rule.
    case named(FieldRule)
}

extension FieldRule {
    /// `result.json` of a run.
    package static let result: FieldRule = .fields([
        "_class": classes, "identifier": .text, "taskRunUUID": .run, "startDate": .date, "endDate": .date,
        "results": .list(step),
        "userInfo": .fields([
            "arm": .text, "clockAdjusted": .number, "deviation": .replaced, "finishReason": .text,
            "language": .text,
            "participant": .participant,
            "provenance": .fields([
                "participant": .word(["person", "simulated"]), "sources": .named(.word(sourceKinds)),
            ]),
            "recovered": .number, "repeat": .replaced, "revision": .number, "session": .number,
            "speed": .number, "study": .text,
        ]),
    ])

    /// A recorder's file of items.
    package static let items: FieldRule = .fields([
        "items": .list(
            .fields([
                "type": .word(types), "startDate": .date, "endDate": .date, "timestampSince1970": .moment,
                "value": .number, "unit": .word(units), "source": .text,
                "metadata": .fields([
                    "runOffset": .number, "arrivalOffset": .number, "rrIntervals": .list(.number),
                    "beatOffset": .number, "beatUncertainty": .number, "elapsed": .number,
                    "sensorContact": .number, "quality": .number,
                ]),
                "red": .number, "green": .number, "blue": .number, "filtered": .number, "quality": .number,
                "beats": .list(.number), "runOffset": .number, "arrivalOffset": .number,
                "dimension": .text, "kind": .text, "detail": .typed, "stimulus": .text, "position": .number,
            ]))
    ])

    /// Kinds of sources as bundles of this program call them.
    package static let sourceKinds: Set<String> = [
        "simulated", "replay", "bluetooth", "poll", "push", "lsl", "camera", "video",
    ]

    /// The words with which the names of recorders' files begin.
    package static let types = Set([Signal.heartRate.type, Signal.rrIntervals.type] + others)

    private static let others =
        Signal.numbers.map(\.signal.type) + [
            "pulseWaveform", "events", "stimulusPosition", Signal.rating.type,
        ]
    private static let units = Set(
        Signal.numbers.compactMap(\.signal.unit)
            + [Signal.heartRate.unit, Signal.rrIntervals.unit].compactMap(\.self))
    private static let classes: FieldRule = .word(
        Set(
            AnswerKind.allCases.map(\.researchKit.className) + [
                "ORKQuestionResult", "ORKTaskResult", "ORKStepResult", "ORKFileResult", "ORKConsentSignature",
            ]))

    private static let step: FieldRule = .fields([
        "_class": classes, "identifier": .text, "startDate": .date, "endDate": .date,
        "isPreviousResult": .number,
        "results": .list(entry),
        "userInfo": .fields([
            "actualDuration": .number,
            "condition": condition,
            "drafts": .list(
                .fields(
                    times.merging(["identifier": .text, "textAnswer": .typed, "confirmed": .number]) { $1 }
                )),
            "endOffset": .number, "endedBy": .word(Set(StepResult.TimedEnd.allCases.map(\.rawValue))),
            "lateness": .named(.number),
            "marks": .list(RunMark.rule),
            "outerRounds": .list(.fields(["block": .text, "condition": condition, "round": .number])),
            "pauses": .list(.fields(["from": .number, "to": .number])), "plannedDuration": .number,
            "program": ProgramOutcome.rule, "recorderErrors": .list(.replaced), "round": .number,
            "skipReason": .word(Set(StepResult.SkipReason.allCases.map(\.rawValue))), "skipped": .number,
            "startOffset": .number, "stimulus": clip, "timedOut": .number, "visit": .number,
        ]),
    ])

    private static let condition: FieldRule = .fields(["identifier": .text, "values": .named(.text)])

    private static let clip: FieldRule = .fields([
        "attributes": .named(.text), "audio": .word(["none"]), "draw": .text, "endOffset": .number,
        "file": .text,
        "identifier": .text, "index": .number, "latency": .number, "onsetFrame": .number,
        "onsetOffset": .number, "problem": .replaced, "sampleRate": .number, "set": .text,
        "sha256": .checksum, "stream": .text, "title": .text, "underruns": .number,
    ])

    /// An answer, a consent, or a recorder's file.
    private static let entry: FieldRule = .fields([
        "_class": classes, "identifier": .text, "startDate": .date, "endDate": .date, "questionType": .number,
        "unit": .text, "scaleAnswer": .number, "choiceAnswers": .list(.text), "numericAnswer": .number,
        "booleanAnswer": .number, "textAnswer": .typed, "dateComponentsAnswer": .timeOfDay,
        "dateAnswer": .answeredDate, "calendar": .word(["gregorian"]), "consented": .number,
        "signature": .fields([
            "_class": classes, "identifier": .word(["participant"]), "givenName": .typed,
            "familyName": .typed, "signatureDate": .answeredDate, "requiresName": .number,
            "requiresSignatureImage": .number,
        ]),
        "fileName": .file, "contentType": .word(["application/json"]),
        "userInfo": .fields(
            times.merging([
                "documentSHA256": .checksum, "coverage": .number, "droppedSamples": .number,
                "endOffset": .number,
                "gaps": .list(
                    .fields([
                        "from": .number, "to": .number,
                        "reason": .word(["silence", "contact", "lost", "flood"]),
                    ])),
                "lateSamples": .number, "part": .number, "prompt": Asking.rule,
                "rating": rating, "reason": .replaced,
                "sampleCount": .number,
                "segment": .number,
                "sourceInformation": .fields([
                    "battery": .number, "origin": .moment, "samplesBeforeRun": .number,
                    "sensorLocation": .word(["chest", "wrist", "finger", "hand", "ear lobe", "foot", "other"]
                    ),
                ]), "startOffset": .number,
            ]) { $1 }),
    ])

    /// A scale, and how often the participant moved on it.
    private static let rating: FieldRule = .fields([
        "changes": .number,
        "scale": .fields([
            "dimensions": .list(
                .fields([
                    "from": .number, "fromLabel": .text, "name": .text, "start": .number, "step": .number,
                    "to": .number, "toLabel": .text,
                ])), "rate": .number,
        ]),
    ])

    /// When a question was seen, touched, changed and confirmed.
    private static let times: [String: FieldRule] = [
        "changes": .number, "shownOffset": .number, "touchedOffset": .number, "changedOffset": .number,
        "confirmedOffset": .number,
    ]
}
