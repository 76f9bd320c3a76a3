package import StudyModel

/// Shows the run to the participant, and reports what the participant does.
///
/// Laws, checked for every conformer by the contract test:
/// - it shows the latest screen, and may leave out screens that were replaced immediately;
/// - it reports an act only for the screen on show, and never one that the screen does not offer;
/// - cancelled, or when `updates` ends, it leaves its device as it found it and returns.
package protocol Prompter: Sendable {
    /// Shows until the updates end.
    ///
    /// - Parameters:
    ///   - updates: what to show, in order.
    ///   - clock: the run's clock, for countdowns.
    ///   - act: receives what the participant does; never blocks.
    func run<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, on clock: C, act: @escaping @Sendable (ParticipantAct) -> Void
    ) async where C.Instant == RunInstant
}

/// Something to show.
package enum ScreenUpdate: Hashable, Sendable {
    /// A step, or a step in another phase.
    case screen(Screen)
    /// The participant's heart rate, beats per minute. It is sent for every screen, but shown only if the screen
    /// allows it.
    case heartRate(Double, at: RunInstant)
    /// What the camera of that name saw. It is sent for every screen, but shown only if the screen allows it.
    case pulse(Identifier, CameraStatus)
    /// How loud the participant is, dB below full scale; `nil` if the microphone is not listening any more.
    case soundLevel(Double?)
    /// A clip began, and can be heard or not; `nil` when it is over.
    case clip(isHeard: Bool?)
    /// The source of that name is live again (`nil`), or is not, for this reason.
    case source(Identifier, problem: SourceProblem?)
    /// The battery of the source of that name may not last.
    case batteryLow(Identifier, percent: Int)
    /// A device or a simulated participant moved the mark of the rating on show.
    case rated([Double])
    /// What the display of the recorder of that name shows from a moment on.
    case shown(Identifier, Biofeedback.Shown, at: RunInstant)
    /// A cue that the participant's device can give.
    case cue(Cue.Signal)
    /// A cue that the player sounds; the device marks it for those who do not hear it.
    case sounded(Cue.Signal)
    /// What the experimenter wanted at this terminal was not possible, for this reason.
    case notDone(String)
    /// The experimenter says something to the participant.
    case message(String)
    /// The result of the step with this title is on disk.
    case saved(String)
    /// The run is over; `folder` is where its bundle lies, `nil` if it could not be saved.
    ///
    /// `words` are the study's own words for such an end; `nil` leaves the words to the prompter.
    case over(FinishReason, words: String? = nil, folder: String?, problem: String?)
}

/// Something that the participant did.
package enum ParticipantAct: Hashable, Sendable {
    /// One of `confirmed drafted answered skipped wentBack wentBackTo paused resumed withdrawn interrupted`.
    ///
    /// `ordinal` is the only visit that the event is meant for, the one on show; `nil` means any.
    case event(Event, ordinal: Int? = nil)
    /// A key press by its name (`a`, `return`, `up` …), for the `events` recorder.
    case key(String)
    /// The mark of a rating was moved.
    case rated(Rated)
    /// A key was tapped.
    case tapped(Tapped)
    /// A key was pressed in reaction to what is heard or shown.
    case reacted(Reacted)
    /// The experimenter noted something at the participant's terminal, or changed the course of the run.
    case marked(RunMark)

    /// The act, marked as a reply to a screen.
    package func on(_ screen: Screen?) -> ParticipantAct {
        switch self {
        case .event(let event, nil): .event(event, ordinal: screen?.ordinal)
        case .event, .key, .rated, .tapped, .reacted, .marked: self
        }
    }
}

/// Where the participant moved the mark of a rating.
package struct Rated: Hashable, Sendable {
    /// The visit whose rating was on show.
    package var ordinal: Int
    package var recorder: Identifier
    /// A value for each dimension.
    package var values: [Double]
    /// When the key or the pointer was read from the terminal.
    package var instant: RunInstant

    package init(ordinal: Int, recorder: Identifier, values: [Double], at instant: RunInstant) {
        (self.ordinal, self.recorder) = (ordinal, recorder)
        (self.values, self.instant) = (values, instant)
    }
}

