/// One thing a participant does.
public struct Step: Hashable, Sendable {
    /// The step's name, unique in its task.
    public var identifier: Identifier
    /// The heading.
    public var title: LocalizedText?
    /// The main text.
    public var text: LocalizedText?
    /// Smaller print below the text.
    public var detail: LocalizedText?
    /// The picture below the texts.
    public var image: StepImage?
    /// Whether the participant may skip the step.
    public var isOptional: Bool
    /// How long the step is shown before it accepts input.
    public var leastTime = Duration.zero
    /// How long its questions can be answered; `nil` sets no limit.
    public var timeLimit: TimeLimit?
    /// What it does about how loud the run is; only for a question.
    public var soundCheck: SoundCheck?
    /// The right answers, by question, if the study names them.
    public var right: [Identifier: Right] = [:]
    /// What is recorded while the step lasts.
    public var recorders: [RecorderConfiguration]
    /// Rules that leave the step out or say where to go afterwards.
    public var navigation: Navigation
    /// What kind of step it is, with what only that kind has.
    public var kind: Kind

    public enum Kind: Hashable, Sendable {
        /// Text to read; ends when the participant confirms.
        case instruction
        indirect case active(ActiveStep)
        /// Seconds counted down before something begins.
        case countdown(Duration)
        /// One question; if an answer is refused, `invalidMessage` is shown instead of the program's words.
        case question(AnswerFormat, invalidMessage: LocalizedText? = nil)
        /// Several questions shown together.
        case form(Form)
        /// Another program, which shows texts and answers questions.
        indirect case program(ProgramStep)
        /// The answers so far that can still be changed, to check and to go back to.
        case review
        /// A document to agree to.
        case consent(Consent)
        /// The participant is allocated to an arm; the step ends by itself.
        case allocation
        /// Steps that are repeated, possibly in a drawn order.
        indirect case block(Block)
        /// An end of the task, which says thanks and what happens next. It has a name if it is not the usual end.
        case completion(reason: Identifier? = nil)
    }

    public init(
        identifier: Identifier, title: LocalizedText? = nil, text: LocalizedText? = nil,
        detail: LocalizedText? = nil,
        isOptional: Bool = false, recorders: [RecorderConfiguration] = [],
        navigation: Navigation = Navigation(),
        kind: Kind
    ) {
        self.identifier = identifier
        self.title = title
        self.text = text
        self.detail = detail
        self.isOptional = isOptional
        self.recorders = recorders
        self.navigation = navigation
        self.kind = kind
    }
}

/// A picture, and the words for those who do not see it.
public struct StepImage: Hashable, Sendable {
    /// The file, a PNG or a JPEG, relative to the study file, in normal form.
    public var path: String
    /// What is read in its place.
    public var alternative: LocalizedText

    public init(path: String, alternative: LocalizedText) {
        (self.path, self.alternative) = (path, alternative)
    }

    /// How a picture reaches a participant.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// By the graphics protocol of the terminal kitty, with all its colours.
        case kitty
        /// By sixels, with at most 256 colours.
        case sixel
        /// As characters, each of which shows two points.
        case blocks
        /// Not at all: its alternative text is read.
        case alternative
    }
}

extension Step {
    /// What is right.
    public enum Right: Hashable, Sendable {
        /// This answer.
        case answer(Navigation.Value)
        /// No key, until the step's time is over.
        case noKey
    }

    /// A time for answering, and what happens at its end to an answer that was not sent.
    public struct TimeLimit: Hashable, Sendable {
        public var duration: Duration
        /// Whether what the question's field then holds becomes its answer, if it can be one; otherwise the answer
        /// is missing.
        public var keepsAnswers: Bool

        public init(_ duration: Duration, keepsAnswers: Bool = false) {
            (self.duration, self.keepsAnswers) = (duration, keepsAnswers)
        }
    }
}

/// A document that the participant reads and agrees to.
public struct Consent: Hashable, Sendable {
    /// The document's Markdown.
    public var document: LocalizedText
    /// Whether the participant types their name.
    public var isSignatureTyped: Bool
    /// What participants who do not agree read last; `nil` for the program's own words.
    public var declined: LocalizedText?

    public init(document: LocalizedText, isSignatureTyped: Bool, declined: LocalizedText? = nil) {
        self.document = document
        self.isSignatureTyped = isSignatureTyped
        self.declined = declined
    }
}

