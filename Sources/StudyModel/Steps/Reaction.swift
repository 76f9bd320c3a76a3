/// A key that the participant presses as an answer to what is heard or shown, and that usually ends a timed step.
///
/// The answer belongs to a question with the step's own name. It is missing if the step's time is over first.
public struct Reaction: Hashable, Sendable {
    /// The keys that count; at least one, each once.
    public var keys: [Key]
    /// The position in the clip's file from which the time is measured; `nil` from the clip's first sound on. Without
    /// a clip, the time is measured from the step's start.
    public var target: Duration?
    /// Whether the key ends the step; otherwise the step lasts its whole time, and only the first key counts.
    public var endsStep = true
    /// What the participant reads afterwards, if anything.
    public var feedback: Feedback?

    public init(keys: [Key], target: Duration? = nil, feedback: Feedback? = nil) {
        (self.keys, self.target, self.feedback) = (keys, target, feedback)
    }

    /// A key, and what pressing it says.
    public struct Key: Hashable, Sendable {
        /// One of `Tapping.possibleKeys`.
        public var name: String
        public var value: String
        /// What the participant reads; `nil` if the key alone is named.
        public var text: LocalizedText?

        public init(name: String, value: String, text: LocalizedText? = nil) {
            (self.name, self.value, self.text) = (name, value, text)
        }
    }

    /// Words about the reaction.
    public struct Feedback: Hashable, Sendable {
        /// After a right key; after any key if the study names no right answer.
        public var right: LocalizedText?
        public var wrong: LocalizedText?
        /// If no key came in time.
        public var late: LocalizedText?
        /// How long the words are shown, in addition to the step's duration; above 0.
        public var duration: Duration

        public init(
            right: LocalizedText? = nil, wrong: LocalizedText? = nil, late: LocalizedText? = nil,
            duration: Duration
        ) {
            (self.right, self.wrong, self.late, self.duration) = (right, wrong, late, duration)
        }

        package var texts: [LocalizedText] { [right, wrong, late].compactMap(\.self) }
    }

    /// What the keys say, as the choices of one answer.
    package var format: AnswerFormat {
        var choices: [AnswerFormat.Choice] = []
        for key in keys where !choices.contains(where: { $0.value == key.value }) {
            choices.append(.init(value: key.value, text: key.text ?? .plain(key.value)))
        }
        return .choice(choices)
    }
}

/// What came of a reaction.
public struct ReactionResult: Hashable, Sendable {
    /// The key press that counted; `nil` if none came in time.
    public var press: Press?
    /// How many of its keys did not count: they came before the moment from which the time is measured, or were
    /// repeated by a key that was held.
    public var ignoredKeys = 0
    /// Whether it was the right key; `nil` if none came in time, or if the study names no right answer. Where no key is
    /// right, it is `true` if none came, and `false` for every key.
    public var isRight: Bool?

    public init(press: Press? = nil) { self.press = press }

    /// A key press that is measured.
    public struct Press: Hashable, Sendable {
        /// The key's name.
        public var key: String
        /// When the key was read from the terminal.
        public var instant: RunInstant
        /// The moment from which the time is measured.
        public var onset: RunInstant
        /// What happened at that moment.
        public var reference: Reference
        /// Whether a key that was held since the step before repeated itself.
        public var isRepetition = false

        public init(key: String, at instant: RunInstant, onset: RunInstant, reference: Reference) {
            (self.key, self.instant, self.onset, self.reference) = (key, instant, onset, reference)
        }

        /// From the onset to the key; below zero for a key that came too early.
        public var time: Duration { onset.duration(to: instant) }
    }

    /// What a reaction time is measured from.
    public enum Reference: String, Hashable, Sendable, CaseIterable {
        /// The sound, as it was heard: the delay of its device is included.
        case sound
        /// The planned moment of a sound, in a run in which nothing can be heard.
        case plannedSound
        /// The planned start of a step without a clip. The screen is drawn a few milliseconds later.
        case step
    }
}
