import MonitorInterface
import StudyModel
import TextFormat

/// What an experimenter wants of a run: a mark in it, or another course.
struct ExperimenterRequest: Hashable, Sendable {
    /// As the run is told it, without its number.
    var json: JSON

    /// Reads `{"kind": …, "severity": …, "control": …, "text": …, "pressed": …, "uncertainty": …}`.
    ///
    /// `pressed` is the moment in seconds since 1970 by the monitor's clock, `uncertainty` how many seconds it may be
    /// off.
    ///
    /// - Parameter author: the name of the token.
    init(json: JSON, by author: String?) throws(Refusal) {
        var fields = try Fields(json, "a request")
        let kind = try fields.word("kind", of: RunMark.Kind.self)
        guard kind.isAskedFor else {
            throw .unprocessable("'kind' should be one of note, disturbance, adverse, control")
        }
        let severity = try fields.optionalWord("severity", of: RunMark.Severity.self)
        let control = try fields.optionalWord("control", of: RunMark.Control.self)
        let text = try fields.text("text", limit: 4000)
        guard let pressed = try fields.optionalNumber("pressed", in: MonitorLimits.times) else {
            throw .unprocessable("a request needs 'pressed', seconds since 1970")
        }
        let uncertainty = try fields.optionalNumber("uncertainty", in: 0...3600) ?? 0
        try fields.rejectUnknown()
        let author = author.map { String($0.prefix(64)) }
        let mark = RunMark(kind, severity, control: control, text: text, by: author, at: .start)
        guard mark != nil else {
            throw .unprocessable(
                "'text' should be one line of 1 to 500 characters; 'severity' is for 'adverse', 'control' for 'control'"
            )
        }
        self.json = .members([
            "by": author.map { .text($0) }, "control": control.map { .text($0.rawValue) },
            "kind": .text(kind.rawValue), "pressed": .real(pressed),
            "severity": severity.map { .text($0.rawValue) }, "text": .text(text),
            "uncertainty": .real(uncertainty),
        ])
    }

    /// What a monitor marks in a run by itself.
    init(_ kind: RunMark.Kind, _ text: String, by author: String?, at time: Double) {
        json = .members([
            "by": author.map { .text(String($0.prefix(64))) }, "kind": .text(kind.rawValue),
            "pressed": .real(time),
            "text": .text(text), "uncertainty": .real(0),
        ])
    }
}

/// What a run answers: that it was done, or why not.
struct RequestAnswer: Hashable, Sendable {
    /// Why it was not done; `nil` if it was.
    var problem: String?

    /// Reads `{"problem": …}`; `null`, or nothing, if it was done.
    init(json: JSON) throws(Refusal) {
        var fields = try Fields(json, "an answer")
        problem = try fields.optionalText("problem", limit: MonitorLimits.textBytes)
        try fields.rejectUnknown()
    }
}
