import StudyModel
import TextFormat

/// Sounds and words at planned moments, or while a condition holds.
enum CueShape {
    /// A cue as written; a countdown becomes several cues.
    enum Draft {
        case cue(Cue, momentRange: SourceRange)
        /// A cue whose condition is still to be looked up.
        case whilst(Located<ConditionDraft>, Cue)
        case countdown(Located<Int>)
    }

    static let shape = Shape<Draft>(
        name: "cue", title: "Cue",
        description: "A sound or words at a planned moment of a timed step, or while a condition holds.",
        fields: .of(at, whilst, every, sound, say, bell, countdown),
        rules: [
            .exactlyOne(["sound", "say", "bell", "countdown"]), .exactlyOne(["at", "while", "countdown"]),
            .needs("every", ["while"]),
        ]
    ) { fields in
        let (planned, sound, words) = (fields[at], fields[sound], fields[say])
        let (bell, countdown) = (fields[bell], fields[countdown])
        let (condition, period) = (fields.located(whilst), fields.located(every))
        if let period, period.value < .milliseconds(250), let node = fields.node(every) {
            fields.reading.reportRange(of: node, from: "250 ms", to: "24 h")
        }
        let moment =
            planned ?? condition.map { _ in .whilst(.all([]), every: period?.value ?? .seconds(1)) }
        if let countdown { return .countdown(countdown) }
        let signal: Cue.Signal? =
            sound.map { .sound($0) } ?? words.map { .say($0) } ?? bell.map { _ in .bell }
        guard let moment, let signal else { return nil }
        if let condition { return .whilst(condition, Cue(moment: moment, signal: signal)) }
        return .cue(Cue(moment: moment, signal: signal), momentRange: fields.place(of: at))
    }

    /// The cues of a step that lasts at least `duration`, if that is known.
    static func cues(_ drafts: [Draft], duration: Duration?, _ reading: Reading) -> [Cue] {
        drafts.flatMap { draft in
            switch draft {
            case .cue(let cue, let range):
                if case .after(let time) = cue.moment, let duration, time > duration {
                    reading.report(
                        .outOfRange, "this moment comes after the step's end", at: range,
                        help: "write a time within the step's duration")
                }
                return [cue]
            case .whilst(_, let cue): return [cue]
            case .countdown(let seconds):
                guard let duration else { return [] }
                return count(seconds, until: duration, reading)
            }
        }
    }

    /// The conditions of a step's cues, in the order of the cues.
    static func conditions(_ drafts: [Draft]) -> [Located<ConditionDraft>] {
        drafts.compactMap { if case .whilst(let condition, _) = $0 { condition } else { nil } }
    }

    private static func count(_ seconds: Located<Int>, until end: Duration, _ reading: Reading) -> [Cue] {
        if Duration.seconds(seconds.value) > end {
            reading.report(
                .outOfRange, "a countdown of \(seconds.value) s is longer than the step", at: seconds.range)
        }
        return (1...seconds.value).reversed().map { left in
            Cue(moment: .beforeEnd(.seconds(left)), signal: .sound(left == 1 ? "lastSecond" : "countdown"))
        }
    }

    private static let at = Field(
        "at", .moment, "Moment", "When: start, halfway, finish, or a time after the step's start.",
        example: "halfway")
    private static let whilst = Field(
        "while", NavigationShape.condition, "While",
        "A condition, as in rules: the cue is given while it holds, again and again.",
        example: [
            "heartRate": ["last": "30 s", "measure": "rmssd", "relativeTo": "baseline"], "is": "gt",
            "value": "0 ms",
        ])
    private static let every = Field(
        "every", Kind<Duration>.duration().called("duration of 250 ms or more"), usual: "1 s", "Every",
        "With 'while': how long after one the next is given.", example: "2 s")
    private static let sound = Field(
        "sound", .word([("tone", Identifier("tone"))]), "Sound",
        "A tone of a quarter of a second at 880 Hz; without sound, the terminal's bell.",
        example: "tone")
    private static let say = Field(
        "say", .filledText, "Spoken words", "Words that are shown, and spoken if espeak-ng is installed.",
        example: "Half way there.")
    private static let bell = Field("bell", .yes, "Bell", "The terminal's bell.", example: true)
    private static let countdown = Field(
        "countdown", Kind.integer(1...60).located, "Countdown",
        "How many of the last seconds are counted down, each by a tone of 80 ms at 660 Hz; the last tone has 160 ms and 990 Hz.",
        example: 5)
}

extension Kind<Cue.Moment> {
    /// `start`, `halfway`, `finish` or a duration.
    fileprivate static var moment: Kind {
        let words = [("start", Cue.Moment.start), ("halfway", .halfway), ("finish", .finish)]
        let duration = Kind<Duration>.duration(zeroAllowed: true)
        return Kind(
            schema: { ["anyOf": [["enum": .texts(words.map(\.0))], duration.schema($0)]] },
            read: { node, reading in
                if let word = words.first(where: { $0.0 == node.scalarText }) { return word.1 }
                if let text = node.scalarText, let first = text.unicodeScalars.first,
                    first.properties.isAlphabetic
                {
                    reading.report(
                        .unknownWord, "'\(text.prefix(40))' is not a moment of a step", at: node.range,
                        help: Suggestion.nearest(to: text, among: words.map(\.0)).map {
                            "did you mean '\($0)'?"
                        }
                            ?? "write start, halfway, finish or a time such as '10 s'")
                    return nil
                }
                return duration.read(node, reading).map { .after($0) }
            })
    }
}
