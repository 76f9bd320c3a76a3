import Glibc
import Hashing
public import Platform
import StudyModel
public import TextFormat

/// A sealed bundle: the folder that one run left.
///
/// ```swift let bundle = try ResultBundle(at: "results/9E5C4C57-…") for visit in bundle.visits {
///     print(visit.path, visit.clip?.identifier ?? "no clip")
///     for recording in visit.recordings where recording.isHeartRate {
///         for sample in try bundle.heartRates(in: recording) {
///             print(sample.runOffset, sample.value, sample.rrIntervals)
///         }
///     }
/// }
/// ``` A reader ignores members that it does not know, so bundles of later programs can be read.
public struct ResultBundle: Sendable {
    /// Where the bundle lies.
    public let path: String
    /// Which run the bundle belongs to, and which files it holds.
    public let manifest: Manifest
    /// The visits of steps, in order.
    public let visits: [Visit]
    /// The whole of `result.json`: an `ORKTaskResult`, to be written again.
    package let result: JSON
    /// The SHA-256 of the manifest, if the bundle was compared with its sums.
    package private(set) var manifestSHA256: String?
    /// The SHA-256 of the study's text, if the bundle was compared with its sums and contains a study.
    package private(set) var studySHA256: String?
    /// Files that were compared with their sums and will be needed again, by path.
    private var verified: [BundlePath: [UInt8]] = [:]
    /// Whether it was made from another bundle and exists only in memory, in `verified`.
    private var isInMemory = false
    private let folder: Folder

    /// Opens a bundle and reads its manifest and its result.
    ///
    /// - Throws: `FileFailure` if either is missing or malformed.
    public init(at path: String) throws(FileFailure) {
        let folder = try Folder(path)
        try self.init(
            path, folder, manifest: folder.read(Manifest.fileName),
            result: folder.read(RunningBundle.resultName))
    }

    /// Ends the name of a folder in which a bundle arrives from another machine.
    package static let arrivingSuffix = ".arriving"

    /// Whether every file of a bundle is as it was sealed.
    package static func isWhole(_ path: String) -> Bool {
        do {
            _ = try ResultBundle(verifying: path)
            return true
        } catch {
            return false
        }
    }

    /// Opens a bundle and compares every file that its manifest lists with the sums that sealed it. The parts that
    /// readers need stay in memory.
    ///
    /// - Throws: `FileFailure` that names the first file that is missing, changed or malformed.
    package init(verifying path: String) throws(FileFailure) {
        let folder = try Folder(path)
        let sums = try Sums(parsing: folder.read(Sums.fileName)).digests
        let read = { (name: String) throws(FileFailure) -> [UInt8] in
            let bytes = try folder.read(name)
            guard sums[name] == SHA256.hexadecimal(of: bytes) else { throw Self.changed(name, folder) }
            return bytes
        }
        let manifest = try read(Manifest.fileName)
        let result = try read(RunningBundle.resultName)
        try self.init(path, folder, manifest: manifest, result: result)
        manifestSHA256 = sums[Manifest.fileName]
        let kept = Set(visits.flatMap(\.recordings).map(\.name)).union([
            RunningBundle.planName, Journal.fileName, RunningBundle.studyName,
        ])
        for file in self.manifest.files {
            guard let sum = sums[file.path.text] else {
                throw FileFailure(
                    "read", "\(path)/\(Manifest.fileName)", .malformed("one of its files has no checksum"))
            }
            let size: Int
            if file.path.text == RunningBundle.resultName {
                size = result.count
            } else if file.isKept, kept.contains(file.path.name) {
                let bytes = try read(file.path.text)
                verified[file.path] = bytes
                size = bytes.count
            } else {
                let digest = try folder.digest(of: file.path.text)
                guard digest.sha256 == sum else { throw Self.changed(file.path.text, folder) }
                size = digest.size
            }
            if file.path.text == RunningBundle.studyName { studySHA256 = sum }
            guard size == file.bytes else { throw Self.changed(file.path.text, folder) }
        }
    }

    private init(
        _ path: String, _ folder: Folder, manifest: [UInt8], result: [UInt8]
    ) throws(FileFailure) {
        self.path = path
        self.folder = folder
        let manifest = try Self.parsed(manifest, Manifest.fileName, in: folder, Manifest.init(wire:))
        self.manifest = manifest
        (self.result, visits) = try Self.parsed(result, RunningBundle.resultName, in: folder) {
            ($0, try Visit.all(in: $0, paths: manifest.stepPaths))
        }
    }

