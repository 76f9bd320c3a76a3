import Datasets
import Participants
import Physiology
import Results
import StudyModel
import TextFormat

/// What an analysis needs of one run.
struct RecordedRun: Sendable {
    var session: RecordedSession
    /// The steps in visiting order.
    var steps: [Step] = []
    /// What the participant answered before anything was timed, by question.
    var baseline: [(question: String, answer: Characteristic.Answer)] = []

    struct Step: Sendable {
        var name: String
        var visit: Int
        var stimulus: String?
        var stimulusTitle: String?
        var mood: String?
        /// Beats per minute of the music.
        var tempo: Double?
        var isSkipped: Bool
        /// Whether the participant ended it early.
        var isEndedEarly = false
        /// Whether a later visit counts instead, because the experimenter repeated it.
        var isReplaced = false
        /// Seconds since the run's start.
        var onset: Double?
        /// Whether the clip was heard without a hole, so that it is known what was heard when.
        var isClipWhole = true
        /// The end of the clip or, without one, of the step, in seconds since the run's start.
        var end: Double
        /// The lowest share of a recording with samples, 0...1.
        var coverage: Double?
        /// When it was shown, seconds since the run's start.
        var start = 0.0
        /// The round of its block, from 1.
        var round: Int?
        /// The condition of its round.
        var condition: String?
        /// The round of the block around its block, from 1.
        var outerRound: Int?
        /// The condition or the clip of that round; without one, that of the block around that one.
        var outerCondition: String?
        /// What the conditions and clips of its rounds say, by column or attribute; the innermost round wins.
        var values: [String: String] = [:]
        /// The same without its own round.
        var outerValues: [String: String] = [:]
        /// What the catalogue says of its clip.
        var clipValues: [String: String] = [:]
        /// Whether the participant left it to go back to an earlier one.
        var wentBack = false
        /// How long it lasted without pauses, s.
        var lasted: Double?
        /// What ended it, if a condition could.
        var endedBy: String?
        /// Share of the measured time in which the heart rate was as expected, 0...1.
        var inBand: Double?
        var answers: [Answer] = []
        /// Regular positions of continuous ratings.
        var ratings: [(dimension: String, value: Double)] = []
        /// Every place where the mark of a rating was, by the recorder, with the dimension if it has two.
        var marks: [String: [Value]] = [:]
        var taps: [TapSummary.Tap] = []
        /// Whether the study chooses the recorder whose beats count.
        var hasChosenBeats = false
        /// Heart rates per minute that count.
        var rates: [Value] = []
        /// Intervals between beats that count, s, each at its end.
        var intervals: [Value] = []
    }

    struct Answer: Sendable {
        var question: String
        /// The clip that the answer is about.
        var clip: String?
        /// The answer as a number; `nil` if there is none.
        var value: Double?
        /// The key press behind it, if a key answered.
        var reaction: Reaction?
        /// Whether no key was right, and none was pressed.
        var isRightlyWithheld = false
    }

    struct Reaction: Sendable {
        /// From the onset to the key, s.
        var time: Double
        /// Whether the key was not wrong.
        var isRight: Bool
    }

    /// A measurement, at seconds since the run's start.
    typealias Value = (offset: Double, value: Double)
}

extension RecordedRun {
    /// Reads runs from the NDJSON of their tables.
    ///
    /// - Parameter text: gives a table's bytes.
    static func runs(_ text: (Table) throws -> [UInt8]) throws -> [RecordedRun] {
        var tables = RunTables()
        try tables.addSessions(text(.sessions))
        try tables.addSteps(text(.steps))
        try tables.addMeasurements(text(.samples), value: "bpm") { $0.rates += $1 }
        try tables.addMeasurements(text(.beats), value: "rr_seconds") { $0.intervals += $1 }
        try tables.addAnswers(text(.answers))
        try tables.addRatings(text(.ratings))
        try tables.addTaps(text(.taps))
        try tables.addParticipants(text(.participants))
        try tables.addMarks(text(.marks))
        return tables.runs.map { run in
            var run = run
            run.chooseBeats()
            return run
        }
    }

    /// Takes the heart rates of the beats that the study chooses for a step.
    private mutating func chooseBeats() {
        for index in steps.indices where steps[index].hasChosenBeats {
            steps[index].rates = steps[index].intervals.map { ($0.offset, 60 / $0.value) }
        }
    }
}

