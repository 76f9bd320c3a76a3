import StudyModel
import TextFormat

/// Rules that leave a step out or say where to go afterwards.
enum NavigationShape {
    static let skipIf = Field(
        "skipIf", .oneOrMore(condition, noun: "condition"), "Skip if",
        "The step is left out if this condition (or any of these) holds.",
        example: ["answer": "mood", "is": "lt", "value": 3])
    static let goTo = Field(
        "goTo", .oneOrMore(.jump, noun: "rule"), "Go to",
        "Where to go after the step: a step of the task, 'end', or rules; the first rule that holds decides, and without one the next step follows.",
        example: ["answer": "mood", "is": "lt", "value": 3, "target": "rest"])

    /// A condition, which may contain others.
    static let condition = Kind<ConditionDraft>(
        schema: { Kind.mapping(conditionShape).schema($0) },
        read: { Kind.mapping(conditionShape).read($0, $1) })

    private static let conditionShape = Shape<ConditionDraft>(
        name: "condition", title: "Condition",
        description: "A comparison with something that the run has observed, or several conditions together.",
        fields: subjects + [comparison.declaration, value.declaration],
        rules: [.exactlyOne(subjectNames)] + comparisonRules
    ) { read($0) }

    fileprivate static let jump = Shape<JumpDraft>(
        name: "jump", title: "Rule", description: "Where to go, and when; without a condition, always.",
        fields: subjects + .of(comparison, value, target),
        rules: [.atMostOne(subjectNames)] + comparisonRules
    ) { fields in
        let condition = read(fields)
        guard let target = fields[target] else { return nil }
        let isUnconditional = !subjectNames.contains { fields.isGiven($0) }
        return JumpDraft(isUnconditional: isUnconditional, condition: condition, target: target)
    }

    /// What ends a timed step.
    static let until = Shape<UntilDraft>(
        name: "until", title: "Until",
        description: "A condition that ends the step before its duration is over.",
        fields: subjects + .of(comparison, value, holding, atLeast),
        rules: [.exactlyOne(subjectNames)] + comparisonRules
    ) { fields in
        let (condition, holding, least) = (read(fields), fields.located(holding), fields.located(atLeast))
        guard let condition, let holding else { return nil }
        return UntilDraft(condition: condition, holding: holding, atLeast: least, range: fields.range)
    }

    private static let holding = Field(
        "for", Kind<Duration>.duration(), isRequired: true, "For",
        "How long the condition must hold without a break; it does not hold while nothing is received.",
        example: "60 s")
    private static let atLeast = Field(
        "atLeast", Kind<Duration>.duration(), "At least",
        "How long the step lasts in any case, without pauses.",
        example: "2 min")

    private static func read(_ fields: Fields) -> ConditionDraft? {
        let parts = (all: fields[all], any: fields[any], not: fields[not], answered: fields[answered])
        if let conditions = parts.all { return .all(conditions) }
        if let conditions = parts.any { return .any(conditions) }
        if let condition = parts.not { return .not(condition) }
        if let question = parts.answered { return .isAnswered(question) }
        if let arm = fields[arm] { return .isArm(arm) }
        if let question = fields[timedOut] { return .isTimedOut(question) }
        let (comparison, value) = (fields.located(comparison), fields[value])
        guard let subject = subject(fields), let comparison, let value else { return nil }
        return .compare(subject, comparison, value)
    }

    private static func subject(_ fields: Fields) -> ConditionDraft.Subject? {
        let (question, rate, loud) = (fields[answer], fields[heartRate], fields[soundLevel])
        let (clip, attribute, run) = (fields[clip], fields[attribute], fields.located(run))
        return question.map { .answer($0) } ?? rate.map { .heartRate($0) } ?? loud.map { .soundLevel($0) }
            ?? clip.map { .clip($0, attribute: attribute) } ?? run.map { .run($0) }
    }

    private static let comparedNames = ["answer", "heartRate", "soundLevel", "clip", "run"]
    private static let subjectNames = comparedNames + ["answered", "timedOut", "arm", "all", "any", "not"]
    private static let comparisonRules: [ShapeRule] =
        comparedNames.map { .needs($0, ["is", "value"]) } + [
            .needsOne("is", of: comparedNames), .needsOne("value", of: comparedNames),
            .needs("attribute", ["clip"]),
        ]
    private static let subjects: [FieldDeclaration] =
        .of(answer, answered, heartRate, soundLevel, clip, attribute, run) + .of(timedOut, arm, all, any, not)
    private static let answer = Field(
        "answer", Kind<Identifier>.identifier.located, "Answer",
        "The last answer to this question, of a step, a form or a prompt.", example: "mood")
    private static let answered = Field(
        "answered", Kind<Identifier>.identifier.located, "Answered",
        "Whether this question was asked and answered.", example: "mood")
    private static let heartRate = Field(
        "heartRate", .heartRate(heartRateShape), "Heart rate",
        "The mean heart rate observed during the last visit of this step, beats per minute; or over another time, or its variability.",
        example: "rest")
    private static let soundLevel = Field(
        "soundLevel", Kind<Identifier>.identifier.located, "Sound level",
        "How loud it was at the microphone during the last visit of this step, 0 to 1 (the loudest that it can measure); "
            + "0.45 is too loud to record in.", example: "countdown")
    private static let clip = Field(
        "clip", Kind<Identifier>.identifier.located, "Clip",
        "The clip that this step last played, or that the current round of this block is for.",
        example: "music")
    private static let attribute = Field(
        "attribute", Kind<String>.text(atMost: 64).located, usual: "id", "Attribute",
        "Which attribute of the clip: a key of its catalogue entry, or id for its own name.", example: "mood")
    private static let run = Field(
        "run", .word([("session", ConditionDraft.RunNumber.session), ("round", .round)]), "Run",
        "The number of the session, or of the round of the block around the step.", example: "session")
    private static let timedOut = Field(
        "timedOut", Kind<Identifier>.identifier.located, "Timed out",
        "Whether the time limit of this question was over before it was answered, the last time that it was asked.",
        example: "seven")
    private static let arm = Field(
        "arm", Kind<Identifier>.identifier.located, "Arm", "Whether the participant is in this arm.",
        example: "music")
    private static let all = Field(
        "all", .list(condition, atLeast: 1, noun: "condition"), "All", "Holds if every one of these holds.",
        example: [["answered": "mood"], ["answer": "mood", "is": "lt", "value": 3]])
    private static let any = Field(
        "any", .list(condition, atLeast: 1, noun: "condition"), "Any",
        "Holds if at least one of these holds.",
        example: [
            ["answer": "mood", "is": "lt", "value": 3], ["heartRate": "rest", "is": "gt", "value": 100],
        ])
    private static let not = Field(
        "not", condition, "Not",
        "Holds if this does not hold; neither holds if it depends on something that was never seen.",
        example: ["answered": "mood"])

