import StudyModel

/// A catalogue of clips by itself, without a study.
package struct ParsedCatalogue: Sendable {
    /// The clips in order, with their places; their paths are relative to the catalogue.
    package var uses = ClipUses()
    /// Every mistake.
    package var diagnostics: [Diagnostic]

    /// Whether a file is a catalogue rather than a study: of the keys that only one of them has, it has the catalogue's.
    package static func isCatalogue(_ text: [UInt8]) -> Bool {
        var keys: Set<String> = []
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let first = line.first, first != 0x20, first != 0x09, first != 0x2D else { continue }
            keys.insert(
                String(decoding: line.prefix { $0 != 0x3A && $0 != 0x20 }, as: UTF8.self).lowercased())
        }
        let isStudy = !keys.isDisjoint(with: ["study", "tasks", "task", "stimuli", "sources"])
        return !isStudy && !keys.isDisjoint(with: ["clips", "clip", "catalogue"])
    }

    /// - Parameters:
    ///   - text: the file's bytes.
    ///   - file: its name as diagnostics show it.
    ///   - library: the way to the files that it names.
    package init(_ text: [UInt8], named file: String, library: Library) {
        let checked = CheckedText(text, file: file)
        diagnostics = checked.diagnostics
        guard let text = checked.text else { return }
        let context = StudyContext(library: library, file: file)
        let catalogue = Catalogue(text, checked.source, path: "", context: context)
        for clip in catalogue.clips { _ = catalogue.clip(clip.identifier.value.text) }
        uses = context.clipUses
        diagnostics += context.takeOtherDiagnostics()
    }
}
