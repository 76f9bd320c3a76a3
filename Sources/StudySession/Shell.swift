import Platform
import Results
import SessionPorts
import StudyEngine
import StudyModel

/// The connection between a run and the outside, as a value: inputs in, chores out. It waits for nothing, writes
/// nothing and plays nothing.
///
/// Chores are performed in order. The player's answers are handed back at once (`placed`, `take`), and later chores
/// depend on them.
///
/// Events go through the engine and are journalled; samples go from their source to the open recordings and never
/// through the engine.
struct Shell: ~Copyable {
    let setting: Setting
    var run: TaskRun
    var autopilot: SimulatedParticipant?
    /// What is on show.
    var presentation: Presentation?
    /// What the participant is doing, for simulated sources.
    var circumstances = Circumstances()
    var sources: SourceDesk
    var recordings: RecordingDesk
    var observations: ObservationDesk
    var sound: SoundDesk
    var following: FollowingDesk
    var saving: SavingDesk
    var standstills: StandstillDesk
    /// The program of the step on show, once it is started.
    var program: ProgramExchange?
    /// The moment of the last event; before the first, the run's beginning.
    private var latest: RunInstant
    private var hasBegun = false

    /// What stays as it is during a run.
    struct Setting {
        let title: LocalizedText
        let language: Language?
        let output: String
        /// Who runs the session, as far as that was said.
        let experimenter: String?
        /// Whether this participant is a companion: only recorded, while the first one is asked.
        let isCompanion: Bool
    }

    /// An input for the shell.
    enum Input: Sendable {
        /// Something happened, at the moment for which it was planned, if it was.
        case event(Event, planned: RunInstant? = nil)
        case act(ParticipantAct)
        /// What the simulated participant does, unless the screen has changed in the meantime.
        case automatic(AutomaticAct, for: Presentation)
        /// What a source reports, `nil` for the microphone, and when, as far as that matters. A sample that has waited for
        /// the planned end of a step says for which.
        case report(Identifier?, SourceReport, after: RunInstant? = nil, at: RunInstant? = nil)
        /// Something is due of a recording.
        case recorder(RecorderKey, RecorderInput)
        case sound(SoundInput)
        /// What the program of the visit with that ordinal said.
        case program(Int, LineProgram.Word)
        /// Someone outside wants a mark at a moment.
        case mark(MarkRequest, pressed: RunInstant)
        /// Everything written so far must be made safe from a power cut.
        case syncIsDue
        /// The writer finished the last chore.
        case sealed(Sealed)
        /// An input for a companion, given by its place among them. It never reaches the first participant's shell.
        indirect case companion(Int, Input)
        case beside(BesideInput)
    }

    enum AutomaticAct: Sendable {
        case event(Event, at: RunInstant)
        /// A decision about a reaction (`nil`), or its key.
        case reaction(key: String?)
    }

    enum RecorderInput: Sendable {
        case graceOver
        /// What the microphone reports.
        case microphone(SoundReport)
        /// This many samples of a rating have become due since its recording began.
        case ratingDue(Int)
        /// A display looks again at its source, or goes on to this part of a breath.
        case displayDue(Int)
        /// The tone of a part of a breath is due, so that it is heard at a moment.
        case breathDue(BreathingPacer.Phase, at: RunInstant)
        /// The simulated participant taps, or looks when to tap next.
        case tapDue(isTap: Bool)
    }

    /// What is due of a clip, which is given by its voice.
    enum SoundInput: Sendable {
        /// It begins, or continues after a pause.
        case begins(Int)
        /// It ended by itself.
        case ends(Int)
        /// A stopped sound is no longer heard.
        case isOver(Int)
        /// A second has passed, so the position is due.
        case position(Int)
        /// The tempo or the level is due to follow the heart for that time.
        case following(Int, Following.Part, count: Int)
        /// It is due to do what another participant's did.
        case yoke(Int, tempo: Double, gain: Double, at: RunInstant)
        /// A cue is due to be placed, so that it is heard at that moment.
        case cue(Wake, heardAt: RunInstant)
        case news(PlayerNews)
    }

    /// What comes from the other participants of the same run.
    enum BesideInput: Sendable {
        /// The source of a companion, given by its place, has a signal, or none for this reason.
        case source(Int, Identifier, SourceProblem?)
        /// What happened in the run of the first participant, at that moment.
        case happened(Event, at: RunInstant)
    }

