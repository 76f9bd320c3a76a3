import Hashing
package import StudyModel
package import TextFormat

/// Results in ResearchKit's own JSON: its classes and keys, with everything of our own in `userInfo`.
package struct ResearchKitForm {
    private let header: JournalHeader
    private let questions: AskedQuestions

    package init(header: JournalHeader, task: Study.Task) {
        self.header = header
        questions = AskedQuestions(of: task)
    }

    /// `result.json`.
    package func json(of result: TaskResult) -> JSON {
        [
            "_class": "ORKTaskResult",
            "endDate": date(result.end),
            "identifier": .text(header.task),
            "results": .list(result.steps.map(json(of:))),
            "startDate": date(.start),
            "taskRunUUID": .text(header.runUUID),
            "userInfo": Self.resultMembers.json(of: (header, result)),
        ]
    }

    /// What ResearchKit has no key for: `userInfo` of a run's result.
    static let resultMembers =
        described + [
            WireMember(key: "clockAdjusted", shape: .boolean, isRequired: true) {
                .boolean($0.result.isClockAdjusted)
            },
            WireMember(key: "finishReason", shape: .identifier, isRequired: true) {
                .text($0.result.reason.rawValue)
            },
            WireMember(key: "interruptions", shape: interruptions.shape, isRequired: false) {
                $0.result.interruptions.ranges.isEmpty
                    ? nil : interruptions.write($0.result.interruptions.ranges.map(\.written))
            },
            WireMember(key: "recovered", shape: .boolean, isRequired: true) {
                .boolean($0.result.isRecovered)
            },
        ]

    private static let interruptions: WireForm<[Range<Double>]> = .list(.seconds)

    /// What the result repeats of the run's description.
    private static let described = RunDescription.form.members.filter { member in
        let keys: Set = [
            "arm", "continues", "deviation", "gathering", "language", "participant", "provenance", "repeat",
            "revision", "session", "sessionDay", "sessionName", "speed", "study", "yokedTo",
        ]
        return keys.contains(member.key)
    }.map { member in
        WireMember<(header: JournalHeader, result: TaskResult)>(
            key: member.key, shape: member.shape, isRequired: member.isRequired
        ) {
            // The speed is only written together with the provenance, so that results of earlier programs are
            // reproduced exactly.
            member.key == "speed" && $0.header.provenance == nil ? nil : member.write($0.header.run)
        }
    }

    /// A step's `result.json`.
    package func json(of delivered: StepResult) -> JSON {
        var result = delivered
        // Of several participants, the first was asked. Nobody else's result may look as if they had answered.
        if header.run.isCompanion { (result.answers, result.drafts) = ([], []) }
        return [
            "_class": "ORKStepResult",
            "endDate": date(result.end),
            "identifier": .text(result.identifier),
            "isPreviousResult": false,
            "results": .list(result.answers.map { json(of: $0, in: result) } + result.files.map(json(of:))),
            "startDate": date(result.start),
            "userInfo": ResultBundle.Visit.infoForm.write(
                ResultBundle.Visit(infoOf: result, withAttributes: header.provenance != nil)),
        ]
    }

    private func json(of file: FileResult) -> JSON {
        [
            "_class": "ORKFileResult",
            "contentType": .text(file.contentType),
            "endDate": date(file.end),
            "fileName": .text(file.fileName),
            "identifier": .text(file.recorder),
            "startDate": date(file.start),
            "userInfo": ResultBundle.Recording.infoForm.write(
                ResultBundle.Recording(file, language: header.language)),
        ]
    }

    private func json(of given: GivenAnswer, in result: StepResult) -> JSON {
        let asked = questions[result.path, given.question]
        let shape = AnswerShape(asked: asked, answer: given.answer)
        var members: [String: JSON] = [
            "_class": .text(shape.className),
            "endDate": date(
                given.reaction?.press?.instant ?? given.times?.confirmed ?? given.asking?.ended ?? result.end),
            "identifier": .text(given.question),
            "startDate": date(
                given.reaction?.press?.onset ?? given.times?.shown ?? given.asking.map {
                    $0.shown ?? $0.planned
                } ?? result.start),
        ]
        var info = ResultBundle.Answer.Info()
        info.times = given.times.map { ResultBundle.Answer.Times($0) }
        info.documentSHA256 = (asked?.document?.document.text(in: header.language)).map {
            SHA256.hexadecimal(of: $0)
        }
        info.prompt = given.asking.map { ResultBundle.Answer.Prompt($0) }
        info.reaction = given.reaction.map { ResultBundle.Answer.Reaction($0) }
        (info.other, info.inputs) = (given.answer?.other, given.inputs)
        info.isMissing =
            given.answer?.words.contains { asked?.format?.missingValues.contains($0) == true } ?? false
        if info != ResultBundle.Answer.Info() { members["userInfo"] = info.wire }
        if let type = shape.questionType { members["questionType"] = .integer(type) }
        if let unit = shape.unit { members["unit"] = .text(unit) }
        if let answer = given.answer {
            let given = answer.researchKitMembers(
                wallClock: header.wallClock, asked: asked,
                date: header.wallClock.date(of: given.times?.confirmed ?? result.end))
            members.merge(given) { _, new in new }
        }
        return .object(JSON.Object(members))
    }

    private func date(_ instant: RunInstant) -> JSON { .text(header.wallClock.date(of: instant)) }
}
