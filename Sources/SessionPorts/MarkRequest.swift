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
