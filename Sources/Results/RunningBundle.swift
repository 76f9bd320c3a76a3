package import Platform
package import StudyModel
import TextFormat

/// Whether a bundle must survive a power cut.
package enum Durability: Hashable, Sendable {
    /// What is reported as saved is on disk.
    case synced
    /// What is reported as saved has been handed to the system; for rehearsals.
    case unsynced
}

/// The bundle of a run in progress: a folder whose name ends in `.running`. It is written to until it is sealed.
///
/// It belongs to one writer, who holds the journal's lock. If anything throws, the folder stays and can be
/// recovered.
package struct RunningBundle: ~Copyable, Sendable {
    let output: Folder
    let folder: Folder
    private(set) var header: JournalHeader
    let durability: Durability
    private(set) var form: ResearchKitForm
    let isRecovering: Bool
    var journalFile: AppendedFile
    var recordCount: Int
    var logs: [RecorderKey: OpenLog] = [:]
    /// Recordings whose files the journal names; the next sync removes their logs.
    var reported: Set<RecorderKey> = []
    /// The files that the journal names, by file name.
    var recorded: [String: FileResult] = [:]
    /// What this process wrote, by path, so that it need not be read again.
    var written: [String: FileDigest] = [:]
    var savedOrdinals: Set<Int> = []
    /// Files of sound of which the system may have forgotten a part, because a sync failed. They are written anew when
    /// they are finished.
    var forgotten: Set<String> = []
    /// What a sound file of a killed run holds, by its path: what its microphone last reported may never have been
    /// written, or more may. `nil` for no sound file; not asked in a run that goes on.
    var soundInFile: (@Sendable (String) -> HeldSound?)?
    /// Signs of life, once there are any.
    var signs: AppendedFile?
    /// Whether nothing was appended since the last sign of life: then only such a sign tells when a killed run ended.
    var isQuiet = true
    /// When nobody sat at the run, as its journal tells.
    private(set) var interruptions = RunInterruptions()
    private var stepFolders: Set<String> = []

    /// A recorder's log while it is written.
    struct OpenLog {
        /// The log on disk; `nil` if the bundle need not survive anything.
        var file: AppendedFile?
        var log: RecorderLog
        /// Lines that the disk refused. They come before all later ones, at the latest with the next sync.
        var unwritten: [UInt8] = []

        mutating func write() throws(FileFailure) {
            guard !unwritten.isEmpty else { return }
            try file?.append(unwritten)
            unwritten = []
        }

        mutating func sync() throws(FileFailure) {
            try write()
            try file?.sync()
        }
    }

    /// Begins a bundle in an output folder, and makes that folder if it is missing.
    ///
    /// - Parameters:
    ///   - path: the output folder.
    ///   - header: the first line of the journal; its UUID names the bundle.
    ///   - study: the study file, byte for byte.
    ///   - plan: the run's plan.
    ///   - earlier: the run that it continues, if it does; all that this left is taken along.
    /// - Throws: `.exists` if there is already a bundle with that name, running or sealed; `.malformed` if the folder is a
    ///   dataset.
    package static func create(
        in path: String, header: JournalHeader, study: [UInt8], plan: RunPlan, durability: Durability,
        continuing earlier: EarlierRun? = nil
    ) throws(FileFailure) -> RunningBundle {
        guard UUIDText.isUUID(header.runUUID) else {
            throw FileFailure("create", header.runUUID, .malformed("it is not an upper-case UUID"))
        }
        try Folder.make(path)
        let output = try Folder(path)
        try output.mustBeForBundles()
        guard !output.exists(header.runUUID) else { throw FileFailure("create", header.runUUID, .exists) }
        let name = header.runUUID + Self.suffix
        try output.makeFolder(name)
        let folder = try output.folder(name)
        var journal = try AppendedFile(creatingLocked: Journal.fileName, in: folder)
        try journal.append(header.wire.encoded() + [UInt8(ascii: "\n")])
        var bundle = RunningBundle(
            output, folder, header, plan.task, durability, journal: journal, recordCount: 0)
        try bundle.write(study, to: Self.studyName)
        try bundle.write(PlanDocument(plan).encoded(), to: Self.planName)
        try folder.makeFolder(StepFolder.parent)
        try folder.makeFolder(RecorderLog.folder)
        if let earlier { try bundle.adopt(earlier) }
        // If the journal's name survives a power cut, the names of the study and the plan must too, so they are
        // written first.
        if durability == .synced {
            try bundle.journalFile.sync()
            try folder.sync()
        }
        try bundle.journalFile.publish()
        if durability == .synced {
            try folder.sync()
            try output.sync()
        }
        return bundle
    }

    init(
        _ output: Folder, _ folder: Folder, _ header: JournalHeader, _ task: Study.Task,
        _ durability: Durability, journal: AppendedFile, recordCount: Int, isRecovering: Bool = false
    ) {
        self.output = output
        self.folder = folder
        self.header = header
        self.durability = durability
        self.isRecovering = isRecovering
        self.recordCount = recordCount
        form = ResearchKitForm(header: header, task: task)
        journalFile = journal
    }

    package static let suffix = ".running"
    /// The file that makes a folder a dataset. No bundle is written beside it, since tools take such a folder for tables.
    package static let datasetIndexName = "collation.json"
    static let studyName = "study.yaml"
    static let planName = "plan.json"
    static let resultName = "result.json"
    /// The proof that the log of the output folder says that the run began.
    package static let proofName = "begun.tlog-proof"

    /// Keeps the proof that the log of the output folder says that the run began. A proof that the disk refuses is left
    /// out: the run goes on without it.
    package mutating func keep(proof: [UInt8]) {
        do throws(FileFailure) {
            try write(proof, to: Self.proofName)
        } catch {
            // The log itself has the entry.
        }
    }

    /// Appends records to the journal with a single write. They are on disk after the next `sync`.
    package mutating func journal(_ records: [Journal.Record]) throws(FileFailure) {
        var text = JSONText()
        for (index, record) in records.enumerated() {
            record.write(to: &text, number: recordCount + index + 1)
        }
        try journalFile.append(text.bytes)
        isQuiet = false
        recordCount += records.count
        for record in records { take(record) }
    }

    /// Goes on with the plan of the participant's arm.
    package mutating func goOn(with plan: RunPlan) throws(FileFailure) {
        // If a power cut takes the end of the journal, the plan on disk must still fit the rest.
        try sync()
        header.run.arm = plan.arm
        form = ResearchKitForm(header: header, task: plan.task)
        if durability == .unsynced { try folder.remove(Self.planName) }
        try write(PlanDocument(plan).encoded(), to: Self.planName)
    }

    /// Puts the journal and every log on disk, and removes the logs of recordings whose files the journal on disk
    /// now names.
    package mutating func sync() throws(FileFailure) {
        if durability == .synced {
            try journalFile.sync()
            for key in logs.keys { try logs[key]?.sync() }
            try signs?.sync()
            try syncSounds()
        }
        for key in reported {
            reported.remove(key)
            logs[key] = nil
            let path = RecorderLog.path(of: key)
            if folder.exists(path) { try folder.remove(path) }
        }
    }

    /// Writes a visit's `result.json`. When this returns, the result counts as saved, provided that `sync` was
    /// called before.
    ///
    /// The synced journal contains the result. If a power cut takes this file, the recovery writes the same bytes
    /// again. So the file itself is put on disk only when the bundle is sealed.
    package mutating func save(_ result: StepResult) throws(FileFailure) {
        let step = try makeStepFolder(ordinal: result.ordinal, path: result.path)
        try write(
            form.json(of: result).encoded(), to: "\(step)/\(Self.resultName)", isDurable: isRecovering)
        savedOrdinals.insert(result.ordinal)
    }

    /// From this many files and folders on, one sync of the whole file system takes less time than one of each.
    private static let fewestSyncedTogether = 40

    /// Puts on disk what `save` left for the seal: everything, or in a recovery only the names.
    func syncSteps() throws(FileFailure) {
        guard durability == .synced else { return }
        let results = written.keys.sorted().filter { !isRecovering && $0.hasSuffix("/\(Self.resultName)") }
        let names = try folder.names(in: StepFolder.parent)
        guard results.count + names.count < Self.fewestSyncedTogether else {
            return try folder.syncFileSystem()
        }
        for path in results { try folder.syncFile(path) }
        for name in names { try folder.sync("\(StepFolder.parent)/\(name)") }
        try folder.sync(StepFolder.parent)
    }

    /// Takes the journal's next record, for the files that it names.
    mutating func take(_ record: Journal.Record) {
        interruptions.take(record)
        guard case .event(.recorded(let key, let files, _)) = record.content else { return }
        reported.insert(key)
        for file in files { recorded[file.fileName] = file }
    }

    @discardableResult
    mutating func write(
        _ bytes: [UInt8], to path: String, isDurable: Bool = true
    ) throws(FileFailure) -> FileDigest {
        try folder.write(bytes, to: path, isDurable: isDurable && durability == .synced)
        let digest = FileDigest(of: bytes)
        written[path] = digest
        return digest
    }

    mutating func makeStepFolder(ordinal: Int, path: [Identifier]) throws(FileFailure) -> String {
        let step = StepFolder.path(ordinal: ordinal, path: path)
        if !stepFolders.contains(step) { try folder.makeFolderIfMissing(step) }
        stepFolders.insert(step)
        return step
    }

    func syncStepFolder(_ step: String) throws(FileFailure) {
        guard durability == .synced else { return }
        try folder.sync(step)
        try folder.sync(StepFolder.parent)
    }
}

extension Folder {
    /// - Throws: `.malformed` if it is a dataset.
    package func mustBeForBundles() throws(FileFailure) {
        guard !exists(RunningBundle.datasetIndexName) else {
            throw FileFailure(
                "write bundles to", name,
                .malformed("it is a dataset: give the bundles a folder of their own"))
        }
    }
}
