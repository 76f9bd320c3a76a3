package import StudyModel

/// The state machine of a run: it is told what happened and when, and says what to do.
///
/// It knows no clock and no device. Any event in any state is safe: one that is late or out of place has no effect.
/// The same events at the same moments give the same effects. Verifying a journal and recovering a crashed run rely
/// on this.
package struct TaskRun: Sendable {
    /// The plan of the run; after an allocation, the plan of the participant's arm.
    package internal(set) var plan: RunPlan

    var stage = Stage.ready
    /// The visit on show.
    var visit: Visit?
    /// Visits that were left but still wait for their recorders or their clip.
    var left: [Visit] = []
    /// Ordinals of results that were delivered and are not yet on disk.
    var unsaved: Set<Int> = []
    var shown: Presentation?
    var memory = RunMemory()
    var sources: [Identifier: SourceState] = [:]
    var spans: [RunningSpan] = []
    /// The music that plays across steps, while it plays.
    var music: RunningMusic?
    /// After a continuation: music that starts again with the next step.
    var musicToResume: ResumedMusic?
    /// How much time is left to answer the step with which a continued run goes on.
    var limitToResume: (at: Visit.Position, left: Duration)?
    /// How many clips of each deck have been dealt.
    var dealt: [Int]
    /// The places of clips that were chosen because they were nearest, by their set.
    var chosen: [Identifier: Set<Int>] = [:]
    /// How often each section has been entered.
    var sectionPasses: [Int]
    var stepVisits: [[Identifier]: Int] = [:]
    var trail: [Footprint] = []
    var visitCount = 0
    /// The rules that led the run anywhere but to the next step, in order.
    package internal(set) var ways: [Way] = []
    /// What was last typed or chosen for the questions at each place. It is shown again when the participant comes
    /// back.
    private var drafts: [Visit.Position: [Identifier: String]] = [:]

    /// The timed step that the experimenter may repeat; `nil` if there is none.
    var repeatable: RepeatableStep?
    /// Required sources without which the experimenter lets the run go on.
    var waivedSources: Set<Identifier> = []

    /// Where the run stood when it ended before its time; `nil` if it did not, or came to an end of the task.
    var interruption: Interruption?
    /// Places of the spanning recorders that begin anew with the next step that begins, since the run was continued.
    var spansToResume: [Int] = []
    /// The last segment of each spanning recorder that has recorded, by its place.
    var spanSegments: [Int: Int] = [:]

    /// Where the run as a whole stands.
    enum Stage: Hashable, Sendable {
        case ready
        case underWay
        case ending(FinishReason)
        /// A failure came while the run was ending, so the run has ended. Results that still wait for a recorder or
        /// a clip are delivered if these ever finish, as they do in a recovery.
        case abandoned
        case over
    }

    /// What is known about a source.
    enum SourceState: Hashable, Sendable {
        case live
        case missing(SourceProblem)
    }

    package init(_ plan: RunPlan) {
        self.plan = plan
        dealt = Array(repeating: 0, count: plan.decks.count)
        sectionPasses = Array(repeating: 0, count: plan.sections.count)
    }

    /// Whether the run has ended, so that only waiting results are still to be delivered.
    /// Whether the step of a visit was left for another one.
    package func hasGoneOn(from ordinal: Int) -> Bool {
        stage == .underWay && visit.map { $0.result.ordinal != ordinal } == true
    }

    package var isOver: Bool { stage == .over || stage == .abandoned }

    /// Whether the run goes through nothing more: it is saving what it has, or has ended.
    package var isEnding: Bool {
        switch stage {
        case .ready, .underWay: false
        case .ending, .abandoned, .over: true
        }
    }

    /// Whether only the disk keeps the run from ending.
    package var isWaitingForDisk: Bool {
        guard case .ending = stage else { return false }
        return left.isEmpty && !unsaved.isEmpty
    }

    /// Whether a cue that is due at that wake was not given yet, and will be unless something comes in between.
    package func awaits(_ wake: Wake) -> Cue.Signal? {
        guard case .cue(let cue) = wake.moment, let visit, visit.result.ordinal == wake.ordinal,
            visit.segment == wake.segment, case .running = visit.activity, visit.cuesLeft.contains(cue)
        else { return nil }
        return visit.timing?.cues[cue].signal
    }

    /// What the plan says of the step on show.
    package func entry(for presentation: Presentation) -> RunPlan.Entry {
        plan.sections[presentation.section].passes[presentation.pass][presentation.entry]
    }

    /// Takes in what happened.
    ///
    /// - Parameters:
    ///   - event: what happened; any event, at any time.
    ///   - now: when.
    /// - Returns: the effects to perform, in this order.
    package mutating func handle(_ event: Event, at now: RunInstant) -> [Effect] {
        guard stage != .over || event == .continued else { return [] }
        var effects: [Effect] = []
        switch event {
        case .recalled(let answers): recall(answers)
        case .begin: begin(at: now, into: &effects)
        case .confirmed: confirm(at: now, into: &effects)
        case .drafted(let draft): take(draft)
        case .answered(let answers): answer(answers, at: now, into: &effects)
        case .skipped: skip(at: now, into: &effects)
        case .wentBack: goBack(at: now, into: &effects)
        case .wentBackTo(let ordinal): goBack(to: ordinal, at: now, into: &effects)
        case .paused: pause(at: now, into: &effects)
        case .resumed: resume(at: now, into: &effects)
        case .withdrawn: endEarly(.discarded, at: now, into: &effects)
        case .putAside: endEarly(.saved, at: now, into: &effects)
        case .continued: goOn(at: now, into: &effects)
        case .interrupted: endEarly(.earlyTermination, at: now, into: &effects)
        case .failed: fail(at: now, into: &effects)
        case .woke(let wake): awake(wake, at: now, into: &effects)
        case .sourceChanged(let source, let problem):
            sources[source] = problem.map(SourceState.missing) ?? .live
            recheckSources(at: now, into: &effects)
        case .played(let report): update(report.ordinal, into: &effects) { $0.take(report) }
        case .adjusted(let ordinal, let change):
            update(ordinal, into: &effects) { $0.clip?.take(change) }
        case .cueGiven(let key, let heard):
            update(key.ordinal, into: &effects) { $0.take(key.cue, heard: heard) }
        case .recorded(let key, let files, let problem):
            finishRecording(key, RecordingReport(files: files, problem: problem), into: &effects)
        case .observed(let rate):
            notice(at: now, into: &effects) { $0.memory.observe(rate, during: $1, at: now) }
        case .beats(let intervals, let end):
            notice(at: now, into: &effects) {
                $0.memory.observe(beats: intervals, during: $1, endingAt: end)
            }
        case .heard(let level):
            notice(at: now, into: &effects) { $0.memory.observe(level: level, during: $1, at: now) }
        case .marked(let mark):
            add(mark)
            if let control = mark.control { obey(control, at: now, into: &effects) }
        case .stoodStill(let start): stoodStill(from: start, until: now)
        case .program(let ordinal, let message): take(message, of: ordinal, at: now, into: &effects)
        case .allocated(let arm, _): takeArm(arm, at: now, into: &effects)
        case .notAllocated(let problem): lackArm(problem, into: &effects)
        case .saved(let ordinal):
            unsaved.remove(ordinal)
            endIfSaved(into: &effects)
        }
        return effects
    }

    /// Takes answers of earlier sessions, before the run begins: those that the task uses.
    private mutating func recall(_ answers: [GivenAnswer]) {
        guard stage == .ready else { return }
        let known = plan.recalled.map(\.identifier)
        memory.take(answers.filter { known.contains($0.question) })
    }

    /// Keys that were pressed meanwhile are read only now, and what was due is late.
    private mutating func stoodStill(from start: RunInstant, until now: RunInstant) {
        guard let shown = visit?.result.start, max(start, shown) < now else { return }
        visit?.result.standstills.append(max(start, shown)..<now)
    }

    private mutating func begin(at now: RunInstant, into effects: inout [Effect]) {
        guard stage == .ready else { return }
        stage = .underWay
        proceed(to: .section(0), from: now, at: now, into: &effects)
    }

    private mutating func confirm(at now: RunInstant, into effects: inout [Effect]) {
        guard let visit else { return }
        switch (visit.activity, visit.timing) {
        case (.waiting, .some): start(from: now, at: now, into: &effects)
        case (.waiting, nil):
            switch visit.entry.step.facts.end {
            case .confirmation, .time, .rounds, .task: leave(from: now, at: now, into: &effects)
            case .allocation: askForArm(into: &effects)
            case .answers: return
            }
        case (.timeUp, _): leave(from: now, at: now, into: &effects)
        case (.waitingForSource, _), (.running, _), (.paused, _), (.left, _): return
        }
    }

    private mutating func answer(
        _ given: [GivenAnswer], at now: RunInstant, into effects: inout [Effect]
    ) {
        guard let visit else { return }
        guard visit.timing == nil else {
            if let answer = given.first, answer.reaction != nil {
                return react(answer, at: now, into: &effects)
            }
            return answerPrompt(given, at: now, into: &effects)
        }
        guard visit.activity == .waiting, let answers = visit.entry.step.accepted(given)
        else { return }
        self.visit?.result.answers = answers
        self.visit?.result.drafts = []
        if let last = trail.indices.last { trail[last].isAnswered = true }
        memory.take(answers, of: visit.entry)
        guard !answers.contains(where: { $0.answer == .declined }) else {
            closeVisit(nil, at: now, into: &effects)
            finish(.declined, at: now, into: &effects)
            return
        }
        leave(from: now, at: now, into: &effects)
    }

    /// The mark belongs to the step on show, or to the last one that was.
    private mutating func add(_ mark: RunMark) {
        if visit != nil {
            visit?.result.marks.append(mark)
        } else if let last = left.indices.last {
            left[last].result.marks.append(mark)
        }
    }

    private mutating func take(_ draft: DraftedAnswer) {
        guard let visit, visit.entry.step.asks(draft.question) else { return }
        guard visit.timing == nil else { return takeAtPrompt(draft) }
        guard visit.activity == .waiting else { return }
        drafts[visit.position, default: [:]][draft.question] = draft.text
        self.visit?.result.drafts.removeAll { $0.question == draft.question }
        self.visit?.result.drafts.append(draft)
    }

    /// What the participant typed or chose here before, for the questions on show.
    package func drafts(for presentation: Presentation) -> [Identifier: String] {
        let place = Visit.Position(
            section: presentation.section, pass: presentation.pass, entry: presentation.entry)
        return drafts[place] ?? [:]
    }

    /// What was answered in the steps that a review shows: those to which the participant can go back.
    package var reviewed: [ReviewedVisit] {
        trail.compactMap { place in
            let position = place.position
            let entry = plan.sections[position.section].passes[position.pass][position.entry]
            guard entry.step.isReviewed else { return nil }
            return ReviewedVisit(
                ordinal: place.ordinal, step: entry.step,
                drafts: place.isAnswered ? drafts[position] ?? [:] : [:])
        }
    }

    private mutating func skip(at now: RunInstant, into effects: inout [Effect]) {
        guard visit != nil, shown?.canSkip == true else { return }
        leave(.participant, from: now, at: now, into: &effects)
    }

    /// Changes the visit with that ordinal, on show or left, and delivers it if that completes it.
    private mutating func update(
        _ ordinal: Int, into effects: inout [Effect], _ change: (inout Visit) -> Void
    ) {
        if visit?.result.ordinal == ordinal {
            if var current = visit {
                change(&current)
                visit = current
            }
        } else if let index = left.firstIndex(where: { $0.result.ordinal == ordinal }) {
            change(&left[index])
            deliverComplete(into: &effects)
        }
    }
}
