public import StudyModel

/// The contents of `manifest.json`: which run a bundle belongs to, and which files it holds.
@dynamicMemberLookup
public struct Manifest: Hashable, Sendable {
    /// The version of the bundle's format that this program writes.
    public static let currentVersion = 1

    /// The version of the bundle's format.
    public var bundleVersion: Int
    /// Which run the bundle belongs to.
    public var run: RunDescription
    /// How long the run lasted.
    public var duration: Duration
    /// How the run ended.
    public var status: FinishReason
    /// Whether the bundle was put together after the program had been killed.
    public var isRecovered: Bool
    /// Whether the wall clock was changed during the run.
    public var isClockAdjusted: Bool
    /// Every file but the manifest and the sums, by path.
    public var files: [File]
    /// Whether the dates in a pseudonymised bundle are those of the run; `nil` in a bundle as it was recorded. A
    /// pseudonymised bundle has neither journal nor plan nor study.
    public var areDatesKept: Bool?
    /// Whether codes were replaced, and everything that is not known to be harmless was left out.
    public var isPseudonymised: Bool { areDatesKept != nil }

    /// One file of a bundle.
    public struct File: Hashable, Sendable {
        /// Where it lies in the bundle.
        public var path: BundlePath
        /// The identifier of the recorder or step, if the file belongs to one.
        public var identifier: Identifier?
        /// The step as identifiers joined by `.`, if the file belongs to one.
        public var step: String?
        /// The media type.
        public var contentType: String
        /// The size.
        public var bytes: Int
        /// Lower-case hexadecimal SHA-256.
        public var sha256: String
    }
}

extension Manifest {
    static let fileName = "manifest.json"

    static func contentType(of path: String) -> String {
        if path.hasSuffix(".jsonl") { return "application/x-ndjson" }
        if path.hasSuffix("." + WaveColumns.suffix) { return WaveColumns.contentType }
        for format in RecorderConfiguration.SoundFormat.allCases where path.hasSuffix(".\(format)") {
            return format.contentType
        }
        if path == RunningBundle.proofName { return "text/plain" }
        return path.hasSuffix(".yaml") ? "application/yaml" : "application/json"
    }

    init(header: JournalHeader, result: TaskResult, files: [File]) {
        bundleVersion = Self.currentVersion
        run = header.run
        duration = result.end.offset
        status = result.reason
        isRecovered = result.isRecovered
        isClockAdjusted = result.isClockAdjusted
        self.files = files
    }

    init(
        _ run: RunDescription, endedBy reason: FinishReason, like other: Manifest, files: [File],
        areDatesKept: Bool
    ) {
        self = other
        self.run = run
        status = reason
        self.files = files
        self.areDatesKept = areDatesKept
    }

    /// The wall clock at the run's start.
    public var start: WallClock { run.wallClock }

    /// The facts about the run.
    public subscript<Value>(dynamicMember member: KeyPath<RunDescription, Value>) -> Value {
        run[keyPath: member]
    }
}