    /// Something to do.
    enum Chore: Sendable {
        /// Hand the effect back to `perform`.
        case carryOut(Effect, at: RunInstant, planned: RunInstant)
        /// Send the input at a moment.
        case later(RunInstant, Input)
        case update(ScreenUpdate)
        case write(WriteCommand)
        /// Place a sound under a voice, and hand what the player says back to `placed`.
        case place(Sound, as: Int, at: RunInstant)
        /// Change a clip, given by its voice, and hand what the player says back to `changed`.
        case changeSound(Int, tempo: Double, gain: Double, at: RunInstant)
        /// Stop a sound, given by its voice.
        case stopSound(Int, at: RunInstant, fading: Duration)
        /// Ask for the outcome of a sound, given by its voice, and hand it back to `take` with that moment.
        case askOutcome(Int, at: RunInstant)
        /// Let the microphone record from a moment on, or until a moment.
        case listen(RecorderKey, RecorderConfiguration.SoundFormat, from: RunInstant)
        case stopListening(RecorderKey, at: RunInstant)
        /// Allocate the participant to an arm, with these levels of the factors.
        case allocate([String])
        /// Start the program of the visit with that ordinal.
        case startProgram(ProgramStep, ordinal: Int)
        /// Send a line to the program.
        case tellProgram([UInt8])
        /// End the program.
        case stopProgram
        /// Write what is left and give the bundle its final name.
        case seal([StepResult], FinishReason, at: RunInstant)
        /// Report that there is no mark.
        case reply(MarkRequest, problem: String)
        /// Nothing more has to be done.
        case leave(Sealed)
    }

    /// - Parameters:
    ///   - seat: whose run it is, of those in the sitting.
    ///   - first: when it begins, or goes on: once its bundle is there, however long the disk took to make it.
    init(_ sitting: Sitting, of seat: Sitting.Seat, from first: RunInstant = .start) {
        setting = Setting(
            title: sitting.title, language: sitting.session.language, output: sitting.output,
            experimenter: sitting.session.experimenter, isCompanion: seat.isCompanion)
        run = seat.continuation?.run ?? TaskRun(seat.plan)
        autopilot = sitting.autopilot
        latest = first
        sources = SourceDesk(of: seat, beside: seat.isCompanion ? [] : sitting.companions)
        recordings = RecordingDesk(hasMicrophone: !seat.isCompanion && sitting.microphone != nil)
        observations = ObservationDesk(for: seat.plan.task)
        sound = SoundDesk(sitting.player, isRequired: seat.plan.task.isAudioRequired)
        following = FollowingDesk(sitting.session.yoke)
        saving = SavingDesk(seat.continuation?.earlier.results ?? [])
        standstills = StandstillDesk(
            longest: sitting.pace.speed.map { sitting.syncInterval + .seconds(0.5 * $0) })
    }

    /// Takes an input that came at `now`.
    mutating func take(_ input: Input, at now: RunInstant) -> [Chore] {
        switch input {
        case .event(let event, let planned):
            // Whatever time the machine takes to get here, the run begins at its first moment.
            guard !hasBegun else { return handle(event, at: now, planned: planned) }
            hasBegun = event == .begin || event == .continued
            return handle(event, at: latest)
        case .act(let act): return take(act, at: now)
        case .automatic(let act, let shown): return shown == presentation ? take(act, at: now) : []
        case .report(let source, let report, let end, let instant):
            // A step that waits for the source begins when the source does, not when the run notices it.
            if case .live = report, let instant { return take(report, from: source, after: end, at: instant) }
            return take(report, from: source, after: end, at: now)
        case .recorder(let key, let input): return take(input, of: key, at: now)
        case .sound(let input): return take(input, at: now)
        case .program(let ordinal, let word): return take(word, of: ordinal, at: now)
        case .mark(let request, let pressed): return take(request, pressed: pressed, at: now)
        case .syncIsDue: return [.write(.alive(at: now)), .write(.sync)]
        case .sealed(let sealed):
            return [
                .update(
                    .over(
                        sealed.reason, words: lastWords(sealed.reason),
                        folder: sealed.folder.map { "\(setting.output)/\($0)" }, problem: sealed.problem)),
                .leave(sealed),
            ]
        case .companion: preconditionFailure("what is for a companion goes to its own shell")
        case .beside(.source(let place, let source, let problem)):
            // Whatever happens to a companion, no later moment of this run comes before it.
            latest = max(latest, now)
            return changed(source, of: place, to: problem, at: now)
        case .beside(.happened(let event, let instant)):
            hasBegun = true
            return handle(event, at: instant)
        }
    }

