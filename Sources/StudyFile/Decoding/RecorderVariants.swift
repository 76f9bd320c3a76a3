import StudyModel
import TextFormat

/// What is recorded while a step lasts, or while several do.
enum RecorderVariants {
    /// A recorder with the place of its identifier, and the steps that it spans, if any.
    struct Draft {
        var identifier: Located<Identifier>
        var recorder: RecorderConfiguration
        var from: Located<Identifier>?
        var to: Located<Identifier>?
    }

    static let ofStep = variants("recorder", of: Signal.all, more: [])
    static let ofTask = variants(
        "spanningRecorder", of: Signal.all.filter { $0 != .rating && $0 != .taps && $0 != .biofeedback },
        more: .of(from, to),
        elsewhere: [
            .init(
                word: "rating", code: .ratingKeys, message: "a rating cannot go on over several steps",
                help: "put it among the 'recorders' of the active step"),
            .init(
                word: "taps", code: .tapKeys, message: "taps cannot be recorded over several steps",
                help: "put the recorder among the 'recorders' of each active step"),
            .init(
                word: "biofeedback", code: .biofeedbackStep,
                message: "biofeedback cannot be shown over several steps",
                help: "put the recorder among the 'recorders' of each active step"),
        ])

    private static func variants(
        _ name: String, of signals: [Signal], more: [FieldDeclaration],
        elsewhere: [Variants<Draft>.Elsewhere] = []
    ) -> Variants<Draft> {
        Variants(
            name: name, noun: "recorder",
            common: .of(identifier, required, Field.comment) + more,
            variants: signals.map(variant), elsewhere: elsewhere)
    }

    private static let identifier = Field(
        "identifier", Kind<Identifier>.identifier.located, isRequired: true, "Identifier",
        "The recorder's name, unique in its step; the name of its file contains it.", example: "heartRate")
    private static func unit(_ unit: String) -> Field<String> {
        Field(
            "unit", .word([unit]), usual: .text(unit), "Unit", "The unit of the samples.",
            example: .text(unit))
    }
    private static func source(_ usual: Identifier) -> Field<Located<Identifier>> {
        Field(
            "source", Kind<Identifier>.identifier.located, usual: .text(usual.text), "Source",
            "The source, by its name under sources.", example: .text(usual.text))
    }
    private static let format = Field(
        "format", .word([("flac", RecorderConfiguration.SoundFormat.flac), ("wav", .wav)]), usual: "flac",
        "Format", "The format of the file; both are lossless.", example: "flac")
    /// Presses of keys come sooner than samples of a device.
    private static func grace(usual: JSON) -> Field<Duration> {
        Field(
            "lateSampleGrace", .duration(zeroAllowed: true), usual: usual, "Grace for late samples",
            "How long after the end of the recording its late samples are still accepted.", example: usual)
    }
    private static let required = Field(
        "required", .boolean, usual: false, "Required",
        "Whether the step waits until the source sends samples, and says why.", example: true)
    private static let from = Field(
        "from", Kind<Identifier>.identifier.located, isRequired: true, "From",
        "The step of the task's own list whose start begins the recording.", example: "rest")
    private static let to = Field(
        "to", Kind<Identifier>.identifier.located, isRequired: true, "To",
        "The step of the task's own list whose end ends the recording.", example: "music")

