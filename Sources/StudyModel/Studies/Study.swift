/// A research study: the checked content of a study file.
public struct Study: Hashable, Sendable {
    /// The study's name for programs.
    public var identifier: Identifier
    /// Counts the changes of the study's content, from 1.
    public var revision: Int
    /// The study's name for people.
    public var title: LocalizedText
    /// The seed of every random draw; `nil` if the study leaves it to the run.
    public var seed: UInt64?
    /// The word without which nobody can leave, pause or suspend a run; `nil` if everybody may.
    public var kiosk: Identifier?
    /// Where heart rates and other signals come from, by name, in file order.
    public var sources: [Source]
    /// The sets of clips to draw from, in file order.
    public var stimulusSets: [StimulusSet]
    /// Tables of conditions, in file order. Their rows have named values, and blocks have one round for each row.
    public var conditions: [StimulusSet] = []
    /// The tasks, in file order; at least one. If the study has arms, these are the tasks of the arm, or those of
    /// the first arm.
    public var tasks: [Task]
    /// The arms, in file order; empty if the study has none.
    public var arms: [Arm] = []
    /// The arm whose values tasks and conditions use; `nil` if the study has none, or none was chosen.
    public var arm: Identifier?
    /// How participants are allocated to the arms; `nil` if the experimenter allocates them.
    public var allocation: Allocation?
    /// What the study is meant to find out, the primary outcome first; empty if the study names none.
    public var outcomes: [Outcome] = []
    /// The appointments of every participant, in the order of their numbers; empty if the study does not list them.
    public var sessions: [Session] = []
    /// Which task a run does if nobody names one; `nil` if somebody must.
    public var nextTask: NextTask?
    /// Every language in which all texts are given, in order of first appearance; empty if no text is translated.
    /// The first is the default.
    public var languages: [Language]

    public init(
        identifier: Identifier, revision: Int = 1, title: LocalizedText, seed: UInt64? = nil,
        sources: [Source] = [],
        stimulusSets: [StimulusSet] = [], tasks: [Task], languages: [Language] = []
    ) {
        self.identifier = identifier
        self.revision = revision
        self.title = title
        self.seed = seed
        self.sources = sources
        self.stimulusSets = stimulusSets
        self.tasks = tasks
        self.languages = languages
    }

    /// The set of that name, if the study has one.
    public func stimulusSet(_ identifier: Identifier) -> StimulusSet? {
        stimulusSets.first { $0.identifier == identifier }
    }

    /// The clips or conditions with that name, for the rounds of blocks.
    package func rounds(_ identifier: Identifier) -> StimulusSet? {
        stimulusSet(identifier) ?? conditions.first { $0.identifier == identifier }
    }

    /// The study as the participants of one arm get it.
    package func inArm(_ arm: Arm) -> Study {
        var study = self
        (study.arm, study.tasks, study.conditions) = (arm.identifier, arm.tasks, arm.conditions)
        return study
    }

    /// The study as the participants of each arm get it; unchanged if it has no arms.
    package var inEachArm: [Study] { arms.isEmpty ? [self] : arms.map(inArm) }

    /// The source of that name, if the study has one.
    public func source(_ identifier: Identifier) -> Source? { sources.first { $0.identifier == identifier } }
}

extension Study {
    /// A group of participants, with the values that the study uses for it.
    public struct Arm: Hashable, Sendable {
        public var identifier: Identifier
        public var tasks: [Task]
        public var conditions: [StimulusSet]
        /// The arm's name for people.
        public var title: LocalizedText?
        /// The arm's size relative to an arm with ratio 1, such as 2 for twice as many participants; at least 1.
        public var ratio = 1
        /// How many participants it can have at most; at least 1.
        public var places: Int?

        public init(identifier: Identifier, tasks: [Task], conditions: [StimulusSet] = []) {
            (self.identifier, self.tasks, self.conditions) = (identifier, tasks, conditions)
        }
    }

    /// An ordered list of steps done in one sitting.
    public struct Task: Hashable, Sendable {
        /// The task's name, unique in the study.
        public var identifier: Identifier
        /// The task's name for participants who choose among several.
        public var title: LocalizedText?
        /// What the participant may see besides the steps.
        public var display: Display
        /// The steps, in order; the last one is a completion step.
        public var steps: [Step]
        /// Recorders that run over several steps.
        public var recorders: [SpanningRecorder]
        /// Music that goes on over several steps; never two at a time.
        public var music: [SpanningMusic] = []
        /// Whether the task must not be done without sound.
        public var isAudioRequired: Bool
        /// Whether sounds are to be heard soon after they are decided on, at the price of less reserve.
        public var isLatencyLow = false
        /// What is computed from answers, in order.
        public var scores: [AnswerScore] = []
        /// What a run must reach to be good; `nil` if the study sets no limits.
        public var quality: QualityLimits?
        /// What is done about runs that did not come to their end; `nil` if the study says nothing of it.
        public var resume: ResumeRule?
        /// What experimenters are alerted to, at most one rule of each kind; `nil` if the study says nothing of it.
        public var alarms: [AlarmRule]?
        /// What its rules and texts use of earlier sessions, by name.
        public var recalled: [RecalledAnswer] = []

        public init(
            identifier: Identifier, display: Display = Display(), steps: [Step],
            recorders: [SpanningRecorder] = [], isAudioRequired: Bool = false
        ) {
            self.identifier = identifier
            self.display = display
            self.steps = steps
            self.recorders = recorders
            self.isAudioRequired = isAudioRequired
        }
    }

