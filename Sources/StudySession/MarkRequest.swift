import StudyEngine
package import StudyModel

/// Somebody outside of the run wants a mark in it.
package struct MarkRequest: Sendable {
    package var kind: RunMark.Kind
    package var severity: RunMark.Severity?
    package var text: String
    /// When it was asked for, nanoseconds of the machine's monotonic clock.
    package var pressed: Int64
    /// Is told once: nothing when the mark is in the journal and safe from a power cut, or why there is none.
    package var reply: @Sendable (String?) -> Void

    package init(
        _ kind: RunMark.Kind, _ severity: RunMark.Severity?, text: String, pressed: Int64,
        reply: @escaping @Sendable (String?) -> Void
    ) {
        (self.kind, self.severity, self.text) = (kind, severity, text)
        (self.pressed, self.reply) = (pressed, reply)
    }

    /// The moment of a run at which it was asked for; the run reads the same clock as who asked.
    ///
    /// - Parameters:
    ///   - now: the run's clock, read together with `clock`, the machine's.
    ///   - speed: seconds of the run per second of the machine.
    /// - Returns: at most `now`, whatever was claimed.
    package func moment(now: RunInstant, clock: Int64, speed: Double) -> RunInstant {
        let (age, isBeyond) = clock.subtractingReportingOverflow(pressed)
        // No run lasts 40 days.
        let seconds = isBeyond ? 0 : min(max(Double(age) / 1e9, 0), 40 * 86_400)
        return now.advanced(by: .seconds(-seconds * speed))
    }
}

extension Shell {
    /// Puts a mark at the moment at which it was asked for, which is over by now.
    mutating func take(_ request: MarkRequest, pressed moment: RunInstant, at now: RunInstant) -> [Chore] {
        guard !run.isEnding else { return [.reply(request, problem: "the run is ending")] }
        let pressed = min(max(moment, .start), now)
        guard let mark = RunMark(request.kind, request.severity, text: request.text, at: pressed) else {
            return [.reply(request, problem: "this is no mark")]
        }
        return handle(.marked(mark), at: now) + [.write(.confirm(request))]
    }
}
