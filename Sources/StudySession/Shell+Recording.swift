import Results
import SessionPorts
import StudyModel

extension Shell {
    mutating func open(
        _ key: RecorderKey, _ configuration: RecorderConfiguration, from start: RunInstant
    ) -> [Chore] {
        recordings[key] = OpenRecording(
            key: key, configuration: configuration, start: start, visit: currentVisit)
        var chores: [Chore] = [.write(.open(key, configuration, from: start))]
        if let still = standstills.last, still.upperBound > start {
            let begin = max(start, still.lowerBound)
            chores.append(.write(.append(key, .stoodStill(since: begin, at: still.upperBound))))
        }
        if let source = configuration.sourceName, let problem = sources.problems[source] {
            chores.append(.write(.append(key, .lost(problem.description, at: start))))
        }
        if let source = configuration.sourceName, let information = sources.told[source] {
            chores.append(.write(.append(key, .told(information, at: start))))
        }
        if configuration.signal == .events {
            let levels = sources.told.compactMapValues(\.lowBattery).sorted { $0.key < $1.key }
            chores += levels.map { .write(.append(key, lowBattery($0.value, of: $0.key, at: start))) }
        }
        if configuration.biofeedback != nil { return chores + displayDue(key, 0, at: start) }
        if let scale = configuration.rating { return chores + beginRating(scale, key, from: start) }
        if configuration.tapping != nil, autopilot != nil {
            return chores + [
                .later(start.advanced(by: .milliseconds(500)), .recorder(key, .tapDue(isTap: false)))
            ]
        }
        guard configuration.signal.form == .sound, recordings.hasMicrophone else { return chores }
        return chores + [.listen(key, configuration.soundFormat, from: start)]
    }

    mutating func stop(
        _ key: RecorderKey, at instant: RunInstant, due: RunInstant?, now: RunInstant
    ) -> [Chore] {
        guard let recording = recordings[key] else { return [] }
        let visit = currentVisit
        recordings[key]?.stop = instant
        recordings[key]?.due = due
        recordings[key]?.visit = visit
        if recording.isComplete { return close(key) }
        if recording.configuration.signal.form == .sound, recordings.hasMicrophone {
            return [.stopListening(key, at: instant)]
                + (recordings.isRecordingSound ? [] : [.update(.soundLevel(nil))])
        }
        let grace = recording.configuration.lateSampleGrace
        let isLateAllowed =
            recording.configuration.biofeedback == nil
            && (recording.configuration.sourceName != nil || recording.configuration.rating != nil
                || recording.configuration.tapping != nil)
        guard isLateAllowed, grace > .zero else { return close(key) }
        // While the program stood still, nothing could arrive.
        let begin = max(instant, standstills.last?.upperBound ?? instant)
        return [.later(max(begin.advanced(by: grace), now), .recorder(key, .graceOver))]
    }

    /// Ends a recording that was told to stop, unless that has happened already.
    mutating func close(_ key: RecorderKey) -> [Chore] {
        guard let recording = recordings[key], let stop = recording.stop else { return [] }
        recordings[key] = nil
        return [.write(.close(key, at: stop, due: recording.due, in: recording.visit))]
    }

    /// Takes the microphone's report on a recording. When the file is complete, the recording is over.
    mutating func take(_ report: SoundReport, of key: RecorderKey, at now: RunInstant) -> [Chore] {
        guard let recording = recordings[key] else { return [] }
        switch report {
        case .written(let frames, let rate, let mean, let lacking):
            let log = [
                Chore.write(.append(key, .sound(frames: frames, rate: rate, lacking: lacking, at: now)))
            ]
            return recording.stop == nil ? log + observe(soundLevel: mean, at: now) : log
        case .finished(let problem):
            let note = problem.map { reason in
                [
                    Chore.write(.append(key, .lost(reason, at: now))),
                    .update(.source("microphone", problem: SourceProblem(reason))),
                ]
            }
            guard recording.stop == nil else { return (note ?? []) + close(key) }
            // What is missing until the end of the step is missing in the recording.
            recordings[key]?.isComplete = true
            return (note ?? []) + [.update(.soundLevel(nil))]
        }
    }

