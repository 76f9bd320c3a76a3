import StudyModel

extension FieldShape {
    /// `result.json` of a run.
    package static let result: FieldShape = .all([
        "_class": .constant("ORKTaskResult"), "identifier": .identifier, "taskRunUUID": .run,
        "startDate": .date, "endDate": .date,
        "results": .list(step),
        "userInfo": .members(ResearchKitForm.resultMembers),
    ])

    /// `result.json` of a step.
    package static let step: FieldShape = .all([
        "_class": .constant("ORKStepResult"), "identifier": .identifier, "startDate": .date, "endDate": .date,
        "isPreviousResult": .boolean,
        "results": .list(.either([recordedFile] + answers)),
        "userInfo": ResultBundle.Visit.infoForm.shape,
    ])

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
            "userInfo": ResultBundle.Answer.Info.form.shape,
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
        "contentType": recordedContentType,
        "userInfo": ResultBundle.Recording.infoForm.shape,
    ])

    /// The kinds of files that recorders write.
    static let recordedContentType: FieldShape = .word(recordedContentTypes)
    private static let recordedContentTypes = Set(
        RecorderConfiguration.SoundFormat.allCases.map(\.contentType)
            + ["application/json", WaveColumns.contentType])
    /// The kinds of all files of a bundle.
    static let contentType: FieldShape = .word(
        recordedContentTypes.union(["application/x-ndjson", "application/yaml", "text/plain"]))

    static let gapReasons: Set<String> = [
        "silence", "contact", "lost", "standstill", "flood", FileResult.Gap.ended,
    ]
}
