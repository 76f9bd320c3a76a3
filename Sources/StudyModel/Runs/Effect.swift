/// Something that the run wants to be done.
public enum Effect: Hashable, Sendable {
    /// Show a visit in a phase.
    case show(Presentation)
    /// Send `woke` at a moment.
    case wake(Wake, at: RunInstant)
    /// Begin recording, from a moment that may be slightly in the past.
    case record(RecorderKey, RecorderConfiguration, from: RunInstant)
    /// End a recording at a moment; `recorded` follows, at the latest after the recorder's grace.
    /// - Parameter due: when it was to end, if its step ends before its time.
    case stopRecording(RecorderKey, at: RunInstant, due: RunInstant? = nil)
    /// Play the clip of a visit from a position, its first sample at a moment.
    indirect case play(
        DrawnStimulus, Playback.Settings, ordinal: Int, at: RunInstant, from: Duration)
    /// Stop the clip of a visit at a moment; `played` follows.
    case stopPlaying(ordinal: Int, at: RunInstant)
    /// Give a cue; `cueGiven` follows.
    case cue(Cue.Signal, CueKey)
    /// Allocate the participant to an arm. The texts are the answers to the factors, empty if there is none;
    /// `allocated` or `notAllocated` follows.
    case allocate([String])
    /// Save a result; `saved` follows.
    indirect case deliver(StepResult)
    /// The run is over.
    case end(FinishReason)
}

/// What is on show.
public struct Presentation: Hashable, Sendable {
    /// Counts the visits of the run, from 1.
    public var ordinal: Int
    /// Index into `RunPlan.sections`.
    public var section: Int
    /// Index into the section's `passes`.
    public var pass: Int
    /// Index into that pass's entries.
    public var entry: Int
    /// What the step is doing.
    public var phase: Phase
    /// Whether the participant may skip.
    public var canSkip: Bool
    /// Whether the participant may go back.
    public var canGoBack: Bool
    /// Whether the step is paused until the experimenter lets it go on.
    public var isHeld = false
    /// The prompt that is asked; it waits while the step is paused.
    public var prompt: OpenPrompt?

    /// One asking of a prompt: each time that it is asked.
    public struct OpenPrompt: Hashable, Sendable {
        /// Index into the step's prompts.
        public var place: Int
        /// Number of this asking within the visit, from 1.
        public var number: Int

        public init(place: Int, number: Int) { (self.place, self.number) = (place, number) }
    }

    /// What a step is doing.
    public enum Phase: Hashable, Sendable {
        /// Waits for the participant to read, answer or confirm.
        case waiting
        /// A required source is missing, for the given reason. The step begins when it is live.
        case waitingForSource(Identifier, problem: SourceProblem)
        /// The participant is being allocated to an arm. If that was not possible, `problem` says why, and the
        /// participant can try again.
        case waitingForArm(problem: String?)
        /// The clock is running. `end` is the planned end; time before a pause counts as before `start`.
        case running(start: RunInstant, end: RunInstant)
        /// The clock is stopped, with this much time left.
        case paused(remaining: Duration)
        /// Time is up; waits for the participant.
        case timeUp
        /// The task is over; results are being saved.
        case saving
    }

    public init(
        ordinal: Int, section: Int, pass: Int, entry: Int, phase: Phase, canSkip: Bool = false,
        canGoBack: Bool = false
    ) {
        self.ordinal = ordinal
        self.section = section
        self.pass = pass
        self.entry = entry
        self.phase = phase
        self.canSkip = canSkip
        self.canGoBack = canGoBack
    }
}

/// How a run ended: in ResearchKit's words, as `declined`, or at an end that the study names.
public enum FinishReason: Hashable, Sendable {
    /// The participant reached the end of the task.
    case completed
    /// The participant left.
    case discarded
    /// The participant did not agree to the consent document.
    case declined
    /// A failure of the disk, a device or the network ended it, or the program was killed.
    case failed
    /// Put aside, to be continued on another day.
    case saved
    /// A signal or the operator ended it.
    case earlyTermination
    /// The participant reached another end of the task, such as `screenedOut`.
    case ended(Identifier)

    /// ResearchKit's words and the program's own. No end of a study may be named like one of them.
    package static let words: [FinishReason] = [
        .completed, .discarded, .declined, .failed, .saved, .earlyTermination,
    ]

    /// The name of an end that a participant reached through their answers: one of the study's own, or `declined`.
    package var nameOfEnd: String? {
        switch self {
        case .ended, .declined: rawValue
        case .completed, .discarded, .failed, .saved, .earlyTermination: nil
        }
    }

    /// Whether the participant reached any end of the task.
    package var isEndOfTask: Bool {
        switch self {
        case .completed, .ended: true
        case .discarded, .declined, .failed, .saved, .earlyTermination: false
        }
    }
}

extension FinishReason: RawRepresentable {
    public var rawValue: String {
        switch self {
        case .completed: "completed"
        case .discarded: "discarded"
        case .declined: "declined"
        case .failed: "failed"
        case .saved: "saved"
        case .earlyTermination: "earlyTermination"
        case .ended(let name): name.text
        }
    }

    /// - Returns: `nil` if `rawValue` is neither one of these words nor an identifier.
    public init?(rawValue: String) {
        if let word = Self.words.first(where: { $0.rawValue == rawValue }) {
            self = word
        } else if let name = Identifier(rawValue) {
            self = .ended(name)
        } else {
            return nil
        }
    }
}
