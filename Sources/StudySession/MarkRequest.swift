import StudyEngine
package import StudyModel

/// A request from outside of the run to put a mark into it, or to change its course.
package struct MarkRequest: Sendable {
    package var kind: RunMark.Kind
    package var severity: RunMark.Severity?
    package var control: RunMark.Control?
    package var text: String
    package var author: String?
    /// How far `pressed` may be off, because another machine's clock told it; `nil` if it was this one's.
    package var uncertainty: Duration?
    /// When it was asked for, nanoseconds of the machine's monotonic clock.
    package var pressed: Int64
    /// Is called once: with `nil` when the mark is in the journal and safe from a power cut, otherwise with the
    /// reason why there is no mark.
    package var reply: @Sendable (String?) -> Void

    package init(
        _ kind: RunMark.Kind, _ severity: RunMark.Severity? = nil, control: RunMark.Control? = nil,
        text: String, by author: String? = nil, pressed: Int64, reply: @escaping @Sendable (String?) -> Void
    ) {
        (self.kind, self.severity, self.control) = (kind, severity, control)
        (self.text, self.author, self.pressed, self.reply) = (text, author, pressed, reply)
    }

    /// The moment of the run at which the mark was requested. The run and the sender read the same clock.
    ///
    /// - Parameters:
    ///   - now: the run's clock, read together with `clock`, the machine's.
    ///   - speed: seconds of the run per second of the machine.
    /// - Returns: at most `now`, whatever the request claims.
    package func moment(now: RunInstant, clock: Int64, speed: Double) -> RunInstant {
        let (age, isBeyond) = clock.subtractingReportingOverflow(pressed)
        // No run lasts 40 days.
        let seconds = isBeyond ? 0 : min(max(Double(age) / 1e9, 0), 40 * 86_400)
        return now.advanced(by: .seconds(-seconds * speed))
    }
}

extension Shell {
    /// Puts a mark at the past moment at which it was requested.
    mutating func take(_ request: MarkRequest, pressed moment: RunInstant, at now: RunInstant) -> [Chore] {
        let pressed = min(max(moment, .start), now)
        let mark = RunMark(
            request.kind, request.severity, control: request.control, text: request.text,
            by: request.author, at: pressed)
        guard var mark else { return [.reply(request, problem: "this is no mark")] }
        mark.uncertainty = request.uncertainty
        guard let chores = put(mark, at: now) else {
            return [.reply(request, problem: run.objection(to: mark) ?? "")]
        }
        return chores + [.write(.confirm(request))]
    }

    /// Puts a mark into the run, and does what it is for.
    ///
    /// - Returns: `nil` if that is not possible now; see `TaskRun.objection`.
    mutating func put(_ mark: RunMark, at now: RunInstant) -> [Chore]? {
        guard run.objection(to: mark) == nil else { return nil }
        return handle(.marked(mark), at: now)
            + (mark.control == .message ? [.update(.message(mark.text))] : [])
    }
}
