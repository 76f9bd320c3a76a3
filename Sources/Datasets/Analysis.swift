import Results
import StudyModel

/// A first answer: does a clip change the heart rate, by how much, and how sure is that?
package struct Analysis: Sendable {
    /// One answer per study, by its name.
    package private(set) var studies: [StudyResponse] = []
    /// Studies that come in several texts.
    package private(set) var severalTexts: [SeveralTexts] = []
    /// All runs, by study, participant, session and time.
    package private(set) var sessions: [RecordedSession] = []
    package private(set) var leftOut = LeftOut()

    /// - Parameters:
    ///   - paths: datasets, bundles, or folders with bundles; a run that comes twice counts once.
    ///   - selection: which runs count, and which are pooled.
    ///   - random: the chance that sign flips are drawn from.
    /// - Throws: `BundleFailure` if a dataset or a folder cannot be read.
    package init(
        of paths: [String], taking selection: RunSelection, using random: inout some RandomNumberGenerator
    ) async throws {
        var runs: [String: RunResponses] = [:]
        var held = HeldRuns()
        func take(_ run: RecordedRun, at place: String) {
            do throws(BundleFailure) {
                guard try held.isNew(run.session.run, run.session.manifest, at: place) else { return }
            } catch {
                leftOut.add(damaged: place, error)
                return
            }
            guard leftOut.takes(run.session.origin, includingSimulated: selection.includesSimulated)
            else { return }
            runs[run.session.run] = RunResponses(run)
        }
        for path in paths {
            let index = try DatasetIndex(ofDataset: path)
            guard index.parts.isEmpty else {
                for part in index.parts {
                    for run in try part.recordedRuns(in: path) { take(run, at: path) }
                }
                continue
            }
            var search = BundleSearch(known: [])
            try search.look(in: path)
            leftOut.add(search.leftOut)
            try await BundleRows.read(search.bundles) { path, outcome in
                switch outcome {
                case .failure(let failure): leftOut.add(damaged: path, failure)
                case .success(let rows):
                    leftOut.add(bundle: path, of: rows.run)
                    for run in try RecordedRun.runs({ rows[$0].ndjson }) { take(run, at: path) }
                }
            }
        }
        sessions = runs.values.map(\.session).sorted {
            ($0.study, $0.participant, $0.session, $0.start, $0.run)
                < ($1.study, $1.participant, $1.session, $1.start, $1.run)
        }
        let byStudy = Dictionary(grouping: runs.values, by: \.session.study)
        for (study, runs) in byStudy.sorted(by: { $0.key < $1.key }) {
            let byText = Dictionary(grouping: runs, by: \.session.text)
            let texts = byText.keys.sorted()
            if texts.count > 1 {
                severalTexts.append(
                    SeveralTexts(study: study, texts: texts.map { ($0, byText[$0, default: []].count) }))
            }
            for texts in selection.poolsRevisions ? [texts] : texts.map({ [$0] }) {
                let own = texts.flatMap { byText[$0, default: []] }.sorted { $0.session.run < $1.session.run }
                studies.append(
                    StudyResponse(
                        of: study, in: texts, isOnlyPart: texts.count < byText.count, own, using: &random))
            }
        }
    }
}

extension DatasetIndex.Part {
    fileprivate func recordedRuns(in dataset: String) throws -> [RecordedRun] {
        let folder = try Folder(dataset)
        return try RecordedRun.runs { table in
            let path = "\(table.rawValue)/\(stem).ndjson"
            let bytes = try folder.read(path)
            guard SHA256.hexadecimal(of: bytes) == tables[table]?.ndjson.sha256 else {
                throw BundleFailure("read", "\(dataset)/\(path)", .malformed("it is not what was collated"))
            }
            return bytes
        }
    }
}
