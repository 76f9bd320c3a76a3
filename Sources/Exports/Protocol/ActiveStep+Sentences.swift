import StudyModel
import TextFormat

extension ActiveStep {
    /// What happens in the step, one sentence each.
    func sentences(in study: Study) -> [String] {
        timeSentences + timer.sentences + (stimulus?.sentences(in: study) ?? []) + cues.map(\.sentence)
            + prompts.map(\.sentence) + (expected?.sentences ?? [])
    }

    private var timeSentences: [String] {
        var said: [String] = []
        if let drawnDuration {
            said.append("The step lasts \(drawnDuration.words).")
        } else if let ending {
            said.append(
                "The step lasts \(until == nil ? "" : "at most ")until \(ending.words); if that time is over, it ends at once."
            )
        } else {
            said.append("The step lasts \(until == nil ? "" : "at most ")\(duration.words).")
        }
        if let until {
            said.append(
                "It ends earlier if this holds for \(until.holding.words) without a break: \(until.condition.words)."
            )
            if until.atLeast > .zero { said.append("It lasts at least \(until.atLeast.words) in any case.") }
        }
        if let reaction { said += reaction.sentences(isOfClip: stimulus != nil) }
        return said
    }
}

extension Reaction {
    fileprivate func sentences(isOfClip: Bool) -> [String] {
        let onset =
            !isOfClip
            ? "the step's start"
            : target.map { "the moment at which \($0.words) of the clip are heard" }
                ?? "the first sound of the clip as it is heard"
        let words = keys.map { $0.value == $0.name ? $0.name : "\($0.name) (\($0.value))" }
        return [
            "One of these keys answers\(endsStep ? " and ends the step" : ""): \(words.joined(separator: ", ")).",
            "The time from \(onset) to the key is measured; earlier keys do not count.",
            endsStep ? nil : "The step goes on after the key, until its time is over.",
        ].compactMap(\.self)
    }
}

extension ActiveStep.Timer {
    fileprivate var sentences: [String] {
        [
            startsOnConfirm ? "It begins when the participant says so." : "It begins by itself.",
            isShown ? nil : "The time left is not shown.",
            waitsAtFinish ? "When its time is up it waits for the participant." : nil,
            isSkippable ? "The participant may end it early." : nil,
            isPausable ? "The participant may pause it." : "The participant cannot pause it.",
        ].compactMap(\.self)
    }
}

extension Stimulus.Use {
    /// - Parameter player: what plays the clip.
    func sentences(in study: Study, of player: String = "The step") -> [String] {
        var said = choiceSentences(in: study, of: player)
        if onset > .zero { said.append("The clip begins \(onset.words) after the step.") }
        if start > .zero { said.append("The clip is played from its position \(start.words) on.") }
        if settings.loops { said.append("The clip begins again at its end.") }
        if settings.fade > .zero { said.append("The clip fades in and out within \(settings.fade.words).") }
        if settings.gain != 0 {
            said.append(
                "The clip is played \(plainNumber(abs(settings.gain))) dB \(settings.gain < 0 ? "softer" : "louder") than its file."
            )
        }
        if let loudness = settings.loudness {
            said.append("Every clip is brought to a loudness of \(plainNumber(loudness)) LUFS.")
        }
        if settings.crossFade > .zero {
            said.append(
                "The clip fades in within \(settings.crossFade.words), and goes on and fades out as long when its step is over, with the same \(settings.crossFadeLaw.rawValue) throughout."
            )
        }
        if settings.gainUnderPrompts != 0 {
            said.append(
                "While a prompt is asked, its level changes by \(plainNumber(settings.gainUnderPrompts)) dB.")
        }
        return said + (settings.following?.sentences ?? [])
    }

    private func choiceSentences(in study: Study, of player: String) -> [String] {
        switch choice {
        case .draw(let set, .weighted(let weights)):
            let pool = study.stimulusSet(set)?.pool ?? []
            let shares = zip(pool, weights).map { "\($0.identifier) \(plainNumber($1))" }
            return [
                "\(player) plays a clip of the set \(set): \(DrawMethod.weighted([]).words(of: pool.count)).",
                "The weights are \(listed(shares)).",
            ]
        case .draw(let set, let method):
            let count = study.stimulusSet(set)?.pool.count ?? 0
            return ["\(player) plays a clip of the set \(set): \(method.words(of: count)).".asSentence]
        case .roundOf(let set): return ["\(player) plays the clip of the round, of the set \(set)."]
        case .play(let clip):
            return [
                clip.tone == .sides
                    ? "One beep is heard on the left, two on the right, and three on both sides."
                    : "\(player) plays \(clip.name)."
            ]
        case .answered(let question, let set, let otherwise):
            return [
                "\(player) plays the clip of the set \(set) that the participant named in the answer to \(question).",
                otherwise.map { "Without an answer it plays \($0)." }
                    ?? "Without an answer it plays nothing.",
            ]
        case .nearest(let nearest):
            return [
                "\(player) plays the clip of the set \(nearest.set) that is \(nearest.words).",
                nearest.repeats ? nil : "No clip is chosen again before all were chosen.",
                nearest.otherwise.map { "If that is not known, it plays \($0)." }
                    ?? "If that is not known, it plays nothing.",
            ].compactMap(\.self)
        }
    }
}

