/// What one visit of a step yielded.
public struct StepResult: Hashable, Sendable {
    /// Counts the visits of the run, from 1.
    public var ordinal: Int
    /// Identifiers from the task's list down to the step.
    public var path: [Identifier]
    /// Counts the visits of this step, from 1.
    public var visit: Int
    /// The round of the block, from 1, if the step is in one.
    public var round: Int?
    /// When the step was first shown.
    public var start: RunInstant
    /// When the step was left.
    public var end: RunInstant
    /// Why the step was left early or left out, if so.
    public var skip: SkipReason?
    /// The ordinal of the visit that the experimenter let begin anew as this one; everything from that one on is
    /// replaced.
    public var repeats: Int?
    /// How long the timed part was to last.
    public var plannedDuration: Duration?
    /// How long the timed part lasted, without pauses.
    public var actualDuration: Duration?
    /// What ended the timed part, if it was not bound to end with its duration.
    public var endedBy: TimedEnd?
    /// Whether the time for answering ended before the answers were sent; `nil` if there is no time limit.
    public var isTimedOut: Bool?
    /// The condition of the block's round, with its values.
    public var condition: Stimulus?
    /// The trial of a staircase that it is; `nil` for every other step.
    public var trial: Trial?
    /// The rounds of the blocks around the innermost one, the outermost first.
    public var outerRounds: [OuterRound] = []
    /// How far each planned moment was from its plan, by its name (`start end onset cue1` …).
    public var lateness: [String: Duration] = [:]
    /// The name, in `lateness`, of the moment at which the clip was heard.
    package static let onset = "onset"
    /// With what the names of cues begin, in `lateness`; their numbers follow, from 1.
    package static let cue = "cue"
    /// When each cue with a condition was given, by the cue's name (`cue1` …).
    public var repeatedCues: [String: [RunInstant]] = [:]
    /// Pauses, each from its start to its end.
    public var pauses: [Range<RunInstant>] = []
    /// When the program stood still, so that nothing was shown, read or recorded in time.
    public var standstills: [Range<RunInstant>] = []
    public var answers: [GivenAnswer]
    /// What was typed or chosen but not confirmed, by question.
    public var drafts: [DraftedAnswer] = []
    /// The orders that were drawn for what was shown.
    public var orders = ShownOrders()
    /// The clip that was planned.
    public var stimulus: DrawnStimulus?
    /// From which position of its file it was to be played; `nil` if from the beginning.
    public var clipStart: Duration?
    /// The element of the task's own list until whose end the clip was to go on; `nil` if only until the step's own.
    public var clipThrough: Identifier?
    /// How it was played; `nil` if it never began.
    public var playback: Playback?
    /// The course of its tempo and level, where these changed: a first entry for each time that it began, then one
    /// for each change; empty where nothing changed.
    public var changes: [Playback.Change] = []
    /// The outcome of the step's program, apart from its answers; `nil` if there is none.
    public var program: ProgramOutcome?
    /// The recorders' files, in order of recording.
    public var files: [FileResult] = []
    /// What went wrong with recorders, in words.
    public var recorderErrors: [String] = []
    /// What the experimenter noted, in order.
    public var marks: [RunMark] = []

    /// A round of a block that contains the step's own block.
    public struct OuterRound: Hashable, Sendable {
        /// The block.
        public var block: Identifier
        /// The number of the round, from 1; `nil` for steps that are inserted among the rounds.
        public var round: Int?
        /// The clip or condition that the round is for, with its values.
        public var condition: Stimulus?

        public init(block: Identifier, round: Int?, condition: Stimulus?) {
            (self.block, self.round, self.condition) = (block, round, condition)
        }
    }

    /// What ends the timed part of a step with `until` or with a program.
    public enum TimedEnd: String, Hashable, Sendable, CaseIterable {
        case duration
        case until
        case program
        /// The key of a reaction.
        case reaction
    }

    /// Why a step was left early or left out.
    public enum SkipReason: String, Hashable, Sendable, CaseIterable {
        case participant
        /// A `skipIf` rule held.
        case rule
        case wentBack
        /// The run ended during the step.
        case runEnded
        /// The experimenter went on to the next step, or back to the one before.
        case experimenter
        /// The experimenter let the step begin anew.
        case restarted
    }

    public init(
        ordinal: Int, path: [Identifier], visit: Int, round: Int? = nil, start: RunInstant, end: RunInstant,
        skip: SkipReason? = nil, answers: [GivenAnswer] = []
    ) {
        self.ordinal = ordinal
        self.path = path
        self.visit = visit
        self.round = round
        self.start = start
        self.end = end
        self.skip = skip
        self.answers = answers
    }

