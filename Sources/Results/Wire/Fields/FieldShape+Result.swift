import StudyModel

extension FieldShape {
    /// `result.json` of a run.
    package static let result: FieldShape = .all([
        "_class": .constant("ORKTaskResult"), "identifier": .identifier, "taskRunUUID": .run,
        "startDate": .date, "endDate": .date,
        "results": .list(step),
        "userInfo": .fields(
            required: [
                "clockAdjusted": .boolean, "finishReason": .identifier, "participant": .participant,
                "recovered": .boolean, "revision": .count, "session": sessionNumber, "study": .identifier,
            ],
            optional: [
                "arm": .identifier, "continues": .run, "deviation": .replaced, "gathering": gathering,
                "interruptions": .list(span([:])), "language": .text, "provenance": provenance,
                "repeat": .replaced, "sessionDay": .integer(BundleLimits.sessionDays),
                "sessionName": .identifier, "speed": .real, "yokedTo": .run,
            ]),
    ])

    /// `result.json` of a step.
    package static let step: FieldShape = .all([
        "_class": .constant("ORKStepResult"), "identifier": .identifier, "startDate": .date, "endDate": .date,
        "isPreviousResult": .boolean,
        "results": .list(.either([recordedFile] + answers)),
        "userInfo": .fields(
            required: [
                "endOffset": .seconds, "lateness": .named(.seconds), "pauses": .list(span([:])),
                "recorderErrors": .list(.replaced), "skipped": .boolean, "startOffset": .seconds,
                "visit": .count,
            ],
            optional: [
                "actualDuration": .seconds, "choiceOrders": .named(.list(.text)), "condition": condition,
                "drafts": .list(draft), "endedBy": .words(StepResult.TimedEnd.self),
                "itemOrder": .list(.identifier), "marks": .list(RunMark.shape),
                "outerRounds": .list(
                    .fields(
                        required: ["block": .identifier], optional: ["condition": condition, "round": .count])
                ),
                "plannedDuration": .seconds, "program": ProgramOutcome.shape, "repeats": .count,
                "round": .count,
                "skipReason": .words(StepResult.SkipReason.self), "standstills": .list(span([:])),
                "stimulus": clip, "timedOut": .boolean,
            ]),
    ])

    /// Sessions and numbers of participants count from 1.
    static let sessionNumber: FieldShape = .integer(1...1_000_000_000)

    static let provenance: FieldShape = .all([
        "participant": .word(["person", "simulated"]), "sources": .named(.word(sourceKinds)),
    ])

    /// Kinds of sources as bundles of this program call them.
    package static let sourceKinds: Set<String> = [
        "simulated", "replay", "bluetooth", "poll", "push", "lsl", "camera", "video", "joystick", "midi",
    ]

    private static func span(_ others: [String: FieldShape]) -> FieldShape {
        .all(["from": .seconds, "to": .seconds].merging(others) { $1 })
    }

    private static let condition: FieldShape = .all(["identifier": .text, "values": .named(.text)])

    private static let clip: FieldShape = .fields(
        required: ["draw": .text, "file": .text, "identifier": .identifier, "index": .count],
        optional: [
            "aims": .named(.real), "attributes": .named(.text), "audio": .word(["none"]),
            "changes": .list(
                .fields(
                    required: ["gain": .real, "offset": .seconds, "position": .seconds, "tempo": .real],
                    optional: ["frame": .whole])),
            "endOffset": .seconds, "gain": .real,
            "latency": .seconds, "loweredBy": .real, "onsetFrame": .whole, "onsetOffset": .seconds,
            "problem": .replaced,
            "sampleRate": .real, "set": .identifier, "sha256": .checksum, "start": .seconds, "stream": .text,
            "through": .identifier, "title": .text,
            "underruns": .count,
        ])

    /// When a question was seen, touched, changed and confirmed.
    private static let times: [String: FieldShape] = [
        "changes": .count, "shownOffset": .seconds, "touchedOffset": .seconds, "changedOffset": .seconds,
        "confirmedOffset": .seconds,
    ]

    private static let draft: FieldShape = .fields(
        required: ["identifier": .identifier, "textAnswer": .typed, "confirmed": .boolean],
        optional: times)

