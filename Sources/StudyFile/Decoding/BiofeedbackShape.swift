import StudyModel
import TextFormat

/// What a display tells the participant while a step goes on.
enum BiofeedbackShape {
    static let fields: [FieldDeclaration] = .of(
        show, source, over, inhalation, hold, exhalation, holdOut, rate, ratio, sound)

    static let rules: [ShapeRule] =
        [
            .needsWord("source", key: "show", words: ["heartRate"] + measures),
            .needsWord("over", key: "show", words: measures),
        ]
        + ["in", "hold", "out", "holdOut", "rate", "ratio", "sound"].map {
            .needsWord($0, key: "show", words: ["pacer"])
        } + [
            .needs("in", ["out"]), .needs("out", ["in"]), .needs("hold", ["in"]), .needs("holdOut", ["in"]),
            .needs("ratio", ["rate"]), .atMostOne(["in", "rate"]),
        ]

    private static let measures = Biofeedback.Measure.allCases.map(\.rawValue)

    static func read(_ fields: Fields) -> (feedback: Biofeedback?, source: Located<Identifier>?) {
        let (show, source, window) = (fields.located(show), fields[source], fields[over])
        let pacer = pacer(fields, isShown: show?.value == "pacer")
        switch show?.value {
        case "heartRate": return (.heartRate, source)
        case "pacer": return (pacer.map { .pacer($0) }, nil)
        case let name?:
            if let window, !Biofeedback.windows.contains(window), let node = fields.node(over) {
                fields.reading.reportRange(of: node, from: "10 s", to: "300 s")
            }
            let measure = Biofeedback.Measure(rawValue: name)
            return (measure.map { .variability($0, over: window ?? .seconds(30)) }, source)
        case nil: return (nil, source)
        }
    }

    /// Reports displays where none can be, two pacers, and hearts that nothing measures.
    static func check(_ recorders: [RecorderVariants.Draft], in kind: Step.Kind, _ reading: Reading) {
        let displays = recorders.filter { $0.recorder.biofeedback != nil }
        let pacers = displays.filter { $0.recorder.biofeedback?.isOfHeart == false }
        for second in pacers.dropFirst() {
            reading.report(
                .biofeedbackStep, "nobody can follow two pacers", at: second.identifier.range,
                help: "leave one of them out")
        }
        for display in displays {
            guard let source = display.recorder.sourceName, !reading.context.sources.contains(source.text)
            else { continue }
            reading.report(
                .noSource, "it shows the source '\(source)', which the study does not declare",
                at: display.identifier.range,
                help: Help(
                    "declare the source: 'sources: {\(source): {type: bluetooth, …}}', or give it to each run"
                ),
                severity: .warning)
        }
        if case .active = kind { return }
        guard let first = displays.first else { return }
        reading.report(
            .biofeedbackStep, "only an active step can show biofeedback", at: first.identifier.range,
            help: "put the recorder into a step with 'type: active'")
    }

    private static func pacer(_ fields: Fields, isShown: Bool) -> BreathingPacer? {
        let lengths = [(inhalation, 1.0), (hold, 0), (exhalation, 1), (holdOut, 0)].map { field in
            (length: fields[field.0], node: fields.node(field.0), shortest: field.1)
        }
        let (rate, ratio, sound) = (fields.located(rate), fields.located(ratio), fields[sound])
        for (length, node, shortest) in lengths {
            guard let length, let node, !(shortest...60).contains(length.seconds) else { continue }
            fields.reading.reportRange(of: node, from: "\(plainNumber(shortest)) s", to: "60 s")
        }
        if let rate { return breath(rate, ratio, isSounded: sound ?? false, fields) }
        if isShown, lengths[0].node == nil, fields.node(self.rate) == nil {
            fields.reading.report(
                .missingKey, "a pacer needs 'in' and 'out', or 'rate'", at: fields.place(of: show),
                help: "add 'in: 4 s' and 'out: 6 s'")
        }
        guard let inhalation = lengths[0].length, let exhalation = lengths[2].length else { return nil }
        return BreathingPacer(
            inhalation: inhalation, hold: lengths[1].length ?? .zero, exhalation: exhalation,
            holdOut: lengths[3].length ?? .zero, isSounded: sound ?? false)
    }

