package import StudyModel

/// Results in ResearchKit's own JSON: its classes and keys, and all of ours in `userInfo`.
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
            "_class": "ORKTaskResult", "identifier": .text(header.task),
            "taskRunUUID": .text(header.runUUID), "startDate": date(.start), "endDate": date(result.end),
            "results": .list(result.steps.map(json(of:))),
            "userInfo": .members([
                "finishReason": .text(result.reason.rawValue), "recovered": .boolean(result.isRecovered),
                "clockAdjusted": .boolean(result.isClockAdjusted),
                "language": header.language.map { .text($0.tag) }, "participant": .text(header.participant),
                "session": .integer(header.session), "study": .text(header.study),
                "revision": .integer(header.revision),
            ]),
        ]
    }

    /// A step's `result.json`.
    package func json(of result: StepResult) -> JSON {
        [
            "_class": "ORKStepResult", "identifier": .text(result.identifier),
            "startDate": date(result.start), "endDate": date(result.end), "isPreviousResult": false,
            "results": .list(result.answers.map { json(of: $0, in: result) } + result.files.map(json(of:))),
            "userInfo": userInfo(of: result),
        ]
    }

    private func userInfo(of result: StepResult) -> JSON {
        .members([
            "visit": .integer(result.visit), "round": result.round.map { .integer($0) },
            "startOffset": .seconds(result.start), "endOffset": .seconds(result.end),
            "skipped": .boolean(result.skip != nil), "skipReason": result.skip.map { .text($0.rawValue) },
            "plannedDuration": result.plannedDuration.map { .seconds($0) },
            "actualDuration": result.actualDuration.map { .seconds($0) },
            "lateness": .dictionary(result.lateness) { .seconds($0) },
            "pauses": .list(
                result.pauses.map { ["from": .seconds($0.lowerBound), "to": .seconds($0.upperBound)] }),
            "recorderErrors": .texts(result.recorderErrors), "stimulus": result.stimulus.map(json(of:)),
        ])
    }

    private func json(of result: StimulusResult) -> JSON {
        let drawn = result.drawn
        let playback = result.playback
        return .members([
            "set": drawn.set.map { .text($0) }, "draw": .text(drawn.method),
            "stream": drawn.stream.map { .text($0) }, "index": .integer(drawn.index),
            "identifier": .text(drawn.stimulus.identifier),
            "title": drawn.stimulus.title.map { .text($0) }, "file": .text(drawn.stimulus.file),
            "sha256": drawn.stimulus.sha256.map { .text($0) },
            "onsetOffset": playback.map { .seconds($0.onset) },
            "endOffset": playback?.end.map { .seconds($0) },
            "onsetFrame": playback?.onsetFrame.map { .integer(Int($0)) },
            "sampleRate": playback?.sampleRate.map { .real($0) },
            "underruns": playback?.underruns.map { .integer($0) },
            "latency": playback?.latency.map { .seconds($0) },
            "problem": playback?.problem.map { .text($0) },
            "audio": playback?.sampleRate == nil ? "none" : nil,
        ])
    }

    private func json(of file: FileResult) -> JSON {
        [
            "_class": "ORKFileResult", "identifier": .text(file.recorder), "startDate": date(file.start),
            "endDate": date(file.end), "contentType": .text(file.contentType),
            "fileName": .text(file.fileName),
            "userInfo": .members([
                "segment": .integer(file.segment), "part": .integer(file.part),
                "startOffset": .seconds(file.start), "endOffset": .seconds(file.end),
                "sampleCount": .integer(file.sampleCount), "coverage": .real(file.coverage),
                "gaps": .list(
                    file.gaps.map {
                        ["from": .seconds($0.from), "to": .seconds($0.to), "reason": .text($0.reason)]
                    }),
                "lateSamples": .integer(file.lateSamples), "droppedSamples": .integer(file.droppedSamples),
                "reason": file.reason.map { .text($0) },
                "sourceInformation": file.sourceInformation?.wire,
            ]),
        ]
    }

    private func json(of given: GivenAnswer, in result: StepResult) -> JSON {
        let asked = questions[result.path, given.question]
        let shape = AnswerShape(asked: asked, answer: given.answer)
        var members: [String: JSON] = [
            "_class": .text(shape.className), "identifier": .text(given.question),
            "startDate": date(result.start), "endDate": date(result.end),
        ]
        if let type = shape.questionType { members["questionType"] = .integer(type) }
        if let unit = shape.unit { members["unit"] = .text(unit) }
        if let answer = given.answer {
            members.merge(answer.researchKitMembers(wallClock: header.wallClock, asked: asked)) { _, new in
                new
            }
        }
        return .object(JSON.Object(members))
    }

    private func date(_ instant: RunInstant) -> JSON { .text(header.wallClock.date(of: instant)) }
}
