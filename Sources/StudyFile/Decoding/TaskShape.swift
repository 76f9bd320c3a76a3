import StudyModel
import TextFormat

/// An ordered list of steps that one run goes through.
enum TaskShape {
    /// A task with the place of its identifier; `task` is `nil` if it cannot be used.
    struct Draft {
        var identifier: Located<Identifier>
        var task: Study.Task?
        /// The steps of its own list that allocate the arm.
        var allocations: [Located<Identifier>] = []
        /// What the task itself says; `nil` leaves it to the study.
        var isAudioRequired: Bool?
        var isLatencyLow: Bool?
    }

    static let shape = Shape<Draft>(
        name: "task", title: "Task", description: "An ordered list of steps that one run goes through.",
        fields: .of(identifier, title, display, audio, latency, quality, ResumeShape.field, AlarmsShape.field)
            + .of(recorders, music, steps, scores, Field.comment)
    ) { fields in
        let context = fields.reading.context
        let firstOrder = context.orders.count
        context.stepsWithLowLatency = []
        let (name, title, display) = (fields[identifier], fields[title], fields[display])
        let (isAudioRequired, isLatencyLow) = (fields[audio], fields[latency])
        let (quality, resume) = (fields[quality], fields[ResumeShape.field])
        let alarms = fields[AlarmsShape.field]
        let (spanning, drafts) = (fields[recorders], fields[steps])
        let (worked, music) = (fields[scores], fields[music])
        context.recalled = [:]
        let list = TaskSteps(
            drafts ?? [], spans: spanning ?? [], scores: worked ?? [], of: name?.value, fields.reading)
        if drafts != nil { list.check() }
        let scores = drafts == nil ? [] : list.resolvedScores()
        if drafts != nil {
            list.checkReferences(scores)
            list.checkChosenClips(scores)
            list.checkYokes()
            list.checkSharedOrders()
            list.checkDeadlines(
                isLatencyLow: !context.stepsWithLowLatency.isEmpty
                    || isLatencyLow ?? context.isLatencyUsuallyLow)
            reportLatencyOfSteps(fields, isLow: isLatencyLow ?? context.isLatencyUsuallyLow)
        }
        fields.reading.rejectDuplicates((spanning ?? []).map(\.identifier), noun: "recorder")
        WaveShape.check(spanning ?? [], fields.reading)
        let recorders = (spanning ?? []).compactMap { list.span($0) }
        fields.reading.rejectDuplicates((music ?? []).map(\.identifier), noun: "music")
        let spanningMusic = list.music(music ?? [], scores)
        guard let name else { return nil }
        for order in context.orders[firstOrder...] {
            context.orderPlaces.append(
                OrderPlace(
                    task: name.value, block: order.block,
                    place: TextPlace(order.range, fields.reading.source)))
        }
        for (step, blocks) in (drafts ?? []).flatMap({ $0.withBlocks() }) {
            guard let own = step.identifier else { continue }
            let path = (blocks.compactMap { $0.identifier?.value.text } + [own.value.text]).joined(
                separator: ".")
            context.stepPlaces.append(
                StepPlace(task: name.value, path: path, place: TextPlace(step.range, fields.reading.source)))
        }
        var task = list.resolved().map {
            Study.Task(
                identifier: name.value, display: display ?? .init(), steps: $0, recorders: recorders)
        }
        task?.scores = scores
        task?.title = title
        task?.music = spanningMusic
        task?.quality = quality
        task?.resume = resume
        task?.alarms = alarms
        task?.recalled = context.recalled.values.sorted { $0.identifier < $1.identifier }
        let allocations = (drafts ?? []).filter { $0.step?.kind == .allocation }
        return Draft(
            identifier: name, task: task, allocations: allocations.compactMap(\.identifier),
            isAudioRequired: isAudioRequired,
            isLatencyLow: context.stepsWithLowLatency.isEmpty ? isLatencyLow : true)
    }

    /// Moves what steps say of the latency to their task, for which it holds.
    ///
    /// - Parameter isLow: whether the task, or else the study, says so already.
    private static func reportLatencyOfSteps(_ fields: Fields, isLow: Bool) {
        let told = fields.node(latency).map { [TextEdit(range: $0.range, text: "low")] }
        var edits =
            isLow ? [] : told ?? fields.reading.source.insertion(of: "latency: low", at: fields.range)
        for step in fields.reading.context.stepsWithLowLatency {
            step.reportOlder(
                latency, "a step's latency is that of its whole task",
                "write 'latency: low' in the task, and leave it out here", edits)
            edits = []
        }
    }

