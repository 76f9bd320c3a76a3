public import StudyModel

/// The journal's first line: what is needed to replay a run away from the machine that ran it.
public struct JournalHeader: Hashable, Sendable {
    /// The version of the journal's format that this program writes.
    public static let currentFormat = 1

    /// The version of the journal's format.
    public var format: Int
    /// The program's version.
    public var program: String
    /// The study's identifier.
    public var study: Identifier
    /// The study's revision.
    public var revision: Int
    /// Lower-case hexadecimal SHA-256 of `study.yaml`.
    public var studySHA256: String
    /// The task.
    public var task: Identifier
    /// The participant's code, as given.
    public var participant: String
    /// The participant's number for balanced designs, where there is one.
    public var number: Int?
    /// The session, from 1.
    public var session: Int
    /// The seed of all draws.
    public var seed: UInt64
    /// The language of the texts; `nil` where the study has one only.
    public var language: Language?
    /// The run's upper-case UUID, which names the bundle's folder.
    public var runUUID: String
    /// The wall clock at the run's start.
    public var wallClock: WallClock
    /// Seconds of the run per second of the world; `nil` where the run did not wait at all.
    public var speed: Double?
    /// What played the clips; `none` where nothing did.
    public var audio: String
    /// The texts that the study file refers to (catalogues, consent documents), by path relative to it.
    public var files: [String: String]

    /// A header of the current format.
    public init(
        program: String, study: Identifier, revision: Int, studySHA256: String, task: Identifier,
        participant: String, number: Int?, session: Int, seed: UInt64, language: Language?, runUUID: String,
        wallClock: WallClock, speed: Double?, audio: String, files: [String: String]
    ) {
        format = Self.currentFormat
        self.program = program
        self.study = study
        self.revision = revision
        self.studySHA256 = studySHA256
        self.task = task
        self.participant = participant
        self.number = number
        self.session = session
        self.seed = seed
        self.language = language
        self.runUUID = runUUID
        self.wallClock = wallClock
        self.speed = speed
        self.audio = audio
        self.files = files
    }
}
