package import Results
import StudyModel
import TextFormat

/// What is wrong with a sealed bundle.
package enum Verification {
    /// Checks the sums, makes the draws again from the seed, feeds the journal's events to the engine, and compares
    /// its effects and results with the recorded ones.
    ///
    /// - Parameter path: the bundle's folder.
    /// - Returns: a sentence per problem; empty where all is as it should be.
    /// - Throws: `BundleFailure` where the folder is not a bundle at all.
    package static func problems(at path: String) throws(BundleFailure) -> [String] {
        let bundle = try ResultBundle(at: path)
        let sums = try bundle.verifySums().map(\.description)
        // What follows compares contents, which says nothing more once a file is missing.
        guard !sums.contains(where: { $0.hasSuffix("is missing") }) else { return sums }
        let journal = try bundle.journal()
        let study = try bundle.contents(of: "study.yaml")
        var replay: Replay
        do throws(StudyFailure) {
            replay = try Replay(journal.header, study: study)
        } catch {
            return sums + [error.description]
        }
        var problems = sums
        if try bundle.contents(of: "plan.json") != PlanDocument(replay.plan).encoded() {
            problems.append("plan.json is not what the seed gives")
        }
        for (event, instant) in journal.events { replay.feed(event, at: instant) }
        problems += differences(between: journal.records, and: replay.records)
        guard let ending = replay.ending else { return problems + ["the journal does not come to an end"] }
        let result = TaskResult(
            steps: replay.results, end: ending.at, reason: bundle.manifest.status,
            isRecovered: bundle.manifest.isRecovered, isClockAdjusted: bundle.manifest.isClockAdjusted)
        let form = ResearchKitForm(header: journal.header, task: replay.plan.task)
        if try bundle.contents(of: "result.json") != form.json(of: result).encoded() {
            problems.append("result.json is not what the journal gives")
        }
        for step in replay.results {
            let path = StepFolder.path(ordinal: step.ordinal, path: step.path) + "/result.json"
            if try bundle.contents(of: path) != form.json(of: step).encoded() {
                problems.append("\(path) is not what the journal gives")
            }
        }
        problems += unlisted(in: bundle, results: replay.results)
        if bundle.manifest.status != ending.reason, bundle.manifest.status != .failed {
            problems.append("the status '\(bundle.manifest.status)' is not the journal's '\(ending.reason)'")
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
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return path.hasPrefix("steps/") && !named.contains(path) && !named.contains(name)
        }
        .map { "\($0) lies in the bundle, and no result names it" }
    }

    private static func differences(between recorded: [Journal.Record], and replayed: [Journal.Record])
        -> [String]
    {
        if recorded == replayed { return [] }
        let line = zip(recorded, replayed).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        let number = (line ?? min(recorded.count, replayed.count)) + 2
        return ["journal.jsonl, line \(number): the engine does something else when told the same"]
    }
}
