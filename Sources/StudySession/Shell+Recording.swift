import Results
import StudyModel

extension Shell {
    mutating func open(
        _ key: RecorderKey, _ configuration: RecorderConfiguration, from start: RunInstant
    ) -> [Chore] {
        recordings[key] = Recording(
            key: key, configuration: configuration, start: start, stop: nil, folder: key.ordinal)
        return [.write(.open(key, configuration, from: start))]
    }

    mutating func stop(_ key: RecorderKey, at instant: RunInstant, now: RunInstant) -> [Chore] {
        guard var recording = recordings[key] else { return [] }
        recording.stop = instant
        recording.folder = presentation.map(\.ordinal) ?? key.ordinal
        recordings[key] = recording
        guard recording.configuration.sourceName != nil, recording.configuration.lateSampleGrace > .zero
        else {
            return close(key)
        }
        let graceEnd = instant.advanced(by: recording.configuration.lateSampleGrace)
        return [.later(max(graceEnd, now), .graceOver(key))]
    }

    /// Ends a recording that was told to stop; nothing where that has happened already.
    mutating func close(_ key: RecorderKey) -> [Chore] {
        guard let recording = recordings[key], let stop = recording.stop else { return [] }
        recordings[key] = nil
        return [.write(.close(recording.closed(at: stop)))]
    }

    /// Takes what a source says.
    mutating func take(_ report: SourceReport, from source: Identifier, at now: RunInstant) -> [Chore] {
        let keys = recordings.values.filter { $0.configuration.sourceName == source }.map(\.key).sorted()
        switch report {
        case .live:
            for key in keys { recordings[key]?.note(isLost: false, at: now) }
            return take(.event(.sourceChanged(source, problem: nil)), at: now)
        case .lost(let problem):
            for key in keys { recordings[key]?.note(isLost: true, at: now) }
            return take(.event(.sourceChanged(source, problem: problem)), at: now)
        case .sample(let sample):
            var chores: [Chore] = []
            for key in keys {
                switch recordings[key]?.judge(sample) {
                case .take: chores.append(.write(.append(key, .heartRate(sample, source: source))))
                case .finish: chores += close(key)
                case .drop, nil: break
                }
            }
            guard let rate = sample.value.rate, source == "heartRate" else { return chores }
            chores.append(.update(.heartRate(rate, at: sample.instant)))
            if observesHeartRate, lastObservation.map({ $0.duration(to: now) >= .seconds(1) }) != false {
                lastObservation = now
                chores += take(.event(.observed(rate)), at: now)
            }
            return chores
        }
    }

    /// Writes a participant's act into every open `events` recording.
    func log(act event: Event, at now: RunInstant) -> [Chore] {
        switch event {
        case .answered(let answers):
            answers.flatMap { given in
                log(kind: "answer", detail: "\(given.question)=\(given.answer.map(\.words) ?? "")", at: now)
            }
        case .confirmed: log(kind: "act", detail: "confirmed", at: now)
        case .skipped: log(kind: "act", detail: "skipped", at: now)
        case .wentBack: log(kind: "act", detail: "wentBack", at: now)
        case .paused: log(kind: "act", detail: "paused", at: now)
        case .resumed: log(kind: "act", detail: "resumed", at: now)
        case .withdrawn: log(kind: "act", detail: "withdrawn", at: now)
        case .interrupted: log(kind: "act", detail: "interrupted", at: now)
        case .begin, .failed, .woke, .sourceChanged, .played, .recorded, .observed, .saved: []
        }
    }

    func log(kind: String, detail: String, at now: RunInstant) -> [Chore] {
        recordings.values.filter { $0.configuration.kind == .events && $0.stop == nil }.map(\.key).sorted()
            .map { .write(.append($0, .event(kind: kind, detail: detail, at: now))) }
    }
}

extension RecorderKey: Comparable {
    package static func < (left: RecorderKey, right: RecorderKey) -> Bool {
        (left.ordinal, left.recorder, left.segment) < (right.ordinal, right.recorder, right.segment)
    }
}
