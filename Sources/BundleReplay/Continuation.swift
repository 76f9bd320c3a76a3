import Platform
package import Results
package import StudyEngine
package import StudyModel

/// A sealed run that did not come to its end, replayed: ready to go on.
package struct Continuation: Sendable {
    /// What its bundle holds.
    package let earlier: EarlierRun
    /// The header of its journal.
    package let header: JournalHeader
    /// The study as it was run; its file may have changed since.
    package let study: CheckedStudy
    /// The draws with which it began.
    package let plan: RunPlan
    /// The engine, at its end.
    package let run: TaskRun
    /// When it ended.
    package let end: RunInstant
    package let isClockAdjusted: Bool
    /// What happened, and when.
    package let events: [(event: Event, instant: RunInstant)]

    /// Replays the journal of a sealed bundle.
    ///
    /// - Throws: `StudyFailure` where the run has come to an end, or the engine does something else after the same
    ///   events now; `FileFailure` where the bundle is not as it was sealed.
    package init(of path: String) throws {
        let bundle = try ResultBundle(verifying: path)
        let journal = try bundle.journal()
        let text = try bundle.contents(of: "study.yaml")
        var replay = try Replay(journal.header, study: text)
        plan = replay.plan
        header = journal.header
        events = journal.events.map { ($0, $1) }
        for (event, instant) in journal.events { replay.feed(event, at: instant) }
        guard replay.records == journal.records else {
            throw StudyFailure(
                "the run cannot be continued: this program does something else after the same events; 'entrain verify "
                    + "\(path)' says more. Do it again with --repeat REASON", .badStudy)
        }
        guard replay.run.canGoOn else {
            throw StudyFailure("the run has come to its end: there is nothing to continue", .badStudy)
        }
        (run, end) = (replay.run, journal.lastInstant)
        isClockAdjusted = bundle.manifest.isClockAdjusted
        study = CheckedStudy(text, path: "study.yaml", library: .recorded(journal.header.files))
        earlier = EarlierRun(
            at: path, run: bundle.manifest.runUUID, records: journal.records, results: replay.results,
            plan: replay.plan)
    }
}

extension Verification {
    /// How a run differs from the earlier run that it continues, if that lies in the same folder.
    static func departures(
        of bundle: ResultBundle, _ journal: Journal
    ) throws(FileFailure) -> [String] {
        guard let name = journal.header.run.continues else { return [] }
        let path = "\(bundle.path)/../\(name)"
        guard Manifest.atHand(path) != nil else { return [] }
        let earlier = try ResultBundle(at: path)
        guard !earlier.manifest.isPseudonymised else { return [] }
        let known = try earlier.journal()
        var problems: [String] = []
        if !journal.records.starts(with: known.records) {
            problems.append("journal.jsonl does not begin with all that the run \(name) recorded")
        } else if journal.records.dropFirst(known.records.count).first.map({
            $0.content != .event(.continued)
        })
            == true
        {
            problems.append("journal.jsonl does not go on where the run \(name) ended")
        }
        if (journal.header.seed, journal.header.number) != (known.header.seed, known.header.number) {
            problems.append("the seed is not that of the run \(name)")
        }
        let others = journal.header.run.inheritedKeys(differingFrom: known.header.run)
        if !others.isEmpty {
            problems.append(
                "the journal differs from that of the run \(name): \(others.joined(separator: ", "))")
        }
        return problems
    }
}
