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
            "userInfo": .members([
                "arm": header.arm.map { .text($0) },
                "clockAdjusted": .boolean(result.isClockAdjusted),
                "continues": header.run.continues.map { .text($0) },
                "deviation": header.deviation.map { .text($0) },
                "finishReason": .text(result.reason.rawValue),
                "gathering": header.run.gathering?.wire,
                "interruptions": result.interruptions.wire,
                "language": header.language.map { .text($0.tag) },
                "participant": .text(header.participant),
                "provenance": header.provenance?.wire,
                "recovered": .boolean(result.isRecovered),
                "repeat": header.repeatReason.map { .text($0) },
                "revision": .integer(header.revision),
                "session": .integer(header.session),
                "sessionDay": header.run.sessionDay.map { .integer($0) },
                "sessionName": header.run.sessionName.map { .text($0.text) },
                "yokedTo": header.run.yokedTo.map { .text($0) },
                // Only written together with the provenance, so that results of earlier programs are reproduced
                // exactly.
                "speed": header.provenance == nil ? nil : header.speed.map { .anyReal($0) },
                "study": .text(header.study),
            ]),
        ]
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
            "userInfo": userInfo(of: result),
        ]
    }

    private func json(ofRoundFor condition: Stimulus) -> JSON {
        [
            "identifier": .text(condition.identifier),
            "values": .dictionary(condition.attributes.filter { $0.key != Stimulus.identity }) { .text($0) },
        ]
    }

    private func json(of round: StepResult.OuterRound) -> JSON {
        .members([
            "block": .text(round.block),
            "condition": round.condition.map(json(ofRoundFor:)),
            "round": round.round.map { .integer($0) },
        ])
    }

    private func userInfo(of result: StepResult) -> JSON {
        .members([
            "actualDuration": result.actualDuration.map { .seconds($0) },
            "condition": result.condition.map(json(ofRoundFor:)),
            "choiceOrders": result.orders.choices.isEmpty
                ? nil
                : .dictionary(
                    Dictionary(uniqueKeysWithValues: result.orders.choices.map { ($0.key.text, $0.value) })
                ) { .texts($0) },
            "drafts": result.drafts.isEmpty ? nil : .list(result.drafts.map(json(of:))),
            "endOffset": .seconds(result.end),
            "endedBy": result.endedBy.map { .text($0.rawValue) },
            "itemOrder": result.orders.items.map { .texts($0.map(\.text)) },
            "lateness": .dictionary(result.lateness) { .seconds($0) },
            "marks": result.marks.isEmpty ? nil : .list(result.marks.map(\.userInfo)),
            "outerRounds": result.outerRounds.isEmpty ? nil : .list(result.outerRounds.map(json(of:))),
            "pauses": result.pauses.wireInSeconds,
            "plannedDuration": result.plannedDuration.map { .seconds($0) },
            "program": result.program?.userInfo,
            "recorderErrors": .texts(result.recorderErrors),
            "repeats": result.repeats.map { .integer($0) },
            "round": result.round.map { .integer($0) },
            "skipReason": result.skip.map { .text($0.rawValue) },
            "skipped": .boolean(result.skip != nil),
            "standstills": result.standstills.isEmpty ? nil : result.standstills.wireInSeconds,
            "startOffset": .seconds(result.start),
            "stimulus": result.stimulus.map { json(of: $0, in: result) },
            "timedOut": result.isTimedOut.map { .boolean($0) },
            "visit": .integer(result.visit),
        ])
    }

    private func json(of drawn: DrawnStimulus, in result: StepResult) -> JSON {
        let playback = result.playback
        return .members([
            "aims": drawn.aims.isEmpty ? nil : .dictionary(drawn.aims) { .real($0) },
            "attributes": header.provenance == nil || drawn.stimulus.attributes.isEmpty
                ? nil : .dictionary(drawn.stimulus.attributes) { .text($0) },
            "audio": playback?.sampleRate == nil ? "none" : nil,
            "changes": result.changes.isEmpty
                ? nil
                : .list(
                    result.changes.map { change in
                        .members([
                            "frame": change.frame.map { .integer(Int($0)) }, "gain": .real(change.gain),
                            "offset": .seconds(change.instant), "position": .seconds(change.position),
                            "tempo": .real(change.tempo),
                        ])
                    }),
            "draw": .text(drawn.method),
            "endOffset": playback?.end.map { .seconds($0) },
            "file": .text(drawn.stimulus.file),
            "gain": playback?.gain.map { .real($0) },
            "identifier": .text(drawn.stimulus.identifier),
            "index": .integer(drawn.index),
            "latency": playback?.latency.map { .seconds($0) },
            "loweredBy": playback?.loweredBy.map { .real($0) },
            "onsetFrame": playback?.onsetFrame.map { .integer(Int($0)) },
            "onsetOffset": playback.map { .seconds($0.onset) },
            "problem": playback?.problem.map { .text($0) },
            "sampleRate": playback?.sampleRate.map { .real($0) },
            "set": drawn.set.map { .text($0) },
            "sha256": drawn.stimulus.sha256.map { .text($0) },
            "start": result.clipStart.map { .seconds($0) },
            "stream": drawn.stream.map { .text($0) },
            "through": result.clipThrough.map { .text($0) },
            "title": drawn.stimulus.title.map { .text($0) },
            "underruns": playback?.underruns.map { .integer($0) },
        ])
    }

    private func json(of file: FileResult) -> JSON {
        [
            "_class": "ORKFileResult",
            "contentType": .text(file.contentType),
            "endDate": date(file.end),
            "fileName": .text(file.fileName),
            "identifier": .text(file.recorder),
            "startDate": date(file.start),
            "userInfo": .members([
                "biofeedback": file.biofeedback?.wire,
                "coverage": .real(file.coverage),
                "droppedSamples": .integer(file.droppedSamples),
                "endOffset": .seconds(file.end),
                "gaps": .list(
                    file.gaps.map {
                        ["from": .seconds($0.from), "reason": .text($0.reason), "to": .seconds($0.to)]
                    }),
                "lateSamples": .integer(file.lateSamples),
                "part": .integer(file.part),
                "rating": file.rating?.said(in: header.language).wire,
                "taps": file.taps?.wire,
                "reason": file.reason.map { .text($0) },
                "sampleCount": .integer(file.sampleCount),
                "segment": .integer(file.segment),
                "sourceInformation": file.sourceInformation?.wire,
                "startOffset": .seconds(file.start),
                "waves": file.waves?.wire,
            ]),
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
        var userInfo = given.times.map(Self.members) ?? [:]
        if let consent = asked?.document {
            let document = consent.document.text(in: header.language)
            userInfo["documentSHA256"] = .text(SHA256.hexadecimal(of: Array(document.utf8)))
        }
        userInfo["prompt"] = given.asking?.userInfo
        userInfo["reaction"] = given.reaction?.userInfo
        userInfo["other"] = given.answer?.other.map { .text($0) }
        userInfo["inputs"] = given.inputs.isEmpty ? nil : .list(given.inputs.map(\.wire))
        if !userInfo.isEmpty { members["userInfo"] = .members(userInfo) }
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

    /// A draft. Its words stand under ResearchKit's key for text, whatever the question.
    private func json(of draft: DraftedAnswer) -> JSON {
        .members(
            Self.members(of: draft.times).merging([
                "confirmed": false, "identifier": .text(draft.question), "textAnswer": .text(draft.text),
            ]) { _, new in new })
    }

    private static func members(of times: AnswerTimes) -> [String: JSON] {
        var members: [String: JSON] = [
            "changes": .integer(times.changes), "shownOffset": .seconds(times.shown),
        ]
        members["changedOffset"] = times.changed.map { .seconds($0) }
        members["confirmedOffset"] = times.confirmed.map { .seconds($0) }
        members["touchedOffset"] = times.touched.map { .seconds($0) }
        return members
    }

    private func date(_ instant: RunInstant) -> JSON { .text(header.wallClock.date(of: instant)) }
}
