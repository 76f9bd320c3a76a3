import Results
import StudyEngine
import StudyFile
import StudyModel

/// A run repeated from its journal: the same study, the same draws, the same events.
struct Replay: ~Copyable {
    private(set) var header: JournalHeader
    var run: TaskRun
    /// The plan of the run; after an allocation, the plan of the participant's arm.
    var plan: RunPlan { run.plan }
    /// Events and effects so far, in the form of a journal.
    private(set) var records: [Journal.Record] = []

    /// Makes the plan again from the study's text and the journal's first line.
    ///
    /// - Throws: `StudyFailure` if that study can no longer be read or drawn from.
    init(_ header: JournalHeader, study text: [UInt8]) throws(StudyFailure) {
        try self.init(
            header, of: CheckedStudy(text, path: "study.yaml", library: .recorded(header.files)))
    }

    /// Makes the plan again from the study that was run and the journal's first line.
    ///
    /// - Throws: `StudyFailure` if that study can no longer be read or drawn from.
    init(_ header: JournalHeader, of checked: CheckedStudy) throws(StudyFailure) {
        self.header = header
        guard let whole = checked.parsed.study else {
            let first = checked.diagnostics.first { $0.severity == .error }
            let reason = first.map { "line \($0.range.start.line): \($0.message)" } ?? "no reason given"
            throw StudyFailure("the study of the run cannot be read any more: \(reason)", .badStudy)
        }
        let study = try whole.inArm(ofRun: header.arm)
        let task = try study.task(named: header.task.text)
        do throws(PlanProblem) {
            let plan = try RunPlan(
                drawing: study, task: task, participant: header.drawnFor ?? header.participant,
                number: header.number, session: header.session, seed: header.seed)
            run = TaskRun(header.drawnFor == nil ? plan : plan.beside(header.participant))
        } catch {
            throw StudyFailure("the draws of the run cannot be made again: \(error)", .badStudy)
        }
    }

    /// Passes an event to the engine, and returns the resulting records.
    @discardableResult
    mutating func feed(_ event: Event, at now: RunInstant) -> [Journal.Record] {
        let effects = run.handle(event, at: now)
        header.run.arm = run.plan.arm
        let new =
            [Journal.Record(.event(event), at: now)] + effects.map { Journal.Record(.effect($0), at: now) }
        records += new
        return new
    }

    /// Every result delivered so far, in visiting order.
    var results: [StepResult] { records.results }

    /// Ordinals of the results that were reported as saved.
    var saved: Set<Int> {
        Set(
            records.compactMap { record in
                if case .event(.saved(let ordinal)) = record.content { ordinal } else { nil }
            })
    }

    /// How the run ended; `nil` if it has not ended.
    var ending: (reason: FinishReason, at: RunInstant)? {
        for record in records.reversed() {
            if case .effect(.end(let reason)) = record.content { return (reason, record.instant) }
        }
        return nil
    }

    /// The clips that were reported to begin but never to end, in the order of their beginning.
    var sounding: [Playback] {
        var sounding: [Playback] = []
        for record in records {
            guard case .event(.played(let playback)) = record.content else { continue }
            sounding.removeAll { $0.ordinal == playback.ordinal && $0.onset == playback.onset }
            if playback.end == nil { sounding.append(playback) }
        }
        return sounding
    }

    /// The cues that were given and of which nobody said whether they are heard.
    var untoldCues: [CueKey] {
        var told: Set<CueKey> = []
        for record in records { if case .event(.cueGiven(let key, _)) = record.content { told.insert(key) } }
        return records.compactMap { record in
            if case .effect(.cue(_, let key)) = record.content, !told.contains(key) { key } else { nil }
        }
    }

    /// The visit on show at an instant's effects: the last one shown before the recording was stopped.
    func visit(reporting key: RecorderKey) -> VisitName? {
        var shown: Presentation?
        for record in records {
            if case .effect(.show(let presentation)) = record.content { shown = presentation }
            if case .effect(.stopRecording(key, _, _)) = record.content { break }
        }
        return shown.map { VisitName(ordinal: $0.ordinal, path: run.entry(for: $0).path) }
    }
}
