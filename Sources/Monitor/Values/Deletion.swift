import MonitorInterface
package import TextFormat

/// What somebody wants to have deleted, and why.
package struct Deletion: Hashable, Sendable {
    package var target: Target
    /// Why, 1...2000 bytes.
    package var reason: String
    /// Who: the name of the token.
    package var author: String?
    /// Whether the participant has withdrawn: nothing waits for a run that goes on.
    package var isWithdrawal = false
    /// The result bundles that go with it, also of runs that the monitor never watched.
    package var bundles: [Bundle] = []

    /// The things that can be deleted.
    package enum Target: Hashable, Sendable {
        /// One heart rate, by the number of its record.
        case reading(Int64)
        /// A run, an import, or a series of pushed readings.
        case session(String)
        /// Everything of a participant.
        case participant(String)
    }

    /// A result bundle, as far as its description has come.
    package struct Bundle: Hashable, Sendable {
        /// The run's upper-case UUID.
        package var run: String
        package var participant: String?
        /// When the run began, seconds since 1970.
        package var start: Double?
    }

    package init(of target: Target, because reason: String, by author: String? = nil) {
        (self.target, self.reason, self.author) = (target, reason, author)
    }
}

extension Deletion {
    /// A request to delete something, or the question what that would be.
    package struct Request: Hashable, Sendable {
        package var deletion: Deletion
        /// Whether somebody has seen what will go, and wants it.
        package var isConfirmed: Bool

        /// Reads `{"session": …, "reason": …, "confirmed": true}`, with `session`, `participant` or `reading`.
        package init(json: JSON, by author: String?) throws(Refusal) {
            var fields = try Fields(json, "a deletion")
            let session = try fields.optionalIdentifier("session")
            let participant = try fields.optionalParticipant("participant")
            let reading = try fields.optionalInteger("reading", in: 1...Int.max)
            let reason = try fields.optionalText("reason", limit: MonitorLimits.textBytes) ?? ""
            let confirmed = fields.member("confirmed")
            try fields.rejectUnknown()
            let targets = [
                session.map { Target.session($0) }, participant.map { .participant($0) },
                reading.map { .reading(Int64($0)) },
            ].compactMap(\.self)
            guard let target = targets.first, targets.count == 1 else {
                throw .unprocessable("a deletion has one of 'session', 'participant' and 'reading'")
            }
            guard confirmed == nil || confirmed == .boolean(true) || confirmed == .boolean(false) else {
                throw .unprocessable("'confirmed' should be true or false")
            }
            isConfirmed = confirmed == .boolean(true)
            guard !isConfirmed || reason.contains(where: { !$0.isWhitespace }) else {
                throw .unprocessable("a deletion needs a 'reason'")
            }
            deletion = Deletion(of: target, because: reason, by: author)
        }
    }
}