    /// The step's own identifier.
    public var identifier: Identifier {
        guard let last = path.last else { preconditionFailure("a step result without a path") }
        return last
    }
}

/// A file that a recorder wrote.
public struct FileResult: Hashable, Sendable {
    /// The recorder configuration's identifier.
    public var recorder: Identifier
    /// The file's name without folders, unique in the bundle.
    public var fileName: String
    /// The media type, such as `application/json`.
    public var contentType: String
    /// When recording began.
    public var start: RunInstant
    /// When recording ended.
    public var end: RunInstant
    /// Number of the recording between pauses, from 1.
    public var segment: Int
    /// Number of the file within one recording, from 1.
    public var part = 1
    public var sampleCount: Int
    /// Share of the recording's time with samples, 0...1.
    public var coverage: Double
    /// Times without samples.
    public var gaps: [Gap] = []
    /// Samples that came after the recording's end, within the grace.
    public var lateSamples = 0
    /// Samples that were not written: duplicates, outside of the recording's time, or too late.
    public var droppedSamples = 0
    /// Why the file is empty, if it is.
    public var reason: String?
    /// Lower-case hexadecimal SHA-256 of the finished file; `nil` in journals of earlier programs.
    public var sha256: String?
    /// What the source said about itself; `nil` if it said nothing.
    public var sourceInformation: SourceInformation?
    /// What was rated, and how often the participant moved the mark; `nil` if it is not a rating.
    public var rating: Rating?
    /// Which keys counted, and what became of them; `nil` if no taps were recorded.
    public var taps: Taps?
    /// What was shown; `nil` if it is no display.
    public var biofeedback: Biofeedback?
    /// The channels of a waveform; `nil` if it is something else.
    public var waves: Waves?

    /// A time without samples.
    public struct Gap: Hashable, Sendable {
        /// When it began.
        public var from: RunInstant
        /// When it ended.
        public var to: RunInstant
        /// Why: `silence`, `contact`, `lost`, `standstill`, `flood`, `ended`.
        public var reason: String

        public init(from: RunInstant, to: RunInstant, reason: String) {
            self.from = from
            self.to = to
            self.reason = reason
        }
    }

    /// A scale, and how often the participant moved on it.
    public struct Rating: Hashable, Sendable {
        public var scale: RatingScale
        /// How often the participant moved the mark.
        public var changes: Int
        /// Why the device that moves the mark gave nothing for a time; `nil` if it did all the time, or if there is none.
        public var lost: String?

        public init(_ scale: RatingScale, changes: Int, lost: String? = nil) {
            (self.scale, self.changes, self.lost) = (scale, changes, lost)
        }
    }

    /// The keys of a recorder of taps, and how many presses were near a beat or none.
    public struct Taps: Hashable, Sendable {
        /// Which keys counted.
        public var tapping: Tapping
        /// How many taps of the file have a beat.
        public var onBeats: Int
        /// How often a key that was held down, or that bounced, was left out.
        public var held: Int

        public init(_ tapping: Tapping, onBeats: Int, held: Int) {
            (self.tapping, self.onBeats, self.held) = (tapping, onBeats, held)
        }
    }

    /// The channels of a waveform, and how fast their samples came.
    public struct Waves: Hashable, Sendable {
        /// The channels, with the rate that the source states.
        public var layout: WaveLayout
        /// Samples per second without gaps, as measured; `nil` if there were too few.
        public var rate: Double?
        /// The name of the quantity, if the recorder defines one.
        public var quantity: Identifier?
        /// Whether the heart rates and the intervals of its steps come from the beats in it.
        public var givesBeats: Bool

        public init(
            _ layout: WaveLayout, rate: Double?, quantity: Identifier? = nil, givesBeats: Bool = false
        ) {
            (self.layout, self.rate, self.quantity) = (layout, rate, quantity)
            self.givesBeats = givesBeats
        }
    }

    /// A recorder's only file, without gaps.
    public init(
        recorder: Identifier, fileName: String, contentType: String, start: RunInstant, end: RunInstant,
        segment: Int, sampleCount: Int, coverage: Double
    ) {
        self.recorder = recorder
        self.fileName = fileName
        self.contentType = contentType
        self.start = start
        self.end = end
        self.segment = segment
        self.sampleCount = sampleCount
        self.coverage = coverage
    }
}
