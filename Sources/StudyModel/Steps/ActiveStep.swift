/// What only a timed step has.
public struct ActiveStep: Hashable, Sendable {
    /// The exact length of the step; above 0 and at most 24 h. Before a duration is drawn, this is the longest
    /// possible one.
    public var duration: Duration
    /// What the duration is drawn from, if it is.
    public var drawnDuration: DrawnDuration?
    /// The moment at which the step ends, if that is counted from another step. Then `duration` is the longest possible
    /// one, unless the other step was left out: then the step ends at once.
    public var ending: EventTime?
    /// What ends it earlier, if anything does.
    public var until: Until?
    /// The clip to play, if any.
    public var stimulus: Stimulus.Use?
    /// How the step begins, is shown and ends.
    public var timer: Timer
    /// Sounds and words at planned moments, or while a condition holds.
    public var cues: [Cue]
    /// Questions that are asked while the step goes on.
    public var prompts: [Prompt] = []
    /// The key that ends it, if one does.
    public var reaction: Reaction?
    /// The heart rate that is expected during the step, if the study says so.
    public var expected: ExpectedHeartRate?

    public init(
        duration: Duration, stimulus: Stimulus.Use? = nil, timer: Timer = Timer(), cues: [Cue] = [],
        expected: ExpectedHeartRate? = nil
    ) {
        self.duration = duration
        self.stimulus = stimulus
        self.timer = timer
        self.cues = cues
        self.expected = expected
    }

    /// What an open prompt of the step asks.
    package func question(of open: Presentation.OpenPrompt) -> Question { prompts[open.place].question }

    /// A condition that ends a step before its duration is over.
    public struct Until: Hashable, Sendable {
        public var condition: Navigation.Condition
        /// How long the condition must hold without interruption.
        public var holding: Duration
        /// How long the step lasts at least, without pauses.
        public var atLeast: Duration

        public init(_ condition: Navigation.Condition, holding: Duration, atLeast: Duration = .zero) {
            (self.condition, self.holding, self.atLeast) = (condition, holding, atLeast)
        }
    }

    /// How a timed step begins, is shown and ends.
    public struct Timer: Hashable, Sendable {
        /// Whether the time left is shown.
        public var isShown: Bool
        /// Whether the step waits for the participant before it begins.
        public var startsOnConfirm: Bool
        /// Whether the step waits for the participant when its time is up.
        public var waitsAtFinish: Bool
        /// Whether the participant may end the step early.
        public var isSkippable: Bool
        /// Whether the participant may pause the step.
        public var isPausable = true

        /// The study format's defaults: shown, begins and ends by itself.
        public init(
            isShown: Bool = true, startsOnConfirm: Bool = false, waitsAtFinish: Bool = false,
            isSkippable: Bool = false
        ) {
            self.isShown = isShown
            self.startsOnConfirm = startsOnConfirm
            self.waitsAtFinish = waitsAtFinish
            self.isSkippable = isSkippable
        }
    }
}

/// A moment that is counted from the last end of another step or block.
public struct EventTime: Hashable, Sendable {
    public var step: Identifier
    /// How long after its end; above 0.
    public var time: Duration

    public init(_ time: Duration, after step: Identifier) { (self.step, self.time) = (step, time) }

    /// Such as `20 min after the end of 'stressor'`.
    package var words: String { "\(time.words) after the end of '\(step)'" }
}

/// What a duration is drawn from; all in whole milliseconds.
public enum DrawnDuration: Hashable, Sendable {
    /// Any whole number of milliseconds within the range, each equally likely.
    case uniform(ClosedRange<Duration>)
    /// One of several durations, each equally likely; at least one.
    case oneOf([Duration])

    /// The shortest and the longest that can be drawn.
    package var limits: ClosedRange<Duration> {
        switch self {
        case .uniform(let range): range
        case .oneOf(let durations): (durations.min() ?? .zero)...(durations.max() ?? .zero)
        }
    }
}

extension Stimulus {
    /// Which clip a step plays, and how.
    public struct Use: Hashable, Sendable {
        /// Where the clip comes from.
        public var choice: Choice
        /// When the clip begins, after the step's start.
        public var onset: Duration
        /// From which position of its file it is played.
        public var start = Duration.zero
        /// How it is played.
        public var settings: Playback.Settings