    /// A breath of so many a minute, divided by a ratio.
    private static func breath(
        _ rate: Located<Double>, _ ratio: Located<[Double]>?, isSounded: Bool, _ fields: Fields
    ) -> BreathingPacer? {
        let shares = ratio?.value ?? [4, 6]
        let total = shares.reduce(0, +)
        guard [2, 4].contains(shares.count), total > 0 else {
            fields.reading.report(
                .outOfRange, "a ratio has two numbers, or four", at: fields.place(of: self.ratio),
                help: "write '[4, 6]' for in and out, or '[4, 1, 5, 0]' for in, hold, out and hold")
            return nil
        }
        let lengths = shares.map { share in
            Duration.nanoseconds(Int64((60e9 / rate.value * share / total).rounded()))
        }
        let four = lengths.count == 4 ? lengths : [lengths[0], .zero, lengths[1], .zero]
        guard [four[0], four[2]].allSatisfy(BreathingPacer.lengths.contains) else {
            fields.reading.report(
                .outOfRange, "nobody breathes in or out in less than 1 s, or more than 60 s", at: rate.range,
                help: "write a lower rate, or another ratio")
            return nil
        }
        return BreathingPacer(
            inhalation: four[0], hold: four[1], exhalation: four[2], holdOut: four[3], isSounded: isSounded)
    }

    private static let show = Field(
        "show", .word(Biofeedback.names), isRequired: true, "Show",
        "What is shown: heartRate, the variability as rmssd or sdnn, or a pacer to breathe with.",
        example: "rmssd")
    private static let source = Field(
        "source", Kind<Identifier>.identifier.located, usual: "heartRate", "Source",
        "The source of the heart rates, by its name under sources; not for a pacer.", example: "heartRate")
    private static let over = Field(
        "over", .duration().called("duration from 10 s to 300 s"), usual: "30 s", "Over",
        "With 'rmssd' and 'sdnn': the last seconds over which it is computed.", example: "30 s")
    private static let inhalation = Field(
        "in", .duration().called("duration from 1 s to 60 s"), "Breathe in",
        "With 'pacer': how long to breathe in.", example: "4 s")
    private static let hold = Field(
        "hold", .duration(zeroAllowed: true).called("duration from 0 s to 60 s"), usual: "0 s", "Hold",
        "How long to hold the breath after breathing in.", example: "1 s")
    private static let exhalation = Field(
        "out", .duration().called("duration from 1 s to 60 s"), "Breathe out",
        "With 'pacer': how long to breathe out.", example: "6 s")
    private static let holdOut = Field(
        "holdOut", .duration(zeroAllowed: true).called("duration from 0 s to 60 s"), usual: "0 s",
        "Hold after breathing out",
        "How long to hold the breath after breathing out.", example: "1 s")
    private static let rate = Field(
        "rate", .perMinute, "Rate", "With 'pacer': breaths per minute, in place of 'in' and 'out'.",
        example: "6 /min")
    private static let ratio = Field(
        "ratio", .list(Kind<Double>.number(0...100), atLeast: 2, noun: "number"), usual: [4, 6], "Ratio",
        "With 'rate', how a breath is divided: into in and out, or into in, hold, out and hold.",
        example: [4, 6])
    private static let sound = Field(
        "sound", .boolean, usual: false, "Sound",
        "Whether a soft tone says when to breathe in, and a lower one when to breathe out.",
        example: true)
}

extension Kind<Double> {
    /// `6 /min`, from 1 to 30.
    fileprivate static var perMinute: Kind {
        quantity(
            1...30, "/min", "a rate", pattern: "^(?!0+(\\.0+)? )[0-9]+(\\.[0-9]+)? /min$", example: "6 /min")
    }
}
