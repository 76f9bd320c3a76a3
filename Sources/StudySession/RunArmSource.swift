package import StudyEngine
package import StudyModel

/// What allocates the participant of a run to an arm.
package enum RunArmSource: Sendable {
    /// Answers at once.
    case local(ArmSource)
    /// Answers when it can: with `notAllocated` as often as there is something to say while it waits, and with
    /// `allocated` at last. It returns when its task is cancelled, or when it is asked once more.
    case remote(
        @Sendable (_ participant: String, _ levels: [String], _ tell: @escaping @Sendable (Event) -> Void)
            async -> Void)
}