/// A key that the participant tapped.
package struct Tapped: Hashable, Sendable {
    /// The visit that was on show.
    package var ordinal: Int
    package var recorder: Identifier
    /// The key's name.
    package var key: String
    /// When the key was read from the terminal.
    package var instant: RunInstant

    package init(ordinal: Int, recorder: Identifier, key: String, at instant: RunInstant) {
        (self.ordinal, self.recorder) = (ordinal, recorder)
        (self.key, self.instant) = (key, instant)
    }
}

/// A key that the participant pressed in reaction to what is heard or shown.
package struct Reacted: Hashable, Sendable {
    /// The visit that was on show.
    package var ordinal: Int
    /// The key's name.
    package var key: String
    /// When the key was read from the terminal.
    package var instant: RunInstant
    /// Whether a key that was held since the step before repeated itself.
    package var isRepetition: Bool

    package init(ordinal: Int, key: String, at instant: RunInstant, isRepetition: Bool = false) {
        (self.ordinal, self.key) = (ordinal, key)
        (self.instant, self.isRepetition) = (instant, isRepetition)
    }
}

/// Everything that is needed to draw a step, with words already in the participant's language.
package struct Screen: Hashable, Sendable {
    /// Counts the visits of the run, from 1.
    package var ordinal: Int
    package var studyTitle: String
    /// The heading; empty if the step has none.
    package var title: String
    /// The main text, which may contain line breaks; empty if there is none.
    package var text: String
    /// Smaller print; empty if there is none.
    package var detail = ""
    /// The picture below the texts.
    package var image: Image?
    /// "Step n of m"; `nil` if the study hides it.
    package var progress: Progress?
    /// What kind of step it is.
    package var content: Content
    /// What the step is doing.
    package var phase: Presentation.Phase
    /// How long the step is shown before it accepts input.
    package var leastTime = Duration.zero
    /// When the time for answering ends; `nil` if there is no limit.
    package var answersDue: RunInstant?
    /// How the step is answered.
    package var answering: Set<AnsweringMode> = []
    /// What the participant may do besides.
    package var allows: Set<Liberty> = [.pause, .resume]
    /// What is shown beside the step.
    package var shows: Set<Hint> = [.countdown, .lostSignal]
    /// The expected heart rate, if the step has one; shown only together with the participant's own.
    package var expected: ExpectedHeartRate?
    /// What is rated while the step goes on.
    package var rating: Rating?
    /// What is shown of the heart, or to breathe with, while the step goes on.
    package var displays: [Display] = []
    /// What is tapped while the step goes on.
    package var tapping: Tapping?
    /// The keys that answer and end the step, each with the words for it, empty if there are none.
    package var reactionKeys: [ReactionKey] = []
    /// What is asked during the step. It waits while the step is paused.
    package var prompt: Prompt?
    /// What the participant typed or chose here earlier, by question.
    package var drafts: [Identifier: String] = [:]
    /// The language of the words; `nil` if the study has only one.
    package var language: Language?

    /// A picture, and the words for those who do not see it.
    package struct Image: Hashable, Sendable {
        /// The file, relative to the study file.
        package var path: String
        package var alternative: String

        package init(path: String, alternative: String) {
            (self.path, self.alternative) = (path, alternative)
        }
    }

    package enum AnsweringMode: Hashable, Sendable {
        /// The answers entered when the time is over count.
        case kept
        /// Each answer that is chosen is heard at once, before it is confirmed.
        case heard
        /// All answers are shown once more before they are sent.
        case reviewed
    }

    package enum Liberty: Hashable, Sendable {
        case skip, goBack, pause
        /// The experimenter alone may end their own pause.
        case resume
        /// The participant may leave the run and go on another time.
        case putAside
    }

    package enum Hint: Hashable, Sendable {
        /// The time left.
        case countdown
        /// The participant's own.
        case heartRate
        /// A source without a signal is named.
        case lostSignal
    }

    /// What a recorder lets the participant rate.
    package struct Rating: Hashable, Sendable {
        package var recorder: Identifier
        package var scale: RatingScale

        package init(recorder: Identifier, scale: RatingScale) {
            (self.recorder, self.scale) = (recorder, scale)
        }
    }

    /// What a recorder shows.
    package struct Display: Hashable, Sendable {
        package var recorder: Identifier
        package var biofeedback: Biofeedback

        package init(recorder: Identifier, biofeedback: Biofeedback) {
            (self.recorder, self.biofeedback) = (recorder, biofeedback)
        }
    }

    /// Which keys a recorder of taps listens to.
    package struct Tapping: Hashable, Sendable {
        package var recorder: Identifier
        /// Their names.
        package var keys: [String]

        package init(recorder: Identifier, keys: [String]) { (self.recorder, self.keys) = (recorder, keys) }
    }

    /// A key that answers and ends the step.
    package struct ReactionKey: Hashable, Sendable {
        /// Its name.
        package var name: String
        /// What pressing it says; empty if the key alone is named.
        package var words: String

        package init(name: String, words: String) { (self.name, self.words) = (name, words) }
    }

    /// One asking of a prompt.
    package struct Prompt: Hashable, Sendable {
        package var question: AskedQuestion
        /// Number of this asking of the question within the visit, from 1.
        package var number: Int

        package init(_ question: AskedQuestion, number: Int) {
            (self.question, self.number) = (question, number)
        }
    }

    /// How far a run has come.
    package struct Progress: Hashable, Sendable {
        /// The number of the step, from 1.
        package var step: Int
        /// The number of steps in all.
        package var of: Int

        package init(step: Int, of: Int) {
            self.step = step
            self.of = of
        }
    }

    /// What kind of step it is.
    package enum Content: Hashable, Sendable {
        /// Text to read.
        case instruction
        /// A timed step: active, or a countdown. `duration` is its whole length.
        case timed(duration: Duration, isCountdown: Bool)
        /// One or several questions to answer; those of a matrix share one format.
        case questions([AskedQuestion], isMatrix: Bool = false)
        /// The answers so far that can be changed.
        case review([ReviewedAnswers])
        /// A document to agree to; `question` is the identifier under which to answer.
        case consent(question: Identifier, document: String, isSignatureTyped: Bool)
        /// The last step.
        case completion
    }

    package init(
        ordinal: Int, studyTitle: String, title: String, text: String, content: Content,
        phase: Presentation.Phase
    ) {
        self.ordinal = ordinal
        self.studyTitle = studyTitle
        self.title = title
        self.text = text
        self.content = content
        self.phase = phase
    }
}

