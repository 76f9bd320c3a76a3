import StudyModel
import TextFormat

/// The keys that only a timed step has.
struct ActiveFields: Sendable {
    private let duration = Field(
        "duration", DurationShape.kind, isRequired: true, "Length",
        "How long the step lasts: a number and ms, s or min; above 0 and at most 24 h; or what it is drawn from, or when it ends.",
        example: "30 s")
    private let stimulus: Field<Stimulus.Use>
    private let timer = Field(
        "timer", .mapping(TimerShape.shape), "Timer", "How the step begins, is shown and ends.",
        example: ["show": true, "start": "automatic", "finish": "continue"])
    private let cues = Field(
        "cues", .list(.mapping(CueShape.shape), noun: "cue"), "Cues",
        "Sounds and words at planned moments, or while a condition holds.",
        example: [["at": "start", "sound": "tone"]])
    private let expected = Field(
        "expected", .mapping(ExpectedShape.shape), "Expected heart rate",
        "The heart rate that is expected during the step.",
        example: ["points": [["0 s", 64], ["60 s", 110]], "band": "10 %"])

    private let until = Field(
        "until", .mapping(NavigationShape.until), "Until",
        "A condition that ends the step when it has held for a time; the duration ends it at the latest.",
        example: [
            "heartRate": ["last": "20 s", "relativeTo": "baseline"], "is": "le", "value": "5 bpm",
            "for": "60 s",
        ])

    private let latency = Field(
        "latency", .word([("low", true)]), "Latency",
        "How soon sounds are heard after they were decided on: with 'low' within about 60 ms, for the whole task.",
        example: "low"
    ).older

    init(_ shape: Shape<Stimulus.Use>) {
        stimulus = Field(
            "stimulus", .mapping(shape), "Stimulus", "Which clip the step plays, and how.",
            example: ["from": "clips", "draw": "random"])
    }

    var declarations: [FieldDeclaration] {
        .of(duration, until, stimulus, timer, cues, PromptShape.field, ReactionShape.field, expected, latency)
    }

    /// The step, its prompts and its reaction.
    func read(
        _ fields: Fields
    ) -> (
        active: ActiveStep?, prompts: [PromptShape.Draft], reaction: ReactionShape.Draft?,
        event: Located<Identifier>?, whilst: [Located<ConditionDraft>]
    ) {
        let (length, prompts) = (fields[duration], fields[PromptShape.field] ?? [])
        let reaction = fields[ReactionShape.field]
        if fields[latency] == true { fields.reading.context.stepsWithLowLatency.append(fields) }
        PromptShape.check(prompts, in: length?.limits.lowerBound, fields.reading)
        let cues = fields[cues] ?? []
        var step = read(fields, lasting: length, cues)
        step?.prompts = prompts.compactMap(\.prompt)
        step?.reaction = reaction?.reaction
        if let reaction {
            ReactionShape.check(reaction.reaction, in: step, shortest: length?.limits.lowerBound, fields)
        }
        return (step, prompts, reaction, length?.event, CueShape.conditions(cues))
    }

    private func read(
        _ fields: Fields, lasting length: DurationShape.Length?, _ cues: [CueShape.Draft]
    ) -> ActiveStep? {
        let (stimulus, timer) = (fields[stimulus], fields[timer])
        let expected = fields[expected]
        let shortest = length?.limits.lowerBound
        let heard = CueShape.cues(cues, duration: shortest, fields.reading)
        if let shortest, let stimulus, stimulus.onset >= shortest {
            fields.reading.report(
                .outOfRange, "the clip begins after the step's end", at: fields.place(of: self.stimulus),
                help: "write an onset that is shorter than the step's duration")
        }
        guard let length, let shortest else { return nil }
        if let stimulus { checkFade(of: stimulus, in: shortest, fields) }
        reportPoints(of: expected, beyond: shortest, fields)
        if let stimulus {
            fields.reading.context.rememberPlay(
                stimulus, for: length.limits.upperBound, at: fields.place(of: self.stimulus), fields.reading)
        }
        var step = ActiveStep(
            duration: length.limits.upperBound, stimulus: stimulus, timer: timer ?? .init(), cues: heard,
            expected: expected)
        step.drawnDuration = length.draw
        step.ending = length.event.map { EventTime(length.limits.upperBound, after: $0.value) }
        return step
    }

    /// What ends the step before its duration is over, if anything does.
    func readUntil(_ fields: Fields, _ active: ActiveStep?) -> UntilDraft? {
        let draft = fields[until]
        guard let draft, let active else { return draft }
        for time in [draft.holding, draft.atLeast].compactMap(\.self) where time.value >= active.duration {
            fields.reading.report(
                .outOfRange, "the step is over before that: the condition never ends it", at: time.range,
                help: "write a time below the step's duration, or make the step longer")
        }
        return draft
    }

    /// Warns of a fade that is cut off because it takes more than half of the clip's time.
    private func checkFade(of stimulus: Stimulus.Use, in duration: Duration, _ fields: Fields) {
        let half = (duration - stimulus.onset) / 2
        guard stimulus.settings.fade > half, half > .zero,
            case .mapping(let pairs) = fields.node(self.stimulus)?.content, let fade = pairs.value(of: "fade")
        else { return }
        let longest = "\(Int(half / .milliseconds(1))) ms"
        fields.reading.report(
            .clipFade, "fading in and out takes longer than the clip is heard", at: fade.range,
            help: Help("write at most \(longest), half of that time"), severity: .warning)
    }

    /// Reports the first point of an expected curve that lies beyond the end of the step.
    private func reportPoints(of curve: ExpectedHeartRate?, beyond end: Duration, _ fields: Fields) {
        guard case .points(let points, _) = curve?.curve,
            let late = points.firstIndex(where: { $0.time > end })
        else { return }
        var place = fields.place(of: expected)
        if case .mapping(let pairs) = fields.node(expected)?.content,
            case .sequence(let nodes) = pairs.value(of: "points")?.content,
            nodes.count == points.count
        {
            place = nodes[late].range
        }
        fields.reading.report(
            .outOfRange, "this point is after the step's end", at: place,
            help: "let the last point be at the step's duration, or make the step longer")
    }
}
