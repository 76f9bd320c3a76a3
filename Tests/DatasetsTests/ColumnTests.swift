import Glibc
import StudyModel
import Testing
import TextFormat

@testable import Datasets
@testable import Physiology
@testable import Results

/// Every column of a row has a value of its own here, and is found under its name.
@Suite struct ColumnTests {
    /// The cells of a row as the tables write them.
    private func cells<Row>(of row: Row, _ columns: [RowColumn<Row>], in table: Table) throws -> [String:
        String]
    {
        var text = TableText(table)
        if table.isOfRuns {
            for lead in ["run", "study", "P01"] { text.text(lead) }
            text.integer(1)
            text.leadEveryRow()
        }
        text.add(row, columns)
        let json = try JSON(parsing: text.ndjson)
        return Dictionary(
            uniqueKeysWithValues: columns.map(\.column.name).map { name in
                (name, json[name].map { $0.text ?? String(decoding: $0.encoded(), as: UTF8.self) } ?? "")
            })
    }

    private func expect<Row>(
        _ row: Row, _ columns: [RowColumn<Row>], in table: Table, _ expected: [String: String]
    ) throws {
        let found = try cells(of: row, columns, in: table)
        #expect(found == expected)
        #expect(
            Set(found.keys) == Set(table.columns.map(\.name)).subtracting(table.isOfRuns ? Self.lead : []))
        let told = expected.values.filter { !["null", "true", "false"].contains($0) }
        #expect(Set(told).count == told.count, "two columns have one value")
    }

    private static let lead: Set = ["run", "study", "participant", "session"]

    private let visit = {
        var visit = ResultBundle.Visit(
            ordinal: 2, identifier: "q", path: "b.q", visit: 3, round: 4, start: 5.5, end: 6.5,
            isSkipped: true,
            skipReason: "why", repeats: nil, plannedDuration: 7.5, actualDuration: 8.5, endedBy: "until",
            isTimedOut: false, condition: .init(identifier: "slow", values: ["v": "w"]),
            outerRounds: [
                .init(block: "outermost", round: 9, condition: .init(identifier: "far", values: [:])),
                .init(
                    block: "outer", round: 10, condition: .init(identifier: "near", values: ["load": "low"])),
            ],
            lateness: [.init(moment: "start", seconds: 0.25), .init(moment: "end", seconds: -0.75)],
            pauses: [],
            standstills: [1..<2.5], recorderErrors: [], clip: nil, program: nil, answers: [], recordings: [])
        visit.clip = .init(
            identifier: "clip", title: "Clip", onset: 11.5, end: 12.5, start: 13.5, gain: -14.5,
            problem: "late",
            underruns: 15)
        visit.trial = .init(
            track: "hard", rung: 4, value: 2.5, isRight: false, isReversal: true, isAtEnd: false)
        visit.repeatedCues = ["cue2": [10.5, 12.5]]
        return visit
    }()

    @Test func `of steps`() throws {
        let beats = [TapSummary.Beat(asynchrony: 0.125, phase: 45)] + Array(repeating: nil, count: 6)
        let taps = TapSummary([beats.enumerated().map { .init(time: Double($0.offset), beat: $0.element) }])
        var visit = visit
        visit.recordings = [recording]
        let breaths = (0..<600).map {
            (time: Double($0) / 10, value: sin(Double($0) / 10 * 2 * .pi / 4) + sin(Double($0) / 10))
        }
        let breathing = try #require(Breathing(belt: breaths))
        // From 10 to 80 s, with a wave that is not the same in the last minute.
        let intervals = (0..<100).map { place -> HeartRateMean.Interval in
            (time: 10 + 0.7 * Double(place), length: 0.7 + 0.0005 * Double(place % 7))
        }
        let heart = StepHeart(rates: [], intervals: intervals, onset: 12, end: 79.5)
        let figures = HeartFigures(heart)
        let (own, rest) = (try #require(figures.variability), try #require(figures.restVariability))
        let (mean, rate) = (try #require(figures.mean), try #require(figures.rest))
        let row = VisitRow(
            visit: visit, isReplaced: true, attributes: ["mood": "calm", "tempo": "66"], samples: 16,
            comparison: CurveComparison(meanAbsoluteError: 17.5, rootMeanSquareError: 0, shareInBand: 0.375),
            taps: taps, heart: figures, beats: nil, refusedSeconds: 16.25,
            breathing: breathing)
        try expect(
            row, VisitRow.columns, in: .steps,
            [
                "position": "2", "step": "b.q", "visit": "3", "round": "4", "start_seconds": "5.5",
                "end_seconds": "6.5", "planned_seconds": "7.5", "actual_seconds": "8.5",
                "standstill_seconds": "1.5",
                "ended_by": "until", "skipped": "true", "skip_reason": "why", "replaced": "true",
                "timed_out": "false", "condition": "slow", "condition_values": "{\"v\":\"w\"}",
                "track": "hard", "trial_value": "2.5", "trial_right": "false", "reversal": "true",
                "ladder_end": "false", "outer_round": "10",
                "outer_condition": "near", "outer_condition_values": "{\"load\":\"low\"}",
                "outermost_round": "9", "outermost_condition": "far",
                "outermost_condition_values": "{}",
                "stimulus": "clip", "stimulus_title": "Clip", "mood": "calm", "tempo": "66.0",
                "attributes": "{\"mood\":\"calm\",\"tempo\":\"66\"}", "clip_start_seconds": "13.5",
                "onset_seconds": "11.5", "offset_seconds": "12.5", "stimulus_gain": "-14.5",
                "stimulus_tempo": "null",
                "stimulus_changes": "null", "underruns": "15", "clip_problem": "late",
                "lateness": "{\"end\":-0.75,\"start\":0.25}", "worst_lateness_seconds": "-0.75",
                "repeated_cues": "{\"cue2\":[10.5,12.5]}", "coverage": "0.625",
                "samples": "16", "expected_error_bpm": "17.5", "in_band_share": "0.375",
                "heart_rate_bpm": "\(mean.rate)", "heart_rate_from": "intervals", "rmssd_ms": "\(own.rmssd)",
                "sdnn_ms": "\(own.sdnn)", "corrected_share": "0.0", "rest_heart_rate_bpm": "\(rate)",
                "rest_rmssd_ms": "\(rest.rmssd)", "rest_sdnn_ms": "\(rest.sdnn)", "taps": "7",
                "taps_on_beats": "1", "asynchrony_seconds": "0.125", "asynchrony_sd_seconds": "null",
                "phase_direction_degrees": "45.0", "phase_vector_length": "1.0", "beats_recorder": "null",
                "ecg_refused_seconds": "16.25",
                "breathing_rate": "\((breathing.rate * 1000).rounded() / 1000)",
                "breathing_quality": "\((breathing.quality * 1000).rounded() / 1000)",
                "breathing_from": "belt",
            ])
    }

    private let recording = ResultBundle.Recording(
        recorder: "heart", name: "HKQuantityTypeIdentifierHeartRate_1.json", start: 19.5, end: 20.5,
        segment: 21,
        part: 22, sampleCount: 23, coverage: 0.625,
        gaps: [.init(span: 1..<2.5, reason: "lost"), .init(span: 3..<4, reason: "silence")], lateSamples: 24,
        droppedSamples: 25, reason: "empty",
        source: SourceInformation(sensorLocation: "chest", battery: 26))

    @Test func `of recordings`() throws {
        let row = RecordingRow(visit: visit, recording: recording, source: "strap", sourceKind: "bluetooth")
        try expect(
            row, RecordingRow.columns, in: .recordings,
            [
                "step": "b.q", "visit": "3", "recorder": "heart", "segment": "21", "part": "22",
                "file": "HKQuantityTypeIdentifierHeartRate_1.json", "quantity": "heartRate",
                "source": "strap",
                "source_kind": "bluetooth", "start_seconds": "19.5", "end_seconds": "20.5", "count": "23",
                "coverage": "0.625", "gaps": "2", "gap_seconds": "2.5",
                "gap_details":
                    "[{\"from\":1.0,\"reason\":\"lost\",\"to\":2.5},{\"from\":3.0,\"reason\":\"silence\",\"to\":4.0}]",
                "late": "24", "dropped": "25", "quality": "null", "empty_reason": "empty", "changes": "null",
                "battery": "26", "sensor_location": "chest",
            ])
    }

    @Test func `of answers`() throws {
        let answer = ResultBundle.Answer(
            question: "mood", kind: "ORKScaleQuestionResult", text: "seven", number: 7.5, unit: "kg",
            other: "words", times: .init(shown: 1.5, touched: 2.5, changed: 3.5, confirmed: 4.5, changes: 5),
            prompt: .init(
                number: 6, planned: 8.5, shown: 9.5, ended: 10.5, endedBy: "answer", isTimedOut: false),
            reaction: .init(
                key: "space", time: 0.25, onset: 11.5, pressed: 12.5, measuredFrom: "sound", isRight: true,
                ignoredKeys: 13))
        try expect(
            AnswerRow(visit: visit, answer: answer, kind: .scale, stimulus: "clip"), AnswerRow.columns,
            in: .answers,
            [
                "step": "b.q", "visit": "3", "stimulus": "clip", "question": "mood",
                "kind": "scale", "class": "ORKScaleQuestionResult",
                "answer": "seven", "value": "7.5", "unit": "kg", "other": "words", "shown_seconds": "1.5",
                "touched_seconds": "2.5", "changed_seconds": "3.5", "confirmed_seconds": "4.5",
                "changes": "5",
                "prompt": "6", "prompt_planned_seconds": "8.5", "prompt_shown_seconds": "9.5",
                "prompt_ended_seconds": "10.5", "prompt_ended_by": "answer", "key": "space",
                "reaction_seconds": "0.25", "onset_seconds": "11.5", "measured_from": "sound",
                "right": "true",
                "ignored_keys": "13",
            ])
    }

    @Test func `of marks, draws and participants`() throws {
        let mark = ResultBundle.Mark(
            kind: "adverse", severity: "mild", control: "pause", text: "dizzy", author: "Ann", offset: 1.5,
            uncertainty: 0.25)
        try expect(
            MarkRow(visit: visit, mark: mark), MarkRow.columns, in: .marks,
            [
                "step": "b.q", "visit": "3", "offset_seconds": "1.5", "kind": "adverse", "severity": "mild",
                "control": "pause", "text": "dizzy", "author": "Ann", "uncertainty_seconds": "0.25",
            ])
        var draw = Draw(stream: "order/t/b", method: "latinSquare", pool: ["a", "b", "c"], chosen: ["b"])
        (draw.number, draw.row) = (7, 8)
        try expect(
            DrawRow(draw: draw, number: 5, place: 6, chosen: "b"), DrawRow.columns, in: .draws,
            [
                "draw": "5", "place": "6", "stream": "order/t/b", "method": "latinSquare", "chosen": "b",
                "pool_size": "3", "number": "7", "row": "8",
            ])
        let trait = try #require(
            ParticipantTrait(
                ResultBundle.Answer(
                    question: "age", kind: "ORKNumericQuestionResult", text: "41 years", number: 41.5,
                    unit: "years")))
        try expect(
            trait, ParticipantTrait.columns, in: .participants,
            [
                "characteristic": "age", "kind": "number", "value": "41 years", "number": "41.5",
                "unit": "years",
            ])
    }

    @Test func `of the codebook and of outcomes`() throws {
        let text = StudyText(revision: 1, sha256: "0a")
        let question = Question(
            identifier: "weight", title: .plain("Weight?"), text: .plain("In kg."), isOptional: true,
            format: .number(unit: "kg", minimum: 20, maximum: 300))
        var row = CodebookRow(
            study: "s", text: text, task: "t", step: "b.q", asked: Step.Asked(question, .item),
            language: Language("de"), clean: { $0 }, meaning: (2, "99", .plain("refused")))
        var expected = [
            "study": "s", "study_sha256": "0a", "task": "t", "step": "b.q", "question": "weight",
            "kind": "number",
            "language": "de", "title": "Weight?", "text": "In kg.", "optional": "true", "unit": "kg",
            "minimum": "20.0", "maximum": "300.0", "earliest": "null", "latest": "null", "place": "2",
            "value": "99",
            "label": "refused", "missing": "false",
        ]
        #expect(try cells(of: row, CodebookRow.columns, in: .codebook) == expected)
        row.asked.question.format = .date(minimum: "2020-01-02", maximum: "2021-01-02")
        expected.merge(
            [
                "kind": "date", "unit": "null", "minimum": "null", "maximum": "null",
                "earliest": "2020-01-02",
                "latest": "2021-01-02",
            ]) { $1 }
        #expect(try cells(of: row, CodebookRow.columns, in: .codebook) == expected)
        let outcome = Outcome(
            rank: .secondary, measure: .rating, subject: .init(name: "of", steps: ["a", "b"], item: "calm"),
            reference: .init(name: "rest", steps: ["c", "d"], item: "tense"), by: ["mood", "load"])
        try expect(
            OutcomeRow(study: "s", text: text, outcome: outcome, clean: { $0 }), OutcomeRow.columns,
            in: .outcomes,
            [
                "study": "s", "study_sha256": "0a", "rank": "secondary", "measure": "rating", "of": "of",
                "steps": "a b", "item": "calm", "relative_to": "rest", "relative_steps": "c d",
                "relative_item": "tense", "factors": "mood load",
            ])
    }
}
