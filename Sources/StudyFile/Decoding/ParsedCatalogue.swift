import StudyModel

/// A catalogue of clips by itself, without a study.
package struct ParsedCatalogue: Sendable {
    /// The clips in order, with their places; their paths are relative to the catalogue.
    package var uses = ClipUses()
    /// Every mistake.
    package var diagnostics: [Diagnostic]

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
