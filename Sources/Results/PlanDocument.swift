public import Platform
public import StudyModel
import TextFormat

/// The contents of `plan.json`: every draw of a run, with all that any language needs to repeat it.
public struct PlanDocument: Hashable, Sendable {
    /// The algorithm and its version: `entrain-1`.
    public var algorithm: String
    static let algorithm = "entrain-1"
    /// The study's identifier.
    public var study: Identifier
    /// The study's revision.
    public var revision: Int
    /// The task.
    public var task: Identifier
    /// The participant's code, as given.
    public var participant: String
    /// The session, from 1.
    public var session: Int
    /// The participant's arm, if the study has arms.
    public var arm: Identifier?
    /// The seed of all draws.
    public var seed: UInt64
    /// Every draw.
    public var draws: [Draw]
}

extension PlanDocument {
    /// The part of a plan that is stored.
    public init(_ plan: RunPlan) {
        algorithm = Self.algorithm
        study = plan.study
        revision = plan.revision
        task = plan.task.identifier
        participant = plan.participant
        session = plan.session
        arm = plan.arm
        seed = plan.seed
        draws = plan.draws
    }

    /// The bytes of `plan.json`: compact, keys in order, a line feed at the end.
    public func encoded() -> [UInt8] {
        Self.form.write(self).encoded() + [UInt8(ascii: "\n")]
    }

    /// Reads `plan.json`.
    ///
    /// - Throws: `FileFailure` saying what is missing or wrong.
    public init(parsing bytes: [UInt8]) throws(FileFailure) {
        do {
            self = try Self.form.read(JSON(parsing: bytes))
        } catch {
            throw FileFailure("read", "plan.json", .malformed("\(error)"))
        }
    }
}
