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
    let plan: RunPlan
    let title: LocalizedText
    let language: Language?
    let output: String
    var run: TaskRun
    var autopilot: SimulatedParticipant?
    var recordings: [RecorderKey: OpenRecording] = [:]
    /// How much later than planned every sound is heard.
    let soundDelay: Duration
    /// Whether sounds are heard at all.
    let isAudible: Bool
    let hasMicrophone: Bool
    /// Who runs the session, as far as that was said.
    let experimenter: String?
    /// Whether the run ends if nothing can be heard any more.
    let isAudioRequired: Bool
    var voice: ClipVoice?
    /// Clips that were stopped and whose outcome the player was not yet asked for, by their voice.
    var ending: Set<Int> = []
    /// How many sounds have been placed.
    var voiceCount = 0
    /// The problems of sources that reported why they have no signal.
    var problems: [Identifier: SourceProblem] = [:]
    /// Pictures of a fingertip that have not been shown yet.
    var pictures: [Identifier: [Timed<PulseFrame>]] = [:]
    /// What sources said about themselves.
    var told: [Identifier: SourceInformation] = [:]
    /// What is on show.
    var presentation: Presentation?
    /// Results in the order of delivery.
    var results: [StepResult] = []
    /// The name of each visit on the screen, by its ordinal.
    var headings: [Int: String] = [:]
    /// What the participant is doing, for simulated sources.
    var circumstances = Circumstances()
    /// Whether the engine wants to know heart rates.
    let observesHeartRate: Bool
    /// Whether it is somebody's who takes part in another participant's run, and follows all that happens there.
    let isCompanion: Bool
    /// The problems of the companions' sources, by source and by their place.
    var problemsBeside: [Identifier: [Int: SourceProblem]] = [:]
    /// Sources that did not report anything so far, and whose run waits for all of them: by source, the places of
    /// the companions, and `nil` for its own.
    var awaited: [Identifier: Set<Int?>] = [:]
    /// The moment of the last event; before the first, the run's beginning.
    private var latest: RunInstant
    private(set) var hasBegun = false
    /// The longest time between two looks at the clock, unless the program stands still; `nil` in virtual time.
    let longestLook: Duration?
    /// When the clock was looked at last.
    var lastLook: RunInstant?
    /// When the program last stood still.
    var lastStandstill: Range<RunInstant>?
    var lastObservation: RunInstant?
    /// Whether the engine wants to know the sound level.
    let observesSoundLevel: Bool
    var lastHearing: RunInstant?
    /// The program of the step on show, once it is started.
    var program: ProgramExchange?
    /// Where the mark of the last rating stands.
    var mark: RatingMark?
    /// The heart rates of the last minutes, for clips that follow them, in order.
    var rates: [(rate: Double, instant: RunInstant)] = []
    /// The other run to which clips are yoked.
    let yoke: Yoke?
    /// The visits with a clip that is yoked, by the step of the other run.
    var yoked: [Identifier: [Int]] = [:]
    /// For how long the clip of a visit was heard before it went on.
    var heardFor: [Int: Duration] = [:]
    /// How many beats of a visit's clip there are for each heartbeat, once that was chosen.
    var beatsPerHeartbeat: [Int: Double] = [:]
    /// The tempo that each clip had last, by its visit: it has it again after a pause.
    var tempi: [Int: Double] = [:]
    /// What each source said lately of which a display shows something.
    var hearts: [Identifier: HeartHistory]
    /// What is heard of the last two clips, for taps.
    var heard: [HeardClip] = []

    /// An input for the shell.
    enum Input: Sendable {
        case event(Event)
        /// A planned moment has come.
        case woke(Wake, planned: RunInstant)
        case act(ParticipantAct)
        /// What the simulated participant does at a moment, unless the screen has changed in the meantime.
        case automatic(Event, for: Presentation, at: RunInstant)
        case report(Identifier?, SourceReport)
        /// A sample from after the planned end of the step on show, once that end has been acted upon.
        case early(Timed<SignalValue>, from: Identifier, after: RunInstant)
        case graceOver(RecorderKey)
        /// A clip begins, or continues after a pause; given by its voice.
        case clipBegins(Int)
        /// A clip ended by itself.
        case clipEnds(Int)
        /// A stopped sound is no longer heard.
        case clipIsOver(Int)
        /// Nothing can be heard any more, for this reason.
        case soundIsLost(String)
        /// What the microphone reports about a recording.
        case microphone(RecorderKey, SoundReport)
        /// A second of a clip has passed, so the position is due.
        case position(Int)
        /// What the program of the visit with that ordinal said.
        case program(Int, LineProgram.Word)
        /// The tempo or the level of a clip is due to follow the heart for that time; the clip is given by its voice.
        case followingIsDue(Int, Following.Part, count: Int)
        /// A clip, given by its voice, is due to do what another participant's did.
        case yokeIsDue(Int, tempo: Double, gain: Double, at: RunInstant)
        /// This many samples of a rating have become due since its recording began.
        case ratingDue(RecorderKey, Int)
        /// A display looks again at its source, or goes on to this part of a breath.
        case displayDue(RecorderKey, Int)
        /// The tone of a part of a breath is due, so that it is heard at a moment.
        case breathDue(RecorderKey, BreathingPacer.Phase, at: RunInstant)
        /// The simulated participant taps for a recording, or looks when to tap next.
        case tapDue(RecorderKey, isTap: Bool)
        /// The simulated participant decides about a reaction (`nil`), or presses the key.
        case reactionDue(Presentation, key: String?)
        /// Someone outside wants a mark at a moment.
        case mark(MarkRequest, pressed: RunInstant)
        /// Everything written so far must be made safe from a power cut.
        case syncIsDue
        /// The writer finished the last chore.
        case sealed(Sealed)
        /// What came for a companion, given by its place among them. It never reaches the first participant's shell.
        indirect case companion(Int, Input)
        /// A companion's source has a signal, or none for this reason.
        case companionSource(Int, Identifier, SourceProblem?)
        /// What happened in the run of the first participant, at that moment.
        case followed(Event, at: RunInstant)
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

    init(_ sitting: Sitting) {
        plan = sitting.plan
        title = sitting.title
        language = sitting.language
        soundDelay = sitting.player.delay
        isAudible = sitting.player.isAudible
        hasMicrophone = sitting.microphone != nil
        isAudioRequired = sitting.plan.task.isAudioRequired
        output = sitting.output
        (experimenter, yoke) = (sitting.experimenter, sitting.yoke)
        run = sitting.continuation?.run ?? TaskRun(sitting.plan)
        results = sitting.continuation?.earlier.results ?? []
        latest = sitting.continuation?.instant ?? .start
        autopilot = sitting.autopilot
        hearts = Self.hearts(for: sitting.plan.recorders)
        isCompanion = sitting.isCompanion
        longestLook = sitting.pace.speed.map { sitting.syncInterval + .seconds(0.5 * $0) }
        for (place, companion) in sitting.companions.enumerated() {
            for name in companion.sources.keys { awaited[name, default: [nil]].insert(place) }
        }
        observesHeartRate = sitting.plan.task.observesHeartRate
        observesSoundLevel = sitting.plan.task.observesSoundLevel
    }

    /// Takes an input that came at `now`.
    mutating func take(_ input: Input, at now: RunInstant) -> [Chore] {
        switch input {
        case .event(let event):
            // Whatever time the machine takes to get here, the run begins at its first moment.
            guard !hasBegun else { return handle(event, at: now) }
            hasBegun = event == .begin || event == .continued
            return handle(event, at: latest)
        case .woke(let wake, let planned): return handle(.woke(wake), at: now, planned: planned)
        case .act(let act): return take(act, at: now)
        case .automatic(let event, let shown, let planned):
            guard shown == presentation else { return [] }
            // No input counts as late, so the same run puts the same sounds at the same frames.
            let moment = min(now, max(planned, latest))
            return log(act: event, at: moment) + handle(event, at: moment)
        case .report(let source, let report): return take(report, from: source, at: now)
        case .early(let sample, let source, let end): return take(sample, from: source, after: end, at: now)
        case .graceOver(let key): return close(key)
        case .clipBegins(let voice): return clipBegins(voice, at: now)
        case .clipEnds(let voice): return clipEnds(voice, at: now)
        case .clipIsOver(let voice): return [.askOutcome(voice, at: now)]
        case .microphone(let key, let report): return take(report, of: key, at: now)
        case .soundIsLost(let problem): return soundIsLost(problem, at: now)
        case .position(let voice): return notePosition(voice, at: now)
        case .followingIsDue(let voice, let part, let count):
            return follow(part, with: voice, count: count)
        case .yokeIsDue(let voice, let tempo, let gain, let instant):
            return takeCourse(of: voice, tempo: tempo, gain: gain, at: instant)
        case .program(let ordinal, let word): return hear(word, of: ordinal, at: now)
        case .ratingDue(let key, let number): return ratingDue(key, number, at: now)
        case .displayDue(let key, let number): return displayDue(key, number, at: now)
        case .breathDue(let key, let phase, let instant):
            return breathDue(key, phase, at: instant, now: now)
        case .tapDue(let key, let isTap): return tapDue(key, isTap: isTap, at: now)
        case .reactionDue(let shown, let key): return reactionDue(shown, key, at: now)
        case .mark(let request, let pressed): return take(request, pressed: pressed, at: now)
        case .syncIsDue: return [.write(.alive(at: now)), .write(.sync)]
        case .sealed(let sealed):
            return [
                .update(
                    .over(
                        sealed.reason, words: lastWords(sealed.reason),
                        folder: sealed.folder.map { "\(output)/\($0)" }, problem: sealed.problem)),
                .leave(sealed),
            ]
        case .companion: preconditionFailure("what is for a companion goes to its own shell")
        case .companionSource(let place, let source, let problem):
            // Whatever happens to a companion, no later moment of this run comes before it.
            latest = max(latest, now)
            return changed(source, of: place, to: problem, at: now)
        case .followed(let event, let instant):
            hasBegun = true
            return handle(event, at: instant)
        }
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
            mark.author = experimenter
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
    mutating func handle(_ event: Event, at now: RunInstant, planned: RunInstant? = nil) -> [Chore] {
        latest = max(latest, now)
        let effects = run.handle(event, at: now)
        var chores: [Chore] = [.write(.journal(event, at: now, effects))]
        switch event {
        case .saved(let ordinal):
            if let heading = headings.removeValue(forKey: ordinal) { chores.append(.update(.saved(heading))) }
        case .sourceChanged(let source, let problem):
            chores.append(.update(.source(source, problem: problem)))
        case .drafted(let draft): chores += turn(to: draft, at: now)
        case .recalled, .begin, .confirmed, .answered, .skipped, .wentBack, .wentBackTo, .paused, .resumed,
            .withdrawn, .putAside, .continued,
            .interrupted,
            .failed,
            .woke, .played, .adjusted, .recorded, .observed, .heard, .program, .notAllocated, .marked:
            break
        case .stoodStill(let start): chores += noteStandstill(since: start, at: now)
        case .allocated: chores.append(.write(.plan(run.plan)))
        }
        chores += effects.map { .carryOut($0, at: now, planned: planned ?? now) }
        if !effects.isEmpty && run.isWaitingForDisk { chores.append(.write(.sync)) }
        return chores
    }

    /// Does what the engine wants.
    mutating func perform(_ effect: Effect, at now: RunInstant, planned: RunInstant) -> [Chore] {
        switch effect {
        case .wake, .play, .stopPlaying, .cue, .allocate: if isCompanion { return [] }
        case .show, .record, .stopRecording, .deliver, .end: break
        }
        switch effect {
        case .show(let presentation): return show(presentation, at: planned)
        case .wake(let wake, let instant): return [.later(instant, .woke(wake, planned: instant))]
        case .record(let key, let configuration, let start): return open(key, configuration, from: start)
        case .stopRecording(let key, let instant): return stop(key, at: instant, now: now)
        case .play(let drawn, let settings, let ordinal, let instant, let position):
            let content = Sound.Content.clip(drawn.stimulus)
            return [
                place(
                    Sound(
                        content, from: position, settings, in: ordinal,
                        cut: run.isMusic(ordinal)
                            ? nil : runningEnd?.advanced(by: settings.crossFade)), at: instant)
            ]
        case .stopPlaying(let ordinal, let instant): return stopPlaying(ordinal, at: instant)
        case .cue(let signal): return give(signal, at: planned)
        case .allocate(let levels): return [.allocate(levels)]
        case .deliver(let result):
            results.append(result)
            return [.write(.save(result))]
        case .end(let reason):
            let ordered = results.sorted { $0.ordinal < $1.ordinal }
            return [.seal(ordered, reason, at: now)]
        }
    }

    private mutating func show(_ presentation: Presentation, at instant: RunInstant) -> [Chore] {
        self.presentation = presentation
        guard !isCompanion else { return [] }
        circumstances.effort = effort(in: presentation)
        var screen = Screen(presentation, of: run, title: title, language: language)
        screen.drafts = run.drafts(for: presentation)
        let entry = run.entry(for: presentation)
        var chores = [Chore.update(.screen(screen))] + followProgram(entry, in: presentation, at: instant)
        chores += duck(at: instant)
        headings[presentation.ordinal] = screen.title.isEmpty ? entry.step.identifier.text : screen.title
        if let (event, delay) = autopilot?.response(to: presentation, entry: entry) {
            let moment = instant.advanced(by: delay)
            chores.append(.later(moment, .automatic(event, for: presentation, at: moment)))
        }
        if autopilot != nil, run.awaitsReaction(in: presentation) {
            chores.append(.later(instant, .reactionDue(presentation, key: nil)))
        }
        if autopilot != nil, case .waitingForSource(let source, let problem) = presentation.phase {
            let failure = Event.failed("the source '\(source)' was missing for a minute: \(problem)")
            let moment = instant.advanced(by: .seconds(60))
            chores.append(.later(moment, .automatic(failure, for: presentation, at: moment)))
        }
        return chores
    }

    /// The study's own words for how the run ended, if it has any.
    private func lastWords(_ reason: FinishReason) -> String? {
        guard reason == .declined, let presentation,
            let consent = run.entry(for: presentation).step.consent
        else { return nil }
        return consent.declined.map { run.words($0, for: presentation, in: language) }
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