    /// Takes a source's report.
    ///
    /// - Parameters:
    ///   - source: the source's name; `nil` for the microphone, for which no step waits.
    ///   - end: the planned end for which a sample has waited already.
    mutating func take(
        _ report: SourceReport, from source: Identifier?, after end: RunInstant?, at now: RunInstant
    ) -> [Chore] {
        guard let source else { return showLevel(of: report) }
        let open = recordings.of(source)
        switch report {
        case .live:
            sources.set(source, nil)
            return changed(source, of: nil, to: nil, at: now)
        case .quality(let quality): return show(quality, of: source, in: open, at: now)
        case .told(let news): return take(news, of: source, in: open, at: now)
        case .flooded(let count, let start):
            return open.map { .write(.append($0.key, .flooded(count, since: start, at: now))) }
        case .lost(let problem):
            sources.set(source, problem)
            let notes = open.map { Chore.write(.append($0.key, .lost(problem.description, at: now))) }
            return notes + changed(source, of: nil, to: problem, at: now)
        case .moved(let position): return move(position, by: source, at: now)
        case .measured(let sample): return take(sample, from: source, after: end, at: now)
        }
    }

    /// Takes a sample. If it was measured when the step on show should have been over, and nothing has ended the step yet
    /// because the program is late, it waits for that: it may belong to the next step.
    ///
    /// - Parameter end: the planned end for which it has waited already.
    private mutating func take(
        _ sample: Timed<SignalValue>, from source: Identifier, after end: RunInstant?, at now: RunInstant
    ) -> [Chore] {
        if let due = runningEnd, due <= now, sample.lastInstant >= due, end.map({ $0 < due }) != false {
            return [.later(due, .report(source, .measured(sample), after: due))]
        }
        let open = recordings.of(source)
        // What belongs to one recording is not missing in one that began later.
        let isPlaced = open.contains { recording in
            recording.covers(sample.instant)
        }
        let chores = open.filter { !isPlaced || $0.start <= sample.lastInstant }.flatMap {
            keep(sample, in: $0)
        }
        switch sample.value {
        case .heart(let heart):
            sources.keep(heart, of: source, at: sample.instant)
            return chores + show(heart, of: source, measured: sample.instant, at: now)
        case .picture(let frame):
            sources.keep(sample.map { _ in frame }, of: source)
            return chores
        case .number, .wave, .rating, .tap, .shown: return chores
        }
    }

    /// A source has a signal, or none for this reason. The run waits until it is known of all participants, and the
    /// first problem counts.
    ///
    /// - Parameter place: the place of the companion whose source it is; `nil` for the participant's own.
    mutating func changed(
        _ source: Identifier, of place: Int?, to problem: SourceProblem?, at now: RunInstant
    ) -> [Chore] {
        guard !setting.isCompanion else { return [] }
        let standing = sources.standing(of: source, after: problem, of: place)
        return standing.isKnown ? handle(.sourceChanged(source, problem: standing.problem), at: now) : []
    }

    /// Shows how loud the participant is while a recording is in progress.
    private func showLevel(of report: SourceReport) -> [Chore] {
        guard case .measured(let sample) = report, case .number(let level, of: .audio) = sample.value,
            recordings.isRecordingSound
        else { return [] }
        return [.update(.soundLevel(level))]
    }

    /// Writes a sample if it belongs to the recording. A sample after the recording's end shows that all earlier
    /// ones have come.
    private mutating func keep(_ sample: Timed<SignalValue>, in recording: OpenRecording) -> [Chore] {
        let signal = recording.configuration.signal
        guard sample.value.belongs(to: signal) else { return [] }
        var sample = sample
        if case .wave(let block) = sample.value, !recording.configuration.channels.isEmpty {
            guard let kept = block.only(recording.configuration.channels) else {
                let known = block.layout.channels.map(\.name).joined(separator: ", ")
                let wanted = recording.configuration.channels.joined(separator: ", ")
                let reason = "the source has the channels \(known), and the study wants \(wanted)"
                return [.write(.append(recording.key, .lost(reason, at: sample.arrival)))]
            }
            sample.value = .wave(kept)
        }
        guard let stop = recording.stop, sample.instant >= stop else {
            return [.write(.append(recording.key, .sample(sample)))]
        }
        // A camera reports a beat later than the rate, so only a beat shows that all earlier ones have come.
        let isSilent = signal.form == .intervals && sample.value.heart?.rrIntervals.isEmpty == true
        return isSilent ? [] : close(recording.key)
    }

