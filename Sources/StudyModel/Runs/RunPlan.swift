/// A task with every random draw made, for one participant and session.
public struct RunPlan: Hashable, Sendable {
    public var study: Identifier
    /// The study's revision.
    public var revision: Int
    public var task: Study.Task
    /// The participant's code, as given.
    public var participant: String
    /// The session, from 1.
    public var session: Int
    /// The participant's arm, if the study has arms.
    public var arm: Identifier?
    /// The same plan in each arm, if the run allocates the participant to one of them.
    public var arms: [RunPlan] = []
    /// The questions whose answers the allocation uses.
    public var factors: [Identifier] = []
    /// The seed of all draws.
    public var seed: UInt64
    /// The sections of the run, in the order of the task's own list of steps.
    public var sections: [Section]
    /// Clips that are dealt in the order in which steps are entered, whatever path the run takes.
    public var decks: [Deck] = []
    /// Every draw, as it is in `plan.json`.
    public var draws: [Draw]

    /// A plan of the given parts, without decks.
    public init(
        study: Identifier, revision: Int, task: Study.Task, participant: String, session: Int, seed: UInt64,
        sections: [Section] = [], draws: [Draw] = []
    ) {
        self.study = study
        self.revision = revision
        self.task = task
        self.participant = participant
        self.session = session
        self.seed = seed
        self.sections = sections
        self.draws = draws
    }

    /// Switches to the plan of the arm that an event allocates.
    package mutating func take(_ event: Event) {
        guard case .allocated(let name, _) = event, let own = arms.first(where: { $0.arm == name }) else {
            return
        }
        self = own
    }

    /// A companion's plan: the same draws, but only the recorders of signals of the body. Only the first participant
    /// is asked, rates and taps.
    package func beside(_ companion: String) -> RunPlan {
        var plan = self
        plan.participant = companion
        plan.arms = arms.map { $0.beside(companion) }
        plan.task.recorders.removeAll { !$0.recorder.isOfBody }
        plan.task.steps = task.steps.map(\.beside)
        plan.sections = sections.map { section in
            Section(step: section.step.beside, passes: section.passes.map { $0.map(\.beside) })
        }
        return plan
    }

    /// The plans of all arms that the run may be allocated to; otherwise this plan alone.
    package var inEachArm: [RunPlan] { arms.isEmpty ? [self] : arms }

    /// All visits that the run may make, of whatever arm it will be.
    package var allEntries: [Entry] { inEachArm.flatMap(\.sections).flatMap { $0.passes.joined() } }

    /// One element of the task's own list: a step, or a block with all its rounds.
    public struct Section: Hashable, Sendable {
        /// The step (or block) of the task's list.
        public var step: Step
        /// The entries of each pass: one for a step, rounds × steps for a block. Each round of a staircase has those of
        /// every rung, of which a run takes one.
        ///
        /// There are as many passes as the navigation allows.
        public var passes: [[Entry]]

        public init(step: Step, passes: [[Entry]]) {
            self.step = step
            self.passes = passes
        }
    }

    /// A step as one pass finds it.
    public struct Entry: Hashable, Sendable {
        /// The step; never a block.
        public var step: Step
        /// Identifiers from the task's list down to the step: the step's own, after those of the blocks around it.
        public var path: [Identifier]
        /// Number of this visit of the step within the plan, from 1.
        public var visit: Int
        /// The round of the innermost block, from 1, if the step is in one.
        public var round: Int?
        /// The clip, if the step plays one, or if music begins with it.
        public var stimulus: Choice?
        /// The music that begins with the step, if any does.
        public var music: SpanningMusic?
        /// The blocks around the step, the innermost last.
        package var blocks: [Enclosing] = []
        /// The clip of the round of the innermost block that has clips, whether or not the step plays it.
        package var clipOfRound: DrawnStimulus? { blocks.last { $0.clip != nil }?.clip }

        /// Whether another entry stands for the same visit: that of the first rung of a staircase.
        package var isOtherRung: Bool { blocks.last?.rung.map { $0 > 0 } == true }

