import StudyModel
public import TextFormat

/// A sealed bundle: the folder that one run left.
///
/// ```swift
/// let bundle = try ResultBundle(at: "results/9E5C4C57-…")
/// for step in bundle.steps {
///     print(step.identifier, step.stimulus?["identifier"]?.text ?? "no clip")
///     for file in step.files where file.isHeartRate {
///         for sample in try bundle.heartRates(in: file) {
///             print(sample.runOffset, sample.value, sample.rrIntervals)
///         }
///     }
/// }
/// ```
/// Members that a reader does not know are left aside, so that bundles of later programs can be read.
public struct ResultBundle: Sendable {
    /// Where the bundle lies.
    public let path: String
    /// Which run it is of, and what lies in it.
    public let manifest: Manifest
    /// The whole of `result.json`: an `ORKTaskResult`.
    public let result: JSON
    /// The steps in visiting order.
    public let steps: [Step]
    private let folder: Folder

    /// Opens a bundle and reads its manifest and its result.
    ///
    /// - Throws: `BundleFailure` where either is missing or not as it should be.
    public init(at path: String) throws(BundleFailure) {
        self.path = path
        folder = try Folder(path)
        let folder = folder
        manifest = try Self.read(Manifest.fileName, in: folder, Manifest.init(wire:))
        result = try Self.read(RunningBundle.resultName, in: folder) { $0 }
        steps = try Self.read(RunningBundle.resultName, in: folder) { result in
            try result.field("results").asList(Step.init(wire:))
        }
    }

    /// One visit of a step.
    public struct Step: Hashable, Sendable {
        /// The step's identifier.
        public var identifier: String
        /// When it was first shown, `yyyy-MM-dd'T'HH:mm:ss±HHMM`.
        public var startDate: String
        /// When it was left.
        public var endDate: String
        /// The answers: each an `ORKQuestionResult` or `ORKConsentSignatureResult`.
        public var answers: [JSON]
        /// The recorders' files.
        public var files: [File]
        /// All that is ours: `visit`, `round`, `skipped`, `plannedDuration`, `lateness`, `stimulus` ….
        public var userInfo: JSON

        /// The clip with its draw and its times, where the step had one.
        public var stimulus: JSON? { userInfo["stimulus"] }
    }

    /// A file of a recorder.
    public struct File: Hashable, Sendable {
        /// The recorder's identifier.
        public var identifier: String
        /// The bare name, unique in the bundle.
        public var name: String
        /// When recording began, `yyyy-MM-dd'T'HH:mm:ss±HHMM`.
        public var startDate: String
        /// When it ended.
        public var endDate: String
        /// All that is ours: `segment`, `part`, `sampleCount`, `coverage`, `gaps` ….
        public var userInfo: JSON

        /// Whether it holds heart rates.
        public var isHeartRate: Bool { name.hasPrefix(RecordingItems.heartRateType) }
    }

    /// One item of a heart-rate file.
    public struct HeartRate: Hashable, Sendable {
        /// Seconds since the run's start, when it was measured.
        public var runOffset: Double
        /// Seconds since the run's start, when it arrived.
        public var arrivalOffset: Double
        /// Seconds since 1970-01-01T00:00:00Z.
        public var timestampSince1970: Double
        /// Beats per minute.
        public var value: Double
        /// Seconds between beats, oldest first; empty where not sent.
        public var rrIntervals: [Double]
        /// Whether the sensor touched skin, where known.
        public var sensorContact: Bool?
        /// Quality of the signal, 0...1, where known.
        public var quality: Double?
        /// Where the sample came from.
        public var source: String
    }

    /// The items of a recorder's file as they stand.
    public func items(in file: File) throws(BundleFailure) -> [JSON] {
        try Self.read(try path(of: file), in: folder) { json in try json.field("items").asList { $0 } }
    }

    /// The samples of a heart-rate file.
    public func heartRates(in file: File) throws(BundleFailure) -> [HeartRate] {
        try Self.read(try path(of: file), in: folder) { json in
            try json.field("items").asList(HeartRate.init(wire:))
        }
    }

    /// Every draw.
    public func plan() throws(BundleFailure) -> PlanDocument {
        try PlanDocument(parsing: folder.read(RunningBundle.planName))
    }

    /// Every event and effect.
    public func journal() throws(BundleFailure) -> Journal {
        try Journal(parsing: folder.read(Journal.fileName))
    }

    /// A file of the bundle, byte for byte, such as `study.yaml`.
    ///
    /// - Parameter path: relative to the bundle, as the manifest has it.
    public func contents(of path: String) throws(BundleFailure) -> [UInt8] { try folder.read(path) }

    /// Compares every file with `SHA256SUMS`.
    ///
    /// - Returns: what is missing, changed or not listed, by path; empty where the bundle is as it was sealed. Folders
    ///   without any file are told too, with a slash at their end: none is sealed but that of the steps.
    /// - Throws: `BundleFailure` where the sums themselves cannot be read.
    public func verifySums() throws(BundleFailure) -> [SumProblem] {
        let sums = try Sums(parsing: folder.read(Sums.fileName))
        let files = Set(try folder.files())
        var problems: [SumProblem] = []
        for (path, sha256) in sums.digests {
            if !files.contains(path) {
                problems.append(SumProblem(path: path, kind: .missing))
            } else if !folder.isRegularFile(path) {
                problems.append(SumProblem(path: path, kind: .changed))
            } else if try folder.digest(of: path).sha256 != sha256 {
                problems.append(SumProblem(path: path, kind: .changed))
            }
        }
        for path in files where path != Sums.fileName && sums.digests[path] == nil {
            problems.append(SumProblem(path: path, kind: .extra))
        }
        for path in try folder.emptyFolders() where path != StepFolder.parent {
            problems.append(SumProblem(path: path + "/", kind: .extra))
        }
        return problems.sorted(on: \.path)
    }

    /// Something in a bundle that is not as it was sealed.
    public struct SumProblem: Hashable, Sendable, CustomStringConvertible {
        /// Where, relative to the bundle.
        public var path: String
        /// What.
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
            case .changed: "\(path) is not what was sealed"
            case .extra: "\(path) was added after the bundle was sealed"
            }
        }
    }

    private func path(of file: File) throws(BundleFailure) -> String {
        let suffix = "/\(file.name)"
        guard let entry = manifest.files.first(where: { $0.path.hasSuffix(suffix) }) else {
            throw BundleFailure("read", file.name, .malformed("the manifest does not list it"))
        }
        return entry.path
    }

    private static func read<Value>(
        _ path: String, in folder: Folder, _ body: (JSON) throws -> Value
    ) throws(BundleFailure) -> Value {
        let bytes = try folder.read(path)
        do {
            return try body(JSON(parsing: bytes))
        } catch {
            throw BundleFailure("read", "\(folder.name)/\(path)", .malformed("\(error)"))
        }
    }
}
