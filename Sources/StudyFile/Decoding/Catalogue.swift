import StudyModel
import TextFormat

/// A catalogue of clips, read from its own file.
struct Catalogue {
    /// A clip, with the place of its file's name.
    struct Clip {
        var identifier: Located<Identifier>
        var stimulus: Stimulus
        var fileRange: SourceRange
        var sumRange: SourceRange
        var durationRange: SourceRange
        var attributes: [Node.Pair]
    }

    let reading: Reading
    let clips: [Clip]
    /// Relative to the study file.
    let path: String
    /// Whether the catalogue has no mistakes; otherwise clips may be missing here.
    let isComplete: Bool

    /// - Parameter path: relative to the study file.
    init(_ text: String, _ source: SourceText, path: String, context: StudyContext) {
        let reading = Reading(source, context: context)
        self.reading = reading
        self.path = path
        context.otherReadings.append(reading)
        let tree = TreeBuilder(text, source)
        let read = reading.read(tree, as: .mapping(Self.shape)) ?? []
        reading.rejectDuplicates(read.map(\.identifier), noun: "clip")
        clips = read.map { clip in
            var clip = clip
            if clip.stimulus.hasFile {
                clip.stimulus.path = FilePath.normal(clip.stimulus.file, besides: path)
            }
            return clip
        }
        var first: [String: Identifier] = [:]
        for clip in clips where clip.stimulus.hasFile {
            guard let other = first[clip.stimulus.path] else {
                first[clip.stimulus.path] = clip.identifier.value
                continue
            }
            guard other != clip.identifier.value else { continue }
            reading.report(
                .clipTwice, "'\(clip.identifier.value)' has the same file as '\(other)'", at: clip.fileRange,
                help:
                    "name the file that is meant; if both are meant, say so with 'expect: {clip-twice: REASON}' in the study",
                severity: .warning)
        }
        CatalogueChecks(reading: reading, clips: read.map(\.attributes), known: Self.known).check()
        isComplete = !reading.diagnostics.contains { $0.severity == .error }
    }

    /// The clip with that name; reports if its file is missing.
    func clip(_ identifier: String) -> Stimulus? {
        guard let clip = clips.first(where: { $0.identifier.value.text == identifier }) else { return nil }
        let path = clip.stimulus.path
        guard clip.stimulus.hasFile else {
            reading.context.clipUses.withoutFile.append(clip.stimulus)
            return clip.stimulus
        }
        guard reading.context.checkedMedia.insert(path).inserted else { return clip.stimulus }
        if let problem = reading.context.library.media(path) {
            reading.report(problem, path: clip.stimulus.file, at: clip.fileRange)
        } else {
            reading.context.clipUses.entries.append(
                ClipUses.Entry(
                    clip: clip.stimulus, file: TextPlace(clip.fileRange, reading.source),
                    sum: TextPlace(clip.sumRange, reading.source),
                    duration: TextPlace(clip.durationRange, reading.source)))
        }
        return clip.stimulus
    }
}

extension Catalogue {
    static let shape = Shape<[Clip]>(
        name: "catalogue", title: "Catalogue", description: "Clips and what is known of them.",
        fields: .of(FormatVersion.field, clipList, Field.comment)
    ) { fields in
        FormatVersion.check(fields)
        return fields[clipList]
    }

    private static let clipList = Field(
        "clips", .list(.mapping(clip), noun: "clip"), isRequired: true, "Clips", "The clips, in order.",
        example: [["identifier": "chill_1", "file": "chill_1.ogg", "mood": "chill"]])

    private static let identifier = Field(
        "identifier", Kind<Identifier>.identifier.located, isRequired: true, "Identifier",
        "The clip's name, unique in the catalogue.", example: "chill_1")
    private static let file = Field(
        "file", .path, "File", "The sound file; relative to the catalogue.",
        example: "chill_1.ogg")
    private static let title = Field(
        "title", .prose, "Title", "The clip's title.", example: "Evening at the lake")
    private static let duration = Field(
        "duration", .duration(), "Length", "How long the clip is.", example: "30 s")
    private static let sha256 = Field(
        "sha256", .sha256, "SHA-256", "The file's SHA-256: 64 hexadecimal digits.",
        example: .text(String(repeating: "0", count: 64)))

