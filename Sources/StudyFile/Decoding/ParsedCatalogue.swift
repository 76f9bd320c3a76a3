import StudyModel

/// A catalogue of clips on its own, without a study.
package struct ParsedCatalogue: Sendable {
    /// The clips with a file, in order, with their places; their paths are relative to the catalogue.
    package var uses = ClipUses()
    /// How many clips there are, including silences and clicks.
    package private(set) var clipCount = 0
    /// Every mistake.
    package var diagnostics: [Diagnostic]

    /// Whether a file is a catalogue rather than a study, judged by the keys that only one of them has.
    package static func isCatalogue(_ text: [UInt8]) -> Bool {
        var keys = keysInBraces(text)
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let first = line.first, first != 0x20, first != 0x09, first != 0x2D else { continue }
            keys.insert(
                String(decoding: line.prefix { $0 != 0x3A && $0 != 0x20 }, as: UTF8.self).lowercased())
        }
        let isStudy = !keys.isDisjoint(with: ["study", "tasks", "task", "stimuli", "sources"])
        return !isStudy && !keys.isDisjoint(with: ["clips", "clip", "catalogue"])
    }

    /// The keys of a file that is one group in braces; empty if it is not such a file.
    private static func keysInBraces(_ text: [UInt8]) -> Set<String> {
        let first = text.split(separator: 0x0A).first { line in
            line.first { $0 != 0x20 && $0 != 0x09 }.map { $0 != UInt8(ascii: "#") } == true
        }
        guard first?.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "{")
        else { return [] }
        let checked = CheckedText(text, file: "")
        guard
            let whole = checked.text,
            case .mapping(let pairs)? = TreeBuilder(whole, checked.source).root?.content
        else { return [] }
        return Set(pairs.map { $0.key.value.lowercased() })
    }

    /// - Parameters:
    ///   - text: the file's bytes.
    ///   - file: its name as diagnostics show it.
    ///   - library: reads the files that it names.
    package init(_ text: [UInt8], named file: String, library: Library) {
        let checked = CheckedText(text, file: file)
        diagnostics = checked.diagnostics
        guard let text = checked.text else { return }
        let context = StudyContext(library: library, file: file)
        let catalogue = Catalogue(text, checked.source, path: "", context: context)
        clipCount = catalogue.clips.count
        for clip in catalogue.clips { _ = catalogue.clip(clip.identifier.value.text) }
        uses = context.clipUses
        diagnostics += context.removeOtherDiagnostics()
    }
}
