/// What only a step of type `program` has: another program, which the study's author wrote in any language, carries
/// out its task.
public struct ProgramStep: Hashable, Sendable {
    /// The program and its arguments. A program with a `/` lies in the study's folder; any other is looked for
    /// along the path.
    public var command: [String]
    /// How long it may run.
    public var duration: Duration
    /// The questions that it may answer.
    public var questions: [Question]
    /// The values that it gets, by name, in which placeholders may stand.
    public var values: [Value] = []
    /// The variables of the environment that it sees in addition to `usualEnvironment`.
    public var environment: [String] = []

    /// A value that the program gets.
    public struct Value: Hashable, Sendable {
        public var name: Identifier
        public var text: String

        public init(name: Identifier, text: String) {
            (self.name, self.text) = (name, text)
        }
    }

    /// A program that gets no values, and only the environment that every program gets.
    public init(command: [String], duration: Duration, questions: [Question] = []) {
        (self.command, self.duration, self.questions) = (command, duration, questions)
    }

    /// They say where programs are found, and which language and time zone they use.
    package static let usualEnvironment = ["PATH", "LANG", "LC_ALL", "TZ"]
}

extension Step {
    /// The step's program; `nil` if it has none.
    package var program: ProgramStep? { if case .program(let program) = kind { program } else { nil } }
}

/// What the program of a step says.
public enum ProgramMessage: Hashable, Sendable {
    /// Show this instead of the step's text.
    case shows(String)
    /// Answers to some of the step's questions. A later answer replaces an earlier one.
    case answers([GivenAnswer])
    case sample(ProgramSample)
    /// A message that could not be understood, for this reason.
    case unclear(String)
    /// The program has ended; `problem` says how, if it did not end as it should.
    case ended(problem: String?)
}

/// A number that the program of a step measured.
public struct ProgramSample: Hashable, Sendable {
    public var name: Identifier
    public var value: Double
    /// When it was measured; the time of arrival if the program does not say.
    public var instant: RunInstant

    public init(name: Identifier, value: Double, at instant: RunInstant) {
        (self.name, self.value, self.instant) = (name, value, instant)
    }
}

/// The outcome of a step's program, apart from its answers.
public struct ProgramOutcome: Hashable, Sendable {
    /// What it measured, in the order in which it reported it.
    public var samples: [ProgramSample] = []
    /// Samples that were left out because a step takes no more.
    public var droppedSamples = 0
    /// How many of its messages could not be understood.
    public var unclearCount = 0
    /// What was wrong with the first of them.
    public var firstUnclear: String?
    /// Why it did not end as it should, if so.
    public var problem: String?

    /// A program that said nothing.
    public init() {}

    /// How many samples a step takes at most.
    package static let mostSamples = 10_000

    package mutating func take(_ sample: ProgramSample) {
        guard samples.count < Self.mostSamples else {
            droppedSamples += 1
            return
        }
        samples.append(sample)
    }
}