    private mutating func take(_ act: AutomaticAct, at now: RunInstant) -> [Chore] {
        switch act {
        case .event(let event, let planned):
            // No input counts as late, so the same run puts the same sounds at the same frames.
            let moment = min(now, max(planned, latest))
            return log(act: event, at: moment) + handle(event, at: moment)
        case .reaction(let key): return reactionDue(key, at: now)
        }
    }

    private mutating func take(_ input: RecorderInput, of key: RecorderKey, at now: RunInstant) -> [Chore] {
        switch input {
        case .graceOver: close(key)
        case .microphone(let report): take(report, of: key, at: now)
        case .ratingDue(let number): ratingDue(key, number, at: now)
        case .displayDue(let number): displayDue(key, number, at: now)
        case .breathDue(let phase, let instant): breathDue(key, phase, at: instant, now: now)
        case .tapDue(let isTap): tapDue(key, isTap: isTap, at: now)
        }
    }

    private mutating func take(_ input: SoundInput, at now: RunInstant) -> [Chore] {
        switch input {
        case .begins(let voice): clipBegins(voice, at: now)
        case .ends(let voice): clipEnds(voice, at: now)
        case .isOver(let voice): [.askOutcome(voice, at: now)]
        case .position(let voice): recordPosition(voice, at: now)
        case .following(let voice, let part, let count): follow(part, with: voice, count: count)
        case .yoke(let voice, let tempo, let gain, let instant):
            takeCourse(of: voice, tempo: tempo, gain: gain, at: instant)
        case .cue(let wake, let instant): placeEarly(wake, heardAt: instant, now: now)
        case .news(.lost(let problem)): soundIsLost(problem, at: now)
        case .news(.stoodStill(let ordinal, let changes, let length)):
            changed(clipOf: ordinal, changes, length: length, at: now)
        }
    }

    /// Records that the program stood still, if nothing reached it for longer than it ever waits: it was suspended, or the
    /// machine gave it no time.
    ///
    /// What comes at `now` is taken after it, so all that happened belongs to the step that was on show meanwhile.
    mutating func look(at now: RunInstant) -> [Chore] {
        let counts = hasBegun && !setting.isCompanion && !run.isEnding
        return standstills.look(at: now, counts: counts).map { handle(.stoodStill(since: $0), at: now) } ?? []
    }

    /// Takes what the participant did. If it was meant for a visit that is already over, it is only logged.
    private mutating func take(_ act: ParticipantAct, at now: RunInstant) -> [Chore] {
        switch act {
        case .key(let name):
            let told = program.map { [Chore.tellProgram($0.key(name, at: now))] } ?? []
            return told + log(kind: "key", detail: name, at: now)
        case .rated(let rated): return take(rated, at: now)
        case .tapped(let tapped): return take(tapped, at: now)
        case .reacted(let reacted): return take(reacted, at: now)
        case .marked(var mark):
            mark.author = setting.experimenter
            let problem = run.objection(to: mark) ?? ""
            return put(mark, at: now) ?? [.update(.notDone(problem))]
        case .event(let event, let ordinal):
            let isMeant = ordinal == nil || ordinal == presentation?.ordinal || event.endsTheRun
            return log(act: event, at: now) + (isMeant ? handle(event, at: now) : [])
        }
    }

    /// Tells the engine, and does what it wants.
    ///
    /// - Parameter planned: when the event was due, if it was planned; sounds keep to this moment.
    mutating func handle(_ event: Event, at instant: RunInstant, planned: RunInstant? = nil) -> [Chore] {
        // What is told of a planned moment may be told after other things that happened.
        let now = max(latest, instant)
        latest = now
        let effects = run.handle(event, at: now)
        var chores: [Chore] = [.write(.journal(event, at: now, effects))]
        switch event {
        case .saved(let ordinal):
            if let heading = saving.saved(ordinal) { chores.append(.update(.saved(heading))) }
        case .sourceChanged(let source, let problem):
            chores.append(.update(.source(source, problem: problem)))
        case .drafted(let draft): chores += turn(to: draft, at: now)
        case .recalled, .begin, .confirmed, .answered, .skipped, .wentBack, .wentBackTo, .paused, .resumed,
            .withdrawn, .putAside, .continued,
            .interrupted,
            .failed,
            .woke, .played, .adjusted, .cueGiven, .recorded, .observed, .beats, .heard, .program,
            .notAllocated, .marked:
            break
        case .stoodStill(let start):
            chores += recordings.keys.map { .write(.append($0, .stoodStill(since: start, at: now))) }
        case .allocated: chores.append(.write(.plan(run.plan)))
        }
        chores += effects.map { .carryOut($0, at: now, planned: planned ?? instant) }
        if !effects.isEmpty && run.isWaitingForDisk { chores.append(.write(.sync)) }
        return chores
    }