    /// An answer to each kind of question, and one to a question that the study does not have.
    private static let answers: [FieldShape] = {
        var members: [String: [String: FieldShape]] = ["ORKQuestionResult": [:]]
        for kind in AnswerKind.allCases {
            members[kind.researchKit.className, default: [:]].merge(kind.shapes) { $1 }
        }
        return members.sorted { $0.key < $1.key }.map { answer($0.key, $0.value) }
    }()

    private static func answer(_ className: String, _ members: [String: FieldShape]) -> FieldShape {
        let own: [String: FieldShape] = [
            "questionType": .count,
            "userInfo": .fields(
                times.merging([
                    "documentSHA256": .checksum,
                    "inputs": .list(
                        .fields(required: ["identifier": .identifier], optional: ["value": .real])),
                    "other": .typed, "prompt": Asking.shape, "reaction": ReactionResult.shape,
                ]) { $1 }),
        ]
        return .fields(
            required: [
                "_class": .constant(className), "identifier": .identifier, "startDate": .date,
                "endDate": .date,
            ], optional: own.merging(members) { $1 })
    }

    static let signature: FieldShape = .fields(
        required: [
            "_class": .constant("ORKConsentSignature"), "identifier": .word(["participant"]),
            "requiresName": .boolean, "requiresSignatureImage": .boolean,
        ],
        // The day of a signature does not leave; the form of result bundles promises it all the same.
        optional: ["givenName": .typed, "signatureDate": .answeredDate])

    /// A recorder's file.
    private static let recordedFile: FieldShape = .all([
        "_class": .constant("ORKFileResult"), "identifier": .identifier, "startDate": .date,
        "endDate": .date, "fileName": .file,
        "contentType": .word(
            Set(
                RecorderConfiguration.SoundFormat.allCases.map(\.contentType)
                    + ["application/json", WaveColumns.contentType])),
        "userInfo": .fields(
            required: [
                "coverage": .number(0...1), "droppedSamples": .count, "endOffset": .seconds,
                "gaps": .list(span(["reason": .word(gapReasons)])), "lateSamples": .count, "part": .count,
                "sampleCount": .count, "segment": .count, "startOffset": .seconds,
            ],
            optional: [
                "biofeedback": biofeedback, "rating": rating, "reason": .replaced,
                "sourceInformation": sourceInformation,
                "taps": taps, "waves": waves,
            ]),
    ])

    static let gapReasons: Set<String> = ["silence", "contact", "lost", "standstill", "flood"]

    static let sourceInformation: FieldShape = .fields([
        "battery": .whole, "device": .text, "origin": .moment, "samplesBeforeRun": .whole,
        "sensorLocation": .word(["chest", "wrist", "finger", "hand", "ear lobe", "foot", "other"]),
    ])

    /// A scale, and how often the participant moved on it.
    static let rating: FieldShape = .fields(
        required: ["changes": .count, "scale": ratingScale], optional: ["lost": .replaced])

    /// Which keys counted as taps, and what became of them.
    static let taps: FieldShape = .all(["held": .count, "keys": tapKeys, "onBeats": .count])

    /// What a display shows.
    static let biofeedback: FieldShape = .fields(
        required: ["display": .word(Set(Biofeedback.names))],
        optional: [
            "hold": .seconds, "holdOut": .seconds, "in": .seconds, "out": .seconds, "over": .seconds,
            "sound": .boolean,
        ])

    /// The channels of a waveform.
    static let waves: FieldShape = .fields(
        required: [
            "channels": .list(.fields(required: ["name": channelName], optional: ["unit": channelUnit]))
        ],
        optional: ["givesBeats": .boolean, "nominalRate": .real, "quantity": .identifier, "rate": .real])

    static let tapKeys: FieldShape = .list(.word(Set(Tapping.possibleKeys)))

    static let ratingScale: FieldShape = .all([
        "dimensions": .list(
            .all([
                "from": .number(BundleLimits.number), "fromLabel": localizedText, "name": .identifier,
                "start": .number(BundleLimits.number), "step": .number(BundleLimits.number),
                "to": .number(BundleLimits.number), "toLabel": localizedText,
            ])), "rate": .number(1e-6...100),
    ])

    /// A text, or one for each language.
    static let localizedText: FieldShape = .either([
        .text, .list(.all(["language": .text, "text": .text])),
    ])
}
