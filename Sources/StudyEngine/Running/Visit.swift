import StudyModel

/// One pass of a participant through a step, with everything for its result.
struct Visit: Sendable {
    let position: Position
    let entry: RunPlan.Entry
    /// How the step is timed; `nil` if it waits for the participant.
    private(set) var timing: Step.Timing?
    /// When the step is to end, if that is counted from another step.
    private(set) var dueEnd: RunInstant?
    var result: StepResult
    var activity = Activity.waiting
    /// Number of starts and resumptions so far.
    var segment = 0
    /// Indices, in the step's list, of the cues at planned moments that were not given yet.
    var cuesLeft: [Int]
    /// When each cue is due, by its index, as far as that is known.
    var cueMoments: [Int: RunInstant] = [:]
    /// The cues that were given and of which nobody has said yet whether they are heard.
    var cuesUntold: Set<Int> = []
    var recordings: [Recording] = []
    var clip: Clip?
    /// The music that the clip is; `nil` if the clip belongs to the step alone.
    var music: SpanningMusic?
    /// When the time for answering is over; `nil` if there is no such time.
    var answersDue: RunInstant?
    /// What its prompts ask.
    var prompting = Prompting()
    /// What the step's program shows instead of the step's text.
    var shownByProgram: String?
    /// How many keys of a reaction did not count.
    var ignoredKeys = 0
    /// The end of a step whose words about the reaction are still shown.
    var reactionEnd: ReactionEnd?
    /// Whether the experimenter paused it.
    var isHeld = false
    /// Since when the condition of `until` has held; `nil` if it does not hold.
    var holdsSince: RunInstant?

    /// How a step with a reaction ended, and what is shown about it.
    struct ReactionEnd: Sendable {
        var reason: StepResult.TimedEnd
        /// When the step's time was over.
        var planned: RunInstant
        var feedback: LocalizedText
    }

    /// A place in the plan.
    struct Position: Hashable, Sendable {
        var section: Int
        var pass: Int
        var entry: Int
    }

    /// What the visit is doing.
    enum Activity: Hashable, Sendable {
        /// A timed step waits to be started; any other step waits for the participant to go on.
        case waiting
        case waitingForSource(Identifier, problem: SourceProblem)
        case running(Segment)
        case paused(since: RunInstant, elapsed: Duration)
        case timeUp
        case left
    }

    /// A stretch of a timed step without pauses.
    struct Segment: Hashable, Sendable {
        var start: RunInstant
        var end: RunInstant
        /// How long the step ran before `start`.
        var elapsed: Duration

        /// The moment at which the step has run for `time`.
        func instant(of time: Duration) -> RunInstant { start.advanced(by: time - elapsed) }
        /// How long the step has run at `instant`.
        func time(at instant: RunInstant) -> Duration { elapsed + start.duration(to: max(start, instant)) }
    }

    init(_ entry: RunPlan.Entry, at position: Position, ordinal: Int, visit: Int, from start: RunInstant) {
        self.position = position
        self.entry = entry
        let facts = entry.step.facts
        timing = facts.timing
        result = StepResult(
            ordinal: ordinal, path: entry.path, visit: visit, round: entry.round, start: start, end: start)
        result.orders = facts.shownOrders
        if timing?.isProgram == true {
            result.program = ProgramOutcome()
            result.answers = entry.step.answers([], behind: [])
        }
        result.condition = entry.clipOfRound.flatMap { $0.stimulus.isCondition ? $0.stimulus : nil }
        result.outerRounds = entry.blocks.dropLast().map { block in
            StepResult.OuterRound(
                block: block.step.identifier, round: block.round, condition: block.clip?.stimulus)
        }
        let cues = timing?.cues ?? []
        cuesLeft = cues.indices.filter { cues[$0].condition == nil }
    }

    /// Whether the result is complete.
    ///
    /// - Parameter music: the music that goes on.
    func isComplete(while music: RunningMusic?) -> Bool {
        let goesOn = music?.ordinal == result.ordinal && clip?.cameToItsEnd == false
        return !goesOn && clip?.isSounding != true && cuesUntold.isEmpty
            && recordings.allSatisfy { $0.report != nil }
    }

    /// Lets the step end at a moment, now that the moment of its start is known; at once if it is over.
    mutating func end(at due: RunInstant?, from start: RunInstant) {
        dueEnd = due
        timing?.duration = due.map { max(.zero, start.duration(to: $0)) } ?? .zero
    }

    /// Which clip it plays, and how.
    var stimulus: Stimulus.Use? { music?.use ?? timing?.stimulus }

    /// The result with what recorders and player reported.
    var completeResult: StepResult {
        var result = result
        result.files = recordings.flatMap { $0.report?.files ?? [] }
        result.recorderErrors = recordings.compactMap { recording in
            (recording.report?.problem).map { "\(recording.key.recorder): \($0)" }
        }
        result.stimulus = clip?.drawn
        result.clipStart = clip.flatMap { $0.first > .zero ? $0.first : nil }
        result.clipThrough = music?.to
        result.playback = clip?.playback
        result.changes = clip?.course ?? []
        return result
    }

    /// Takes in when a cue is heard.
    mutating func take(_ cue: Int, heard: RunInstant?) {
        cuesUntold.remove(cue)
        guard let heard, let planned = cueMoments[cue] else { return }
        result.lateness[Self.moment(of: cue)] = planned.duration(to: heard)
    }

    /// The name of a cue in `lateness`.
    static func moment(of cue: Int) -> String { "\(StepResult.cue)\(cue + 1)" }

    /// Takes in what the player says.
    mutating func take(_ playback: Playback) {
        guard let clip else { return }
        if clip.playbacks.isEmpty, let planned = clip.start {
            result.lateness[StepResult.onset] = planned.duration(to: playback.onset)
        }
        self.clip?.take(playback)
    }
}

struct Recording: Sendable {
    var key: RecorderKey
    /// What the recorder said when it finished; `nil` until then.
    var report: RecordingReport?
    /// Whether the recorder was told to stop.
    var isStopped = false
}

/// What a recorder says when it finishes.
struct RecordingReport: Sendable {
    var files: [FileResult]
    var problem: String?
}

extension Step.Timing {
    /// Whether a cue is due when the timed part ends. A cue at a fixed time is not due if a condition ended it.
    func isGiven(_ cue: Int, atEndBy reason: StepResult.TimedEnd) -> Bool {
        switch reason {
        case .duration: time(of: cue) == duration
        case .until, .program, .reaction: cues[cue].moment == .finish
        }
    }
}
