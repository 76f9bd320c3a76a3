package import StudyModel
import TextFormat

extension RunMark: Wired {
    /// The mark as events and effects hold it.
    static let form: WireForm<RunMark> = .record(
        { (kind, severity, control, text, author, instant) throws -> RunMark in
            guard let mark = RunMark(kind, severity, control: control, text: text, by: author, at: instant)
            else { throw WireFailure("'\(kind.rawValue)' with these members is not a mark") }
            return mark
        }, WireField("kind", \.kind, .word("a kind of mark")),
        WireField(optional: "severity", \.severity, .word("how bad something was")),
        WireField(optional: "control", \.control, .word("what an experimenter can do")),
        WireField("text", \.text, .replaced), WireField(optional: "by", \.author, .replaced),
        WireField("moment", \.moment, .nanoseconds)
    ).and {
        WireField(optional: "uncertainty", \.uncertainty, .elapsed)
    }
}

extension ResultBundle.Mark: Wired {
    /// The mark as `result.json` holds it beside the step.
    static let form: WireForm<ResultBundle.Mark> = .record(
        ResultBundle.Mark.init, WireField("kind", \.kind, .text(.words(RunMark.Kind.self))),
        WireField(optional: "severity", \.severity, .text(.words(RunMark.Severity.self))),
        WireField(optional: "control", \.control, .text(.words(RunMark.Control.self))),
        WireField("text", \.text, .replaced), WireField(optional: "by", \.author, .replaced),
        WireField("offset", \.offset, .seconds),
        WireField(optional: "uncertainty", \.uncertainty, .elapsed))

    package init(_ mark: RunMark) {
        self.init(
            kind: mark.kind.rawValue, severity: mark.severity?.rawValue, control: mark.control?.rawValue,
            text: mark.text, author: mark.author, offset: mark.moment.written,
            uncertainty: mark.uncertainty?.written)
    }
}
