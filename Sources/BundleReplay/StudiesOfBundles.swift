import Hashing
package import Platform
package import Results
package import StudyFile
import Synchronization
import TextFormat

/// The studies in bundles with what they say. Each text is read once, however many bundles have it.
package final class StudiesOfBundles: Sendable {
    /// A study, and what it says.
    package struct Recorded: Sendable {
        package let study: CheckedStudy
        package let meaning: StudyMeaning
        /// Lower-case hexadecimal SHA-256 of the meaning.
        package let sha256: String
    }

    private let known = Mutex<[String: Recorded]>([:])

    package init() {}

    /// The study of a bundle.
    ///
    /// - Returns: `nil` if the bundle is pseudonymised, or if this program can no longer read its study.
    /// - Throws: `FileFailure` if the study or the journal is missing or broken.
    package func study(of bundle: ResultBundle) throws(FileFailure) -> Recorded? {
        guard !bundle.manifest.isPseudonymised else { return nil }
        let recorded = try recorded(in: bundle)
        return recorded.study.parsed.study == nil ? nil : recorded
    }

    /// The study in a bundle with a journal, even if this program can no longer read it.
    func recorded(in bundle: ResultBundle) throws(FileFailure) -> Recorded {
        let text = try bundle.contents(of: "study.yaml")
        let key = SHA256.hexadecimal(of: text + Self.files(in: try bundle.contents(of: "journal.jsonl")))
        if let recorded = known.withLock({ $0[key] }) { return recorded }
        let files = try bundle.journalHeader().files
        let study = CheckedStudy(text, path: "study.yaml", library: .recorded(files))
        let meaning = study.meaning
        let recorded = Recorded(study: study, meaning: meaning, sha256: meaning.sha256)
        known.withLock { $0[key] = recorded }
        return recorded
    }

    /// The study's other files as the journal's first line has them, or the whole line if it is broken.
    private static func files(in journal: [UInt8]) -> ArraySlice<UInt8> {
        let line = journal.prefix { $0 != UInt8(ascii: "\n") }
        var reader = JSONReader(journal, in: line.indices)
        guard (try? reader.enterObject()) != nil else { return line }
        while let key = try? reader.key(), let value = try? reader.value() {
            if reader.matches(key, "files") { return journal[value] }
        }
        return line
    }

    /// What a bundle says of its study that the study itself does not say; empty if all is well.
    ///
    /// The digest of what a study says is worked out again, because whoever changes a study can write any digest
    /// beside it.
    package func contradictions(in bundle: ResultBundle) throws(FileFailure) -> [String] {
        try study(of: bundle).map { $0.contradictions(of: bundle.manifest.run) } ?? []
    }
}

extension StudiesOfBundles.Recorded {
    /// What a run says of its study that the study itself does not say.
    func contradictions(of run: RunDescription) -> [String] {
        var found: [String] = []
        if let told = run.meaningSHA256, told != sha256 {
            found.append("study.yaml does not say what was run: meaningSHA256 is that of another study")
        }
        if let told = run.registrationSHA256, told != study.registrationSHA256 {
            found.append("registrationSHA256 is not that of the registration in the journal")
        }
        return found
    }
}