    private static func variant(of signal: Signal) -> Variants<Draft>.Variant {
        let unit = signal.hasWrittenUnit ? signal.unit.map(Self.unit) : nil
        let source = signal.usualSource.map(Self.source)
        let format = signal.form == .sound ? Self.format : nil
        let acted =
            switch signal.form {
            case .rating: RatingShape.fields
            case .tap: TappingShape.fields
            case .display: BiofeedbackShape.fields
            case .rate, .intervals, .picture, .number, .wave, .act, .position, .sound: [FieldDeclaration]()
            }
        let wave = signal.waveForm == nil ? [] : WaveShape.fields(of: signal)
        let isActed = signal.form == .rating || signal.form == .tap
        let grace = grace(usual: isActed ? "200 ms" : "2 s")
        let own = [grace.declaration, unit?.declaration, source?.declaration, format?.declaration]
        return .init(
            word: signal.name, description: signal.meaning, fields: own.compactMap { $0 } + acted + wave,
            rules: signal.form == .display ? BiofeedbackShape.rules : []
        ) { fields in
            let (name, allowed, isRequired) = (fields[identifier], fields[grace], fields[required])
            let (from, to) = (fields[from], fields[to])
            _ = unit.flatMap { fields[$0] }
            let (given, format) = (source.flatMap { fields[$0] }, format.flatMap { fields[$0] })
            let display: (feedback: Biofeedback?, source: Located<Identifier>?) =
                signal.form == .display ? BiofeedbackShape.read(fields) : (nil, nil)
            let control = signal.form == .rating ? RatingShape.readSource(fields) : nil
            let chosen = given ?? display.source ?? control
            if let chosen { checkSource(chosen, fields.reading) }
            if let usual = chosen?.value ?? signal.usualSource {
                fields.reading.context.uses.sources.insert(usual.text)
            }
            if isRequired == true { checkPresence(chosen?.value ?? signal.usualSource, fields) }
            checkSignal(signal, of: given ?? control, fields)
            let rating = signal.form == .rating ? RatingShape.read(fields, name: name?.value) : nil
            let tapping = signal.form == .tap ? TappingShape.read(fields) : nil
            let waves = signal.waveForm == nil ? nil : WaveShape.read(fields, of: signal)
            guard let name, signal.waveForm == nil || waves != nil, signal.form != .rating || rating != nil,
                signal.form != .tap || tapping != nil, signal.form != .display || display.feedback != nil
            else { return nil }
            var recorder = RecorderConfiguration(
                identifier: name.value, signal: waves?.signal ?? signal,
                source: chosen?.value,
                lateSampleGrace: allowed ?? (isActed ? .milliseconds(200) : .seconds(2)),
                isRequired: isRequired ?? false, soundFormat: format ?? .flac, rating: rating,
                tapping: tapping)
            recorder.biofeedback = display.feedback
            recorder.channels = waves?.channels ?? []
            recorder.givesBeats = waves?.givesBeats ?? false
            return Draft(
                identifier: name, recorder: recorder,
                from: from, to: to)
        }
    }

    /// Warns of a recorder that waits for a source that the study does not declare.
    private static func checkPresence(_ source: Identifier?, _ fields: Fields) {
        guard let source, !fields.reading.context.sources.contains(source.text) else { return }
        fields.reading.report(
            .noSource, "the step waits for the source '\(source)', which the study does not declare",
            at: fields.place(of: required),
            help: Help(
                "leave 'required' out, or declare the source: 'sources: {\(source): {type: bluetooth, …}}'"),
            severity: .warning)
    }

    /// Reports a declared source that never gives the signal.
    private static func checkSignal(_ signal: Signal, of source: Located<Identifier>?, _ fields: Fields) {
        guard let name = source?.value ?? signal.usualSource,
            let declared = fields.reading.context.configurations[name.text], !declared.gives(signal)
        else { return }
        let kind = signal.kind
        let help: Help =
            switch signal.form {
            case .picture: "record it from a camera: 'sources: {finger: {type: camera, device: /dev/video0}}'"
            case .wave:
                "record it from a stream, a script or a recording: 'sources: {\(kind): {type: lsl}}', '{type: push}' or '{type: replay, file: …}'"
            case .rating:
                "move the mark by a joystick or a MIDI controller: 'sources: {slider: {type: midi, device: /dev/snd/midiC1D0}}'"
            case .rate, .intervals, .number, .act, .position, .tap, .display, .sound:
                "record it from a script: 'sources: {\(kind): {type: push}}'"
            }
        fields.reading.report(
            .noWaveform, "the source '\(name)' has no \(signal.quantity)", at: source?.range ?? fields.range,
            help: help)
    }

    private static func checkSource(_ name: Located<Identifier>, _ reading: Reading) {
        let known = reading.context.sources
        guard !known.contains(name.value.text) else { return }
        reading.report(
            .unknownSource, "there is no source '\(name.value)'", at: name.range,
            help: Help.nearest(to: name.value.text, among: known, all: "the sources are")
                ?? "declare it: 'sources: {\(name.value): {type: simulated}}'")
    }
}

extension Signal {
    /// Whether a study may give its unit.
    fileprivate var hasWrittenUnit: Bool {
        switch form {
        case .rate, .number: true
        case .intervals, .picture, .wave, .act, .position, .rating, .tap, .display, .sound: false
        }
    }
}
