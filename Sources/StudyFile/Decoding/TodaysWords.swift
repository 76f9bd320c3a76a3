import StudyModel

/// A study in today's words.
package struct TodaysWords: Sendable {
    /// The study file.
    package private(set) var text: [UInt8]
    /// How many older words were replaced.
    package private(set) var count = 0
    /// Older words that only the author can replace.
    package private(set) var left: [Diagnostic] = []

    /// Replaces older words until none is left that can be replaced.
    ///
    /// - Parameters:
    ///   - text: a study without errors.
    ///   - file: its name as diagnostics show it.
    ///   - library: reads the files that it names.
    /// - Returns: `nil` if the new text would say something else than the study.
    package init?(_ text: [UInt8], named file: String, library: Library) {
        let before = ParsedStudy(text, named: file, library: library)
        self.text = text
        var now = before
        while true {
            let older = now.doubts.filter { $0.code == .olderWords && $0.file == file }
            let known = older.filter { !$0.fix.isEmpty }
            guard !known.isEmpty else {
                left = older
                break
            }
            count += known.count
            self.text = Array(CheckedText(self.text, file: file).source.applying(known.flatMap(\.fix)).utf8)
            now = ParsedStudy(self.text, named: file, library: library)
            guard now.study == before.study, count < 10_000 else { return nil }
        }
    }
}
