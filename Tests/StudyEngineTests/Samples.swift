import StudyEngine
import StudyModel

/// A clip with a mood.
func clip(_ name: Identifier, mood: String? = nil, duration: Duration? = nil) -> Stimulus {
    Stimulus(
        identifier: name, file: "\(name).flac", path: "\(name).flac", duration: duration,
        attributes: mood.map { ["mood": $0] } ?? [:])
}

/// a and b are of one mood, c and d, e and f.
let sixClips: [Stimulus] = [
    clip("a", mood: "x"), clip("b", mood: "x"), clip("c", mood: "y"), clip("d", mood: "y"),
    clip("e", mood: "z"), clip("f", mood: "z"),
]

let clipSets = [
    StimulusSet(identifier: "clips", pool: sixClips),
    StimulusSet(identifier: "three", pool: Array(sixClips.prefix(3))),
    StimulusSet(identifier: "four", pool: Array(sixClips.prefix(4))),
]

func makePlan(
    _ steps: [Step], recorders: [SpanningRecorder] = [], music: [SpanningMusic] = [],
    sets: [StimulusSet] = clipSets, participant: String = "P01", session: Int = 1, seed: UInt64 = 1
) throws(PlanProblem) -> RunPlan {
    var task = Study.Task(identifier: "T", steps: steps, recorders: recorders)
    task.music = music
    let study = Study(identifier: "golden", title: .plain("Golden"), stimulusSets: sets, tasks: [task])
    return try RunPlan(
        drawing: study, task: task, participant: participant, number: participantNumber(of: participant),
        session: session, seed: seed)
}

func read(_ name: Identifier, optional: Bool = false, _ navigation: Navigation = Navigation()) -> Step {
    Step(
        identifier: name, text: .plain("Please read this."), isOptional: optional, navigation: navigation,
        kind: .instruction)
}

func timed(
    _ name: Identifier, _ seconds: Double = 30, stimulus: Stimulus.Use? = nil,
    timer: ActiveStep.Timer = ActiveStep.Timer(), cues: [Cue] = [], optional: Bool = false,
    recorders: [RecorderConfiguration] = [], _ navigation: Navigation = Navigation()
) -> Step {
    Step(
        identifier: name, isOptional: optional, recorders: recorders, navigation: navigation,
        kind: .active(
            ActiveStep(duration: .seconds(seconds), stimulus: stimulus, timer: timer, cues: cues)))
}

func ask(
    _ name: Identifier, _ format: AnswerFormat = .scale(from: 1, to: 9, fromLabel: nil, toLabel: nil),
    optional: Bool = false, rules: Navigation = Navigation()
) -> Step {
    Step(identifier: name, isOptional: optional, navigation: rules, kind: .question(format))
}

func block(_ name: Identifier, _ block: Block, _ navigation: Navigation = Navigation()) -> Step {
    Step(identifier: name, navigation: navigation, kind: .block(block))
}

let thanks = Step(identifier: "thanks", kind: .completion())

func draw(_ method: DrawMethod, from set: Identifier = "clips") -> Stimulus.Use {
    Stimulus.Use(choice: .draw(set: set, method: method))
}

func heart(_ name: Identifier = "heart", required: Bool = false) -> RecorderConfiguration {
    RecorderConfiguration(identifier: name, signal: .heartRate, isRequired: required)
}

func when(
    _ question: Identifier, _ comparison: Navigation.Comparison, _ value: Navigation.Value
) -> Navigation.Condition {
    Navigation.Condition(subject: .answer(question), comparison: comparison, value: value)
}

/// An empty file of a recorder.
func file(_ key: RecorderKey) -> FileResult {
    FileResult(
        recorder: key.recorder, fileName: "f\(key.segment)", contentType: "application/json",
        start: .start, end: .start, segment: key.segment, sampleCount: 0, coverage: 0)
}

/// A run with what it said so far.
struct Sitting {
    var run: TaskRun
    var results: [StepResult] = []

    init(
        _ steps: [Step], recorders: [SpanningRecorder] = [], music: [SpanningMusic] = [],
        scores: [AnswerScore] = [], begun: Bool = true
    ) throws {
        var plan = try makePlan(steps, recorders: recorders, music: music)
        plan.task.scores = scores
        run = TaskRun(plan)
        if begun { tell(.begin, at: 0) }
    }

    /// Tells the run and answers each delivery with `saved`, each cue as one that no player sounds.
    @discardableResult
    mutating func tell(_ event: Event, at seconds: Double) -> [Effect] {
        var effects = run.handle(event, at: .seconds(seconds))
        for case .cue(_, let key) in effects {
            effects += run.handle(.cueGiven(key, heard: nil), at: .seconds(seconds))
        }
        for case .deliver(let result) in effects {
            results.append(result)
            effects += run.handle(.saved(result.ordinal), at: .seconds(seconds))
        }
        return effects
    }

    /// Time is up in the visit of that ordinal.
    @discardableResult
    mutating func timeIsUp(_ ordinal: Int, segment: Int = 1, at seconds: Double) -> [Effect] {
        tell(.woke(Wake(ordinal: ordinal, segment: segment, moment: .end)), at: seconds)
    }

    @discardableResult
    mutating func answer(_ question: Identifier, _ answer: Answer?, at seconds: Double) -> [Effect] {
        tell(.answered([GivenAnswer(question: question, answer: answer)]), at: seconds)
    }

    func result(_ step: Identifier, visit: Int = 1) -> StepResult? {
        results.first { $0.identifier == step && $0.visit == visit }
    }
}

extension [Effect] {
    /// What the last of the effects puts on show.
    var shown: Presentation? {
        for case .show(let presentation) in reversed() { return presentation }
        return nil
    }

    var finish: FinishReason? {
        for case .end(let reason) in self { return reason }
        return nil
    }

    var stopped: [RecorderKey] {
        compactMap { if case .stopRecording(let key, _, _) = $0 { key } else { nil } }
    }

    var started: [RecorderKey] {
        compactMap { if case .record(let key, _, _) = $0 { key } else { nil } }
    }

    var wakes: [Wake] { compactMap { if case .wake(let wake, _) = $0 { wake } else { nil } } }
    var cues: [Cue.Signal] { compactMap { if case .cue(let cue, _) = $0 { cue } else { nil } } }
}
