import StudyModel
import TextFormat

/// Steps that set how loud a run is, or measure it.
enum SoundCheckShape {
    static let fields: [FieldDeclaration] = .of(volume, measure, stimulus)
    static let rules: [ShapeRule] = [.exactlyOne(["volume", "measure"]), .needs("stimulus", ["volume"])]

    /// What was read of the step: its question, and what is heard.
    static func read(_ fields: Fields) -> (format: AnswerFormat, check: SoundCheck)? {
        let (volume, measure, stimulus) = (fields[volume], fields[measure], fields[stimulus])
        if let volume {
            guard let use = fields.node(self.stimulus) == nil ? tone(.sides, at: 0) : stimulus else {
                return nil
            }
            return (.continuous(volume), SoundCheck(.volume, hearing: use))
        }
        return measure.map { measure in
            (
                .number(unit: "dB(A)", minimum: 20, maximum: 140),
                SoundCheck(.measured(limit: measure.limit), hearing: tone(.steady, at: measure.gain))
            )
        }
    }

    private static func tone(_ tone: ReferenceTone, at gain: Double) -> Stimulus.Use {
        Stimulus.Use(
            choice: .play(tone.clip), onset: .zero,
            settings: Playback.Settings(fade: .milliseconds(50), gain: gain, loops: true))
    }

    private static let volume = Field(
        "volume", .mapping(volumes), "Volume",
        "Between which levels the participant chooses; everything is played with that level from then on.",
        example: ["from": "-40 dB", "to": "0 dB", "start": "-20 dB"])
    private static let measure = Field(
        "measure", .mapping(measurement), "Measure",
        "The experimenter enters the level at the ear in dB(A), as a meter shows it while a steady tone is heard.",
        example: ["at": "-10 dB", "limit": 85])
    private static let stimulus = Field(
        "stimulus", .mapping(StimulusShape.inTask), "Stimulus",
        "What is heard while the volume is chosen; without this key, one beep on the left, two on the right, and three on both sides.",
        example: ["play": "chill_preview_3", "loop": true])

    private static let volumes = Shape<AnswerFormat.Scale>(
        name: "volume", title: "Volume", description: "Levels to choose from.", fields: .of(from, to, start)
    ) { fields in
        let (low, high, first) = (fields[from], fields.located(to), fields.located(start))
        guard let low, let high else { return nil }
        guard high.value > low else {
            fields.reading.report(
                .outOfRange, "the highest level is not above the lowest", at: high.range,
                help: "write a level above \(plainNumber(low)) dB")
            return nil
        }
        if let first, !(low...high.value).contains(first.value) {
            fields.reading.report(
                .outOfRange, "it begins at a level that cannot be chosen", at: first.range,
                help: "write a level from \(plainNumber(low)) dB to \(plainNumber(high.value)) dB")
        }
        return AnswerFormat.Scale(
            from: low, to: high.value, decimals: 0,
            start: first?.value.rounded() ?? ((low + high.value) / 2).rounded())
    }

    private static let from = Field(
        "from", .decibels, isRequired: true, "From", "The lowest level.", example: "-40 dB")
    private static let to = Field(
        "to", .decibels, isRequired: true, "To", "The highest level: no participant can set more.",
        example: "0 dB")
    private static let start = Field(
        "start", .decibels, "Start", "The level at the beginning; without this key, the middle.",
        example: "-20 dB")

    private static let measurement = Shape<(gain: Double, limit: Double?)>(
        name: "measure", title: "Measure", description: "A steady tone whose level at the ear is measured.",
        fields: .of(at, limit)
    ) { fields in
        let (gain, limit) = (fields[at], fields[limit])
        return (gain ?? -10, limit)
    }

    private static let at = Field(
        "at", .decibels, usual: "-10 dB", "At", "The level at which the tone is played.", example: "-10 dB")
    private static let limit = Field(
        "limit", .number(40...120), "Limit",
        "The level at the ear that no sound passes from then on, dB(A).", example: 85)
}
