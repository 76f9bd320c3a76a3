/// Something that happened, as the run is told.
public enum Event: Hashable, Sendable {
    /// Answers of earlier sessions that rules and texts use, before the run begins.
    case recalled([GivenAnswer])
    case begin
    /// The participant goes on (Return).
    case confirmed
    /// The participant typed or chose something that is not confirmed yet.
    case drafted(DraftedAnswer)
    /// The participant answered the question, form or consent document on show, and goes on.
    case answered([GivenAnswer])
    /// The participant skips the step.
    case skipped
    /// The participant goes back to the step before.
    case wentBack
    /// The participant wants to change an answer, in the visit with that ordinal, which a review shows.
    case wentBackTo(Int)
    /// The participant pauses a timed step.
    case paused
    case resumed
    /// The participant leaves the study.
    case withdrawn
    /// The participant puts the run aside, to go on another time.
    case putAside
    /// A run that was left or killed goes on, in a bundle of its own.
    case continued
    /// A signal or the operator ends the run.
    case interrupted
    /// A failure outside the program that ends the run; the text says what failed.
    case failed(String)
    /// A planned moment has come.
    case woke(Wake)
    /// A source became live (`problem` is `nil`), or stopped being live (`problem` says why).
    case sourceChanged(Identifier, problem: SourceProblem?)
    /// The player began or ended a clip.
    case played(Playback)
    /// The player changed the tempo or the level of the clip of the visit with that ordinal.
    case adjusted(ordinal: Int, Playback.Change)
    /// A cue was given: when it is heard, or `nil` if no player sounds it.
    case cueGiven(CueKey, heard: RunInstant?)
    /// A recorder finished; its files are written.
    case recorded(RecorderKey, files: [FileResult], problem: String?)
    /// A heart rate for navigation, beats per minute; at most one a second.
    case observed(Double)
    /// Intervals between beats for navigation, s; the last of them ended at that moment.
    case beats([Double], end: RunInstant)
    /// How loud the microphone was since the step began, for navigation: root mean square, 0...1 of full scale; at
    /// most twice a second.
    case heard(Double)
    /// The program of the visit with that ordinal said something, or ended.
    case program(Int, ProgramMessage)
    /// The participant was allocated to an arm, in this slot of the ledger, from 1.
    case allocated(Identifier, slot: Int)
    /// The participant could not be allocated now; the text says why.
    case notAllocated(String)
    /// The experimenter noted something, or changed the course of the run.
    case marked(RunMark)
    /// The program did nothing since that moment, because it was suspended or the machine was busy; nothing else
    /// happened in between.
    case stoodStill(since: RunInstant)
    /// The result of the visit with that ordinal is on disk.
    case saved(Int)
}

/// The answer to one question; `answer` is `nil` if it was left unanswered.
public struct GivenAnswer: Hashable, Sendable {
    /// The question's identifier (the step's own for a question or consent step).
    public var question: Identifier
    public var answer: Answer?
    /// When the question was seen and answered; `nil` if nobody saw it.
    public var times: AnswerTimes?
    /// What it was worked out from, if it is a score.
    public var inputs: [ScoredInput] = []
    /// Which asking of a prompt it belongs to; `nil` if the question was asked by a step of its own.
    public var asking: Asking?
    /// The key press behind it, if a key was to answer it.
    public var reaction: ReactionResult?

    public init(question: Identifier, answer: Answer?, times: AnswerTimes? = nil) {
        self.question = question
        self.answer = answer
        self.times = times
    }
}

/// What a question's field holds before it is confirmed, finished or not.
public struct DraftedAnswer: Hashable, Sendable {
    /// The question's identifier.
    public var question: Identifier
    /// What was typed; choices from a list are written as `#1 #3`.
    public var text: String
    /// When the question was seen and changed.
    public var times: AnswerTimes
    /// The answer that the draft amounts to, if the question has a time limit that keeps it, or if the answer is heard;
    /// `nil` if it is not an answer.
    public var answer: Answer?

    /// What a question's field holds.
    public init(question: Identifier, text: String, times: AnswerTimes) {
        self.question = question
        self.text = text
        self.times = times
    }
}

/// When a question was seen and answered.
public struct AnswerTimes: Hashable, Sendable {
    /// When it was first shown as the question to answer.
    public var shown: RunInstant
    /// When it first took a key.
    public var touched: RunInstant?
    /// When its answer last changed.
    public var changed: RunInstant?
    /// When its answer was last confirmed.
    public var confirmed: RunInstant?
    /// How often its answer changed.
    public var changes = 0

    /// A question that has just been shown.
    public init(shown: RunInstant) { self.shown = shown }

    /// Records that the answer changed.
    package mutating func change(at now: RunInstant) {
        touched = touched ?? now
        changed = now
        changes += 1
    }
}

