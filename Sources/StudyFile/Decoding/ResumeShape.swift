import StudyModel
import TextFormat

/// What is done about runs that did not come to their end.
enum ResumeShape {
    /// Of the study, or of one of its tasks.
    static let field = Field(
        "resume", .mapping(shape), "Resume",
        "What is done about a run that was left or killed; what a task says goes before what the study says.",
        example: ["within": "24 h"])

    private static let shape = Shape<ResumeRule>(
        name: "resume", title: "Resume",
        description: "What is done about a run that was left or killed before its end.",
        fields: .of(incomplete, within)
    ) { fields in
        let rule = ResumeRule(fields[incomplete] ?? .resume, within: fields[within]?.value)
        if rule.incomplete != .resume, let place = fields[within]?.range {
            fields.reading.report(
                .misplacedKey, "'within' has a meaning only where a run may be continued", at: place,
                help: "leave it out, or write 'incomplete: resume'")
        }
        return rule
    }

    private static let incomplete = Field(
        "incomplete", .word(ResumeRule.Incomplete.allCases.map { ($0.rawValue, $0) }), usual: "resume",
        "Incomplete",
        "A run that did not come to its end is continued (resume), begun anew (restart), or neither (refuse).",
        example: "restart")
    private static let within = Field(
        "within", Kind<Duration>.wait.located, "Within",
        "How long after its end a run may be continued, only with 'resume'; without it, there is no limit.",
        example: "24 h")
}

extension Kind<Duration> {
    /// Seconds of each unit.
    private static var units: [(name: Substring, seconds: Double)] {
        [("min", 60), ("h", 3_600), ("days", 86_400)]
    }

    /// `90 min`, `24 h` or `3 days`: above zero, at most 30 days.
    fileprivate static var wait: Kind {
        let schema: JSON = [
            "$comment": "time in min, h or days, above 0 and at most 30 days", "type": "string",
            "pattern": "^(?!0+(\\.0+)? )[0-9]+(\\.[0-9]+)? (min|h|days)$",
        ]
        return Kind(schema) { node, reading in
            let quantity = reading.quantity(
                node, units.map(\.name), "a time",
                help: "write a number, a space and min, h or days, such as '24 h'")
            guard let (value, unit) = quantity, let seconds = units.first(where: { $0.name == unit })?.seconds
            else { return nil }
            let wait = value * seconds
            guard wait > 0, wait <= 30 * 86_400 else {
                reading.reportRange(of: node, from: "above 0 \(unit)", to: "30 days")
                return nil
            }
            return .nanoseconds(Int64((wait * 1e9).rounded()))
        }.orValue
    }
}