        public init(
            step: Step, path: [Identifier], visit: Int, round: Int? = nil, stimulus: Choice? = nil
        ) {
            self.step = step
            self.path = path
            self.visit = visit
            self.round = round
            self.stimulus = stimulus
        }

        /// The entry in a companion's plan.
        fileprivate var beside: Entry {
            var entry = self
            entry.step = step.beside
            return entry
        }
    }

    /// A block around a step, in one of its rounds.
    package struct Enclosing: Hashable, Sendable {
        /// The block.
        package var step: Step
        /// Identifiers from the task's list down to the block.
        package var path: [Identifier]
        /// Number of this pass through the block within the plan, from 1.
        package var pass: Int
        /// The round, from 1; `nil` for steps that are inserted among the rounds.
        package var round: Int?
        /// The clip that the round is for.
        package var clip: DrawnStimulus?
        /// How the answers decide which clip or condition comes next, if they do.
        package var staircase: Staircase? { step.block?.staircase }
        /// The rung of the ladder, from 0, if the round is that of a staircase.
        package var rung: Int? {
            guard let staircase, let clip else { return nil }
            return clip.index / staircase.rowsOfRung
        }

        package init(step: Step, path: [Identifier], pass: Int) {
            (self.step, self.path, self.pass) = (step, path, pass)
        }
    }

    /// The clip that a step will play.
    public enum Choice: Hashable, Sendable {
        /// This one.
        indirect case clip(DrawnStimulus)
        /// The next one of `decks[index]`.
        case next(deck: Int)
        /// The clip of a set that the last answer to a question names; without an answer, the other one, if any.
        indirect case answered(Identifier, from: StimulusSet, otherwise: DrawnStimulus?)
        /// The clip of a set that is nearest to what is known when the step begins; if that is not known, the other
        /// one, if any.
        indirect case nearest(NearestClip, from: StimulusSet, otherwise: DrawnStimulus?)
    }

    /// Clips dealt in order.
    public struct Deck: Hashable, Sendable {
        /// The clips in the order of dealing; as many as the plan could ever need.
        public var clips: [DrawnStimulus]

        public init(clips: [DrawnStimulus]) { self.clips = clips }
    }
}

/// A clip with how it was chosen.
public struct DrawnStimulus: Hashable, Sendable {
    public var stimulus: Stimulus
    /// The set it comes from; `nil` if the study names the clip itself.
    public var set: Identifier?
    /// The word for the method: `random`, `williams`, `play` ….
    public var method: String
    /// The stream of the draw in the plan; `nil` if nothing was drawn.
    public var stream: String?
    /// Its index in the set's pool, from 0.
    public var index: Int
    /// What it was chosen to be near, by attribute; empty if it was not.
    public var aims: [String: Double] = [:]

    public init(stimulus: Stimulus, set: Identifier?, method: String, stream: String?, index: Int) {
        self.stimulus = stimulus
        self.set = set
        self.method = method
        self.stream = stream
        self.index = index
    }
}

/// One draw as `plan.json` records it, with all that is needed to repeat it.
public struct Draw: Hashable, Sendable {
    /// The name of the stream of chance.
    public var stream: String
    /// The word for the method.
    public var method: String
    /// The items drawn from, in the study's order.
    public var pool: [String]
    /// Weights beside `pool`, for `weighted`.
    public var weights: [Double]?
    /// The constraints that the order had to keep.
    public var constraints: [OrderConstraint]?
    /// Attribute → item → value, for the attributes that `constraints` name.
    public var categories: [String: [String: String]]?
    /// The participant's number, if a square was used.
    public var number: Int?
    /// The row of the square, from 0.
    public var row: Int?
    /// The stream of the draw whose order this one shares.
    public var sameAs: String?
    /// What was chosen, in order.
    public var chosen: [String]

    /// A draw without weights, constraints or a square.
    public init(stream: String, method: String, pool: [String], chosen: [String]) {
        self.stream = stream
        self.method = method
        self.pool = pool
        self.chosen = chosen
    }
}
