import StudyModel
import TextFormat

/// How a timed step begins, is shown and ends.
enum TimerShape {
    static let shape = Shape<ActiveStep.Timer>(
        name: "timer", title: "Timer", description: "How the step begins, is shown and ends.",
        fields: .of(show, start, finish, skip, pause)
    ) { fields in
        let usual = ActiveStep.Timer()
        var timer = ActiveStep.Timer(
            isShown: fields[show] ?? usual.isShown, startsOnConfirm: fields[start] ?? usual.startsOnConfirm,
            waitsAtFinish: fields[finish] ?? usual.waitsAtFinish,
            isSkippable: fields[skip] ?? usual.isSkippable)
        timer.isPausable = fields[pause] ?? usual.isPausable
        return timer
    }

    private static let show = Field(
        "show", .boolean, usual: true, "Show", "Whether the time left is shown.", example: true)
    private static let start = Field(
        "start", .word([("automatic", false), ("onConfirm", true)]), usual: "automatic", "Start",
        "Whether the step begins by itself or when the participant confirms.", example: "onConfirm")
    private static let finish = Field(
        "finish", .word([("continue", false), ("wait", true)]), usual: "continue", "Finish",
        "Whether the run goes on by itself when the time is up, or waits for the participant.",
        example: "wait")
    private static let skip = Field(
        "skip", .boolean, usual: false, "Skip", "Whether the participant may end the step early.",
        example: true)
    private static let pause = Field(
        "pause", .boolean, usual: true, "Pause", "Whether the participant may pause the step.",
        example: false)
}
