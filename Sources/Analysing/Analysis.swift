import Datasets
package import Deidentifying
package import Participants
import Platform
import Results
import StudyModel

/// A first analysis: whether a clip changes the heart rate, by how much, and how certain this is.
package struct Analysis: Sendable {
    /// One result for each study, by the study's name.
    package internal(set) var studies: [StudyResponse] = []
    /// Studies with several versions of their text.
    package private(set) var severalTexts: [SeveralTexts] = []
    /// All runs, by study, participant, session and time.
    package private(set) var sessions: [RecordedSession] = []
    package private(set) var leftOut = LeftOut()
    /// The registered analysis, if only that was made.
    package private(set) var registered: RegisteredAnalysis?
    /// How all sessions of the registered study stand to its registration in time.
    package private(set) var claim: RegistrationClaim?
    /// What must not appear in anything that is made from this; empty if everything is as it was recorded.
    package private(set) var deidentifications: [Deidentification] = []

    /// - Parameters:
    ///   - paths: datasets, bundles, or folders with bundles. A run that is found twice counts once.
    ///   - selection: which runs count, and which are pooled.
    ///   - privacy: `nil` leaves everything as it was recorded.
    ///   - random: the generator for sign flips.
    /// - Throws: `FileFailure` if a dataset or a folder cannot be read.
    package init(
        of paths: [String], taking selection: RunSelection, privacy: Privacy? = nil,
        using random: inout some RandomNumberGenerator
    ) async throws {
        registered = selection.registered
        var runs: [String: RunResponses] = [:]
        var held = HeldRuns()
        var outcomes = OutcomesOfTexts(registered: selection.registered?.outcomes)
        func take(_ run: RecordedRun, at place: String) {
            do throws(FileFailure) {
                guard try held.isNew(run.session.run, run.session.manifest, at: place) else { return }
            } catch {
                leftOut.add(damaged: place, error)
                return
            }
            // An interrupted erasure may not have reached the rows of a dataset.
            guard !leftOut.withdrawals.codes.contains(run.session.participant),
                leftOut.takes(run.session, selection)
            else { return }
            runs[run.session.run] = RunResponses(
                run, outcomes: outcomes[run.session.text] ?? [], withCourse: selection.withCourses)
        }
        for path in paths {
            let index = try DatasetIndex(ofDataset: path)
            if !index.parts.isEmpty {
                leftOut.withdrawals.formUnion(try Withdrawals(of: path))
                guard privacy == nil else { throw Self.isDataset(path) }
                try outcomes.add(index, of: path)
                try await inOrder(index.parts, share: 1, ahead: 2) { part in
                    try part.recordedRuns(in: path)
                } _: { _, runs in
                    for run in runs { take(run, at: path) }
                }
                // Bundles that lie in a dataset's folder count, too.
                guard try BundleSearch.areBundles(directlyIn: path) else { continue }
            }
            var search = BundleSearch(known: [])
            try search.look(in: path)
            leftOut.add(search.leftOut)
            let deidentification = privacy.map { Deidentification($0, of: search.bundles) }
            deidentifications += deidentification.map { [$0] } ?? []
            try await BundleRows.read(search.bundles, deidentification) { path, outcome in
                switch outcome {
                case .failure(let failure): leftOut.add(damaged: path, failure)
                case .success(let rows):
                    if privacy == nil { leftOut.add(bundle: path, of: rows.run) }
                    try outcomes.add(rows, at: path, deidentification)
                    for run in try RecordedRun.runs({ rows[$0].ndjson }) { take(run, at: path) }
                }
            }
        }
        registered?.logged = leftOut.logged
        leaveRepeated(outOf: &runs)
        leaveEarly(outOf: &runs)
        sessions = runs.values.map(\.session).sorted {
            ($0.study, $0.participant, $0.session, $0.start, $0.run)
                < ($1.study, $1.participant, $1.session, $1.start, $1.run)
        }
        addStudies(of: runs.values, outcomes, selection, using: &random)
    }

    private static func isDataset(_ path: String) -> FileFailure {
        FileFailure(
            "read", path,
            .malformed("it is a dataset: give its bundles, or collate them with --pseudonymise"))
    }

    /// If a session was repeated, only one run counts.
    private mutating func leaveRepeated(outOf runs: inout [String: RunResponses]) {
        let counted = CountedRuns(of: runs.values.map { CountedRuns.Run($0.session) })
        for run in runs.values.map(\.session).sorted(by: {
            ($0.participant, $0.start) < ($1.participant, $1.start)
        })
        where !counted.counts(run.run) {
            runs[run.run] = nil
            if counted.isContinued(run.run) {
                leftOut.continued.append((run.participant, run.session, run.run))
            } else {
                leftOut.repeated.append((run.participant, run.session, run.run))
            }
        }
    }

    /// If some sessions are shown to be later than the registration, only they count.
    private mutating func leaveEarly(outOf runs: inout [String: RunResponses]) {
        guard let registered else { return }
        let claim = RegistrationClaim(of: runs.values.map(\.session), registered)
        self.claim = claim
        guard claim.doubtful > 0, !claim.isExploratory else { return }
        for run in runs.values.map(\.session).sorted(by: {
            ($0.participant, $0.start) < ($1.participant, $1.start)
        })
        where !run.origin.isInvented && registered.order(of: run) != .later {
            runs[run.run] = nil
            leftOut.beforeRegistration.append((run.participant, run.session, run.run))
        }
    }

    private mutating func addStudies(
        of runs: some Collection<RunResponses>, _ outcomes: OutcomesOfTexts, _ selection: RunSelection,
        using random: inout some RandomNumberGenerator
    ) {
        let byStudy = Dictionary(grouping: runs, by: \.session.study)
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
                        of: study, in: texts, isOnlyPart: texts.count < byText.count, own,
                        outcomes: texts.reversed().lazy.compactMap { outcomes[$0] }.first, using: &random))
                for text in texts.reversed() {
                    studies[studies.count - 1].questionTitles.merge(outcomes.titles(of: text)) { new, _ in new
                    }
                }
            }
        }
    }
}

extension DatasetIndex.Part {
    fileprivate func recordedRuns(in dataset: String) throws -> [RecordedRun] {
        let folder = try Folder(dataset)
        return try RecordedRun.runs { try ndjson(of: $0, in: folder, dataset) }
    }
}
