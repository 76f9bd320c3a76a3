import MonitorInterface
import Results
package import SessionPorts
package import StudyModel
import TextFormat

/// Turns the events of a run into a monitor's messages. A value: updates in, messages out.
package struct RunReporter: Sendable {
    private var plan: RunPlan
    /// The number of events so far.
    private var sequence = 0
    /// The number of messages with heart rates so far.
    private var deliveries = 0
    private var shown: Set<Int> = []
    private var started: Set<Int> = []
    /// Whether the step on show is paused.
    private var isPaused = false
    /// The clip of each visit that plays one, by its ordinal.
    private var clips: [Int: Identifier] = [:]
    /// The step of each visit, by its ordinal.
    private var steps: [Int: Identifier] = [:]
    private var microphone = MicrophoneHearing()
    /// What the readings of each source are like.
    private var conditions: [Identifier: SourceCondition] = [:]
    /// When the run began, by this machine's clock, seconds since 1970; `nil` if it does not go as fast as that.
    private let start: Double?
    /// The last moment that was told.
    private var last = RunInstant.start

    /// How many heart rates one message contains at most.
    private static let batch = 500

    /// - Parameter start: when the run began, by this machine's clock, seconds since 1970; `nil` if it does not go as
    ///   fast as that.
    package init(_ plan: RunPlan, start: Double? = nil) { (self.plan, self.start) = (plan, start) }

    /// The messages for the updates, in order. Consecutive updates of one kind share a message.
    package mutating func messages(of news: some Sequence<RunUpdate>) -> [MonitorMessage] {
        var messages: [MonitorMessage] = []
        var events: [JSON] = []
        var samples: [JSON] = []
        var changed: [Identifier: (condition: JSON, at: RunInstant)] = [:]
        for item in news {
            switch item {
            case .happened(let event, let instant, let effects):
                let told = describe(event, at: instant) + effects.flatMap { describe($0, at: instant) }
                guard !told.isEmpty else { continue }
                finish(&samples, &messages)
                events += told
            case .batteryLow(let source, let percent, let instant):
                finish(&samples, &messages)
                events.append(
                    self.event(
                        .sourceState, at: instant,
                        [
                            "source": .text(source.text), "state": "live",
                            "text": .text("the battery is low: \(percent) %"),
                        ]))
            case .soundLevel(let level, let instant):
                guard let state = microphone.take(level, at: instant) else { continue }
                finish(&samples, &messages)
                events.append(event(.microphone, at: instant, ["state": .text(state.rawValue)]))
            case .told(let source, let information, _):
                conditions[source, default: SourceCondition()].take(information)
            case .flooded(let source, let count, _):
                conditions[source, default: SourceCondition()].leftOut += count
            case .judged(let quality, let isPoor):
                finish(&samples, &messages)
                events.append(event(.quality, at: last, ["quality": quality.told(isPoor: isPoor)]))
            case .measured(let source, let sample):
                if let condition = conditions[source, default: SourceCondition()].take(sample, start: start) {
                    changed[source] = (condition, sample.arrival)
                }
                let moment = JSON.Object(["elapsed": .real(sample.instant.seconds)])
                let heart = sample.value
                guard let told = MonitorMessage.sample(heart.rate, rr: heart.rrIntervals, moment) else {
                    continue
                }
                finish(events: &events, &messages)
                samples.append(told)
                if samples.count == Self.batch { finish(&samples, &messages) }
            }
        }
        finish(&samples, &messages)
        // At the end, so that readings go together.
        for (source, (condition, instant)) in changed.sorted(by: { $0.key < $1.key }) {
            events.append(
                event(.source, at: instant, ["source": .text(source.text), "condition": condition]))
        }
        finish(events: &events, &messages)
        return messages
    }

    private func finish(events: inout [JSON], _ messages: inout [MonitorMessage]) {
        guard !events.isEmpty else { return }
        messages.append(MonitorMessage(.events, ["events": .list(events)]))
        events = []
    }

    private mutating func finish(_ samples: inout [JSON], _ messages: inout [MonitorMessage]) {
        guard !samples.isEmpty else { return }
        deliveries += 1
        messages.append(MonitorMessage(.heartRate, key: String(deliveries), ["samples": .list(samples)]))
        samples = []
    }

    private mutating func event(_ kind: RunEventKind, at instant: RunInstant, _ details: [String: JSON?])
        -> JSON
    {
        sequence += 1
        last = max(last, instant)
        var object = JSON.Object([
            "kind": .text(kind.rawValue), "elapsed": .real(instant.seconds), "sequence": .integer(sequence),
        ])
        for (key, value) in details { object[key] = value }
        return .object(object)
    }

    private mutating func describe(_ event: Event, at instant: RunInstant) -> [JSON] {
        switch event {
        case .answered(let answers):
            return answers.compactMap { given in
                guard let words = given.answer?.rating else { return nil }
                return self.event(
                    .rating, at: instant, ["step": .text(given.question.text), "text": .text(words)])
            }
        case .sourceChanged(let source, let problem):
            let details: [String: JSON?] = [
                "source": .text(source.text), "state": .text(problem == nil ? "live" : "lost"),
                "text": problem.map { .text($0.description.limited(to: MonitorLimits.textBytes)) },
            ]
            return [self.event(.sourceState, at: instant, details)]
        case .played(let report):
            let clip = clips[report.ordinal].map { JSON.text($0.text) }
            let about = ["stimulus": clip, "step": steps[report.ordinal].map { JSON.text($0.text) }]
            return [
                self.event(
                    report.end == nil ? .stimulusOnset : .stimulusEnd, at: report.end ?? report.onset, about
                )
            ]
        case .saved(let ordinal):
            return [self.event(.saved, at: instant, name(of: ordinal))]
        case .recalled, .begin, .confirmed, .drafted, .skipped, .wentBack, .wentBackTo, .paused, .resumed,
            .withdrawn,
            .putAside, .continued, .interrupted,
            .failed,
            .woke,
            .adjusted, .cueGiven, .recorded, .observed, .beats, .heard, .program, .notAllocated, .stoodStill:
            return []
        case .marked(let mark):
            // The monitor knows its alarms.
            guard mark.kind.isAskedFor else { return [] }
            let told = ResultBundle.Mark(mark)
            return [self.event(.marked, at: mark.moment, ["text": .text("\(told.title): \(told.remark)")])]
        case .allocated:
            plan.take(event)
            return []
        }
    }

    private mutating func describe(_ effect: Effect, at instant: RunInstant) -> [JSON] {
        switch effect {
        case .show(let presentation): return describe(presentation, at: instant)
        case .play(let drawn, _, let ordinal, _, _):
            clips[ordinal] = drawn.stimulus.identifier
            return []
        case .deliver(let result):
            steps[result.ordinal] = result.identifier
            return [event(.stepEnded, at: result.end, name(of: result.ordinal))]
        case .end(let reason): return [event(.over, at: instant, ["text": .text(reason.rawValue)])]
        case .wake, .record, .stopRecording, .stopPlaying, .cue, .allocate: return []
        }
    }

    private mutating func describe(_ presentation: Presentation, at instant: RunInstant) -> [JSON] {
        let ordinal = presentation.ordinal
        var told: [JSON] = []
        if shown.insert(ordinal).inserted {
            let entries = plan.sections[presentation.section].passes[presentation.pass]
            steps[ordinal] = entries[presentation.entry].step.identifier
            told.append(event(.stepShown, at: instant, name(of: ordinal)))
        }
        switch presentation.phase {
        case .running(let start, _):
            if started.insert(ordinal).inserted {
                told.append(event(.stepStarted, at: start, name(of: ordinal)))
            } else if isPaused {
                told.append(event(.resumed, at: start, name(of: ordinal)))
            }
            isPaused = false
        case .paused:
            if !isPaused { told.append(event(.paused, at: instant, name(of: ordinal))) }
            isPaused = true
        case .waiting, .waitingForSource, .waitingForArm, .timeUp, .saving: isPaused = false
        }
        return told
    }

    private func name(of ordinal: Int) -> [String: JSON?] {
        ["step": steps[ordinal].map { .text($0.text) }, "ordinal": .integer(ordinal)]
    }
}

extension RunInstant {
    /// Seconds since the run's start, to the microsecond.
    fileprivate var seconds: Double { (offset / .microseconds(1)).rounded() / 1e6 }
}

extension Answer {
    /// A value on a scale, or a choice, in a word. The participant's own words are not for others to see.
    fileprivate var rating: String? {
        kind.traits.isForOthers ? words.joined(separator: ", ").limited(to: MonitorLimits.textBytes) : nil
    }
}

extension String {
    /// The beginning of the text, at most `count` bytes of UTF-8.
    func limited(to count: Int) -> String {
        guard utf8.count > count else { return self }
        var text = ""
        for scalar in unicodeScalars {
            guard text.utf8.count + String(scalar).utf8.count <= count - 3 else { break }
            text.unicodeScalars.append(scalar)
        }
        return text + "…"
    }
}
