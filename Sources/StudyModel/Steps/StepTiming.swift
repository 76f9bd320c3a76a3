extension Step {
    /// The timing of a timed step.
    package struct Timing: Hashable, Sendable {
        package var duration: Duration
        /// What its duration is drawn from, if it is.
        package var drawnDuration: DrawnDuration?
        /// When it ends, if that is counted from another step.
        package var ending: EventTime?
        package var until: ActiveStep.Until?
        package var timer = ActiveStep.Timer()
        package var cues: [Cue] = []
        package var stimulus: Stimulus.Use?
        package var prompts: [Prompt] = []
        package var reaction: Reaction?
        /// Whether a program may end it.
        package var isProgram = false

        init(duration: Duration) { self.duration = duration }

        init(of active: ActiveStep) {
            duration = active.duration
            (drawnDuration, ending) = (active.drawnDuration, active.ending)
            (until, timer) = (active.until, active.timer)
            (cues, stimulus, prompts) = (active.cues, active.stimulus, active.prompts)
            reaction = active.reaction
        }

        init(of program: ProgramStep) {
            duration = program.duration
            (timer.isShown, timer.isPausable) = (false, false)
            isProgram = true
        }

        /// Whether anything but its duration may end it.
        package var isOpen: Bool { until != nil || isProgram || reaction != nil }

        /// The longest time that it can take without pauses, the words after a reaction included.
        package var longest: Duration {
            max(duration, drawnDuration?.limits.upperBound ?? .zero) + (reaction?.feedback?.duration ?? .zero)
        }

        /// When a cue is due, in time since the step's start; `nil` beyond the end, and for one with a condition.
        package func time(of cue: Int) -> Duration? {
            switch cues[cue].moment {
            case .start: .zero
            case .finish: duration
            case .halfway: duration / 2
            case .after(let time): time <= duration ? time : nil
            case .beforeEnd(let time): time <= duration ? duration - time : nil
            case .whilst: nil
            }
        }
    }
}
