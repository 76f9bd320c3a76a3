import StudyModel
import TextFormat

extension Effect: Wired {
    /// What a run wants to be done.
    static let form: WireForm<Effect> = .cases("an effect") {
        WireCase("show", Presentation.form, Effect.show) {
            if case .show(let presentation) = $0 { presentation } else { nil }
        }
        WireCase(
            "wake", .record({ ($0, $1) }, WireField("wake", \.0), WireField("at", \.1, .elapsed)),
            { .wake($0.0, at: $0.1) }
        ) { if case .wake(let wake, let instant) = $0 { (wake, instant) } else { nil } }
        WireCase(
            "record",
            .record(
                { ($0, $1, $2) }, WireField("key", \.0), WireField("configuration", \.1),
                WireField("from", \.2, .elapsed)),
            { .record($0.0, $0.1, from: $0.2) }
        ) {
            if case .record(let key, let configuration, let start) = $0 {
                (key, configuration, start)
            } else {
                nil
            }
        }
        WireCase(
            "stopRecording",
            .record(
                { ($0, $1, $2) }, WireField("key", \.0), WireField("at", \.1, .elapsed),
                WireField(optional: "due", \.2, .elapsed)),
            { .stopRecording($0.0, at: $0.1, due: $0.2) }
        ) {
            if case .stopRecording(let key, let instant, let due) = $0 { (key, instant, due) } else { nil }
        }
        WireCase("play", Played.form, \.effect) { Played($0) }
        WireCase(
            "stopPlaying",
            .record({ ($0, $1) }, WireField("ordinal", \.0, .count), WireField("at", \.1, .elapsed)),
            { .stopPlaying(ordinal: $0.0, at: $0.1) }
        ) { if case .stopPlaying(let ordinal, let instant) = $0 { (ordinal, instant) } else { nil } }
        WireCase(
            "cue", .record({ ($0, $1) }, WireField("signal", \.0), WireField("key", \.1)),
            { .cue($0.0, $0.1) }
        ) { if case .cue(let signal, let key) = $0 { (signal, key) } else { nil } }
        WireCase("allocate", .list(.text), Effect.allocate) {
            if case .allocate(let levels) = $0 { levels } else { nil }
        }
        WireCase("deliver", StepResult.form, Effect.deliver) {
            if case .deliver(let result) = $0 { result } else { nil }
        }
        WireCase("end", .status, Effect.end) { if case .end(let reason) = $0 { reason } else { nil } }
    }
}

/// What the journal says of a clip that is played.
private struct Played: Sendable {
    var clip: Clip
    var instant: RunInstant
    var position: Duration

    struct Clip: Wired, Sendable {
        var drawn: DrawnStimulus
        var settings: Playback.Settings
        var ordinal: Int

        static let form: WireForm<Clip> = .record(
            Clip.init, WireField("drawn", \.drawn), WireField(among: \.settings, Playback.Settings.form),
            WireField("ordinal", \.ordinal, .count))
    }

    static let form: WireForm<Played> = .record(
        Played.init, WireField("clip", \.clip), WireField("at", \.instant, .elapsed),
        WireField("from", \.position, .elapsed))

    var effect: Effect {
        .play(clip.drawn, clip.settings, ordinal: clip.ordinal, at: instant, from: position)
    }

    private init(clip: Clip, instant: RunInstant, position: Duration) {
        (self.clip, self.instant, self.position) = (clip, instant, position)
    }

    /// - Returns: `nil` if the effect is another one.
    init?(_ effect: Effect) {
        guard case .play(let drawn, let settings, let ordinal, let instant, let position) = effect else {
            return nil
        }
        self.init(
            clip: Clip(drawn: drawn, settings: settings, ordinal: ordinal), instant: instant,
            position: position)
    }
}

extension Playback.Settings: Wired {
    static let form: WireForm<Playback.Settings> = .record(
        { Playback.Settings(fade: $0, gain: $1, loops: $2) }, WireField("fade", \.fade, .elapsed),
        WireField("gain", \.gain, .real), WireField("loops", \.loops, .boolean)
    ).and {
        WireField(optional: "loudness", \.loudness, .real)
        WireField(optional: "ceiling", \.ceiling, .real)
        WireField("crossFade", unless: .zero, \.crossFade, .elapsed)
        WireField("crossFadeLaw", unless: .power, \.crossFadeLaw, .word("the law of a cross-fade"))
        WireField(optional: "following", \.following)
        WireField("gainUnderPrompts", unless: 0, \.gainUnderPrompts, .real)
    }
}

