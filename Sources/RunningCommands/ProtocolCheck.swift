import BundleReplay
import Console
import Datasets
import Participants
import Platform
import Results
import Sound
import StudyFile
import StudyModel
import TextFormat

/// Whether a study is still the registered one, or the one that earlier participants had.
struct ProtocolCheck {
    private let checked: CheckedStudy
    private let folder: String

    /// - Parameter folder: the folder of the study file.
    init(of checked: CheckedStudy, in folder: String) { (self.checked, self.folder) = (checked, folder) }

    /// The same before it is known who takes part.
    func mustHold(among register: Register) throws -> String {
        let study = try checked.study()
        let plan = RunPlan(
            study: study.identifier, revision: study.revision, task: study.tasks[0], participant: "",
            session: 1,
            seed: 0)
        var run = JournalHeader(
            of: plan, program: programVersion, studySHA256: "", runUUID: "", wallClock: .now()
        ).run
        run.meaningSHA256 = checked.meaning.sha256
        return try mustHold(for: run, among: register)
    }

    /// - Parameter register: the runs in the output folder.
    /// - Returns: with what it was compared, in words.
    /// - Throws: `StudyFailure` if it differs from the registered study or, without a registration, from that of
    ///   the first run with the same revision.
    @discardableResult
    func mustHold(for run: RunDescription, among register: Register) throws -> String {
        if let registration = try checked.registration() {
            try mustHold(registration, for: run)
        } else {
            try mustHold(like: run, among: register)
        }
    }

    private func mustHold(_ registration: Registration, for run: RunDescription) throws(StudyFailure)
        -> String
    {
        let differences =
            checked.departures + changedClips(of: registration)
            + run.changedFiles(since: registration.fileDigests)
        guard !differences.isEmpty else {
            return "as it was registered on \(registration.date.prefix(10))"
        }
        throw StudyFailure(
            "the study is not what was registered on \(printable(String(registration.date.prefix(10)))): "
                + "\(CheckedStudy.summary(of: differences)). Undo the change, freeze the study again, or say with "
                + "--deviation what is different and why", .badStudy)
    }

    private func changedClips(of registration: Registration) -> [String] {
        let now = Set(checked.parsed.clipUses.entries.map(\.clip.path))
        return registration.clips.compactMap { clip -> String? in
            // If the study no longer uses a clip, that is a change of the study itself.
            guard now.contains(clip.name) else { return nil }
            do throws(SoundFailure) {
                let isSame = try ClipMeasurement.sum(of: "\(folder)/\(clip.name)") == clip.sha256
                return isSame ? nil : "the clip \(clip.name) is another file"
            } catch {
                return "\(error)"
            }
        }
    }

    /// How a new revision differs from the one that was run last; `nil` if there is none to compare with.
    private func comparison(ofNew run: RunDescription, among register: Register) throws -> String? {
        let earlier = register.runs.filter {
            !$0.run.origin.isInvented && $0.run.study == run.study && $0.run.revision < run.revision
                && $0.status != nil
        }
        guard let last = earlier.max(by: { $0.run.wallClock.sinceEpoch < $1.run.wallClock.sinceEpoch }) else {
            return nil
        }
        let bundle = try ResultBundle(at: last.path)
        guard !bundle.manifest.isPseudonymised else { return nil }
        let differences = try checked.meaning.differences(from: CheckedStudy(recordedIn: bundle).meaning)
            .map(\.description)
        let who = "revision \(last.run.revision), which participant \(printable(last.run.participant)) had"
        return differences.isEmpty
            ? "it says what \(who), said" : "it differs from \(who): \(CheckedStudy.summary(of: differences))"
    }

    private func mustHold(like run: RunDescription, among register: Register) throws -> String {
        let earlier = register.runs.filter {
            !$0.run.origin.isInvented && $0.run.deviation == nil && $0.run.study == run.study
                && $0.run.revision == run.revision && $0.status != nil
        }
        guard let first = earlier.min(by: { $0.run.wallClock.sinceEpoch < $1.run.wallClock.sinceEpoch })
        else {
            return "not registered, and nobody took part with revision \(run.revision) so far: "
                + (try comparison(ofNew: run, among: register) ?? "compared with nothing")
        }
        let same = "not registered; as participant \(first.run.participant) had it"
        let files = run.changedFiles(since: first.run.fileDigests)
        guard first.run.meaningSHA256 != run.meaningSHA256 || !files.isEmpty else { return same }
        let bundle = try ResultBundle(at: first.path)
        guard !bundle.manifest.isPseudonymised else {
            return "not registered; the runs in the folder are pseudonymised: compared with nothing"
        }
        let differences =
            try checked.meaning.differences(from: CheckedStudy(recordedIn: bundle).meaning).map(\.description)
            + files
        guard !differences.isEmpty else { return same }
        throw StudyFailure(
            "the study is not what participant \(printable(first.run.participant)) had, though both are revision "
                + "\(run.revision): \(CheckedStudy.summary(of: differences)). Write "
                + "'revision: \(run.revision + 1)' below 'study', or say with --deviation what is different and why",
            .badStudy)
    }
}