    /// A bundle that exists only in memory.
    init(
        inMemory contents: [BundlePath: [UInt8]], _ manifest: Manifest, _ result: JSON,
        _ manifestSHA256: String?, madeOf other: ResultBundle
    ) throws {
        path = other.path
        folder = other.folder
        isInMemory = true
        verified = contents
        self.manifest = manifest
        self.result = result
        self.manifestSHA256 = manifestSHA256
        visits = try Visit.all(in: result, paths: manifest.stepPaths)
    }

    private static func changed(_ name: String, _ folder: Folder) -> FileFailure {
        FileFailure("read", "\(folder.name)/\(name)", .malformed("it was changed since it was sealed"))
    }

    /// The bytes of a recorder's file.
    public func contents(of recording: Recording) throws(FileFailure) -> [UInt8] {
        try contents(of: path(of: recording))
    }

    /// The items of a recorder's file, unchanged.
    public func items(in recording: Recording) throws(FileFailure) -> [JSON] {
        try Self.parsed(contents(of: recording), recording.name, in: folder) { json in
            try json.field("items").asList { $0 }
        }
    }

    /// The samples of a heart-rate file.
    public func heartRates(in recording: Recording) throws(FileFailure) -> [HeartRate] {
        try recordedItems(in: recording).heartRates
    }

    /// The items of a recorder's file as values.
    package func recordedItems(in recording: Recording) throws(FileFailure) -> RecordedItems {
        let bytes = try contents(of: recording)
        do {
            return try RecordedItems(parsing: bytes, of: recording)
        } catch {
            throw FileFailure("read", "\(folder.name)/\(recording.name)", .malformed("\(error)"))
        }
    }

    /// Every draw.
    public func plan() throws(FileFailure) -> PlanDocument {
        try PlanDocument(parsing: contents(of: "plan.json"))
    }

    /// Every event and effect.
    public func journal() throws(FileFailure) -> Journal {
        try Journal(parsing: contents(of: "journal.jsonl"))
    }

    /// The first line of the journal.
    package func journalHeader() throws(FileFailure) -> JournalHeader {
        let first = try contents(of: "journal.jsonl").prefix { $0 != UInt8(ascii: "\n") }
        return try JournalPrefix(of: first + [UInt8(ascii: "\n")]).journal.header
    }

    /// A file of the bundle, byte for byte, such as `study.yaml`.
    ///
    /// - Parameter path: relative to the bundle, as the manifest has it.
    public func contents(of path: BundlePath) throws(FileFailure) -> [UInt8] {
        if let bytes = verified[path] { return bytes }
        guard !isInMemory else { throw FileFailure("read", path.text, .malformed("it was left behind")) }
        return try folder.read(path.text)
    }

    /// - Throws: `FileFailure` that names the first file of the manifest that is missing or cannot be read.
    package func checkFiles() throws(FileFailure) {
        for file in manifest.files { try folder.check(file.path.text) }
    }

    /// The size and the checksum of a file of the bundle as it is now.
    package func digest(of path: BundlePath) throws(FileFailure) -> FileDigest {
        try folder.digest(of: path.text)
    }

    /// Compares every file with `SHA256SUMS`.
    ///
    /// - Returns: what is missing, changed or not listed, by path; empty if the bundle is as it was sealed.
    ///   Empty folders are reported too, with a slash at their end; only the folder of the steps may be empty.
    /// - Throws: `FileFailure` if the sums themselves cannot be read.
    public func verifySums() throws(FileFailure) -> [SumProblem] {
        var copy = self
        return try copy.verifySums(isKeeping: false)
    }

    /// Compares every file with `SHA256SUMS`, and keeps what readers need in memory, so that nothing is read twice.
    package mutating func verifySumsAndKeep() throws(FileFailure) -> [SumProblem] {
        try verifySums(isKeeping: true)
    }

    private mutating func verifySums(isKeeping: Bool) throws(FileFailure) -> [SumProblem] {
        guard !isInMemory else { return [] }
        let sums = try sealedSums()
        let files = Set(try folder.files())
        let kept = isKeeping ? Set(manifest.files.filter(\.isKept).map(\.path.text)) : []
        var problems: [SumProblem] = []
        for (path, sha256) in sums {
            if !files.contains(path) {
                problems.append(SumProblem(path: path, kind: .missing))
            } else if !folder.isRegularFile(path) {
                problems.append(SumProblem(path: path, kind: .changed))
            } else if kept.contains(path), let place = BundlePath(path) {
                let bytes = try folder.read(path)
                verified[place] = bytes
                if SHA256.hexadecimal(of: bytes) != sha256 {
                    problems.append(SumProblem(path: path, kind: .changed))
                }
            } else if try folder.digest(of: path).sha256 != sha256 {
                problems.append(SumProblem(path: path, kind: .changed))
            }
        }
        for path in files where path != Sums.fileName && sums[path] == nil {
            problems.append(SumProblem(path: path, kind: .extra))
        }
        for path in try folder.emptyFolders() where path != StepFolder.parent {
            problems.append(SumProblem(path: path + "/", kind: .extra))
        }
        return problems.sorted { $0.path < $1.path }
    }

