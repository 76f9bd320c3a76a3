import Platform
public import StudyModel
import TextFormat

/// The journal's first line: what is needed to replay a run away from the machine that ran it.
@dynamicMemberLookup
public struct JournalHeader: Hashable, Sendable {
    /// The version of the journal's format that this program writes.
    public static let currentFormat = 1

    /// The version of the journal's format.
    public var format: Int
    /// Which run it was.
    public var run: RunDescription
    /// The participant's number for balanced designs, if there is one.
    public var number: Int?
    /// The participant for whom the plan was drawn, and whose number that is, if it was another one: the first of
    /// several who took part in the run.
    public var drawnFor: String?
    /// The seed of all draws.
    public var seed: UInt64
    /// The texts that the study file refers to (catalogues, consent documents), by path relative to the study file.
    public var files: [String: String] = [:]
}

extension JournalHeader {
    /// The header of a plan's run, in the current format: one language, no player and no pace, until they are set.
    public init(
        of plan: RunPlan, program: String, studySHA256: String, runUUID: String, wallClock: WallClock
    ) {
        format = Self.currentFormat
        run = RunDescription(
            program: program, study: plan.study, revision: plan.revision, studySHA256: studySHA256,
            task: plan.task.identifier, participant: plan.participant, session: plan.session,
            runUUID: runUUID, wallClock: wallClock)
        run.arm = plan.arm
        seed = plan.seed
    }

    /// The header of a run that is not sealed; `nil` if it cannot be read, or is not written yet.
    package static func atHand(_ path: String) -> JournalHeader? {
        do {
            let bytes = try Folder(path).read(Journal.fileName)
            return try JournalHeader(wire: JSON(parsing: Array(bytes.prefix { $0 != UInt8(ascii: "\n") })))
        } catch {
            return nil
        }
    }

    /// The facts about the run.
    public subscript<Value>(dynamicMember member: WritableKeyPath<RunDescription, Value>) -> Value {
        get { run[keyPath: member] }
        set { run[keyPath: member] = newValue }
    }
}