    private static let during = Field(
        "during", Kind<Identifier>.identifier.located, "During", "Over the last visit of this step.",
        example: "rest")
    private static let last = Field(
        "last", Kind<Duration>.duration().called("duration of at most 60 min").located, "Last",
        "Over this time before the rule is tested, in whatever steps.",
        example: "60 s")
    private static let relativeTo = Field(
        "relativeTo", Kind<Identifier>.identifier.located, "Relative to",
        "The step whose value, in its last visit, is subtracted; 'value' is then in bpm (or ms) or %.",
        example: "baseline")
    private static let measure = Field(
        "measure",
        .word(
            [("rate", nil)] + Biofeedback.Measure.allCases.map { ($0.rawValue, $0 as Biofeedback.Measure?) }),
        usual: "rate", "Measure",
        "The mean rate, or how much the time between beats varied: rmssd or sdnn; 'value' is then in ms, or in %.",
        example: "rmssd")
    private static let heartRateShape = Shape<HeartRateDraft>(
        name: "heartRateOf", title: "Heart rate", description: "Over which time, and relative to what.",
        fields: .of(during, last, measure, relativeTo), rules: [.exactlyOne(["during", "last"])]
    ) { fields in
        let (step, time, baseline) = (fields[during], fields[last], fields[relativeTo])
        let variability = fields[measure]
        if let time, time.value > .seconds(3_600) {
            fields.reading.report(
                .outOfRange, "no more than the last hour is remembered", at: time.range,
                help: "write 60 min or less")
        }
        if let time, case .some(.some) = variability, time.value < Biofeedback.windows.lowerBound {
            fields.reading.report(
                .outOfRange, "too few beats come in this time to say how they vary", at: time.range,
                help: "write 10 s or more")
        }
        guard variability != nil || fields.node(measure) == nil else { return nil }
        let span: HeartRateDraft.Span? = step.map { .during($0) } ?? time.map { .last($0) }
        return span.map { HeartRateDraft(span: $0, variability: variability ?? nil, baseline: baseline) }
    }
    static let comparison = Field(
        "is", .word(Navigation.Comparison.allCases.map { ($0.rawValue, $0) }), "Is",
        "How it is compared: eq (equal), ne (not equal), lt (less), gt (greater), le, ge.", example: "lt")
    static let value = Field(
        "value", Kind<Node>.scalar, "Value",
        "What it is compared with; of the same kind as the answers to the question.", example: 3)
    private static let target = Field(
        "target", .target, isRequired: true, "Target", "A step of the task's own list, or 'end'.",
        example: "end")
}

extension Kind<HeartRateDraft> {
    /// A step, or a mapping with details.
    fileprivate static func heartRate(_ shape: Shape<HeartRateDraft>) -> Kind {
        let (step, more) = (Kind<Identifier>.identifier, mapping(shape))
        return Kind(
            schema: { ["anyOf": [step.schema($0), more.schema($0)]] },
            read: { node, reading in
                if case .mapping(let pairs) = node.content {
                    let draft = more.read(node, reading)
                    if let draft, case .during = draft.span, pairs.count == 1 {
                        let name = reading.source.text(pairs[0].value.range)
                        reading.doubt(
                            .olderWords, "a step's mean heart rate has a shorter form", at: node.range,
                            help: .write(name, "write 'heartRate: \(name)'"))
                    }
                    return draft
                }
                return step.located.read(node, reading).map { HeartRateDraft(span: .during($0)) }
            })
    }
}

extension Kind<JumpDraft> {
    /// A rule, or its short form: only the target.
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

extension Kind<Node> {
    /// A single value that is read when more is known about it.
    static var scalar: Kind {
        Kind(["type": ["string", "number", "boolean"]]) { node, reading in
            if node.scalarText != nil, !node.isNull { return node }
            reading.reportKind(of: node, expected: "a single value")
            return nil
        }
    }
}