    private static let beats = Field(
        "beats", BeatsShape.kind, "Beats",
        "When the clip's beats are heard: a list of ascending positions in seconds, or a steady tempo.",
        example: ["tempo": "120 bpm", "first": "0.25 s"])
    private static let gain = Field(
        "gain", .decibels, usual: "0 dB", "Gain",
        "Change of level wherever the clip is played; what a step says comes on top.", example: "-3 dB")
    private static let silence = Field(
        "silence", .duration(), "Silence", "In place of a file: silence of this length.", example: "30 s")
    private static let clicks = Field(
        "clicks", .duration(), "Clicks",
        "In place of a file: a metronome of this length, with a click of the program at each of the beats.",
        example: "30 s")
    private static let ofClip: [FieldDeclaration] = .of(
        identifier, file, silence, clicks, title, duration, beats, sha256, gain)
    private static let known = ofClip.map(\.key)

    private static let clip = Shape<Clip>(
        name: "clip", title: "Clip",
        description: "A clip; further keys with single values are its attributes.",
        fields: ofClip,
        rules: [
            .exactlyOne(["file", "silence", "clicks"]), .atMostOne(["silence", "clicks", "duration"]),
            .atMostOne(["silence", "beats"]), .atMostOne(["silence", "gain"]), .needs("clicks", ["beats"]),
            .needs("sha256", ["file"]),
        ],
        allowsOtherScalars: true
    ) { fields in
        let (name, path, title) = (fields[identifier], fields[file], fields[title])
        let (beats, clicks, gain) = (fields[beats], fields[clicks], fields[gain])
        let (duration, sum, silence) = (fields[duration], fields[sha256], fields[silence])
        var attributes: [String: String] = [:]
        for (key, text) in fields.scalars {
            attributes[key] = text
            fields.reading.rejectControlCharacters(in: text, at: fields.range)
        }
        guard let name, path != nil || silence != nil || clicks != nil && beats != nil else { return nil }
        var stimulus = Stimulus(
            identifier: name.value, file: path ?? "", path: path ?? "", title: title, sha256: sum,
            duration: silence ?? clicks ?? duration, beats: beats, attributes: attributes)
        stimulus.gain = gain ?? 0
        fields.reading.checkBeats(
            of: stimulus, at: fields.place(of: Self.beats),
            tempo: fields.pairs(besides: known).value(of: "tempo")?.range)
        return Clip(
            identifier: name, stimulus: stimulus, fileRange: fields.place(of: file),
            sumRange: fields.place(of: sha256),
            durationRange: fields.place(of: Self.duration), attributes: fields.pairs(besides: known))
    }
}

extension Kind<String> {
    /// 64 hexadecimal digits; read as lower-case.
    static var sha256: Kind {
        let schema: JSON = [
            "$comment": "64 hexadecimal digits", "type": "string", "pattern": "^[0-9a-fA-F]{64}$",
        ]
        return Kind(schema) { node, reading in
            guard let text = node.scalarText, text.utf8.count == 64,
                text.allSatisfy({ $0.isASCII && $0.isHexDigit })
            else {
                reading.reportKind(of: node, expected: "a SHA-256 of 64 hexadecimal digits")
                return nil
            }
            return text.lowercased()
        }
    }
}

extension Reading {
    /// The suggestion to write a name that is not in the file.
    func newName(for name: String, _ words: String) -> Help {
        let other = source.unusedName(like: name)
        return Help("\(words), such as '\(other)'")
    }

    /// Reports every identifier that occurs a second time.
    func rejectDuplicates(_ identifiers: [Located<Identifier>], noun: String) {
        var places: [Identifier: SourceRange] = [:]
        for identifier in identifiers {
            guard let first = places[identifier.value] else {
                places[identifier.value] = identifier.range
                continue
            }
            guard identifier.range != first else {
                report(
                    .duplicateIdentifier,
                    "an alias repeats the \(noun) '\(identifier.value)'",
                    at: first,
                    help:
                        "in place of the alias, write '<<: *…' and below it 'identifier: …' with a new name")
                continue
            }
            report(
                .duplicateIdentifier,
                "there are two \(noun)s '\(identifier.value)', the first in line \(first.start.line)",
                at: identifier.range,
                help: newName(for: identifier.value.text, "give each \(noun) a name of its own"), first: first
            )
        }
    }
}
