import TextFormat

extension Study {
    /// An appointment that every participant has; that with the number n is the n-th of the study's list.
    public struct Session: Hashable, Sendable {
        /// The session's name, unique in the study.
        public var identifier: Identifier
        /// The session's name for people.
        public var title: LocalizedText?
        /// The task that is done in it; `nil` where the study's `nextTask` says it, or where there is only one.
        public var task: Identifier?
        /// What it comes after; `nil` if it may be on any day.
        public var after: After?
        /// At what time of the day it may begin, in minutes since midnight, both ends included; beyond 1,439 on the next day;
        /// `nil` for any time.
        public var between: ClosedRange<Int>?
        /// Minutes for which it is open from a moment drawn for each participant, all within `between`; `nil` if it is
        /// open during all of `between`.
        public var openFor: Int?

        public init(
            identifier: Identifier, title: LocalizedText? = nil, task: Identifier? = nil, after: After? = nil,
            between: ClosedRange<Int>? = nil, openFor: Int? = nil
        ) {
            (self.identifier, self.title, self.task) = (identifier, title, task)
            (self.after, self.between, self.openFor) = (after, between, openFor)
        }

        /// A minute since midnight as a clock shows it, such as `16:00`.
        package static func time(_ minute: Int) -> String {
            "\(digits(minute / 60 % 24, 2)):\(digits(minute % 60, 2))"
        }

        /// An earlier session, and how far behind it this one is.
        public struct After: Hashable, Sendable {
            public var session: Identifier
            /// Calendar days from that of the earlier session, both ends included; `nil` for any number from 0.
            public var days: ClosedRange<Int>?

            public init(session: Identifier, days: ClosedRange<Int>? = nil) {
                (self.session, self.days) = (session, days)
            }
        }
    }

    /// The number of a session, from 1.
    package func number(ofSession name: Identifier) -> Int? {
        sessions.firstIndex { $0.identifier == name }.map { $0 + 1 }
    }

    /// The session of a number, from 1; `nil` if the study does not list it.
    package func session(numbered number: Int) -> Session? {
        sessions.indices.contains(number - 1) ? sessions[number - 1] : nil
    }
}