    /// Does what the engine wants.
    mutating func perform(_ effect: Effect, at now: RunInstant, planned: RunInstant) -> [Chore] {
        switch effect {
        case .wake, .play, .stopPlaying, .cue, .allocate: if setting.isCompanion { return [] }
        case .show, .record, .stopRecording, .deliver, .end: break
        }
        switch effect {
        case .show(let presentation): return show(presentation, at: planned)
        case .wake(let wake, let instant):
            return [.later(instant, .event(.woke(wake), planned: instant))]
                + expectCue(wake, at: instant, now: now)
        case .record(let key, let configuration, let start): return open(key, configuration, from: start)
        case .stopRecording(let key, let instant, let due):
            return stop(key, at: instant, due: due, now: now)
        case .play(let drawn, let settings, let ordinal, let instant, let position):
            let content = Sound.Content.clip(drawn.stimulus)
            return [
                sound.place(
                    Sound(
                        content, from: position, settings, in: ordinal,
                        cut: run.isMusic(ordinal)
                            ? nil : runningEnd?.advanced(by: settings.crossFade)), at: instant)
            ]
        case .stopPlaying(let ordinal, let instant): return stopPlaying(ordinal, at: instant)
        case .cue(let signal, let key): return give(signal, key, at: planned)
        case .allocate(let levels): return [.allocate(levels)]
        case .deliver(let result):
            saving.keep(result)
            return [.write(.save(result))]
        case .end(let reason): return [.seal(saving.ordered, reason, at: now)]
        }
    }

    private mutating func show(_ presentation: Presentation, at instant: RunInstant) -> [Chore] {
        self.presentation = presentation
        guard !setting.isCompanion else { return [] }
        circumstances.effort = effort(in: presentation)
        var screen = Screen(presentation, of: run, title: setting.title, language: setting.language)
        screen.drafts = run.drafts(for: presentation)
        let entry = run.entry(for: presentation)
        var chores = [Chore.update(.screen(screen))] + updateProgram(entry, in: presentation, at: instant)
        chores += takeBackCues(for: presentation, at: instant) + duck(at: instant)
        saving.name(
            presentation.ordinal, screen.title.isEmpty ? entry.step.identifier.text : screen.title)
        if let (event, delay) = autopilot?.response(to: presentation, entry: entry, at: instant) {
            let moment = instant.advanced(by: delay)
            chores.append(.later(moment, .automatic(.event(event, at: moment), for: presentation)))
        }
        if autopilot != nil, run.awaitsReaction(in: presentation) {
            chores.append(.later(instant, .automatic(.reaction(key: nil), for: presentation)))
        }
        if autopilot != nil, case .waitingForSource(let source, let problem) = presentation.phase {
            let failure = Event.failed("the source '\(source)' was missing for a minute: \(problem)")
            let moment = instant.advanced(by: .seconds(60))
            chores.append(.later(moment, .automatic(.event(failure, at: moment), for: presentation)))
        }
        return chores
    }

    /// The study's own words for how the run ended, if it has any.
    private func lastWords(_ reason: FinishReason) -> String? {
        guard reason == .declined, let presentation,
            let consent = run.entry(for: presentation).step.consent
        else { return nil }
        return consent.declined.map { run.words($0, for: presentation, in: setting.language) }
    }

    /// The visit on show, or the one just left.
    var currentVisit: VisitName {
        guard let presentation else { preconditionFailure("a recording needs a visit") }
        return VisitName(ordinal: presentation.ordinal, path: run.entry(for: presentation).path)
    }

    /// The effort that the step on show expects of the participant, 0...1.
    private func effort(in presentation: Presentation) -> Double {
        guard case .running = presentation.phase,
            case .exercise(let effort, _, _)? = run.entry(for: presentation).step.active?.expected?.curve
        else { return 0 }
        return effort
    }
}
