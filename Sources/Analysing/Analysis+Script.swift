import Datasets
import Participants
import Physiology
import Results
import TextFormat

extension Analysis {
    /// The tables that every figure is worked out from, the figures themselves, and a script each for R and Python that works
    /// them out again: the files of a folder, by name.
    ///
    /// A table's column `part` is the number of the study among those of the analysis, from 1.
    ///
    /// - Parameter seed: the seed of the sign flips.
    package func script(seed: UInt64) -> [String: [UInt8]] {
        [
            "analysis.json": json(seed: seed).encoded(), "values.csv": values, "sessions.csv": sessionRows,
            "responses.csv": responseRows, "characteristics.csv": characteristicRows,
            "hearts.csv": heartRows, "seconds.csv": secondRows,
            "analyse.R": PackageResources.analyse_R, "analyse.py": PackageResources.analyse_py,
        ]
    }

    private var sessionRows: [UInt8] {
        table(["participant", "run", "session", "arm", "status", "origin"]) { study, add in
            for session in sessions where study.holds(session) {
                add([
                    .text(session.participant), .text(session.run), .number(session.session),
                    .text(session.arm), .text(session.status), .text(session.origin.rawValue),
                ])
            }
        }
    }

    /// A row for each clip, with its response or why it has none.
    private var responseRows: [UInt8] {
        table([
            "participant", "run", "session", "place", "clip", "mood", "tempo", "before", "before_mood",
            "before_tempo", "baseline", "change", "rmssd_baseline", "rmssd_change", "ultra_short", "why_not",
        ]) { study, add in
            for own in study.responses {
                add([
                    .text(own.participant), .text(own.run), .number(own.session), .number(own.place),
                    .text(own.clip), .text(own.mood), .real(own.tempo), .text(own.before?.name),
                    .text(own.before?.mood), .real(own.before?.tempo), .real(own.heartRate.baseline),
                    .real(own.change), .real(own.variability?.baseline), .real(own.variability?.change),
                    .flag(own.variability.map { $0.validity == .ultraShort }), .text(nil),
                ])
            }
            for own in study.exclusions {
                let unknown = Array(repeating: Cell.text(nil), count: 10)
                add(
                    [.text(own.participant), .text(own.run), .text(nil), .text(nil), .text(own.clip)]
                        + unknown + [.text(own.reason.rawValue)])
            }
        }
    }

    /// A row for each answer, and for each choice of an answer with several.
    private var characteristicRows: [UInt8] {
        table(["question", "participant", "arm", "number", "choice"]) { study, add in
            for answers in study.answers {
                for (participant, arm, answer) in answers.people {
                    let head: [Cell] = [.text(answers.question), .text(participant), .text(arm)]
                    switch answer {
                    case .number(let number): add(head + [.real(number), .text(nil)])
                    case .choices(let names):
                        // Somebody who chose nothing has answered.
                        let chosen: [String?] = names.isEmpty ? [nil] : names
                        for name in chosen { add(head + [.real(nil), .text(name)]) }
                    }
                }
            }
        }
    }

    /// A row for each pair of participants whose hearts were compared. Equal numbers are the same run.
    private var heartRows: [UInt8] {
        table(["kind", "name", "first_run", "second_run", "r"]) { study, add in
            for together in study.together {
                for pair in together.correlations {
                    add([
                        .text(together.isClip ? "clip" : "step"), .text(together.name), .number(pair.first),
                        .number(pair.second), .real(pair.r),
                    ])
                }
            }
        }
    }

    /// A row for each second of a clip in which a heart rate or a rating is known, and one for a clip without any; none if
    /// nobody asked for courses.
    private var secondRows: [UInt8] {
        table(["number", "rating", "participant", "clip", "mood", "tempo", "second", "value"]) { study, add in
            var number = 0
            func addSeconds(_ clip: [Cell], _ values: [Double?]) {
                number += 1
                let head = [.number(number)] + clip
                let known = values.enumerated().filter { $0.element != nil }
                for (second, value) in known { add(head + [.number(second), .real(value)]) }
                if known.isEmpty { add(head + [.text(nil), .real(nil)]) }
            }
            for own in study.responses {
                guard let course = own.course else { continue }
                addSeconds(
                    [.text(nil), .text(own.participant), .text(own.clip), .text(own.mood), .real(own.tempo)],
                    course.changes)
            }
            for own in study.ratedClips {
                addSeconds(
                    [.text(own.name), .text(own.participant), .text(own.clip), .text(nil), .real(nil)],
                    own.values)
            }
        }
    }

    private enum Cell {
        case text(String?)
        case number(Int)
        case real(Double?)
        case flag(Bool?)
    }

    /// A CSV table with the column `part` before the others.
    private func table(
        _ columns: [String], _ rows: (StudyResponse, (_ add: [Cell]) -> Void) -> Void
    ) -> [UInt8] {
        var table = Array((["part"] + columns).joined(separator: ",").utf8) + Array("\n".utf8)
        for (part, study) in studies.enumerated() {
            rows(study) { cells in
                table.append(number: part + 1)
                table.append(UInt8(ascii: ","))
                for cell in cells {
                    switch cell {
                    case .text(let text): table.append(field: text)
                    case .number(let number):
                        table.append(number: number)
                        table.append(UInt8(ascii: ","))
                    case .real(let number): table.append(field: number)
                    case .flag(let flag): table.append(flag: flag)
                    }
                }
                table.endRow()
            }
        }
        return table
    }
}
