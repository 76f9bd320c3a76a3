import TextFormat

extension ResultBundle {
    /// A question with its answer.
    public struct Answer: Hashable, Sendable {
        /// The question's identifier.
        public var question: String
        /// ResearchKit's class.
        public var kind: String
        /// The answer as text, several choices as a JSON list; `nil` if there is none.
        public var text: String?
        /// The answer as a number, if it is one.
        public var number: Double?
        /// What was chosen, if the answer is a list.
        public var choices: [String]?
        /// Whether several choices could be ticked.
        public var takesSeveral = false
        /// Whether the choice says that there is no answer, so that it never counts as a number.
        public var isMissing = false
        /// The number's unit, if the study gives one.
        public var unit: String?
        /// The words of a choice that asks for words.
        public var other: String?
        /// When it was seen and answered, seconds since the run's start; `nil` if nobody saw it.
        public var times: Times?
        /// Which asking of a prompt it belongs to; `nil` if a step of its own asked.
        public var prompt: Prompt?
        /// The key press behind it; `nil` if it was not to be answered by a key.
        public var reaction: Reaction?

        /// A key press as an answer. Times are seconds.
        public struct Reaction: Hashable, Sendable {
            /// The key's name; `nil` if none came in time.
            public var key: String?
            /// From the onset to the key.
            public var time: Double?
            /// The moment from which the time is measured, since the run's start.
            public var onset: Double?
            /// When the key was pressed, since the run's start.
            public var pressed: Double?
            /// What happened at the onset: `sound`, `plannedSound` or `step`.
            public var measuredFrom: String?
            /// Whether it was the right key or, where no key is right, whether none came; `nil` if the right key did not
            /// come, or if the study names nothing as right.
            public var isRight: Bool?
            /// How many keys did not count: they came before the onset, or were repeated by a held key.
            public var ignoredKeys: Int

            /// What the time is measured from, whether it was the right key, and what did not count, in words.
            package var remark: String {
                let from: String? =
                    switch measuredFrom {
                    case "sound": "after the sound was heard"
                    case "plannedSound": "after the planned moment of a sound that nobody could hear"
                    case "step": "after the planned start of the step"
                    default: nil
                    }
                let right = isRight.map { $0 ? "right" : "wrong" }
                let keys = ignoredKeys == 1 ? "key" : "keys"
                let ignored = ignoredKeys > 0 ? "\(ignoredKeys) \(keys) did not count" : nil
                return [from, right, ignored].compactMap(\.self).joined(separator: ", ")
            }
        }

        /// One asking of a prompt. Times are seconds since the run's start.
        public struct Prompt: Hashable, Sendable {
            /// Number of this asking of the question within the visit, from 1.
            public var number: Int
            /// When it was due.
            public var planned: Double
            /// When it was shown; `nil` if it never was.
            public var shown: Double?
            /// When it was over.
            public var ended: Double
            /// What ended it: `answer`, `timeLimit`, `nextPrompt` or `stepEnd`.
            public var endedBy: String
            /// Whether it ended before an answer was sent.
            public var isTimedOut: Bool
        }

        /// When a question was seen and answered, seconds since the run's start.
        public struct Times: Hashable, Sendable {
            /// When it was first shown as the one to answer.
            public var shown: Double
            /// When it first took a key.
            public var touched: Double?
            /// When its answer last changed.
            public var changed: Double?
            /// When its answer was last confirmed.
            public var confirmed: Double?
            /// How often its answer changed.
            public var changes: Int
        }

        /// The answer in words for people.
        package var words: String {
            let words =
                choices.map { $0.map { printable($0) }.joined(separator: ", ") } ?? text.map { printable($0) }
                ?? "unanswered"
            return words + (other.map { " (\(printable($0)))" } ?? "")
        }
    }
}
