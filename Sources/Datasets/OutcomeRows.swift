package import Deidentifying
package import Platform
import Results
package import StudyModel
import TextFormat

/// What one text of a study is meant to find out: rows of the table `outcomes`.
package struct OutcomeRows {
    package private(set) var rows = TableText(.outcomes)

    /// - Parameters:
    ///   - words: the study.
    ///   - study: the study's name in the tables.
    ///   - deidentification: `nil` leaves every word as it is.
    /// - Throws: `FileFailure` if its words would reveal what must not leave.
    package init(
        of words: Study, _ study: Identifier, _ text: StudyText, _ deidentification: Deidentification?
    ) throws(FileFailure) {
        var deidentification = deidentification
        let clean = { (text: String) in deidentification?.cleaned(text) ?? text }
        for outcome in words.analysedOutcomes {
            rows.add(OutcomeRow(study: study, text: text, outcome: outcome, clean: clean), OutcomeRow.columns)
        }
        try deidentification?.check(rows.csv + rows.ndjson, Table.outcomes.rawValue)
    }
}

/// An outcome: a row of `outcomes`.
struct OutcomeRow {
    var study: Identifier
    var text: StudyText
    var outcome: Outcome
    /// Leaves out what must not leave.
    var clean: (String) -> String

    private typealias Column = RowColumn<Self>

    static let columns: [RowColumn<Self>] = RowColumn.list {
        Column.required("study", .text, "the study's identifier") { $0.study.text }
        Column.required("study_sha256", .text, "SHA-256 of the study file") { $0.text.sha256 }
        Column.required("rank", .text, "primary, secondary, or usual if the study names no outcomes") {
            $0.outcome.rank.rawValue
        }
        Column.required("measure", .text, "what is measured, in the words of the study format") {
            $0.outcome.measure.rawValue
        }
        Column.required("of", .text, "the step, question or score, as the study names it") {
            $0.clean($0.outcome.subject.name)
        }
        Column.required("steps", .text, "the steps that give it, as in the other tables, separated by blanks")
        { $0.clean($0.outcome.subject.steps.joined(separator: " ")) }
        Column.optional("item", .text, "the question, the score or the dimension of a rating") {
            ($0.outcome.subject.item?.text).map($0.clean)
        }
        Column.optional(
            "relative_to", .text, "the step or question to which it is relative, as the study names it"
        ) { ($0.outcome.reference?.name).map($0.clean) }
        Column.optional("relative_steps", .text, "the steps that give that, separated by blanks") {
            ($0.outcome.reference?.steps.joined(separator: " ")).map($0.clean)
        }
        Column.optional("relative_item", .text, "the question, the score or the dimension that gives that") {
            ($0.outcome.reference?.item?.text).map($0.clean)
        }
        Column.optional(
            "factors", .text,
            "the columns of conditions, or attributes of clips, whose values are compared, separated by a blank"
        ) { row in
            row.outcome.factors.isEmpty
                ? nil : row.clean(row.outcome.factors.map(\.text).joined(separator: " "))
        }
    }
}

extension Outcome {
    /// The outcomes of each text of a study, from the table's NDJSON.
    package static func byText(_ bytes: [UInt8]) throws -> [String: [Outcome]] {
        var found: [String: [Outcome]] = [:]
        for line in Lines(of: bytes).whole {
            let row = try JSON(parsing: bytes, in: line)
            found[try row.field("study_sha256").asText(), default: []].append(try Outcome(row))
        }
        return found
    }

    private init(_ row: JSON) throws {
        let (rank, measure) = (try row.field("rank"), try row.field("measure"))
        self.init(
            rank: try rank.expect(Rank(rawValue: rank.asText()), "the rank of an outcome"),
            measure: try measure.expect(Measure(rawValue: measure.asText()), "a measure"),
            subject: try row.expect(Self.subject(row, "of", "steps", "item"), "what an outcome is of"),
            reference: Self.subject(row, "relative_to", "relative_steps", "relative_item"),
            by: (row["factors"]?.text ?? "").split(separator: " ").compactMap { Identifier(String($0)) })
    }

    private static func subject(_ row: JSON, _ name: String, _ steps: String, _ item: String) -> Subject? {
        guard let name = row[name]?.text, let steps = row[steps]?.text else { return nil }
        return Subject(
            name: name, steps: steps.split(separator: " ").map(String.init),
            item: row[item]?.text.flatMap(Identifier.init(_:)))
    }
}

extension Study {
    /// The outcomes that the study names, or the usual ones.
    package var analysedOutcomes: [Outcome] {
        guard outcomes.isEmpty else { return outcomes }
        let scores = subjects(of: .score).map { Outcome(rank: .usual, measure: .score, subject: $0) }
        let ratings = distinct(subjects(of: .rating)).map {
            Outcome(rank: .usual, measure: .rating, subject: $0)
        }
        return usualHeartRates + ratings + scores + usualAnswers
    }

    /// The heart rate of each timed step, relative to the last step before it without a clip, in its block or
    /// around it.
    private var usualHeartRates: [Outcome] {
        let known = subjects(of: .heartRate)
        var found: [Outcome] = []
        for task in tasks {
            var before: [PlacedTimedStep] = []
            for placed in task.placedSteps {
                guard let active = placed.step.active,
                    let subject = known.first(where: { $0.name == placed.step.identifier.text }),
                    subject.steps.contains(placed.path)
                else { continue }
                let own = PlacedTimedStep(
                    path: placed.path, subject: subject, playsClip: active.stimulus != nil)
                let reference = before.last { !$0.playsClip && own.path.hasPrefix($0.block) }?.subject
                before.append(own)
                guard !found.contains(where: { $0.subject == subject }) else { continue }
                found.append(
                    Outcome(rank: .usual, measure: .heartRate, subject: subject, reference: reference))
            }
        }
        // A step that others are relative to is not an outcome, unless it has a meaning of its own.
        return found.filter { outcome in
            outcome.reference != nil || !found.contains { $0.reference == outcome.subject }
        }
    }

    private struct PlacedTimedStep {
        var path: String
        var subject: Outcome.Subject
        var playsClip: Bool

        /// The identifiers of its blocks, followed by a point.
        var block: Substring { path.dropLast(subject.name.count) }
    }

    /// Every question with a number; if steps ask it again, relative to the first time.
    private var usualAnswers: [Outcome] {
        let scored = Set(tasks.flatMap(\.scores).flatMap(\.inputs).map(\.question))
        let asked = distinct(subjects(of: .answer)).filter { $0.item.map { !scored.contains($0) } ?? true }
        return asked.compactMap { subject in
            let same = asked.filter { $0.item == subject.item }
            guard same.count > 1, let first = same.first else {
                return Outcome(rank: .usual, measure: .answer, subject: subject)
            }
            return first == subject
                ? nil : Outcome(rank: .usual, measure: .answer, subject: subject, reference: first)
        }
    }

    /// Each under the first of its names.
    private func distinct(_ subjects: [Outcome.Subject]) -> [Outcome.Subject] {
        var seen: Set<Outcome.Subject> = []
        return subjects.filter { seen.insert(.init(name: "", steps: $0.steps, item: $0.item)).inserted }
    }
}
