package import StudyModel

/// The outcome of a whole run; the journal's header says the rest.
package struct TaskResult: Hashable, Sendable {
    /// The results in visiting order.
    package var steps: [StepResult]
    /// When the run ended.
    package var end: RunInstant
    /// How it ended.
    package var reason: FinishReason
    /// Whether it was put together after the program had been killed.
    package var isRecovered: Bool
    /// Whether the wall clock was changed during the run.
    package var isClockAdjusted: Bool
    /// When nobody sat at it, where it was continued.
    package var interruptions: RunInterruptions

    package init(
        steps: [StepResult], end: RunInstant, reason: FinishReason, isRecovered: Bool = false,
        isClockAdjusted: Bool = false, interruptions: RunInterruptions = RunInterruptions()
    ) {
        self.steps = steps
        self.end = end
        self.reason = reason
        self.isRecovered = isRecovered
        self.isClockAdjusted = isClockAdjusted
        self.interruptions = interruptions
    }
}
