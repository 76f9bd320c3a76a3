package import StudyModel

/// Nobody to show anything to: for rehearsals.
package struct SilentPrompter: Prompter {
    package init() {}

    package func run<C: Clock>(
        _ updates: AsyncStream<ScreenUpdate>, on clock: C, act: @escaping @Sendable (ParticipantAct) -> Void
    ) async where C.Instant == RunInstant {
        for await _ in updates {}
    }
}
