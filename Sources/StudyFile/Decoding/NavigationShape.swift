import StudyModel

/// Rules that leave a step out or say where to go afterwards.
enum NavigationShape {
    static let skipIf = Field(
        "skipIf", .oneOrMore(.mapping(condition), noun: "condition"), "Skip if",
        "The step is left out if this condition (or any of these) holds.",
        example: ["answer": "mood", "is": "lt", "value": 3])
    static let goTo = Field(
        "goTo", .oneOrMore(.jump, noun: "rule"), "Go to",
        "Where to go after the step: a step of the task, 'end', or rules; the first rule that holds decides.",
        example: ["answer": "mood", "is": "lt", "value": 3, "target": "rest"])

    private static let condition = Shape<ConditionDraft>(
        name: "condition", title: "Condition",
        description: "A comparison with something that the run has observed.",
        fields: subjects + [comparison.declaration.required, value.declaration.required],
        rules: [.exactlyOne(subjectNames)]
    ) { read($0) }

    fileprivate static let jump = Shape<JumpDraft>(
        name: "jump", title: "Rule", description: "Where to go, and when; without a condition, always.",
        fields: subjects + .of(comparison, value, target),
        rules: [
            .atMostOne(subjectNames), .needs("answer", ["is", "value"]),
            .needs("heartRate", ["is", "value"]), .needs("soundLevel", ["is", "value"]),
            .needsOne("is", of: subjectNames), .needsOne("value", of: subjectNames),
        ]
    ) { fields in
        let condition = read(fields)
        guard let target = fields[target] else { return nil }
        let isUnconditional =
            fields.node(answer) == nil && fields.node(heartRate) == nil && fields.node(soundLevel) == nil
        return JumpDraft(isUnconditional: isUnconditional, condition: condition, target: target)
    }

    private static func read(_ fields: Fields) -> ConditionDraft? {
        let (question, step, loud) = (fields[answer], fields[heartRate], fields[soundLevel])
        let (comparison, value) = (fields.located(comparison), fields[value])
        let subject: ConditionDraft.Subject? =
            question.map { .answer($0) } ?? step.map { .heartRate($0) } ?? loud.map { .soundLevel($0) }
        guard let subject, let comparison, let value else { return nil }
        return ConditionDraft(subject: subject, comparison: comparison, value: value)
    }

    private static let subjectNames = ["answer", "heartRate", "soundLevel"]
    private static let subjects: [FieldDeclaration] = .of(answer, heartRate, soundLevel)
    private static let answer = Field(
        "answer", Kind<Identifier>.identifier.located, "Answer",
        "The last answer to this question, of a step or of a form.", example: "mood")
    private static let heartRate = Field(
        "heartRate", Kind<Identifier>.identifier.located, "Heart rate",
        "The mean heart rate observed during the last visit of this step, beats per minute.", example: "rest")
    private static let soundLevel = Field(
        "soundLevel", Kind<Identifier>.identifier.located, "Sound level",
        "How loud it was at the microphone during the last visit of this step, 0 to 1 (the loudest that it can measure); "
            + "0.45 is too loud to record in.", example: "countdown")
    private static let comparison = Field(
        "is", .word(Navigation.Comparison.allCases.map { ($0.rawValue, $0) }), "Is",
        "How it is compared: eq (equal), ne (not equal), lt (less), gt (greater), le, ge.", example: "lt")
    private static let value = Field(
        "value",
        Kind<Node>(["type": ["string", "number", "boolean"]]) { node, reading in
            if node.scalarText != nil, !node.isNull { return node }
            reading.reportKind(of: node, expected: "a single value")
            return nil
        }, "Value", "What it is compared with; of the same kind as the answers to the question.", example: 3)
    private static let target = Field(
        "target", .target, isRequired: true, "Target", "A step of the task's own list, or 'end'.",
        example: "rest")
}

extension Kind<JumpDraft> {
    /// A rule, or the shorthand with nothing but its target.
    fileprivate static var jump: Kind {
        let (rule, target) = (Kind.mapping(NavigationShape.jump), Kind<Located<String>>.target)
        return Kind(
            schema: { ["anyOf": [target.schema($0), rule.schema($0)]] },
            read: { node, reading in
                guard case .scalar = node.content, !node.isNull else { return rule.read(node, reading) }
                return target.read(node, reading).map {
                    JumpDraft(isUnconditional: true, condition: nil, target: $0)
                }
            })
    }
}

extension Kind<Located<String>> {
    /// A step's identifier, or `end`.
    fileprivate static var target: Kind {
        let identifier = Kind<Identifier>.identifier
        return Kind(schema: identifier.schema) { node, reading in
            identifier.read(node, reading).map { Located(value: $0.text, range: node.range) }
        }
    }
}
