import SessionPorts
import StudyEngine
import StudyModel

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
