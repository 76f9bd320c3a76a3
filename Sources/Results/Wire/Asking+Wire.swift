import StudyModel
import TextFormat

extension Asking: Wired {
    /// The asking as events and effects hold it.
    static let form: WireForm<Asking> = .record(
        Asking.init, WireField("number", \.number, .count), WireField("planned", \.planned, .elapsed),
        WireField(optional: "shown", \.shown, .elapsed), WireField("ended", \.ended, .elapsed),
        WireField("endedBy", \.endedBy, .word("what ends a prompt")))
}

extension ResultBundle.Answer.Prompt: Wired {
    /// The asking as `result.json` holds it beside the answer.
    static let form: WireForm<ResultBundle.Answer.Prompt> = .record(
        ResultBundle.Answer.Prompt.init, WireField("number", \.number, .count),
        WireField("plannedOffset", \.planned, .elapsed),
        WireField(optional: "shownOffset", \.shown, .elapsed),
        WireField("endedOffset", \.ended, .elapsed),
        WireField("endedBy", \.endedBy, .text(.words(Asking.End.self))),
        WireField("timedOut", \.isTimedOut, .boolean))

    init(_ asking: Asking) {
        self.init(
            number: asking.number, planned: asking.planned.written, shown: asking.shown?.written,
            ended: asking.ended.written, endedBy: asking.endedBy.rawValue, isTimedOut: asking.isTimedOut)
    }
}
