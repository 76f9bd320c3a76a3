import Platform
import Results
import StudyModel

extension Verification {
    /// Recordings that have changed since the journal recorded that they were finished, or that contradict what it says of
    /// them; and the digests of their samples, with the file that each belongs to.
    ///
    /// - Parameter changed: files that differ from the sealed ones; the others have the checksums with which they
    ///   were sealed.
    static func examineRecordings(
        of bundle: ResultBundle, _ journal: Journal, changed: Set<String>
    ) throws(FileFailure) -> (problems: [String], samples: [String: String]) {
        let sealed = try bundle.sealedSums()
        var (problems, samples): ([String], [String: String]) = ([], [:])
        var configurations: [RecorderKey: RecorderConfiguration] = [:]
        let recordings = Dictionary(grouping: bundle.visits.flatMap(\.recordings), by: \.name)
        for content in journal.records.map(\.content) {
            if case .effect(.record(let key, let configuration, _)) = content {
                configurations[key] = configuration
            }
            guard case .event(.recorded(let key, let files, _)) = content else { continue }
            for file in files {
                guard let listed = bundle.manifest.file(named: file.fileName) else {
                    problems.append("\(file.fileName) is in the journal, and the manifest does not list it")
                    continue
                }
                let path = listed.path.text
                let isSealed = !changed.contains(path)
                let present = isSealed ? sealed[path] : try bundle.digest(of: listed.path).sha256
                // Journals of earlier programs have no checksums.
                if let sha256 = file.sha256, present != sha256 {
                    problems.append("\(path) is not what was recorded: the journal has another checksum")
                    continue
                }
                guard let recording = recordings[file.fileName]?.first,
                    let configuration = configurations[key]
                else { continue }
                do {
                    let found = try RecordingEvidence.examine(
                        file, recording, as: configuration, in: bundle, startedAt: journal.header.wallClock)
                    problems += found.contradictions.map { "\(path): \($0)" }
                    if let digest = found.digest { samples[digest] = path }
                } catch {
                    problems.append("\(error)")
                }
            }
        }
        return (problems, samples)
    }
}
