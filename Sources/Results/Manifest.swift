public import StudyModel

/// What `manifest.json` says: which run a bundle is of, and what lies in it.
public struct Manifest: Hashable, Sendable {
    /// The version of the bundle's format that this program writes.
    public static let currentVersion = 1

    /// The version of the bundle's format.
    public var bundleVersion: Int
    /// The program's version.
    public var program: String
    /// The study's identifier.
    public var study: Identifier
    /// The study's revision.
    public var revision: Int
    /// Lower-case hexadecimal SHA-256 of the study file.
    public var studySHA256: String
    /// The task.
    public var task: Identifier
    /// The participant's code, as given.
    public var participant: String
    /// The session, from 1.
    public var session: Int
    /// The language of the texts; `nil` where the study has one only.
    public var language: Language?
    /// The run's upper-case UUID.
    public var runUUID: String
    /// The wall clock at the run's start.
    public var start: WallClock
    /// How long the run lasted.
    public var duration: Duration
    /// Seconds of the run per second of real time; `nil` if the run did not wait at all.
    public var speed: Double?
    /// What played the clips; `none` where nothing did.
    public var audio: String
    /// How the run ended.
    public var status: FinishReason
    /// Whether the bundle was put together after the program had been killed.
    public var isRecovered: Bool
    /// Whether the wall clock was set while the run went on.
    public var isClockAdjusted: Bool
    /// Every file but the manifest and the sums, by path.
    public var files: [File]

    /// One file of a bundle.
    public struct File: Hashable, Sendable {
        /// Where it lies in the bundle.
        public var path: String
        /// The recorder's or the step's identifier, where it belongs to one.
        public var identifier: Identifier?
        /// The step as identifiers joined by `.`, where it belongs to one.
        public var step: String?
        /// The media type.
        public var contentType: String
        /// The size.
        public var bytes: Int
        /// Lower-case hexadecimal SHA-256.
        public var sha256: String
    }

    static let fileName = "manifest.json"

    static func contentType(of path: String) -> String {
        if path.hasSuffix(".jsonl") { return "application/x-ndjson" }
        for format in RecorderConfiguration.SoundFormat.allCases where path.hasSuffix(".\(format)") {
            return format.contentType
        }
        return path.hasSuffix(".yaml") ? "application/yaml" : "application/json"
    }

    init(header: JournalHeader, result: TaskResult, files: [File]) {
        bundleVersion = Self.currentVersion
        program = header.program
        study = header.study
        revision = header.revision
        studySHA256 = header.studySHA256
        task = header.task
        participant = header.participant
        session = header.session
        language = header.language
        runUUID = header.runUUID
        start = header.wallClock
        duration = result.end.offset
        speed = header.speed
        audio = header.audio
        status = result.reason
        isRecovered = result.isRecovered
        isClockAdjusted = result.isClockAdjusted
        self.files = files
    }
}