/// A planned moment that the run asked to be woken at.
public struct Wake: Hashable, Sendable {
    /// The visit that asked.
    public var ordinal: Int
    /// Number of the start or resumption within that visit. A wake of an earlier one is out of date.
    public var segment: Int
    public var moment: Moment

    /// What can be due.
    public enum Moment: Hashable, Sendable {
        /// The step's time is up.
        case end
        /// The cue of that index in the step's list.
        case cue(Int)
        /// The condition of `until` has held for its time, if it still holds.
        case until
        /// The time for answering is over.
        case timeLimit
        /// A prompt is due.
        case prompt
        /// The time for answering the prompt on show is over.
        case promptLimit
    }

    public init(ordinal: Int, segment: Int, moment: Moment) {
        self.ordinal = ordinal
        self.segment = segment
        self.moment = moment
    }
}

/// One cue of a visit.
public struct CueKey: Hashable, Sendable {
    /// The visit.
    public var ordinal: Int
    /// Index into the step's cues.
    public var cue: Int

    public init(ordinal: Int, cue: Int) { (self.ordinal, self.cue) = (ordinal, cue) }
}

public struct RecorderKey: Hashable, Sendable, Comparable {
    /// The visit at whose start it was started, from 1.
    public var ordinal: Int
    public var recorder: Identifier
    /// Number of the recording by one recorder in one visit, from 1: a pause ends one recording and begins the
    /// next.
    public var segment: Int

    public init(ordinal: Int, recorder: Identifier, segment: Int) {
        self.ordinal = ordinal
        self.recorder = recorder
        self.segment = segment
    }

    /// Whether it was started earlier, or at the same visit by a recorder whose name comes first.
    public static func < (left: RecorderKey, right: RecorderKey) -> Bool {
        (left.ordinal, left.recorder, left.segment) < (right.ordinal, right.recorder, right.segment)
    }
}

/// How a clip was played, as the player reports it.
public struct Playback: Hashable, Sendable {
    /// The visit whose clip it is.
    public var ordinal: Int
    /// When the first sample was heard.
    public var onset: RunInstant
    /// When the last sample was heard; `nil` while it plays.
    public var end: RunInstant?
    /// The output stream's frame at which the clip began; `nil` without an audio device.
    public var onsetFrame: Int64?
    /// Frames per second of the output; `nil` without an audio device.
    public var sampleRate: Double?
    /// How often the device ran out of sound; `nil` without an audio device.
    public var underruns: Int?
    /// The latency that the device reports, which `onset` includes; `nil` without an audio device.
    public var latency: Duration?
    /// Change of level with which it was played, dB, as everything together made it; `nil` without sound.
    public var gain: Double?
    /// By how much less it was raised than was asked for, because the study limits how loud sounds are, dB; `nil` if that
    /// changed nothing.
    public var loweredBy: Double?
    /// Why the clip was not heard as planned, if so.
    public var problem: String?

    /// The true peak above which no clip is raised when it is brought to a loudness, dB relative to full scale.
    package static let highestPeak = -1.0

    /// What stays the same while one clip fades into another: the power, as suits different clips, or the sum of the
    /// amplitudes, as suits two places of one clip.
    public enum FadeLaw: String, CaseIterable, Hashable, Sendable {
        case power, amplitude
    }

    /// How a clip is played.
    public struct Settings: Hashable, Sendable {
        /// How long it takes to fade in, and to fade out towards its end.
        public var fade: Duration
        /// How long it takes to fade in, and goes on and fades out when its step is over; zero if it ends with its step.
        public var crossFade = Duration.zero
        /// What stays the same while one clip fades into another.
        public var crossFadeLaw = FadeLaw.power
        /// The integrated loudness to which every clip is brought, LUFS (EBU R 128); `nil` if clips keep their own.
        public var loudness: Double?
        /// Change of level, dB.
        public var gain: Double
        /// Whether it starts again at its end.
        public var loops: Bool
        /// How it answers the heart; `nil` if it does not.
        public var following: Following?
        /// The change of level while a prompt is asked, dB.
        public var gainUnderPrompts = 0.0
        /// The loudness above which it is never heard, whatever raises its level, LUFS; `nil` if nothing limits it.
        public var ceiling: Double?

        /// The study format's defaults: once, as it is.
        public init(fade: Duration = .zero, gain: Double = 0, loops: Bool = false) {
            self.fade = fade
            self.gain = gain
            self.loops = loops
        }
    }

    public init(
        ordinal: Int, onset: RunInstant, end: RunInstant? = nil, onsetFrame: Int64? = nil,
        sampleRate: Double? = nil,
        underruns: Int? = nil, latency: Duration? = nil, problem: String? = nil
    ) {
        self.ordinal = ordinal
        self.onset = onset
        self.end = end
        self.onsetFrame = onsetFrame
        self.sampleRate = sampleRate
        self.underruns = underruns
        self.latency = latency
        self.problem = problem
    }
}
