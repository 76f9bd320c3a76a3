import StudyModel

/// What is recorded while a step lasts, or while several do.
enum RecorderVariants {
    /// A recorder with the place of its identifier, and the steps it spans, where it spans some.
    struct Draft {
        var identifier: Located<Identifier>
        var recorder: RecorderConfiguration
        var from: Located<Identifier>?
        var to: Located<Identifier>?
    }

    static let ofStep = variants("recorder", more: [])
    static let ofTask = variants("spanningRecorder", more: .of(from, to))

    private static func variants(_ name: String, more: [FieldDeclaration]) -> Variants<Draft> {
        Variants(
            name: name, noun: "recorder",
            common: .of(identifier, grace, required, Field.comment) + more,
            variants: [
                variant(.heartRate, "heart rate, beats per minute", .of(unit, source)),
                variant(.rrIntervals, "time between beats", .of(source)),
                variant(
                    .pulseWaveform, "what a camera sees of a fingertip, picture by picture",
                    .of(source)),
                variant(.events, "every key press and answer with its instant", []),
                variant(.stimulusPosition, "the player's position in its clip", []),
                variant(.audio, "the microphone", .of(format)),
            ])
    }

    private static let identifier = Field(
        "identifier", Kind<Identifier>.identifier.located, isRequired: true, "Identifier",
        "The recorder's name, unique in its step; the name of its file contains it.", example: "heartRate")
    private static let unit = Field(
        "unit", .word(["count/min"]), usual: "count/min", "Unit", "The unit of the samples.",
        example: "count/min")
    private static let source = Field(
        "source", Kind<Identifier>.identifier.located, usual: "heartRate", "Source",
        "The source, by its name under sources.", example: "heartRate")
    private static let format = Field(
        "format", .word([("flac", RecorderConfiguration.SoundFormat.flac), ("wav", .wav)]), usual: "flac",
        "Format", "The format of the file; both are lossless.", example: "flac")
    private static let grace = Field(
        "lateSampleGrace", .duration(zeroAllowed: true), usual: "2 s", "Grace for late samples",
        "How long after the recording's end samples of its time are still accepted.", example: "2 s")
    private static let required = Field(
        "required", .boolean, usual: false, "Required",
        "Whether the step may begin only with a live source.", example: true)
    private static let from = Field(
        "from", Kind<Identifier>.identifier.located, isRequired: true, "From",
        "The step of the task's own list whose start begins the recording.", example: "rest")
    private static let to = Field(
        "to", Kind<Identifier>.identifier.located, isRequired: true, "To",
        "The step of the task's own list whose end ends the recording.", example: "music")

    private static func variant(
        _ kind: RecorderConfiguration.Kind, _ description: String, _ fields: [FieldDeclaration]
    ) -> Variants<Draft>.Variant {
        .init(word: kind.rawValue, description: description, fields: fields) { fields in
            let (name, grace, isRequired) = (fields[identifier], fields[grace], fields[required])
            let (from, to) = (fields[from], fields[to])
            _ = fields[unit]
            let (source, format) = (fields[source], fields[format])
            if let source { checkSource(source, fields.reading) }
            if kind == .pulseWaveform { checkWaveform(of: source, fields) }
            guard let name else { return nil }
            return Draft(
                identifier: name,
                recorder: RecorderConfiguration(
                    identifier: name.value, kind: kind, source: source?.value,
                    lateSampleGrace: grace ?? .seconds(2), isRequired: isRequired ?? false,
                    soundFormat: format ?? .flac),
                from: from, to: to)
        }
    }

    private static func checkWaveform(of source: Located<Identifier>?, _ fields: Fields) {
        let name = source?.value.text ?? "heartRate"
        guard fields.reading.context.waveless.contains(name) else { return }
        fields.reading.report(
            .noWaveform, "the source '\(name)' has no pulse waveform", at: source?.range ?? fields.range,
            help: "record it from a camera: 'sources: {finger: {type: camera, device: /dev/video0}}'")
    }

    private static func checkSource(_ name: Located<Identifier>, _ reading: Reading) {
        let known = reading.context.sources
        guard !known.contains(name.value.text) else { return }
        reading.report(
            .unknownSource, "there is no source '\(name.value)'", at: name.range,
            help: Suggestion.help(for: name.value.text, among: known, all: "the sources are")
                ?? "declare it: 'sources: {\(name.value): {type: simulated}}'")
    }
}
