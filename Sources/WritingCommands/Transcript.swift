import Console
import StudyEngine
import StudyModel
import StudySession
import TextFormat

/// A rehearsal line by line, with the time since the run's start.
struct Transcript {
    private let rehearsal: Rehearsal
    private let plan: RunPlan
    private let language: Language?

    init(_ rehearsal: Rehearsal, of plan: RunPlan, language: Language?) {
        self.rehearsal = rehearsal
        self.plan = plan
        self.language = language
    }

    var text: String {
        let head =
            "\(plan.study) \(plan.revision), task \(plan.task.identifier), participant \(plan.participant), "
            + "session \(plan.session)\(plan.arm.inWords), seed \(plan.seed)"
        // The run is repeated, so that texts say what the participant read at that moment.
        var run = TaskRun(plan)
        let lines = rehearsal.transcript.compactMap { moment, instant -> String? in
            let words: String?
            switch moment {
            case .event(let event):
                words = self.words(event)
                _ = run.handle(event, at: instant)
            case .effect(let effect): words = self.words(effect, of: run, at: instant)
            }
            return words.map { time(instant) + "  " + $0 }
        }
        return ([head] + lines).joined(separator: "\n") + "\n"
    }

    /// `m:ss.mmm`, right-aligned to a width of 10.
    private func time(_ instant: RunInstant) -> String {
        let total = Int(instant.nanoseconds / 1_000_000)
        let parts = [total / 1000 % 60, total % 1000]
        let text = "\(total / 60_000):\(digits(parts[0], 2)).\(digits(parts[1], 3))"
        return padded(text, to: 10, isRight: true)
    }

    private func words(_ event: Event) -> String? {
        switch event {
        case .confirmed: "participant goes on"
        case .recalled(let answers): "known from earlier sessions: " + words(answers)
        case .answered(let answers): "participant answers " + words(answers)
        case .program(_, .answers(let answers)): "program answers " + words(answers)
        case .woke(let wake) where wake.moment == .timeLimit: "the time for answering is over"
        case .woke(let wake) where wake.moment == .promptLimit: "the time for the prompt is over"
        case .allocated(let arm, _): "allocated to the arm \(arm)"
        case .notAllocated(let problem): "not allocated: \(printable(problem))"
        case .played(let report): report.end == nil ? nil : "clip ends"
        case .adjusted(_, let change):
            "clip at tempo \(plainNumber(change.tempo)), level \(plainNumber(change.gain)) dB"
        case .begin, .drafted, .skipped, .wentBack, .wentBackTo, .paused, .resumed, .withdrawn,
            .putAside, .continued, .interrupted, .failed,
            .woke,
            .sourceChanged,
            .cueGiven, .recorded, .observed, .beats, .heard, .program, .marked, .stoodStill, .saved:
            nil
        }
    }

    private func words(_ answers: [GivenAnswer]) -> String {
        answers.map { "\($0.question) \($0.answer.map(words) ?? "nothing")" }.joined(separator: ", ")
    }

    private func words(_ effect: Effect, of run: TaskRun, at now: RunInstant) -> String? {
        switch effect {
        case .show(let presentation): return words(presentation, of: run, at: now)
        case .record(let key, let configuration, _):
            return "record \(configuration.signal.name) as \(key.recorder)"
        case .stopRecording(let key, _, _): return "stop recording \(key.recorder)"
        case .play(let drawn, _, _, let instant, _):
            return "play \(drawn.stimulus.identifier) at \(time(instant).trimmed)"
        case .cue(let signal, _):
            switch signal {
            case .sound(let sound): return "cue \(sound)"
            case .say(let text): return "say \(printable(text.text(in: language)))"
            case .bell: return "bell"
            }
        case .deliver(let result):
            let scores = result.answers.filter { !$0.inputs.isEmpty }
            let worked = scores.map { "; \($0.question) is \($0.answer.map(words) ?? "missing")" }.joined()
            return "save \(result.path.dotted)" + worked
        case .end(let reason): return "end: \(reason.rawValue)"
        case .wake, .stopPlaying, .allocate: return nil
        }
    }

    private func words(_ presentation: Presentation, of run: TaskRun, at now: RunInstant) -> String? {
        let entry = run.entry(for: presentation)
        let path = entry.path.dotted
        let title =
            entry.step.title.map { ": " + printable(run.words($0, for: presentation, in: language)) } ?? ""
        switch presentation.phase {
        case .waiting: return "show \(path)\(title)"
        case .running(let start, _) where entry.step.hasPrompts && start < now:
            return presentation.prompt.flatMap { open in
                entry.step.active.map {
                    "ask \($0.question(of: open).identifier), asking \(open.number)"
                }
            }
        case .running(_, let end): return "run \(path) until \(time(end).trimmed)\(title)"
        case .waitingForSource(let source, _): return "\(path) waits for \(source)"
        case .waitingForArm: return "\(path) allocates the arm\(title)"
        case .paused: return "\(path) is paused"
        case .timeUp: return "\(path): time is up"
        case .saving: return "saving"
        }
    }

    private func words(_ answer: Answer) -> String {
        let words = answer.words.map { printable($0) }.joined(separator: ", ")
        return answer.kind == .choices ? "[\(words)]" : words
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
