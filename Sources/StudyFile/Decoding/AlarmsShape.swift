import StudyModel
import TextFormat

/// What experimenters are alerted to while a run goes on.
enum AlarmsShape {
    /// Of the study, or of one of its tasks.
    static let field = Field(
        "alarms", .mapping(shape), "Alarms",
        "What the monitor alerts experimenters to while a run goes on.",
        example: ["heartRate": ["above": "170 bpm", "for": "10 s"], "runDead": true])

    private static let shape = Shape<[AlarmRule]>(
        name: "alarms", title: "Alarms",
        description: "What the monitor alerts experimenters to while a run goes on.",
        fields: .of(heartRate, signalLost, microphoneSilent, runDead),
        rules: [.atLeastOne(["heartRate", "signalLost", "microphoneSilent", "runDead"])]
    ) { fields in
        var rules = fields[heartRate] ?? []
        rules += fields[signalLost].map { [.signalLost(for: $0)] } ?? []
        rules += fields[microphoneSilent].map { [.microphoneSilent(for: $0)] } ?? []
        if fields[runDead] == true { rules.append(.runDead) }
        return rules
    }

    private static let heartRate = Field(
        "heartRate", .mapping(rateShape), "Heart rate", "The limits of the heart rate.",
        example: ["above": "170 bpm", "below": "40 bpm", "for": "10 s"])
    private static let signalLost = Field(
        "signalLost", .alarmTime, "Signal lost",
        "How long there may be no heart rate, once there was one.", example: "10 s")
    private static let microphoneSilent = Field(
        "microphoneSilent", .alarmTime, "Microphone silent",
        "How long the microphone may hear nothing in a step that records sound.",
        example: "30 s")
    private static let runDead = Field(
        "runDead", .boolean, usual: false, "Run dead",
        "Whether a run that gives no signs of life raises an alarm.", example: true)

    private static let rateShape = Shape<[AlarmRule]>(
        name: "alarmRate", title: "Heart rate",
        description: "The limits of the heart rate, and for how long it must have been beyond them.",
        fields: .of(above, below, time), rules: [.atLeastOne(["above", "below"])]
    ) { fields in
        let (high, low) = (fields[above], fields[below])
        guard let time = fields[time] else { return nil }
        if let high, let low, low.value >= high.value {
            fields.reading.report(
                .outOfRange,
                "every heart rate is above \(plainNumber(high.value)) bpm or below \(plainNumber(low.value)) bpm",
                at: low.range, help: Help("write a lower limit for 'below' than for 'above'"))
        }
        return (high.map { [.above($0.value, for: time)] } ?? [])
            + (low.map { [.below($0.value, for: time)] } ?? [])
    }

    private static let above = Field(
        "above", Kind<Double>.heartRate.located, "Above", "A heart rate above this raises an alarm.",
        example: "170 bpm")
    private static let below = Field(
        "below", Kind<Double>.heartRate.located, "Below", "A heart rate below this raises an alarm.",
        example: "40 bpm")
    private static let time = Field(
        "for", .alarmTime, isRequired: true, "For",
        "How long the heart rate must have been beyond a limit.", example: "10 s")
}

extension Kind<Double> {
    /// `170 bpm`, from 20 to 300.
    fileprivate static var heartRate: Kind {
        quantity(
            AlarmRule.limits, "bpm", "a heart rate", pattern: "^[0-9]+(\\.[0-9]+)? bpm$", example: "170 bpm")
    }
}

extension Kind<Duration> {
    /// `10 s`, from 500 ms to 60 min.
    fileprivate static var alarmTime: Kind {
        let duration = Kind.duration()
        return Kind(schema: duration.schema) { node, reading in
            guard let time = duration.read(node, reading) else { return nil }
            if AlarmRule.durations.contains(time) { return time }
            reading.report(
                .outOfRange, "\(node.quotedText) is out of range", at: node.range,
                help: "write a duration from 500 ms to 60 min")
            return nil
        }.called("duration from 500 ms to 60 min")
    }
}
