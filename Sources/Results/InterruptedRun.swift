import Hashing
package import Platform
package import StudyModel
import TextFormat

/// A run that was killed: its locked folder, with all that can be known about it.
///
/// To recover it: make the plan again from `header` and `study`, feed the journal's events to the engine, `reopen`,
/// then perform what the engine still wants, at `lastInstant`: open the logs of recordings that lack their
/// `recorded` event, finish them, save results, seal. Whatever was done before is done again with the same bytes,
/// so a recovery may be interrupted anywhere.
package struct InterruptedRun: Sendable {
    /// The journal, up to its last complete line.
    package let journal: Journal
    /// The study file, byte for byte.
    package let study: [UInt8]
    /// The plan that was drawn, byte for byte as `plan.json`.
    package let plan: [UInt8]
    /// The last moment in the journal, in a log or of a sign of life, which is the run's end.
    package let lastInstant: RunInstant
    private let output: Folder
    private let folder: Folder
    private let journalFile: AppendedFile
    private let goodBytes: Int

    /// The names of the running folders in an output folder, sorted; empty without such a folder.
    package static func names(in output: String) throws(FileFailure) -> [String] {
        try Folder(output).names(in: ".").filter {
            $0.hasSuffix(RunningBundle.suffix)
                && UUIDText.isUUID(String($0.dropLast(RunningBundle.suffix.count)))
        }
    }

    /// Opens a running folder.
    ///
    /// - Parameters:
    ///   - name: one of `names(in:)`.
    ///   - path: the output folder.
    /// - Throws: `.inUse` if the run is still going on or is being recovered; `.neverBegan` if nothing was
    ///   recorded, after removing the folder; `.malformed` if the journal's first line is damaged.
    package init(_ name: String, in path: String) throws(FileFailure) {
        output = try Folder(path)
        folder = try output.folder(name)
        if !folder.exists(Journal.fileName) {
            try Self.removeUnborn(folder, in: output)
            throw FileFailure("recover", name, .neverBegan)
        }
        journalFile = try AppendedFile(reopening: Journal.fileName, in: folder, isLocked: true)
        let bytes = try journalFile.read()
        try Self.refuseEdited(bytes, in: folder)
        let prefix = try JournalPrefix(of: bytes)
        journal = prefix.journal
        goodBytes = prefix.goodBytes
        study = try folder.read(RunningBundle.studyName)
        plan = try folder.read(RunningBundle.planName)
        lastInstant = try Self.lastInstant(of: journal, in: folder)
        guard name == journal.header.runUUID + RunningBundle.suffix else {
            throw FileFailure("recover", name, .malformed("the journal is of another run"))
        }
    }

    /// Prepares the folder for the rest of the run, and cuts off a torn last line of the journal.
    ///
    /// - Parameter soundInFile: what the sound file with this path holds; `nil` if it is none.
    package func reopen(
        plan: RunPlan, soundInFile: @escaping @Sendable (String) -> HeldSound? = { _ in nil }
    ) throws(FileFailure) -> RunningBundle {
        var file = journalFile
        try file.truncate(to: goodBytes)
        for path in try folder.files() where path.hasSuffix(Folder.temporarySuffix) {
            try folder.remove(path)
        }
        try folder.makeFolderIfMissing(RecorderLog.folder)
        var bundle = RunningBundle(
            output, folder, journal.header, plan.task, .synced, journal: file,
            recordCount: journal.records.count, isRecovering: true)
        bundle.soundInFile = soundInFile
        for record in journal.records { bundle.take(record) }
        if plan.arm != journal.header.arm { try bundle.goOn(with: plan) }
        return bundle
    }

    /// Recordings that began but were not reported, in the order of their beginning, as `records` say (those of the
    /// journal or of a replay).
    package static func unfinishedRecordings(in records: [Journal.Record]) -> [UnfinishedRecording] {
        var unfinished: [UnfinishedRecording] = []
        for record in records {
            switch record.content {
            case .effect(.record(let key, let configuration, let start)):
                unfinished.append(UnfinishedRecording(key: key, configuration: configuration, start: start))
            case .effect(.stopRecording(let key, let end, let due)):
                for index in unfinished.indices where unfinished[index].key == key {
                    (unfinished[index].end, unfinished[index].due) = (end, due)
                }
            case .event(.recorded(let key, _, _)): unfinished.removeAll { $0.key == key }
            case .event, .effect: continue
            }
        }
        return unfinished
    }

    private static func lastInstant(of journal: Journal, in folder: Folder) throws(FileFailure)
        -> RunInstant
    {
        var reported: Set<RecorderKey> = []
        for case .event(.recorded(let key, _, _)) in journal.records.map(\.content) { reported.insert(key) }
        var last = journal.lastInstant
        guard folder.isFolder(RecorderLog.folder) else { return last }
        if folder.exists(RecorderLog.signsPath) {
            let signs = try folder.read(RecorderLog.signsPath)
            let moments = Lines(of: signs).whole.compactMap {
                Int64(String(decoding: signs[$0], as: UTF8.self))
            }
            last = moments.last.map { max(last, .nanoseconds($0)) } ?? last
        }
        for name in try folder.names(in: RecorderLog.folder) where name.hasSuffix(".jsonl") {
            let bytes = try folder.read("\(RecorderLog.folder)/\(name)")
            guard let log = RecorderLog(parsing: bytes), !reported.contains(log.key) else { continue }
            for arrival in log.samples.map(\.arrival) + [log.lastBlock].compactMap({ $0 }) {
                last = max(last, arrival.advanced(by: .nanoseconds(1)))
            }
        }
        return last
    }

    /// A bundle that was sealed, and then given its running name back, is recovered only with the journal that was sealed:
    /// new checksums would hide that somebody edited it.
    private static func refuseEdited(_ journal: [UInt8], in folder: Folder) throws(FileFailure) {
        guard folder.exists(Sums.fileName),
            let sealed = Sums.digest(of: Journal.fileName, in: try folder.read(Sums.fileName)),
            sealed != SHA256.hexadecimal(of: journal)
        else { return }
        throw FileFailure(
            "recover", folder.name,
            .malformed("it was sealed, and its journal has been changed since; nothing is touched"))
    }

    /// Removes a folder whose process was killed before the journal existed.
    private static func removeUnborn(_ folder: Folder, in output: Folder) throws(FileFailure) {
        let temporary = Journal.fileName + Folder.temporarySuffix
        var locked: OpenFile?
        if folder.exists(temporary) {
            let file = try folder.openForAppending(temporary)
            try folder.lock(file, temporary)
            locked = file
        }
        for path in try folder.files() { try folder.remove(path) }
        for name in try folder.names(in: ".") { try folder.removeFolder(name) }
        try output.removeFolder(folder.name)
        _ = consume locked
    }
}

/// A recording that was not reported because the run was interrupted.
package struct UnfinishedRecording: Hashable, Sendable {
    /// Which one.
    package var key: RecorderKey
    /// What was recorded.
    package var configuration: RecorderConfiguration
    /// When it began.
    package var start: RunInstant
    /// When it was to end, if that was already known.
    package var end: RunInstant?
    /// When it was to end, if its step ended before its time.
    package var due: RunInstant?
}