    private static let identifier = Field(
        "identifier", Kind<Identifier>.identifier.located, isRequired: true, "Identifier",
        "The task's name, unique in the study.", example: "MusicTask")
    private static let title = Field(
        "title", .localizedText, "Title",
        "The task's name for participants who choose among several; by default, the identifier.",
        example: "Breathing with music")
    private static let display = Field(
        "display", .mapping(displayShape), "Display", "What the participant sees besides the steps.",
        example: ["heartRate": false, "countdown": true, "progress": true])
    /// What a task says has no usual value, but is what the study says.
    static func audio(usual: JSON?) -> Field<Bool> {
        Field(
            "audio", .word([("optional", false), ("required", true)]), usual: usual, "Sound",
            "What to do without a sound device: go on in silence and say so in the result (optional), or start no task and end one that loses it (required). What a task says goes before what the study says.",
            example: "required")
    }
    static func latency(usual: JSON?) -> Field<Bool> {
        Field(
            "latency", .word([("usual", false), ("low", true)]), usual: usual, "Latency",
            "How soon a sound is heard after it was decided on: after half a second (usual), or within about 60 ms, with less reserve against a busy machine (low). What a task says goes before what the study says.",
            example: "low")
    }
    private static let audio = audio(usual: nil)
    private static let latency = latency(usual: nil)
    private static let quality = Field(
        "quality", .mapping(QualityShape.shape), "Quality",
        "What a run must reach: if it misses a limit, it is complete but poor.",
        example: ["coverage": 0.9, "longestGap": "10 s", "pauses": 1])
    private static let recorders = Field(
        "recorders", .list(.variants(RecorderVariants.ofTask), noun: "recorder"), "Recorders",
        "Recorders that run over several steps.",
        example: [["type": "heartRate", "identifier": "whole", "from": "rest", "to": "music"]])
    private static let music = Field(
        "music", .list(.mapping(MusicShape.shape), noun: "clip"), "Music",
        "Clips that go on over several steps; never two at a time.",
        example: [
            [
                "identifier": "background", "from": "listen", "to": "pleasant",
                "stimulus": ["from": "clips", "draw": "random"],
            ]
        ])
    private static let steps = Field(
        "steps", .list(.variants(StepVariants.ofTask), atLeast: 1, noun: "step"), isRequired: true, "Steps",
        "The steps, in order; the last one, or the last ones, are completion steps.",
        example: [["type": "completion", "identifier": "end", "title": "Thank you!"]])

    private static let scores = Field(
        "scores", .map(.mapping(ScoreShape.shape), noun: "score"), "Scores",
        "Numbers that are computed from answers, by name; each counts as an answer itself.",
        example: ["gad7": ["sum": ["gad1", "gad2"], "levels": ["0": "none", "5": "mild"]]])

    private static let heartRate = Field(
        "heartRate", .boolean, usual: false, "Heart rate",
        "Whether participants see their own heart rate; feedback changes what is measured.", example: true)
    private static let countdown = Field(
        "countdown", .boolean, usual: true, "Countdown", "Whether the time left is shown.", example: true)
    private static let progress = Field(
        "progress", .boolean, usual: true, "Progress", "Whether 'step n of m' is shown.", example: true)
    private static let lostSignal = Field(
        "lostSignal", .boolean, usual: true, "Lost signal",
        "Whether participants see that a source gives no signal; the monitor shows it in any case.",
        example: false)
    private static let displayShape = Shape<Study.Display>(
        name: "display", title: "Display", description: "What the participant sees besides the steps.",
        fields: .of(heartRate, countdown, progress, lostSignal)
    ) { fields in
        let usual = Study.Display()
        return Study.Display(
            heartRate: fields[heartRate] ?? usual.heartRate, countdown: fields[countdown] ?? usual.countdown,
            progress: fields[progress] ?? usual.progress,
            lostSignal: fields[lostSignal] ?? usual.lostSignal)
    }
}