extension Presentation: Wired {
    static let form: WireForm<Presentation> = .record(
        {
            Presentation(
                ordinal: $0, section: $1, pass: $2, entry: $3, phase: $4, canSkip: $5, canGoBack: $6)
        }, WireField("ordinal", \.ordinal, .count), WireField("section", \.section, .count),
        WireField("visit", \.pass, .count), WireField("entry", \.entry, .count), WireField("phase", \.phase),
        WireField("canSkip", \.canSkip, .boolean), WireField("canGoBack", \.canGoBack, .boolean)
    ).and {
        WireField("held", unless: false, \.isHeld, .boolean)
        WireField(
            optional: "prompt", \.prompt,
            .record(
                OpenPrompt.init, WireField("place", \.place, .count), WireField("number", \.number, .count)))
    }
}

extension Presentation.Phase: Wired {
    static let form: WireForm<Presentation.Phase> = .cases("a phase") {
        WireCase("waiting", .waiting)
        WireCase(
            "waitingForSource",
            .record({ ($0, $1) }, WireField("source", \.0, .identifier), WireField("problem", \.1, .problem)),
            { .waitingForSource($0.0, problem: $0.1) }
        ) { if case .waitingForSource(let source, let problem) = $0 { (source, problem) } else { nil } }
        WireCase(
            "waitingForArm", .record({ $0 }, WireField(optional: "problem", \.self, .replaced)),
            { .waitingForArm(problem: $0) }
        ) { if case .waitingForArm(let problem) = $0 { .some(problem) } else { nil } }
        WireCase(
            "running",
            .record(
                { ($0, $1) }, WireField("start", \.0, .elapsed), WireField("end", \.1, .elapsed)),
            { .running(start: $0.0, end: $0.1) }
        ) { if case .running(let start, let end) = $0 { (start, end) } else { nil } }
        WireCase("paused", .nanoseconds, { .paused(remaining: $0) }) {
            if case .paused(let remaining) = $0 { remaining } else { nil }
        }
        WireCase("timeUp", .timeUp)
        WireCase("saving", .saving)
    }
}

extension RecorderConfiguration: Wired {
    static let form: WireForm<RecorderConfiguration> = .record(
        {
            RecorderConfiguration(
                identifier: $0, signal: try $1.signal, source: $2, lateSampleGrace: $3, isRequired: $4)
        }, WireField("identifier", \.identifier, .identifier),
        WireField(among: \.writtenSignal, WrittenSignal.form),
        WireField(optional: "source", \.source, .identifier),
        WireField("lateSampleGrace", \.lateSampleGrace, .elapsed),
        WireField("isRequired", \.isRequired, .boolean)
    ).and {
        WireField(optional: "format", \.writtenFormat, .word("a format of sound"))
        WireField(optional: "rating", \.rating)
        WireField(optional: "taps", \.tapping)
        WireField(optional: "biofeedback", \.biofeedback)
        WireField("channels", unless: [], \.channels, .list(.text))
        WireField("givesBeats", unless: false, \.givesBeats, .boolean)
    }

    /// The format of sound, where it is sound.
    private var writtenFormat: SoundFormat? {
        get { signal.form == .sound ? soundFormat : nil }
        set { soundFormat = newValue ?? .flac }
    }

    private var writtenSignal: WrittenSignal {
        WrittenSignal(
            kind: signal.kind,
            quantity: signal.quantityName.map { WrittenSignal.Quantity(name: $0, unit: signal.unit) })
    }
}

/// A signal as the journal names it.
private struct WrittenSignal: Sendable {
    var kind: String
    var quantity: Quantity?

    struct Quantity: Sendable {
        var name: Identifier
        var unit: String?
    }

    static let form: WireForm<WrittenSignal> = .record(
        WrittenSignal.init, WireField("kind", \.kind, .text),
        WireField(
            optional: "quantity", \.quantity,
            .record(
                Quantity.init, WireField("name", \.name, .identifier),
                WireField(optional: "unit", \.unit, .text))))

    var signal: Signal {
        get throws {
            if let quantity { return Signal.quantity(named: quantity.name, unit: quantity.unit) }
            return try JSON.text(kind).expect(Signal(named: kind), "a kind of recorder")
        }
    }
}

extension Cue.Signal: Wired {
    static let form: WireForm<Cue.Signal> = .cases("a cue") {
        WireCase("sound", .identifier, { .sound($0) }) { if case .sound(let name) = $0 { name } else { nil } }
        WireCase("say", LocalizedText.form, { .say($0) }) {
            if case .say(let words) = $0 { words } else { nil }
        }
        WireCase("bell", .bell)
    }
}

extension LocalizedText: Wired {
    /// A text, or one for each language.
    static let form: WireForm<LocalizedText> = .init(
        .either([.text, translations.shape]),
        write: {
            switch $0 {
            case .plain(let text): .text(text)
            case .translated(let texts): translations.write(texts)
            }
        },
        read: { wire in
            if let text = wire.text { .plain(text) } else { .translated(try translations.read(wire)) }
        })

    private static let translations: WireForm<[Translation]> = .list(
        .record(
            Translation.init, WireField("language", \.language, .language), WireField("text", \.text, .text)))
}