/// What was answered in an earlier visit, in the participant's language.
package struct ReviewedAnswers: Hashable, Sendable {
    /// The visit to go back to.
    package var ordinal: Int
    /// The step's heading, or its text if it has none.
    package var title: String
    package var questions: [AskedQuestion]
    /// What was typed or chosen, by question.
    package var drafts: [Identifier: String]

    package init(
        ordinal: Int, title: String, questions: [AskedQuestion], drafts: [Identifier: String]
    ) {
        self.ordinal = ordinal
        self.title = title
        self.questions = questions
        self.drafts = drafts
    }
}

/// A question in the participant's language.
package struct AskedQuestion: Hashable, Sendable {
    /// The identifier under which to answer.
    package var identifier: Identifier
    package var title: String
    /// More words; empty if there are none.
    package var text: String
    /// Whether it may be left unanswered.
    package var isOptional: Bool
    /// What an answer looks like; its labels are to be read in the screen's language.
    package var format: AnswerFormat
    /// What is said if an answer is refused; `nil` for the program's own words.
    package var invalidMessage: String?

    package init(
        identifier: Identifier, title: String, text: String, isOptional: Bool, format: AnswerFormat,
        invalidMessage: String? = nil
    ) {
        self.invalidMessage = invalidMessage
        self.identifier = identifier
        self.title = title
        self.text = text
        self.isOptional = isOptional
        self.format = format
    }
}