/// Combines the rows of several tables.
private struct RunTables {
    private(set) var runs: [RecordedRun] = []
    private var places: [String: Int] = [:]
    /// The place of the run and the step, by `run/visit/step`.
    private var steps: [String: (run: Int, step: Int)] = [:]

    mutating func addSessions(_ bytes: [UInt8]) throws {
        for line in Lines(of: bytes).whole {
            let row = try JSON(parsing: bytes, in: line)
            let session = try RecordedSession(row)
            places[session.run] = runs.count
            runs.append(RecordedRun(session: session))
        }
    }

    mutating func addSteps(_ bytes: [UInt8]) throws {
        for line in Lines(of: bytes).whole {
            let row = try JSON(parsing: bytes, in: line)
            let run = try row.field("run").asText()
            let place = try row.expect(places[run], "a step of a run")
            let step = try RecordedRun.Step(row)
            steps["\(run)/\(step.visit)/\(step.name)"] = (place, runs[place].steps.count)
            runs[place].steps.append(step)
            runs[place].session.add(step)
        }
    }

    mutating func addAnswers(_ bytes: [UInt8]) throws {
        var reader = JSONReader(bytes)
        while reader.hasMore {
            let parts = try JSONParts(
                &reader,
                names: [
                    "run", "step", "visit", "question", "stimulus", "value", "key", "reaction_seconds",
                    "right",
                ])
            let key = "\(reader.string(parts[0]))/\(reader.text(parts[2]))/\(reader.string(parts[1]))"
            guard let place = steps[key] else { throw WireFailure("an answer has no step") }
            let clip = reader.string(parts[4])
            runs[place.run].steps[place.step].answers.append(
                RecordedRun.Answer(
                    question: reader.string(parts[3]), clip: clip.isEmpty ? nil : clip,
                    value: reader.number(parts[5]),
                    reaction: reader.number(parts[7]).map { time in
                        RecordedRun.Reaction(time: time, isRight: reader.text(parts[8]) != "false")
                    }, isRightlyWithheld: reader.number(parts[7]) == nil && reader.text(parts[8]) == "true"))
        }
    }

    mutating func addParticipants(_ bytes: [UInt8]) throws {
        for line in Lines(of: bytes).whole {
            let row = try JSON(parsing: bytes, in: line)
            let place = try row.expect(places[row.field("run").asText()], "a participant of a run")
            guard let answer = try Characteristic.Answer(row) else { continue }
            runs[place].baseline.append((try row.field("characteristic").asText(), answer))
        }
    }

    mutating func addRatings(_ bytes: [UInt8]) throws {
        var reader = JSONReader(bytes)
        while reader.hasMore {
            let parts = try JSONParts(
                &reader,
                names: [
                    "run", "step", "visit", "dimension", "kind", "value", "recorder", "offset_seconds",
                ])
            let key = "\(reader.string(parts[0]))/\(reader.text(parts[2]))/\(reader.string(parts[1]))"
            guard let place = steps[key], let value = reader.number(parts[5]),
                let offset = reader.number(parts[7])
            else { throw WireFailure("a rating has no step, no value or no time") }
            let (dimension, recorder) = (reader.string(parts[3]), reader.string(parts[6]))
            let name = recorder == dimension ? recorder : "\(recorder).\(dimension)"
            runs[place.run].steps[place.step].marks[name, default: []].append((offset, value))
            guard reader.string(parts[4]) == "sample" else { continue }
            runs[place.run].steps[place.step].ratings.append((dimension, value))
        }
    }

    mutating func addTaps(_ bytes: [UInt8]) throws {
        var reader = JSONReader(bytes)
        while reader.hasMore {
            let parts = try JSONParts(
                &reader,
                names: ["run", "step", "visit", "offset_seconds", "asynchrony_seconds", "phase_degrees"])
            let key = "\(reader.string(parts[0]))/\(reader.text(parts[2]))/\(reader.string(parts[1]))"
            guard let place = steps[key], let time = reader.number(parts[3]) else {
                throw WireFailure("a tap has no step or no time")
            }
            let beat = TapSummary.Beat(
                asynchrony: reader.number(parts[4]), phase: reader.number(parts[5]))
            runs[place.run].steps[place.step].taps.append(.init(time: time, beat: beat))
        }
    }

