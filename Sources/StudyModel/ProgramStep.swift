/// What only a step has in which another program works: a task that the study's author wrote in any language.
public struct ProgramStep: Hashable, Sendable {
    /// The program and its arguments. A program with a `/` lies in the study's folder, any other along the path.
    public var command: [String]
    /// How long it may work.
    public var duration: Duration
    /// What it may answer.
    public var questions: [Question]
    /// The values that it gets, by name, with places to fill in.
    public var values: [Value] = []
    /// The variables of the environment that it sees beside `usualEnvironment`.
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

    /// Where programs are found, and in which language and time zone they speak.
    package static let usualEnvironment = ["PATH", "LANG", "LC_ALL", "TZ"]
}

extension Step {
    /// The program that works in it; `nil` if there is none.
    package var program: ProgramStep? { if case .program(let program) = kind { program } else { nil } }
}

/// What the program of a step says.
public enum ProgramMessage: Hashable, Sendable {
    /// Show this in the place of the step's text.
    case shows(String)
    /// Answers to some of the step's questions; a later one counts in the place of an earlier one.
    case answers([GivenAnswer])
    case sample(ProgramSample)
    /// It said something that means nothing, for this reason.
    case unclear(String)
    /// It has ended; `problem` says how, where it did not end as it should.
    case ended(problem: String?)
}

/// A number that the program of a step measured.
public struct ProgramSample: Hashable, Sendable {
    public var name: Identifier
    public var value: Double
    /// When it was measured; on arrival, where the program does not say.
    public var instant: RunInstant

    public init(name: Identifier, value: Double, at instant: RunInstant) {
        (self.name, self.value, self.instant) = (name, value, instant)
    }
}

/// What came of the program of a step, beside its answers.
public struct ProgramOutcome: Hashable, Sendable {
    /// What it measured, in the order in which it told.
    public var samples: [ProgramSample] = []
    /// Samples beyond the most that a step takes.
    public var droppedSamples = 0
    /// How often it said something that means nothing.
    public var unclearCount = 0
    /// What was wrong with the first of these.
    public var firstUnclear: String?
    /// Why it did not end as it should.
    public var problem: String?

    /// A program that said nothing.
    public init() {}

    /// The samples that a step takes.
    package static let mostSamples = 10_000

    package mutating func take(_ sample: ProgramSample) {
        guard samples.count < Self.mostSamples else {
            droppedSamples += 1
            return
        }
        samples.append(sample)
    }
}
