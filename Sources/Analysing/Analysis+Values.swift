import Datasets
import StudyModel
import TextFormat

/// The visits that could give a value of an outcome.
struct OutcomeVisits: Sendable {
    var outcome: Outcome
    var values: [OutcomeValue]
    var exclusions: [OutcomeExclusion]
}

extension Analysis {
    /// The columns of `values`.
    static let valueColumns = [
        "study", "study_revisions", "rank", "outcome", "measure", "relative_to", "participant", "run",
        "session", "arm",
        "condition", "clip", "place", "value", "baseline", "change", "included", "why_not",
        "part", "task", "censored", "coverage", "per_protocol", "later_value", "later_baseline",
        "by", "level", "second_level",
    ]

    /// What the outcomes are worked out from, as a CSV table: a row for each visit that could give a value, also if it has
    /// none. A session of which another run counts is not in it.
    package var values: [UInt8] {
        var table = Array((Self.valueColumns.joined(separator: ",") + "\n").utf8)
        for (part, study) in studies.enumerated() {
            let revisions = Set(study.texts.map(\.revision)).sorted().map { "\($0)" }.joined(separator: " ")
            for visits in study.visits {
                let outcome = visits.outcome
                let head = [
                    study.study, revisions, outcome.rank == .usual ? "exploratory" : outcome.rank.rawValue,
                    outcome.subject.name, outcome.measure.rawValue, outcome.reference?.name,
                ]
                let factors = outcome.factors.map(\.text).joined(separator: " ")
                for row in visits.rows {
                    for text in head { table.append(field: text) }
                    table.append(row, of: part + 1, by: factors.isEmpty ? nil : factors)
                }
            }
        }
        return table
    }
}

/// A visit with its value, or why it has none.
private struct ValueRow {
    var participant: String
    var run: String
    var session: Int
    var arm: String?
    var round: OutcomeValue.Round
    var place: Int
    var value: OutcomeValue?
    var reason: OutcomeExclusion.Reason?
}

extension OutcomeVisits {
    fileprivate var rows: [ValueRow] {
        let given = values.map {
            ValueRow(
                participant: $0.participant, run: $0.run, session: $0.session, arm: $0.arm, round: $0.round,
                place: $0.place, value: $0)
        }
        let left = exclusions.map {
            ValueRow(
                participant: $0.participant, run: $0.run, session: $0.session, arm: $0.arm, round: $0.round,
                place: $0.place, reason: $0.reason)
        }
        return (given + left).sorted {
            ($0.participant, $0.session, $0.run, $0.place) < ($1.participant, $1.session, $1.run, $1.place)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ row: ValueRow, of part: Int, by factors: String?) {
        append(field: row.participant)
        append(field: row.run)
        append(number: row.session)
        append(UInt8(ascii: ","))
        append(field: row.arm)
        append(field: row.round.condition)
        append(field: row.round.clip)
        append(number: row.place)
        append(UInt8(ascii: ","))
        append(field: row.value?.value)
        append(field: row.value?.baseline)
        append(field: row.value?.change)
        append(row.value == nil ? "FALSE," : "TRUE,")
        if let reason = row.reason {
            let words = Array(reason.rawValue.utf8)
            append(cell: words, words.indices)
        }
        append(UInt8(ascii: ","))
        append(number: part)
        append(UInt8(ascii: ","))
        append(field: row.value?.task)
        append(flag: row.value?.isCensored)
        append(field: row.value?.coverage)
        append(flag: row.value?.isPerProtocol)
        append(field: row.value?.later?.value)
        append(field: row.value?.later?.baseline)
        append(field: factors)
        let levels = row.round.levels
        append(field: levels.first)
        append(field: levels.count > 1 ? levels[1] : nil)
        endRow()
    }
}