    mutating func addMarks(_ bytes: [UInt8]) throws {
        for line in Lines(of: bytes).whole {
            let row = try JSON(parsing: bytes, in: line)
            let place = try row.expect(places[row.field("run").asText()], "a mark of a run")
            let mark = ResultBundle.Mark(
                kind: try row.field("kind").asText(), severity: row["severity"]?.text,
                control: row["control"]?.text, text: try row.field("text").asText(),
                author: row["author"]?.text, offset: try row.field("offset_seconds").asNumber())
            runs[place].session.marks.append((try row.field("step").asText(), mark))
        }
    }

    /// - Parameters:
    ///   - value: the column that is read besides the offset.
    ///   - keep: receives consecutive values of one step that count.
    mutating func addMeasurements(
        _ bytes: [UInt8], value: StaticString, _ keep: (inout RecordedRun.Step, [RecordedRun.Value]) -> Void
    ) throws {
        var reader = JSONReader(bytes)
        var before: JSONParts?
        var place: (run: Int, step: Int)?
        var taken: [RecordedRun.Value] = []
        while reader.hasMore {
            let row = try JSONParts(
                &reader, names: ["run", "step", "visit", "offset_seconds", value, "counted"])
            if before.map({ before in (0..<3).allSatisfy { bytes[row[$0]] == bytes[before[$0]] } }) != true {
                if let place { keep(&runs[place.run].steps[place.step], taken) }
                place = steps["\(reader.string(row[0]))/\(reader.text(row[2]))/\(reader.string(row[1]))"]
                guard place != nil else { throw WireFailure("a measurement has no step") }
                taken = []
                before = row
            }
            guard let offset = reader.number(row[3]), let number = reader.number(row[4]) else {
                throw WireFailure("a measurement lacks a column")
            }
            if reader.text(row[5]) == "true" { taken.append((offset, number)) }
        }
        if let place { keep(&runs[place.run].steps[place.step], taken) }
    }
}

extension JSONReader {
    /// The characters of a string without escapes, such as an identifier; empty if it is not a string.
    fileprivate func string(_ range: Range<Int>) -> String {
        range.count < 2 || bytes[range.lowerBound] != UInt8(ascii: "\"")
            ? "" : text(range.lowerBound + 1..<range.upperBound - 1)
    }
}

extension RecordedRun.Step {
    fileprivate init(_ row: JSON) throws {
        name = try row.field("step").asText()
        visit = try row.field("visit").asInteger()
        let end = try row.field("end_seconds").asNumber()
        self.end = row["offset_seconds"]?.number ?? end
        start = try row.field("start_seconds").asNumber()
        round = row["round"]?.integer
        condition = row["condition"]?.text
        outerRound = row["outer_round"]?.integer
        outerCondition = row["outer_condition"]?.text ?? row["outermost_condition"]?.text
        outerValues = try Self.values(row, "outermost_condition_values", "outer_condition_values")
        values = outerValues.merging(try Self.values(row, "condition_values")) { $1 }
        clipValues = try Self.values(row, "attributes")
        wentBack = row["skip_reason"]?.text == StepResult.SkipReason.wentBack.rawValue
        isEndedEarly = row["skip_reason"]?.text == StepResult.SkipReason.participant.rawValue
        lasted = row["actual_seconds"]?.number
        endedBy = row["ended_by"]?.text
        stimulus = row["stimulus"]?.text
        stimulusTitle = row["stimulus_title"]?.text
        mood = row["mood"]?.text
        tempo = row["tempo"]?.number
        isSkipped = row["skipped"]?.boolean == true
        isReplaced = row["replaced"]?.boolean == true
        onset = row["onset_seconds"]?.number
        isClipWhole = row["underruns"]?.integer ?? 0 == 0 && row["clip_problem"]?.text == nil
        coverage = row["coverage"]?.number
        inBand = row["in_band_share"]?.number
        hasChosenBeats = row["beats_recorder"]?.text != nil
    }

    /// What columns with JSON hold; later ones win.
    private static func values(_ row: JSON, _ columns: String...) throws -> [String: String] {
        try columns.reduce(into: [:]) { values, column in
            guard let text = row[column]?.text else { return }
            for member in try JSON(parsing: Array(text.utf8)).object?.members ?? [] {
                values[member.key] =
                    member.value.text ?? String(decoding: member.value.encoded(), as: UTF8.self)
            }
        }
    }
}

extension RecordedSession {
    mutating func add(_ step: RecordedRun.Step) {
        if step.isSkipped { skippedSteps += 1 }
        if let clip = step.stimulus { clips.append(clip) }
        if let share = step.coverage { coverage = min(coverage ?? 1, share) }
    }
}
