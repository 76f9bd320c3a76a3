import Hashing
import StudyModel

@testable import Results

/// A small run of every kind of thing.
enum Sample {
    static let uuid = "FDFCC3EC-01B6-43E7-8200-9B93E2744BB8"
    static let study = Array("entrain: 1\n".utf8)

    static func header(uuid: String = uuid) -> JournalHeader {
        var header = JournalHeader(
            of: plan, program: "0.1.0", studySHA256: SHA256.hexadecimal(of: study), runUUID: uuid,
            wallClock: WallClock(
                seconds: 1_461_707_345, nanoseconds: 250_000_000, utcOffset: -14_400,
                zone: "America/New_York"))
        (header.participant, header.number, header.seed) = ("../P01", 1, .max)
        (header.language, header.speed) = (Language("fr"), 1)
        header.files = ["../Media/clips.yaml": "clips: []\n"]
        return header
    }

    static let clip = Stimulus(
        identifier: "chill_preview_3", file: "chill.m4a", path: "../Media/chill.m4a", title: "Chill",
        sha256: String(repeating: "0f", count: 32), duration: .seconds(30), attributes: ["mood": "calm"])

    static let questions: [(Question, Answer)] = [
        (question("scale", .scale(from: 1, to: 9, fromLabel: nil, toLabel: nil)), .scale(7)),
        (question("continuous", .continuous(from: 0, to: 100, decimals: 1)), .continuous(50)),
        (question("choice", .choice([])), .choice("a")),
        (question("choices", .choices([])), .choices(["a", "b"])),
        (question("boolean", .boolean(yes: .plain("y"), no: .plain("n"))), .boolean(true)),
        (question("number", .number(unit: "kg", minimum: nil, maximum: nil)), .number(72)),
        (question("text", .text(maximumLength: nil, pattern: nil)), .text("né\n\"x\"")),
        (question("date", .date()), .date(year: 2024, month: 2, day: 29)),
        (question("timeOfDay", .timeOfDay()), .timeOfDay(hour: 7, minute: 5)),
    ]

    static let task = Study.Task(
        identifier: "MusicTask",
        steps: [
            Step(identifier: "instruction", kind: .instruction),
            Step(identifier: "music", kind: .active(ActiveStep(duration: .seconds(30)))),
            Step(
                identifier: "block",
                kind: .block(Block(steps: [Step(identifier: "form", kind: .form(Form(questions.map(\.0))))]))),
            Step(
                identifier: "agree",
                kind: .consent(Consent(document: .plain("We ask."), isSignatureTyped: true))),
            Step(identifier: "SummaryStep", kind: .completion()),
        ])

    static let plan = RunPlan(
        study: "music-heart-rate", revision: 1, task: task, participant: "P01", session: 1, seed: 20_151_112,
        draws: [
            Draw(
                stream: "draw/MusicTask/music/1", method: "random", pool: ["chill_preview_3", "x"],
                chosen: ["chill_preview_3"])
        ])

    static let recorder = RecorderConfiguration(identifier: "heartRateConfig", signal: .heartRate)
    static let key = RecorderKey(ordinal: 2, recorder: "heartRateConfig", segment: 1)

    /// The music step from 7 s to 37.5 s, with the files given.
    static func music(_ files: [FileResult]) -> StepResult {
        var result = StepResult(
            ordinal: 2, path: ["music"], visit: 1, start: .seconds(7), end: .seconds(37.5))
        (result.plannedDuration, result.actualDuration) = (.seconds(30), .seconds(30))
        result.lateness = ["start": .microseconds(12), "end": .zero]
        result.pauses = [.seconds(10)..<RunInstant.seconds(10.5)]
        result.stimulus = DrawnStimulus(
            stimulus: clip, set: "clips", method: "random", stream: "draw/MusicTask/music/1", index: 0)
        result.playback = Playback(ordinal: 2, onset: .seconds(9), end: .seconds(37))
        (result.files, result.recorderErrors) = (files, ["the source was silent"])
        return result
    }

    /// Every step's result but the music's, which comes second.
    static let others: [StepResult] = [
        StepResult(ordinal: 1, path: ["instruction"], visit: 1, start: .start, end: .seconds(7)),
        StepResult(
            ordinal: 3, path: ["block", "form"], visit: 1, round: 1, start: .seconds(37.5), end: .seconds(50),
            answers: questions.map { GivenAnswer(question: $0.0.identifier, answer: $0.1) }),
        StepResult(
            ordinal: 4, path: ["block", "form"], visit: 2, round: 2, start: .seconds(50), end: .seconds(51),
            skip: .participant,
            answers: questions.map { GivenAnswer(question: $0.0.identifier, answer: nil) }),
        StepResult(
            ordinal: 5, path: ["agree"], visit: 1, start: .seconds(51), end: .seconds(52),
            answers: [GivenAnswer(question: "agree", answer: .consent(signature: "Ada Lovelace"))]),
        StepResult(ordinal: 6, path: ["SummaryStep"], visit: 1, start: .seconds(52), end: .seconds(53)),
    ]

    /// One sample a second.
    static func heart(from start: Double, count: Int) -> [RecordedSample] {
        (0..<count).map { index in
            .heartRate(
                Timed(
                    HeartRateSample(
                        rate: 72 + Double((Int(start) + index) % 5), rrIntervals: [0.8125],
                        sensorContact: true),
                    at: .seconds(start + Double(index)), arrival: .seconds(start + Double(index) + 0.02)))
        }
    }

    private static func question(_ identifier: Identifier, _ format: AnswerFormat) -> Question {
        Question(identifier: identifier, format: format)
    }
}

extension RecordedSample {
    /// A source's word of a heart.
    static func heartRate(_ sample: Timed<HeartRateSample>) -> Self { .sample(sample.map { .heart($0) }) }

    /// A camera's picture.
    static func frame(_ frame: Timed<PulseFrame>) -> Self { .sample(frame.map { .picture($0) }) }
}
