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
    /// Seconds of the run per second of real time; `nil` if the run did not wait at all.
    public var speed: Double?
    /// What played the clips; `none` where nothing did.
    public var audio = "none"
    /// The texts that the study file refers to (catalogues, consent documents), by path relative to it.
    public var files: [String: String] = [:]

    /// The header of a plan's run, in the current format: one language, no player and no pace, until they are set.
    public init(
        of plan: RunPlan, program: String, studySHA256: String, runUUID: String, wallClock: WallClock
    ) {
        format = Self.currentFormat
        self.program = program
        study = plan.study
        revision = plan.revision
        self.studySHA256 = studySHA256
        task = plan.task.identifier
        participant = plan.participant
        session = plan.session
        seed = plan.seed
        self.runUUID = runUUID
        self.wallClock = wallClock
    }
}
