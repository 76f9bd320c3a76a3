import StudyModel

extension FieldShape {
    /// `manifest.json`.
    package static let manifest: FieldShape = .fields(
        required: description.required.merging([
            "bundleVersion": .integer(Manifest.currentVersion...Manifest.currentVersion),
            "clockAdjusted": .boolean, "duration": .number(BundleLimits.duration),
            "files": .list(
                .fields(
                    required: [
                        "bytes": .integer(BundleLimits.bytes), "contentType": .text, "path": .file,
                        "sha256": .checksum,
                    ],
                    optional: ["identifier": .identifier, "step": .text])),
            "recovered": .boolean, "start": wallClock, "startDate": .date, "status": .identifier,
        ]) { $1 },
        optional: description.optional.merging([
            "pseudonymised": .all(["dates": .word(["kept", "shifted"])])
        ]) { $1 })

    /// `plan.json`.
    package static let plan: FieldShape = .fields(
        required: [
            "algorithm": .text, "draws": .list(draw), "participant": .participant, "revision": .count,
            "seed": seed, "session": sessionNumber, "study": .identifier, "task": .identifier,
        ], optional: ["arm": .identifier])

    /// A seed is a text: readers of numbers would round it.
    static let seed: FieldShape = .text

    /// What the manifest and the journal say about a run.
    static let description: (required: [String: FieldShape], optional: [String: FieldShape]) = (
        [
            "audio": .text, "participant": .participant, "program": .text, "revision": .count,
            "runUUID": .run, "session": sessionNumber, "study": .identifier, "studySHA256": .checksum,
            "task": .identifier,
        ],
        [
            "arm": .identifier, "continues": .run, "deviation": .replaced, "gathering": gathering,
            "language": .text,
            "meaningSHA256": .checksum,
            "provenance": provenance, "registrationSHA256": .checksum, "repeat": .replaced,
            "sessionDay": .integer(BundleLimits.sessionDays), "sessionName": .identifier, "speed": .real,
            "yokedTo": .run,
        ]
    )

    /// A run of several participants.
    static let gathering: FieldShape = .all([
        "place": .integer(1...Gathering.largest), "size": .integer(2...Gathering.largest), "uuid": .run,
    ])

    static let wallClock: FieldShape = .all([
        "nanoseconds": .integer(0...999_999_999), "seconds": .integer(BundleLimits.calendarSeconds),
        "utcOffset": .integer(BundleLimits.utcOffset), "zone": .text,
    ])

    private static let draw: FieldShape = .fields(
        required: ["chosen": .list(.text), "method": .text, "pool": .list(.text), "stream": .text],
        optional: [
            "as": .text, "categories": .named(.named(.text)), "constraints": .list(constraint),
            "number": .whole, "row": .whole, "weights": .list(.real),
        ])

    private static let constraint: FieldShape = .cases([
        "noImmediateRepeat": .text, "maximumRun": .all(["length": .whole, "of": .text]),
        "minimumDistance": .all(["of": .text, "steps": .whole]), "equalHalves": .text,
        "firstOf": .list(.identifier), "notFirst": .list(.identifier), "notLast": .list(.identifier),
    ])
}