    /// Which of several tasks a run does.
    public enum NextTask: String, Hashable, Sendable, CaseIterable {
        /// The one that the participant chooses.
        case menu
        /// One task for each session, in the order of the file.
        case fixed
        /// One task for each session, in an order of the participant's own.
        case shuffle
        /// One task for each session, by the participant's row of a Latin square.
        case latinSquare
        /// One task for each session, by the participant's row of a Williams design.
        case williams
    }

    /// What a participant sees besides the steps' own texts.
    public struct Display: Hashable, Sendable {
        /// The participant's heart rate. It is `false` unless the study says otherwise, because feedback changes
        /// what is measured.
        public var heartRate: Bool
        /// The time left in a timed step.
        public var countdown: Bool
        /// "Step n of m".
        public var progress: Bool
        /// Whether a source has lost its signal, and for how long.
        public var lostSignal: Bool

        /// The study format's defaults.
        public init(
            heartRate: Bool = false, countdown: Bool = true, progress: Bool = true, lostSignal: Bool = true
        ) {
            self.heartRate = heartRate
            self.countdown = countdown
            self.progress = progress
            self.lostSignal = lostSignal
        }
    }

    /// Where a signal comes from, under the name that recorders use.
    public struct Source: Hashable, Sendable {
        /// The name, such as `heartRate`.
        public var identifier: Identifier
        /// What yields the samples.
        public var configuration: SourceConfiguration

        public init(identifier: Identifier, configuration: SourceConfiguration) {
            self.identifier = identifier
            self.configuration = configuration
        }
    }
}

extension Step {
    /// The step and, if it is a block, all steps in it at any depth.
    package var withInner: [Step] {
        guard let block else { return [self] }
        return [self] + block.ownSteps.flatMap(\.withInner)
    }

    /// The step and all steps in it, with the values of each round.
    fileprivate var inEachRound: [Step] {
        guard let block else { return [self] }
        let rounds = block.filled.isEmpty ? block.steps : block.filled.flatMap(\.self)
        return [self] + (rounds + (block.insertion?.steps ?? [])).flatMap(\.inEachRound)
    }

    /// The step in a companion's run: only the recorders of signals of the body.
    package var beside: Step {
        var step = self
        step.recorders.removeAll { !$0.isOfBody }
        guard case .block(var block) = kind else { return step }
        block.steps = block.steps.map(\.beside)
        block.insertion = block.insertion.map { .init($0.steps.map(\.beside), isAnywhere: $0.isAnywhere) }
        step.kind = .block(block)
        return step
    }
}

extension Study {
    /// The clips of a set; empty if there is no such set.
    package func clips(of clips: StepFacts.Clips?) -> [Stimulus] {
        switch clips {
        case .one(let clip): [clip]
        case .set(let set): stimulusSet(set)?.pool ?? []
        case nil: []
        }
    }

    /// Every clip that can be played, each once: those of the sets, and those that steps, blocks and music name in any arm
    /// and any round.
    package var clips: [Stimulus] {
        let tasks = inEachArm.flatMap(\.tasks)
        let played = tasks.flatMap {
            $0.music.map(\.use) + $0.steps.flatMap(\.inEachRound).compactMap(\.stimulus)
        }
        var known: Set<Stimulus> = []
        let all = stimulusSets.flatMap(\.pool) + played.flatMap { clips(of: $0.choice.clips) }
        return all.filter { known.insert($0).inserted }
    }

    /// The files of all pictures that any participant may see, in order.
    package var images: [String] {
        let steps = inEachArm.flatMap(\.tasks).flatMap { $0.steps.flatMap(\.inEachRound) }
        return Set(steps.flatMap(\.images)).sorted()
    }
}

extension Study.Task {
    /// All steps, including those within blocks.
    package var allSteps: [Step] {
        steps.flatMap(\.withInner)
    }

    /// Every recorder that can be started: of steps, of the steps in blocks, and over several steps.
    package var allRecorders: [RecorderConfiguration] {
        allSteps.flatMap(\.recorders) + recorders.map(\.recorder)
    }

    /// Whether any rule, or any choice of a clip, looks at a heart rate.
    package var observesHeartRate: Bool {
        subjects.contains { if case .heartRate = $0 { true } else { false } }
            || uses.contains {
                if case .nearest(let nearest) = $0.choice { nearest.looksAtHeartRate } else { false }
            }
    }

    /// Whether any step asks for a reaction.
    package var asksForReactions: Bool { allSteps.contains { $0.active?.reaction != nil } }

    /// How clips are used, by steps and by music.
    private var uses: [Stimulus.Use] { music.map(\.use) + allSteps.compactMap(\.stimulus) }

    /// Whether any clip follows the heart rate.
    package var followsHeartRate: Bool {
        uses.contains { $0.settings.following.map { $0.tempo != nil || $0.loudness != nil } == true }
    }

    /// The steps of other participants' runs whose clips' courses are taken.
    package var yokedSteps: [Identifier] {
        Set(uses.compactMap { $0.settings.following?.yokedTo }).sorted()
    }

    /// Whether any rule looks at the sound level.
    package var observesSoundLevel: Bool {
        subjects.contains { if case .soundLevel = $0 { true } else { false } }
    }

    /// Whether any rule looks at the variability of the heart rate.
    package var observesBeats: Bool {
        subjects.contains { if case .heartRate(let rate) = $0 { rate.variability != nil } else { false } }
    }

    private var subjects: [Navigation.Subject] { allSteps.flatMap(\.conditions).flatMap(\.subjects) }
}
