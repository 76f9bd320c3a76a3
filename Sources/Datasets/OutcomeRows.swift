import Results
package import StudyModel
import TextFormat

/// What one text of a study is meant to find out: rows of the table `outcomes`.
struct OutcomeRows {
    private(set) var rows = TableText(.outcomes)

    /// - Parameters:
    ///   - words: the study.
    ///   - study: the study's name in the tables.
    ///   - deidentification: `nil` leaves every word as it is.
    /// - Throws: `BundleFailure` if its words would reveal what must not leave.
    init(
        of words: Study, _ study: Identifier, _ text: StudyText, _ deidentification: Deidentification?
    ) throws(BundleFailure) {
        var deidentification = deidentification
        let clean = { (text: String) in deidentification?.cleaned(text) ?? text }
        for outcome in words.analysedOutcomes {
            rows.addRow { row in
                row.text(study.text)
                row.text(text.sha256)
                row.text(outcome.rank.rawValue)
                row.text(outcome.measure.rawValue)
                for subject in [outcome.subject, outcome.reference] {
                    row.text((subject?.name).map(clean))
                    row.text((subject?.steps.joined(separator: " ")).map(clean))
                    row.text((subject?.item?.text).map(clean))
                }
            }
        }
        try deidentification?.check(rows.csv + rows.ndjson, Table.outcomes.rawValue)
    }
}

extension Outcome {
    /// The outcomes of each text of a study, from the table's NDJSON.
    static func byText(_ bytes: [UInt8]) throws -> [String: [Outcome]] {
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
            reference: Self.subject(row, "relative_to", "relative_steps", "relative_item"))
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
                guard case .active(let active) = placed.step.kind,
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
