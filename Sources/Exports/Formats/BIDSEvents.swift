import Datasets
import Results
import StudyModel
import TextFormat

/// What happened in a run, as BIDS' `_events.tsv`.
enum BIDSEvents {
    static let columns = [
        "onset", "duration", "trial_type", "step_id", "visit", "round", "stimulus", "stim_file",
        "skip_reason",
        "question", "response", "response_number", "response_unit", "note", "stim_id", "event_number",
    ]

    /// - Parameter stimuli: knows where each clip is in the dataset.
    static func table(of run: ExportedRun, _ stimuli: inout BIDSStimuli) throws -> BIDSTable {
        var rows: [(onset: Double, cells: [BIDSTable.Cell])] = []
        for step in run.steps {
            let file = try step.clip.flatMap { try stimuli.path(of: $0, in: run.source.studySHA256) }
            let taps = step.recordings.flatMap { run.items(of: $0).taps }
            let displays = step.recordings.flatMap { Event.shown(run.items(of: $0).displays, until: $0.end) }
            rows += (events(of: step, file: file) + taps.map { Event($0, of: step) } + displays).map {
                ($0.onset, $0.cells(in: step))
            }
        }
        var table = BIDSTable(columns)
        table.rows = rows.sorted { $0.onset < $1.onset }.enumerated().map { place, row in
            row.cells + [.integer(place + 1)]
        }
        return table
    }

    fileprivate struct Event {
        var kind: String
        var onset: Double
        var duration: Double?
        var stimulus: String?
        /// Seconds of the clip in a second.
        var tempo: Double?
        var file: String?
        var skipReason: String?
        var answer: ResultBundle.Answer?
        var reactionTime: Double?
        var tap: ResultBundle.Tap?
        var display: ResultBundle.Display?
        var note: String?

        func cells(in step: ResultBundle.Visit) -> [BIDSTable.Cell] {
            let time = reactionTime ?? tap?.asynchrony
            return [
                .real(onset), .init(duration.map { max(0, ($0 * 1e9).rounded() / 1e9) }), .text(kind),
                .text(step.path),
                .integer(step.visit), step.round.map { .integer($0) } ?? .missing, .init(stimulus),
                .init(file), .init(skipReason), .init(answer?.question),
                .init(answer?.text ?? tap?.key ?? display?.shown.name),
                .init(time ?? answer?.number ?? display?.shown.value ?? tempo),
                .init(time.map { _ in "s" } ?? answer?.unit ?? display?.unit), .init(note),
                .init(file.map(BIDSStimuli.name)),
            ]
        }
    }

    private static func events(of step: ResultBundle.Visit, file: String?) -> [Event] {
        var events = [
            Event(
                kind: "step", onset: step.start, duration: step.end - step.start,
                stimulus: step.clip?.identifier,
                skipReason: step.skipReason, note: step.problems.first)
        ]
        if let clip = step.clip, let onset = clip.onset {
            events.append(
                Event(
                    kind: "stimulus", onset: onset, duration: (clip.end ?? step.end) - onset,
                    stimulus: clip.identifier, file: file, note: clip.problem ?? clip.title))
            let ends = clip.changes.dropFirst().map(\.offset) + [clip.end ?? step.end]
            events += zip(clip.changes, ends).map { change, end in
                Event(
                    kind: "stimulus_change", onset: change.offset, duration: end - change.offset,
                    stimulus: clip.identifier, tempo: change.tempo,
                    note:
                        "level \(plainNumber(change.gain)) dB, from \(plainNumber(change.position)) s of the clip on"
                )
            }
        }
        for (kind, spans) in [("pause", step.pauses), ("standstill", step.standstills)] {
            events += spans.map { Event(kind: kind, onset: $0.lowerBound, duration: $0.length) }
        }
        for (cue, moments) in step.orderedRepeatedCues {
            events += moments.map { Event(kind: "cue", onset: $0, duration: 0, note: cue) }
        }
        for recording in step.recordings {
            for gap in recording.gaps {
                events.append(
                    Event(
                        kind: "gap", onset: gap.span.lowerBound, duration: gap.span.length,
                        note: "\(recording.recorder): \(gap.reason)"))
            }
        }
        for answer in step.answers {
            if let reaction = answer.reaction, let onset = reaction.onset, let time = reaction.time {
                events.append(
                    Event(
                        kind: "reaction", onset: onset, duration: time, stimulus: step.clip?.identifier,
                        answer: answer, reactionTime: time, note: reaction.remark))
                continue
            }
            guard let prompt = answer.prompt else {
                let remark = answer.reaction?.remark ?? ""
                events.append(
                    Event(
                        kind: "answer", onset: step.end, duration: 0, answer: answer,
                        note: remark.isEmpty ? nil : remark))
                continue
            }
            let shown = prompt.shown ?? prompt.ended
            events.append(
                Event(
                    kind: "prompt", onset: shown, duration: prompt.ended - shown, answer: answer,
                    note: "asking \(prompt.number), ended by \(prompt.endedBy)"))
        }
        return events
    }
}

extension BIDSEvents.Event {
    /// What a display showed, each until the next or the recording's end.
    fileprivate static func shown(_ displays: [ResultBundle.Display], until end: Double) -> [Self] {
        zip(displays, displays.dropFirst().map(\.runOffset) + [end]).map { display, next in
            Self(
                kind: "display", onset: display.runOffset, duration: next - display.runOffset,
                display: display, note: display.display)
        }
    }

    fileprivate init(_ tap: ResultBundle.Tap, of step: ResultBundle.Visit) {
        self.init(
            kind: "tap", onset: tap.runOffset, duration: 0, stimulus: step.clip?.identifier, tap: tap,
            note: tap.beat.map { "beat \($0)" })
    }
}