        /// Where a clip comes from.
        public enum Choice: Hashable, Sendable {
            /// Drawn from a set.
            case draw(set: Identifier, method: DrawMethod)
            /// The clip of the block's round.
            case roundOf(set: Identifier)
            /// Always this clip.
            case play(Stimulus)
            /// The clip of a set that the participant named in the last answer to a question.
            ///
            /// - Parameter otherwise: the clip if there is no answer; if this is `nil` too, nothing is played.
            case answered(question: Identifier, set: Identifier, otherwise: Identifier?)
            /// The clip of a set that is nearest to what is known when the step begins.
            case nearest(NearestClip)
        }

        /// A clip to play, by default from the step's start.
        public init(
            choice: Choice, onset: Duration = .zero, settings: Playback.Settings = Playback.Settings()
        ) {
            self.choice = choice
            self.onset = onset
            self.settings = settings
        }
    }
}

/// How a clip is drawn from its set.
public enum DrawMethod: Hashable, Sendable {
    /// Uniform, independent of every other draw.
    case random
    /// By weight. Weights are finite, not negative and not all 0, one for each clip in pool order.
    case weighted([Double])
    /// No clip is repeated until all have been played.
    case withoutReplacement
    /// In the pool's order.
    case fixed
    /// By the participant's row of a Latin square.
    case latinSquare
    /// By the participant's row of a Williams design.
    case williams

    /// The word that study files and plans use.
    public var name: String {
        switch self {
        case .random: "random"
        case .weighted: "weighted"
        case .withoutReplacement: "withoutReplacement"
        case .fixed: "fixed"
        case .latinSquare: "latinSquare"
        case .williams: "williams"
        }
    }
}

/// A sound or words at a planned moment of a timed step, or while a condition holds.
public struct Cue: Hashable, Sendable {
    /// When it is heard.
    public var moment: Moment
    /// What is heard.
    public var signal: Signal

    /// When a cue is heard.
    public enum Moment: Hashable, Sendable {
        /// When the step begins.
        case start
        /// When the step's time is up.
        case finish
        /// In the middle of the step.
        case halfway
        /// This long after the step's start.
        case after(Duration)
        /// This long before the step's time is up.
        case beforeEnd(Duration)
        /// Again and again while a condition holds, at most once in this time.
        case whilst(Navigation.Condition, every: Duration)
    }

    public enum Signal: Hashable, Sendable {
        /// A tone of the program: `tone`, or a countdown's `countdown` and, for its last second, `lastSecond`;
        /// a pacer's `breatheIn` and `breatheOut`.
        case sound(Identifier)
        /// Spoken words.
        case say(LocalizedText)
        /// The terminal's bell.
        case bell
    }

    public init(moment: Moment, signal: Signal) {
        self.moment = moment
        self.signal = signal
    }

    /// The condition while which it is given; `nil` for a cue at a planned moment.
    package var condition: Navigation.Condition? {
        if case .whilst(let condition, _) = moment { condition } else { nil }
    }
}

/// The heart rate that a study expects during a step.
public struct ExpectedHeartRate: Hashable, Sendable {
    public var curve: Curve
    /// How far from the curve counts as expected.
    public var band: Band?

    /// How the curve is given.
    public enum Curve: Hashable, Sendable {
        /// Points to go through.
        case points([Point], isMonotone: Bool)
        /// First-order response to an effort.
        ///
        /// `effort` 0...1 of the heart-rate reserve; rates in beats per minute.
        case exercise(effort: Double, restingRate: Double, maximumRate: Double)
    }

    public struct Point: Hashable, Sendable {
        /// Since the step's start.
        public var time: Duration
        /// Beats per minute.
        public var rate: Double

        public init(time: Duration, rate: Double) {
            self.time = time
            self.rate = rate
        }
    }

    /// How far to either side of the curve a rate still counts as expected.
    public enum Band: Hashable, Sendable {
        /// A share of the expected rate, 0...1.
        case relative(Double)
        /// Beats per minute.
        case absolute(Double)
    }

    public init(curve: Curve, band: Band? = nil) {
        self.curve = curve
        self.band = band
    }
}