extension Step {
    /// The step's document; `nil` if it has none.
    package var consent: Consent? { if case .consent(let consent) = kind { consent } else { nil } }
    /// The questions that it shows together; `nil` if it shows none so.
    package var form: Form? { if case .form(let form) = kind { form } else { nil } }
    /// The steps that are repeated; `nil` if it is no block.
    package var block: Block? { if case .block(let block) = kind { block } else { nil } }
    /// The clip that it plays, and how: for a block, through all its rounds.
    package var stimulus: Stimulus.Use? { active?.stimulus ?? block?.stimulus }
}

/// Steps that are repeated.
public struct Block: Hashable, Sendable {
    /// How often the steps are repeated; with `set`, the number of rounds for each clip. At least 1.
    public var repetitions: Int
    /// The set or table with one round per clip or condition, if any.
    public var set: Identifier?
    /// How the rounds are ordered; only with `set`.
    public var order: Order
    /// The steps of one round, none of them a completion; blocks nest at most three levels deep.
    public var steps: [Step]
    /// Steps that come once in each pass, at a drawn place among the rounds.
    public var insertion: Insertion?
    /// How the answers decide which clip or condition comes next; `nil` if all of them come.
    public var staircase: Staircase?
    /// Which of the clips or conditions come; `nil` if all of them do.
    public var take: Take?
    /// An earlier block over the same clips or conditions that takes some of them. Each round then has the value
    /// `Take.name`: whether that block took its clip or condition.
    public var seenIn: Identifier?
    /// The steps for each clip or condition of `set`, with its values filled in; empty if no values are used. With
    /// `seenIn` these are the steps for the old ones, followed by those for the new ones.
    public var filled: [[Step]] = []
    /// The clip that goes on through all its rounds, if it has one.
    public var stimulus: Stimulus.Use?

    public init(repetitions: Int = 1, set: Identifier? = nil, order: Order = .fixed, steps: [Step]) {
        self.repetitions = repetitions
        self.set = set
        self.order = order
        self.steps = steps
    }

    /// Steps that come once in each pass through a block, at a drawn place among its rounds.
    public struct Insertion: Hashable, Sendable {
        /// Single steps.
        public var steps: [Step]
        /// Whether they may also come before the first round and after the last one.
        public var isAnywhere: Bool

        public init(_ steps: [Step], isAnywhere: Bool = false) {
            (self.steps, self.isAnywhere) = (steps, isAnywhere)
        }
    }

    /// Some of the clips or conditions, drawn anew for each pass.
    public struct Take: Hashable, Sendable {
        /// How many; at least 1, and fewer than there are.
        public var count: Int
        /// Whether they are those of the participant's row of a Latin square; otherwise all of them are equally likely.
        public var isRow = false
        /// The column of whose values one row each is taken; `nil` if any rows are.
        public var each: String?

        public init(_ count: Int, isRow: Bool = false, each: String? = nil) {
            (self.count, self.isRow, self.each) = (count, isRow, each)
        }

        /// The name of the value that says whether a clip or condition was taken.
        package static let name = "seen"
        /// What that value is, for what was taken and for what was not.
        package static let (old, new) = ("old", "new")
    }

    /// Every step in it, except those of its inner blocks.
    package var ownSteps: [Step] { steps + (insertion?.steps ?? []) }

    /// How the rounds of a block are ordered.
    public enum Order: Hashable, Sendable {
        /// As in the pool.
        case fixed
        /// Drawn uniformly among all orders that keep every constraint.
        case shuffle([OrderConstraint])
        /// A row of a Latin square, by the participant's number.
        case latinSquare
        /// A row of a Williams design, by the participant's number.
        case williams
        /// The order of an earlier block with the same rounds, pass by pass.
        case sameAs(Identifier)
    }
}

/// A rule that an order must keep.
public enum OrderConstraint: Hashable, Sendable {
    /// No two neighbours have the same value of `attribute`.
    case noImmediateRepeat(attribute: String)
    /// At most `length` neighbours have the same value of `attribute`, or only of those with the value `only`; `length` is
    /// at least 1.
    case maximumRun(attribute: String, length: Int, only: String? = nil)
    /// Two clips with the same value of `attribute` are at least `steps` places apart; 1 is no rule at all, 2
    /// forbids neighbours. With `only`, this holds for those with that value.
    case minimumDistance(attribute: String, steps: Int, only: String? = nil)
    /// Each value of `attribute` occurs equally often in both halves of the order, or once more in one of them. The
    /// middle place of an odd number belongs to the second half.
    case equalHalves(attribute: String)
    /// The first is one of these clips or conditions.
    case firstOf([Identifier])
    /// The first is none of these.
    case notFirst([Identifier])
    /// The last is none of these.
    case notLast([Identifier])
}
