import Hashing
package import Platform
import Results
import StudyFile
import StudyModel
package import TextFormat

/// What is wrong with a sealed bundle.
package enum Verification {
    /// What it means if nothing is wrong, and what cannot be known about a bundle without a signature.
    package static let meaning: TerminalText =
        "Whole means complete, unchanged since it was sealed, and in agreement with its own journal. It does not mean "
        + "authentic: bundles are not signed, and a forged journal is not detected."

    /// Checks the checksums, compares the manifest, the study, the recordings and the folder's name with the
    /// journal, counts again what the recordings hold, repeats the draws from the seed, passes the journal's events to the engine, and compares its
    /// effects and results with the recorded ones.
    ///
    /// - Parameters:
    ///   - path: the bundle's folder.
    ///   - studies: the studies that were already read.
    ///   - together: takes what other bundles may contradict.
    /// - Returns: one sentence for each problem; empty if there are none.
    /// - Throws: `FileFailure` if the folder is not a bundle at all.
    package static func problems(
        at path: String, _ studies: StudiesOfBundles = StudiesOfBundles(),
        beside together: BundlesTogether = BundlesTogether()
    ) throws(FileFailure) -> [String] {
        var bundle = try ResultBundle(at: path)
        let sums = try bundle.verifySumsAndKeep()
        var problems = sums.map(\.description)
        // The following checks compare contents, which adds nothing if a file is missing.
        guard !sums.contains(where: { $0.kind == .missing }) else { return problems }
        guard !bundle.manifest.isPseudonymised else { return try problems + problemsWithoutJournal(bundle) }
        let journal = try bundle.journal()
        problems += try contradictions(of: bundle, and: journal)
        let recorded = try studies.recorded(in: bundle)
        if recorded.study.parsed.study != nil {
            problems += recorded.contradictions(of: bundle.manifest.run)
        }
        problems += try departures(of: bundle, journal)
        let recordings = try examineRecordings(of: bundle, journal, changed: Set(sums.map(\.path)))
        problems += recordings.problems
        // What nobody recorded in real time may be the same in every run.
        let samples = bundle.manifest.run.speed == nil ? [:] : recordings.samples
        together.add(bundle, begin: journal.header.wallClock, samples: samples)
        var replay: Replay
        do throws(StudyFailure) {
            replay = try Replay(journal.header, of: recorded.study)
        } catch {
            return problems + [error.description]
        }
        for (event, instant) in journal.events { replay.feed(event, at: instant) }
        if try bundle.contents(of: "plan.json") != PlanDocument(replay.plan).encoded() {
            problems.append("plan.json is not what the seed gives")
        }
        problems += differences(between: journal.records, and: replay.records)
        guard let ending = replay.ending else { return problems + ["the journal does not come to an end"] }
        let result = TaskResult(
            steps: replay.results, end: ending.at, reason: bundle.manifest.status,
            isRecovered: bundle.manifest.isRecovered, isClockAdjusted: bundle.manifest.isClockAdjusted,
            interruptions: RunInterruptions(of: replay.records))
        problems += try differences(of: bundle, from: result, in: replay)
        problems += unlisted(in: bundle, results: replay.results)
        if bundle.manifest.status != ending.reason, bundle.manifest.status != .failed {
            problems.append("the status '\(bundle.manifest.status)' is not the journal's '\(ending.reason)'")
        }
        if bundle.manifest.duration != ending.at.offset {
            problems.append("manifest.json gives another duration than the journal")
        }
        return problems
    }

    /// A pseudonymised bundle has no journal to compare with, so its folder's name, its list of files and the items
    /// of its recordings are compared with each other.
    private static func problemsWithoutJournal(_ bundle: ResultBundle) throws(FileFailure) -> [String] {
        var problems: [String] = []
        let run = bundle.manifest.runUUID
        if let name = ResultBundle.folderName(of: bundle.path), name != run {
            problems.append("the folder is named '\(name)', and the manifest is of the run \(run)")
        }
        let sums = try bundle.sealedSums()
        for file in bundle.manifest.files where sums[file.path.text] != file.sha256 {
            problems.append("\(file.path) has another checksum in the manifest")
        }
        for recording in bundle.visits.flatMap(\.recordings) where recording.holdsItems {
            do throws(FileFailure) {
                _ = try bundle.recordedItems(in: recording)
            } catch {
                problems.append(error.description)
            }
        }
        return problems
    }

    /// Statements of the manifest, the study and the folder's name that disagree with the journal's header.
    private static func contradictions(of bundle: ResultBundle, and journal: Journal) throws(FileFailure)
        -> [String]
    {
        var known = journal.header.run
        for case .event(.allocated(let arm, _)) in journal.records.map(\.content) { known.arm = arm }
        var problems: [String] = []
        let others = bundle.manifest.run.keys(differingFrom: known)
        if !others.isEmpty {
            problems.append("manifest.json differs from the journal: \(others.joined(separator: ", "))")
        }
        var latest = RunInstant.start
        for (place, record) in journal.records.enumerated() {
            // Earlier programs told the planned end of a clip after it.
            guard case .event(let event) = record.content else { continue }
            if case .played = event { continue }
            if record.instant < latest {
                problems.append("journal.jsonl, line \(place + 2): it is earlier than a line before it")
                break
            }
            latest = record.instant
        }
        if try SHA256.hexadecimal(of: bundle.contents(of: "study.yaml")) != known.studySHA256 {
            problems.append("study.yaml is not the study that the journal names")
        }
        if let other = journal.header.drawnFor, known.gathering == nil {
            problems.append("its draws are those of \(other), and it names no gathering")
        }
        if let name = ResultBundle.folderName(of: bundle.path), name != known.runUUID {
            problems.append("the folder is named '\(name)', and the journal is of the run \(known.runUUID)")
        }
        return problems
    }

    private static func differences(
        of bundle: ResultBundle, from result: TaskResult, in replay: borrowing Replay
    ) throws(FileFailure) -> [String] {
        var problems: [String] = []
        let form = ResearchKitForm(header: replay.header, task: replay.plan.task)
        if try bundle.contents(of: "result.json") != form.json(of: result).encoded() {
            problems.append("result.json is not what the journal gives")
        }
        for step in result.steps {
            let path = StepFolder.path(ordinal: step.ordinal, path: step.path) + "/result.json"
            guard let place = BundlePath(path), bundle.manifest.files.contains(where: { $0.path == place })
            else {
                problems.append("\(path) is missing")
                continue
            }
            if try bundle.contents(of: place) != form.json(of: step).encoded() {
                problems.append("\(path) is not what the journal gives")
            }
        }
        return problems
    }

    /// Files among the steps that no result names.
    private static func unlisted(in bundle: ResultBundle, results: [StepResult]) -> [String] {
        var named: Set<String> = []
        for step in results {
            named.insert(StepFolder.path(ordinal: step.ordinal, path: step.path) + "/result.json")
            named.formUnion(step.files.map(\.fileName))
        }
        return bundle.manifest.files.map(\.path).filter { path in
            path.text.hasPrefix("steps/") && !named.contains(path.text) && !named.contains(path.name)
        }
        .map { "\($0) is in the bundle, but no result names it" }
    }

    private static func differences(between recorded: [Journal.Record], and replayed: [Journal.Record])
        -> [String]
    {
        if recorded == replayed { return [] }
        let line = zip(recorded, replayed).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let number = (line ?? min(recorded.count, replayed.count)) + 2
        return ["journal.jsonl, line \(number): the engine does something else after the same events"]
    }
}