extension Following {
    fileprivate var sentences: [String] {
        var said: [String] = []
        if let tempo {
            let beats = tempo.beatsPerHeartbeat.map { plainNumber($0) }
            said.append(
                "Its tempo follows the heart rate, changed by \(percent(tempo.target)): it is never more than \(percent(abs(tempo.range.lowerBound))) slower or \(percent(tempo.range.upperBound)) faster than the clip, with \(beats.joined(separator: " or ")) beats for each heartbeat. \(tempo.pace.sentence)"
            )
        }
        if let loudness {
            let points = loudness.points.map {
                "\(plainNumber($0.gain)) dB at \(plainNumber($0.rate)) per minute"
            }
            said.append("Its level follows the heart rate: \(listed(points)). \(loudness.pace.sentence)")
        }
        if let yokedTo {
            said.append("Its tempo and level are those of the step \(yokedTo) in another participant's run.")
        }
        return said
    }

    private func percent(_ share: Double) -> String { "\(plainNumber((share * 1000).rounded() / 10)) %" }
}

extension Following.Pace {
    fileprivate var sentence: String {
        "It is adjusted every \(interval.words) to the mean of the last \(smoothing.words)."
    }
}

extension Stimulus {
    /// Its identifier, with its title if it has one.
    var name: String { title.map { "\(identifier) ('\($0)')" } ?? identifier.text }
}

extension Cue {
    fileprivate var sentence: String {
        switch signal {
        case .sound: "A tone sounds \(moment.words)."
        case .say: "Words are shown and spoken \(moment.words)."
        case .bell: "The terminal's bell rings \(moment.words)."
        }
    }
}

extension Cue.Moment {
    /// The moment, in words that follow the description of what happens.
    var words: String {
        switch self {
        case .start: "at the start"
        case .finish: "at the end"
        case .halfway: "half-way"
        case .after(let duration): "\(duration.words) after the start"
        case .beforeEnd(let duration): "\(duration.words) before the end"
        case .whilst(let condition, let time): "every \(time.words) while \(condition.words)"
        }
    }
}

extension Prompt {
    /// When and what the prompt asks, in a sentence.
    fileprivate var sentence: String {
        let again = every.map { ", and every \($0.words) from then on" } ?? ""
        let limit = timeLimit.map { ", and can be answered for \($0.words)" } ?? ""
        return
            "While the step goes on, \(question.identifier) is asked \(first.words) after the start\(again)\(limit). "
            + question.sentence
    }
}

extension ExpectedHeartRate {
    fileprivate var sentences: [String] {
        let expected: String =
            switch curve {
            case .points(let points, _):
                "The study expects this heart rate per minute: "
                    + listed(points.map { "\(plainNumber($0.rate)) at \($0.time.words)" }) + "."
            case .exercise(let effort, let resting, let maximum):
                "The study expects the heart rate of an effort of \(plainNumber((effort * 1000).rounded() / 10)) % of the "
                    + "heart-rate reserve, from \(plainNumber(resting)) to \(plainNumber(maximum)) per minute."
            }
        switch band {
        case .relative(let share):
            return [
                expected,
                "Up to \(plainNumber((share * 1000).rounded() / 10)) % more or less counts as expected.",
            ]
        case .absolute(let rate):
            return [expected, "Up to \(plainNumber(rate)) per minute more or less counts as expected."]
        case nil: return [expected]
        }
    }
}

extension RecorderConfiguration {
    /// What it records, and from which source, one sentence each.
    ///
    /// - Parameter during: the time, in words that follow the verb; empty if it is the step.
    func sentences(during span: String = "") -> [String] {
        let from = sourceName.map { ", from the source \($0)" } ?? ""
        var said = ["\(identifier) records \(signal.meaning)\(from)\(span)."]
        if isRequired { said.append("The step begins only when this source gives a signal.") }
        if signal == .audio { said.append("The sound is kept as \(soundFormat.rawValue.uppercased()).") }
        if let tapping {
            said.append("Keys that count: \(tapping.keys.joined(separator: ", ")).")
        }
        if let biofeedback { said += biofeedback.sentences }
        guard let rating else { return said }
        said += rating.dimensions.map { dimension in
            "\(dimension.name) is rated from \(plainNumber(dimension.from)) to \(plainNumber(dimension.to)); the mark begins at "
                + "\(plainNumber(dimension.start))."
        }
        said.append("The mark's place is kept when it moves, and \(plainNumber(rating.rate)) times a second.")
        return said
    }

    /// What the participant reads at the ends of the scale.
    var wordings: [Wording] {
        (rating?.dimensions ?? []).flatMap { dimension in
            [
                Wording("\(dimension.name), label of \(plainNumber(dimension.from))", dimension.fromLabel),
                Wording("\(dimension.name), label of \(plainNumber(dimension.to))", dimension.toLabel),
            ]
        }
    }
}

extension Biofeedback {
    /// What the participant sees, one sentence each.
    fileprivate var sentences: [String] {
        switch self {
        case .heartRate: return ["The participant sees the heart rate, in beats per minute."]
        case .variability(let measure, let window):
            return [
                "The participant sees the heart-rate variability: \(measure.rawValue.uppercased()) of the last "
                    + "\(window.words), artefacts corrected."
            ]
        case .pacer(let pacer):
            let parts: [(words: String, length: Duration)] = [
                ("in", pacer.inhalation), ("hold", pacer.hold), ("out", pacer.exhalation),
                ("hold", pacer.holdOut),
            ]
            let lasting = parts.filter { $0.length > .zero }.map { "\($0.words) \($0.length.words)" }
            return [
                "The participant sees when to breathe: \(listed(lasting)), again and again"
                    + (pacer.isSounded ? ", with a tone to breathe in and out." : ".")
            ]
        }
    }
}
