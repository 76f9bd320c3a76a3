import StudyModel

/// A step as it was read; the names in its rules are still to be looked up.
struct StepDraft {
    /// `nil` if the identifier is missing or malformed.
    var identifier: Located<Identifier>?
    /// The step without its navigation (and a block without its steps); `nil` if it cannot be used.
    var step: Step?
    var skipIf: [ConditionDraft] = []
    var goTo: [JumpDraft] = []
    var maximumVisits = 1
    /// What ends a timed step before its duration is over.
    var until: UntilDraft?
    /// The conditions of a timed step's cues, in the order of the cues.
    var whilst: [Located<ConditionDraft>] = []
    /// The step from whose end that of a timed step is counted.
    var endsAfter: Located<Identifier>?
    /// Whether a misspelt key was probably meant as `maximumVisits`.
    var seemsLimited: () -> Bool = { false }
    /// The place of `maximumVisits`.
    var visits: SourceRange?
    /// The set of a block that has a round for each clip.
    var rounds: Located<Identifier>?
    /// The questions that the step asks; the format is `nil` if it could not be read.
    var questions: [(identifier: Identifier, format: AnswerFormat?)] = []
    /// The right answers, not yet read, by question.
    var right: [Identifier: Node] = [:]
    /// The placeholders in its texts, and in the texts of its questions.
    var references: [Located<TextReference>] = []
    /// The clips of the step that the participant chooses.
    var chosenClips: [ChosenClip] = []
    /// The block with which a block shares its order.
    var sharedOrder: Located<Identifier>?
    /// The block that took what is old in the rounds of a block.
    var seen: Located<Identifier>?
    /// How the answers decide on the rounds of a block.
    var adapt: AdaptShape.Draft?
    /// The steps of a block.
    var inner: [StepDraft] = []
    /// The steps that a block inserts among its rounds.
    var inserted: [StepDraft] = []
    /// The block's steps for each of its clips or conditions, if their values are used.
    var filled: [FilledSteps] = []
    var isCompletion = false
    var hasKnownType = true
    var hasReadRecorders = true
    /// The place of the step's type, or else of the step.
    var range: SourceRange

    /// Whether the step itself asks a question.
    func asks(_ question: Identifier) -> Bool { questions.contains { $0.identifier == question } }

    /// Whether it is heard: a clip of its own, or a sound check.
    var playsClip: Bool { step?.stimulus != nil || step?.soundCheck != nil }

    var withInner: [StepDraft] { [self] + (inner + inserted).flatMap(\.withInner) }

    /// The step and all steps in it, in the order of `withInner`, each with the blocks around it, from this one
    /// inwards.
    func withBlocks(_ blocks: [StepDraft] = []) -> [(step: StepDraft, blocks: [StepDraft])] {
        [(self, blocks)] + (inner + inserted).flatMap { $0.withBlocks(blocks + [self]) }
    }
}

/// A condition whose names and values are still to be looked up.
indirect enum ConditionDraft {
    case compare(Subject, Located<Navigation.Comparison>, Node)
    case isAnswered(Located<Identifier>)
    case all([ConditionDraft])
    case any([ConditionDraft])
    case not(ConditionDraft)

    enum Subject {
        case answer(Located<Identifier>)
        case heartRate(HeartRateDraft)
        case soundLevel(Located<Identifier>)
        case clip(Located<Identifier>, attribute: Located<String>?)
        case run(Located<RunNumber>)
        case arm(Located<Identifier>)
        case timedOut(Located<Identifier>)
    }

    /// Whether the participant is in an arm.
    static func isArm(_ name: Located<Identifier>) -> ConditionDraft {
        .isSo(.arm(name), name.value.text, at: name.range)
    }

    /// Whether the time for answering a question was over.
    static func isTimedOut(_ question: Located<Identifier>) -> ConditionDraft {
        .isSo(.timedOut(question), "true", at: question.range)
    }

    private static func isSo(_ subject: Subject, _ value: String, at range: SourceRange) -> ConditionDraft {
        .compare(
            subject, Located(value: .eq, range: range), Node(content: .scalar(value, .plain), range: range))
    }

    /// The number of the run that a condition looks at.
    enum RunNumber {
        case session
        case round
    }
}

/// A heart rate whose steps are still to be looked up.
struct HeartRateDraft {
    enum Span {
        case during(Located<Identifier>)
        case last(Located<Duration>)
    }

    var span: Span
    /// How the variability is measured; `nil` for the mean rate.
    var variability: Biofeedback.Measure?
    var baseline: Located<Identifier>?
}

/// A rule that leads elsewhere, before its target is looked up.
struct JumpDraft {
    /// Whether it always holds.
    var isUnconditional: Bool
    /// The condition; `nil` if there is none or it could not be read.
    var condition: ConditionDraft?
    var target: Located<String>
}

/// What ends a timed step, before its condition is looked up.
struct UntilDraft {
    var condition: ConditionDraft
    var holding: Located<Duration>
    var atLeast: Located<Duration>?
    var range: SourceRange
}