    /// The checksum that sealed a bundle's manifest. It distinguishes the bundle from another one of the same run.
    package static func sealedManifestSum(at path: String) throws(FileFailure) -> String {
        let bytes = try Folder(path).read(Sums.fileName)
        guard let sum = Sums.digest(of: Manifest.fileName, in: bytes) else {
            throw FileFailure(
                "read", "\(path)/\(Sums.fileName)", .malformed("it has no checksum of the manifest"))
        }
        return sum
    }

    /// The real name of a bundle's folder, whatever path leads to it; `nil` if the system does not say.
    package static func folderName(of path: String) -> String? {
        realPath(path)?.split(separator: "/").last.map(String.init)
    }

    /// The checksum that each file had when the bundle was sealed, by path.
    package func sealedSums() throws(FileFailure) -> [String: String] {
        try Sums(parsing: folder.read(Sums.fileName)).digests
    }

    /// A part of a bundle that is not as it was sealed.
    public struct SumProblem: Hashable, Sendable, CustomStringConvertible {
        /// Where, relative to the bundle.
        public var path: String
        /// What is wrong with it.
        public var kind: Kind

        /// What is wrong with a file.
        public enum Kind: Hashable, Sendable {
            /// It is listed, but not there.
            case missing
            /// It is not what was sealed.
            case changed
            /// It is there, but not listed.
            case extra
        }

        public var description: String {
            switch kind {
            case .missing: "\(path) is missing"
            case .changed: "\(path) was changed since the bundle was sealed"
            case .extra: "\(path) was added after the bundle was sealed"
            }
        }
    }

    private func path(of recording: Recording) throws(FileFailure) -> BundlePath {
        guard let entry = manifest.file(named: recording.name) else {
            throw FileFailure("read", recording.name, .malformed("the manifest does not list it"))
        }
        return entry.path
    }

    private static func parsed<Value>(
        _ bytes: [UInt8], _ path: String, in folder: Folder, _ body: (JSON) throws -> Value
    ) throws(FileFailure) -> Value {
        do {
            return try body(JSON(parsing: bytes))
        } catch {
            throw FileFailure("read", "\(folder.name)/\(path)", .malformed("\(error)"))
        }
    }
}

extension Manifest {
    /// The steps' identifiers after those of their blocks, joined by `.`, in visiting order.
    package var stepPaths: [String] {
        var steps: [(ordinal: Int, path: String)] = []
        for file in files
        where file.path.text.hasPrefix(StepFolder.parent + "/") && file.path.name == RunningBundle.resultName
        {
            if let step = file.step { steps.append((StepFolder.ordinal(of: file.path.text), step)) }
        }
        return steps.sorted { $0.ordinal < $1.ordinal }.map(\.path)
    }

    /// Whether the manifest lists this file of the whole run, such as `journal.jsonl`.
    package func lists(_ path: BundlePath) -> Bool { files.contains { $0.path == path } }

    /// The manifest of a bundle, without reading anything else.
    package init(ofBundle path: String) throws(FileFailure) {
        let bytes = try Folder(path).read(Self.fileName)
        do {
            self = try Manifest(wire: JSON(parsing: bytes))
        } catch {
            throw FileFailure("read", "\(path)/\(Self.fileName)", .malformed("\(error)"))
        }
    }

    /// The manifest of a bundle; `nil` if it cannot be read.
    package static func atHand(_ path: String) -> Manifest? {
        do { return try Manifest(ofBundle: path) } catch { return nil }
    }

    /// The step's file with this name; `nil` if there is none.
    package func file(named name: String) -> File? {
        files.first { $0.path.name == name && $0.path.text.hasPrefix(StepFolder.parent + "/") }
    }
}

extension Manifest.File {
    /// Whether a reader of a run may need it: all but recordings of sound and waves, which may be large.
    fileprivate var isKept: Bool {
        path.text.hasSuffix(".json") || path.text.hasSuffix(".jsonl") || path.text == RunningBundle.studyName
    }
}
