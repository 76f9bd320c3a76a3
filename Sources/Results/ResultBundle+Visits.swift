public import StudyModel
import TextFormat

extension ResultBundle {
    /// One visit of a step. Times are seconds since the run's start.
    public struct Visit: Hashable, Sendable {
        /// Counts the visits of the run, from 1.
        public var ordinal: Int
        /// The step's identifier.
        public var identifier: String
        /// The identifiers of the blocks and the step, joined by `.`.
        public var path: String
        /// Number of this visit of the step, from 1.
        public var visit: Int
        /// The round of its block, from 1.
        public var round: Int?
        /// When it was first shown.
        public var start: Double
        /// When it was left.
        public var end: Double
        /// Whether it was left early or left out.
        public var isSkipped: Bool
        /// Why it was left early or left out.
        public var skipReason: String?
        /// The ordinal of the visit that the experimenter let begin anew as this one.
        public var repeats: Int?
        /// The planned length of the timed part, seconds.
        public var plannedDuration: Double?
        /// The length of the timed part without pauses, seconds.
        public var actualDuration: Double?
        /// What ended it: `until`, `program` or `duration`; `nil` if only its duration could.
        public var endedBy: String?
        /// Whether the time for answering ended before the answers were sent; `nil` if there was no limit.
        public var isTimedOut: Bool?
        /// The condition of the block's round.
        public var condition: Condition?
        /// The trial of a staircase that it is; `nil` for every other step.
        public var trial: StepResult.Trial?
        /// The rounds of the blocks that contain the step's own block, the outermost first.
        public var outerRounds: [OuterRound]
        /// How late each planned moment was, by the moments' names.
        public var lateness: [Lateness]
        /// When each cue with a condition was given, seconds since the run's start, by the cue's name (`cue1` …).
        public var repeatedCues: [String: [Double]] = [:]
        /// The same, in the order in which the step's cues are written: `cue2` before `cue10`.
        package var orderedRepeatedCues: [(cue: String, moments: [Double])] {
            repeatedCues.sorted { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) }.map {
                ($0.key, $0.value)
            }
        }
        /// When the participant paused.
        public var pauses: [Range<Double>]
        /// When the program stood still, so that nothing was shown, read or recorded in time.
        public var standstills: [Range<Double>]
        /// What went wrong with recorders.
        public var recorderErrors: [String]
        /// The clip, if the step had one.
        public var clip: Clip?
        /// The outcome of the step's program apart from its answers, if the step has one.
        public var program: Program?
        /// The questions that were asked, answered or not.
        public var answers: [Answer]
        /// The recorders' files.
        public var recordings: [Recording]
        /// What the experimenter noted.
        public var marks: [Mark] = []
        /// The orders in which questions showed their choices, by question, where they were drawn.
        public var choiceOrders: [String: [String]] = [:]
        /// The order in which the questions were shown, if it was drawn.
        public var itemOrder: [String]?
        /// What was answered but not sent.
        public var drafts: [Draft] = []
    }

    /// An answer that was not sent.
    public struct Draft: Hashable, Sendable {
        /// The question's identifier.
        public var question: String
        /// The answer as it was typed.
        public var text: String
        /// When it was seen and answered, seconds since the run's start.
        public var times: Answer.Times?
    }

    /// What the experimenter noted.
    public struct Mark: Hashable, Sendable {
        /// `note`, `disturbance`, `adverse` or `control`; `alarm` or `acknowledgement` if a monitor told it.
        public var kind: String
        /// How bad it was: `mild`, `moderate` or `severe`; only for adverse events.
        public var severity: String?
        /// The words.
        public var text: String
        /// When, seconds since the run's start.
        public var offset: Double

        /// What the experimenter did to the course of the run, such as `pause`; only for the kind `control`.
        public var control: String?
        /// Who noted it; `nil` if nobody said so.
        public var author: String?
        /// How far `offset` may be off, seconds; `nil` if the mark came from the same machine.
        public var uncertainty: Double?

        package init(
            kind: String, severity: String?, control: String? = nil, text: String, author: String? = nil,
            offset: Double, uncertainty: Double? = nil
        ) {
            (self.kind, self.severity, self.control) = (kind, severity, control)
            (self.text, self.author, self.offset) = (text, author, offset)
            self.uncertainty = uncertainty
        }

        /// The kind, with how bad it was or what was done.
        package var title: String {
            let what = severity ?? control
            return what.map { "\(kind) (\($0))" } ?? kind
        }
        /// The words, and who said them.
        package var remark: String { author.map { "\(text) – \($0)" } ?? text }
        /// Whether it was bad for the participant.
        package var isAdverse: Bool { kind == RunMark.Kind.adverse.rawValue }
    }

    /// A round of a block that contains the step's own block.
    public struct OuterRound: Hashable, Sendable {
        /// The block's identifier.
        public var block: String
        /// Number of the round, from 1; `nil` for steps that are inserted among the rounds.
        public var round: Int?
        /// The condition or the clip that the round is for.
        public var condition: Condition?
    }

    /// A row of a table of conditions, or a clip with what its catalogue says.
    public struct Condition: Hashable, Sendable {
        /// The row's identifier.
        public var identifier: String
        /// Its values by name.
        public var values: [String: String]
    }

    /// How late a planned moment was.
    public struct Lateness: Hashable, Sendable {
        /// The moment's name.
        public var moment: String
        /// Seconds; negative if it was too early.
        public var seconds: Double
        /// Whether the clip became audible at this moment.
        package var isOnset: Bool { moment == StepResult.onset }
        /// Whether it is a cue.
        package var isCue: Bool { moment.hasPrefix(StepResult.cue) }
    }

    /// A clip with its draw and its times.
    public struct Clip: Hashable, Sendable {
        /// The clip's identifier.
        public var identifier: String
        /// Its title, if the study gives one.
        public var title: String?
        /// Where it lies, relative to the study.
        public var file: String?
        /// Lower-case hexadecimal SHA-256 of the file.
        public var sha256: String?
        /// How it was drawn.
        public var draw: String?
        /// Its index in the pool of its set, from 0.
        public var index: Int?
        /// The set from which it was drawn.
        public var set: String?
        /// The name of the stream of chance of its draw.
        public var stream: String?
        /// What it was chosen to be near, by attribute; empty if it was not.
        public var aims: [String: Double] = [:]
        /// When it was first heard, seconds since the run's start.
        public var onset: Double?
        /// When it ended.
        public var end: Double?
        /// From which position of its file it was played, seconds; `nil` if from the beginning.
        public var start: Double?
        /// Change of level with which it was played, dB; `nil` without sound.
        public var gain: Double?
        /// By how much less it was raised because the study limits how loud sounds are, dB.
        public var loweredBy: Double?
        /// What went wrong with it.
        public var problem: String?
        /// How often the device ran out of sound.
        public var underruns: Int?
        /// The latency that the device reports, seconds; `nil` without an audio device.
        public var latency: Double?
        /// The output's frame of its first sample; `nil` without sound.
        public var onsetFrame: Int?
        /// The output's frames per second; `nil` without sound.
        public var sampleRate: Double?
        /// The step or block until whose end it was to go on; `nil` if only until the step's own.
        public var through: String?
        /// What its catalogue says about it, such as mood and tempo; empty in bundles of earlier programs.
        public var attributes: [String: String] = [:]
        /// How its tempo and level changed; empty if they did not.
        public var changes: [Change] = []

        /// A change of the tempo or the level of a clip.
        public struct Change: Hashable, Sendable {
            /// When the first sample was heard to which it applies, seconds since the run's start.
            public var offset: Double
            /// The output's frame of that sample; `nil` without sound.
            public var frame: Int?
            /// What was heard of the clip then, seconds; goes on growing where the clip starts again.
            public var position: Double
            /// Seconds of the clip in a second.
            public var tempo: Double
            /// Change of level, dB, besides that of the whole clip.
            public var gain: Double
        }
    }

    /// A recorder's file. Times are seconds since the run's start.
    public struct Recording: Hashable, Sendable {
        /// The recorder's identifier.
        public var recorder: String
        /// The file's name without folders, unique in the bundle.
        public var name: String
        /// When recording began.
        public var start: Double
        /// When it ended.
        public var end: Double
        /// Number of the recording by this recorder, from 1; each pause begins a new one.
        public var segment: Int
        /// Number of the file within the recording, from 1.
        public var part: Int
        /// How many samples the file holds.
        public var sampleCount: Int
        /// The share of the time with samples, 0...1.
        public var coverage: Double
        /// Times without samples, in order.
        public var gaps: [Gap]
        /// Samples that came after the recording's end but were kept.
        public var lateSamples: Int
        /// Samples that were not kept.
        public var droppedSamples: Int
        /// Why there are no samples.
        public var reason: String?
        /// What the source said about itself.
        public var source: SourceInformation?
        /// What was rated, and how often the participant moved the mark; `nil` if it is not a rating.
        public var rating: FileResult.Rating?
        /// Which keys counted, and what became of them; `nil` if no taps were recorded.
        public var taps: FileResult.Taps?
        /// What was shown; `nil` if it is no display.
        public var biofeedback: Biofeedback?
        /// The channels of a waveform, and how fast their samples came; `nil` if it is something else.
        public var waves: FileResult.Waves?

        /// Whether it holds items, rather than columns or sound.
        public var holdsItems: Bool { name.hasSuffix(".json") }
        /// Whether it holds a column for each channel of a waveform.
        public var holdsColumns: Bool { name.hasSuffix("." + WaveColumns.suffix) }
        /// Whether it holds heart rates.
        public var isHeartRate: Bool { name.hasPrefix(Signal.heartRate.type) }
        /// Whether it holds only intervals between beats.
        public var isIntervals: Bool { name.hasPrefix(Signal.rrIntervals.type + "_") }
    }

    /// A time without samples.
    public struct Gap: Hashable, Sendable {
        /// Seconds since the run's start.
        public var span: Range<Double>
        /// The reason: `silence`, `contact`, `lost`, `standstill`, `flood` or `ended`.
        public var reason: String
    }

    /// One item of a heart-rate file.
    public struct HeartRate: Hashable, Sendable {
        /// Seconds since the run's start, when it was measured.
        public var runOffset: Double
        /// Seconds since the run's start, when it arrived.
        public var arrivalOffset: Double
        /// Seconds since 1970-01-01T00:00:00Z.
        public var timestampSince1970: Double
        /// Beats per minute.
        public var value: Double
        /// Seconds between beats, oldest first; empty if not sent.
        public var rrIntervals: [Double]
        /// Whether the sensor touched skin, if known.
        public var sensorContact: Bool?
        /// Quality of the signal, 0...1, if known.
        public var quality: Double?
        /// Where the sample came from.
        public var source: String
    }

    /// One item of a file of intervals between beats.
    public struct Interval: Hashable, Sendable {
        /// Seconds since the run's start, when it ended.
        public var runOffset: Double
        /// The length of the interval, seconds.
        public var value: Double
        /// Where it came from.
        public var source: String
    }

    /// One item of a file of ratings.
    public struct Rating: Hashable, Sendable {
        /// What was rated.
        public var dimension: String
        /// Seconds since the run's start.
        public var runOffset: Double
        /// The value on the scale.
        public var value: Double
        /// The recorder that recorded it.
        public var recorder: String
    }

    /// One item of a file of any other number.
    public struct Number: Hashable, Sendable {
        /// What was measured.
        public var signal: Signal
        /// The channel of a waveform; `nil` for other signals.
        public var channel: String?
        /// The unit, if there is one.
        public var unit: String?
        /// Seconds since the run's start, when it was measured.
        public var runOffset: Double
        /// The value in the signal's unit.
        public var value: Double
        /// The recorder that recorded it.
        public var recorder: String
        /// Where it came from.
        public var source: String
    }
}

extension ResultBundle.Visit {
    /// Ordinals of the visits that count no more, because the experimenter repeated them.
    package static func replaced(in visits: [Self]) -> Set<Int> {
        visits.reduce(into: []) { replaced, visit in
            if let first = visit.repeats, first < visit.ordinal { replaced.formUnion(first..<visit.ordinal) }
        }
    }
}