    /// Shows the quality of a source's signal, with the pictures since the last time.
    private mutating func show(
        _ quality: SignalQuality, of source: Identifier, in open: [OpenRecording], at now: RunInstant
    ) -> [Chore] {
        let logs = open.filter { quality.dropped > 0 && $0.configuration.signal.form == .picture }
            .map { Chore.write(.append($0.key, .framesDropped(quality.dropped, at: now))) }
        let status = CameraStatus(
            frames: sources.newPictures(of: source), quality: quality.quality,
            isClear: quality.isClear, instant: quality.instant)
        return logs + [.update(.pulse(source, status))]
    }

    /// Records what a source says about itself. A battery that becomes low is shown, and noted among the events.
    private mutating func take(
        _ news: SourceInformation, of source: Identifier, in open: [OpenRecording], at now: RunInstant
    ) -> [Chore] {
        let low = sources.take(news, of: source)
        let notes = open.map { Chore.write(.append($0.key, .told(news, at: now))) }
        guard let level = low else { return notes }
        let logs = recordings.events.map { Chore.write(.append($0, lowBattery(level, of: source, at: now))) }
        return notes + logs + [.update(.batteryLow(source, percent: level))]
    }

    private func lowBattery(_ level: Int, of source: Identifier, at now: RunInstant) -> RecordedSample {
        .act(kind: "batteryLow", detail: "\(source) \(level) %", at: now)
    }

    /// Shows a heart rate, and tells the engine if a rule looks at it.
    private mutating func show(
        _ heart: HeartRateSample, of source: Identifier, measured instant: RunInstant, at now: RunInstant
    ) -> [Chore] {
        guard source == "heartRate" else { return [] }
        var chores: [Chore] = []
        if !setting.isCompanion, observations.wantsBeats, heart.sensorContact != false,
            !heart.rrIntervals.isEmpty
        {
            let end = heart.lastBeat?.instant ?? instant
            chores += handle(.beats(heart.rrIntervals, end: end), at: now)
        }
        guard let rate = heart.rate else { return chores }
        chores.append(.update(.heartRate(rate, at: instant)))
        following.remember(rate, at: now)
        if !setting.isCompanion, observations.isHeartRateDue(at: now) {
            chores += handle(.observed(rate), at: now)
        }
        return chores
    }

    /// Tells the engine the sound level if a rule looks at it.
    private mutating func observe(soundLevel: Double, at now: RunInstant) -> [Chore] {
        observations.isSoundLevelDue(at: now) ? handle(.heard(soundLevel), at: now) : []
    }

    /// Writes a participant's act into every open `events` recording.
    func log(act event: Event, at now: RunInstant) -> [Chore] {
        switch event {
        case .answered(let answers):
            answers.flatMap { given in
                log(kind: "answered", detail: given.question.text, at: now)
            }
        case .confirmed: log(kind: "confirmed", at: now)
        case .skipped: log(kind: "skipped", at: now)
        case .wentBack, .wentBackTo: log(kind: "wentBack", at: now)
        case .paused: log(kind: "paused", at: now)
        case .resumed: log(kind: "resumed", at: now)
        case .withdrawn: log(kind: "withdrawn", at: now)
        case .putAside: log(kind: "putAside", at: now)
        case .interrupted: log(kind: "interrupted", at: now)
        case .recalled, .begin, .continued, .drafted, .failed, .woke, .sourceChanged, .played, .adjusted,
            .cueGiven,
            .recorded,
            .observed, .beats,
            .heard, .program, .allocated, .notAllocated, .marked, .stoodStill, .saved:
            []
        }
    }

    func log(kind: String, detail: String = "", at now: RunInstant) -> [Chore] {
        recordings.events.map { .write(.append($0, .act(kind: kind, detail: detail, at: now))) }
    }
}

extension Timed<SignalValue> {
    /// When the last of it was measured.
    fileprivate var lastInstant: RunInstant {
        if case .wave(let block) = value { block.instants.last ?? instant } else { instant }
    }
}
