import BundleReplay
package import Deidentifying
import Hashing
package import Platform
import Results
package import StudyModel
import TextFormat

/// What the questions in one text of a study ask, and what their answers mean: rows of the table `codebook`.
package struct Codebook {
    package private(set) var rows = TableText(.codebook)

    /// Reads the study that a bundle holds.
    ///
    /// - Parameter text: what the manifest says about the study.
    /// - Returns: the study, or why it cannot be read.
    /// - Throws: `FileFailure` if it is not the study that the manifest names.
    package static func study(of path: String, _ text: StudyText) throws(FileFailure) -> Result<
        Study, FileFailure
    > {
        let bundle = try ResultBundle(at: path)
        let refused = { (reason: String) in FileFailure("collate", path, .malformed(reason)) }
        let document: [UInt8]
        do {
            document = try bundle.contents(of: "study.yaml")
        } catch {
            guard bundle.manifest.isPseudonymised else { throw refused("it has no study.yaml") }
            return .failure(error)
        }
        guard SHA256.hexadecimal(of: document) == text.sha256 else {
            throw refused("study.yaml is not the study that the manifest names")
        }
        let study: Study
        do {
            study = try CheckedStudy(recordedIn: bundle).study()
        } catch {
            return .failure(FileFailure("read", "\(path)/study.yaml", .malformed("\(error)")))
        }
        guard study.revision == text.revision else {
            throw refused(
                "the manifest says revision \(text.revision), and study.yaml says \(study.revision)")
        }
        return .success(study)
    }

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
        for task in words.tasks {
            for (step, asked) in task.answered {
                for language in words.languages.isEmpty ? [nil] : words.languages.map(Optional.some) {
                    let meanings = asked.format?.codes ?? []
                    var row = CodebookRow(
                        study: study, text: text, task: task.identifier, step: step, asked: asked,
                        language: language, clean: clean)
                    // A row for each value that has a meaning, or a single row if none has.
                    for place in 0..<max(meanings.count, 1) {
                        row.meaning =
                            meanings.isEmpty ? nil : (place + 1, meanings[place].value, meanings[place].text)
                        rows.add(row, CodebookRow.columns)
                    }
                }
            }
        }
        try deidentification?.check(rows.csv + rows.ndjson, Table.codebook.rawValue)
    }
}

/// A value of a question that has a meaning, or a question without such values: a row of `codebook`.
struct CodebookRow {
    var study: Identifier
    var text: StudyText
    var task: Identifier
    var step: String
    var asked: Step.Asked
    var language: Language?
    /// Leaves out what must not leave.
    var clean: (String) -> String
    var meaning: (place: Int, value: String, text: LocalizedText)?

    private var limits: Limits { asked.format?.limits ?? Limits() }

    private typealias Column = RowColumn<Self>

    static let columns: [RowColumn<Self>] = RowColumn.list {
        Column.required("study", .text, "the study's identifier") { $0.study.text }
        Column.required("study_sha256", .text, "SHA-256 of the study file") { $0.text.sha256 }
        Column.required("task", .text, "the task") { $0.clean($0.task.text) }
        Column.required("step", .text, "identifiers of the blocks and the step, joined by '.'") {
            $0.clean($0.step)
        }
        Column.required("question", .text, "the question") { $0.clean($0.asked.identifier.text) }
        Column.required("kind", .text, "the kind of answer, in the words of the study format") {
            $0.asked.kind.rawValue
        }
        Column.optional("language", .text, "language of the texts, if the study names languages") {
            ($0.language?.tag).map($0.clean)
        }
        Column.optional("title", .text, "the question as the participant reads it") {
            ($0.asked.question.title?.text(in: $0.language)).map($0.clean)
        }
        Column.optional("text", .text, "more words below it") {
            ($0.asked.question.text?.text(in: $0.language)).map($0.clean)
        }
        Column.required("optional", .boolean, "whether it may be left unanswered") {
            $0.asked.question.isOptional
        }
        Column.optional("unit", .text, "the unit of a number") { ($0.limits.unit).map($0.clean) }
        Column.optional("minimum", .real, "the least number; the lower end of a scale") { $0.limits.minimum }
        Column.optional("maximum", .real, "the greatest number; the upper end of a scale") {
            $0.limits.maximum
        }
        Column.optional("earliest", .text, "the first day or time") { ($0.limits.earliest).map($0.clean) }
        Column.optional("latest", .text, "the last day or time") { ($0.limits.latest).map($0.clean) }
        Column.optional("place", .integer, "place of the value among those with a meaning, from 1") {
            $0.meaning?.place
        }
        Column.optional("value", .text, "the value, as in the table of answers") {
            ($0.meaning?.value).map($0.clean)
        }
        Column.optional("label", .text, "what the value means, as the participant reads it") {
            ($0.meaning?.text.text(in: $0.language)).map($0.clean)
        }
        Column.optional("missing", .boolean, "whether the value says that there is no answer") { row in
            row.meaning.map { row.asked.format?.missingValues.contains($0.value) == true }
        }
    }
}

/// The limits of an answer.
private struct Limits {
    var unit: String?
    var minimum: Double?
    var maximum: Double?
    /// The earliest and latest day or time.
    var earliest: String?
    var latest: String?
}

extension Study.Task {
    /// What is asked and worked out, each with the step whose result holds it.
    package var answered: [(step: String, asked: Step.Asked)] {
        let asked = placedSteps.flatMap { placed in
            placed.step.facts.asked.map { asked in
                var asked = asked
                if asked.place == .step, asked.question.text == nil {
                    asked.question.text = placed.step.soundCheck.map { .plain($0.meaning) }
                }
                return (step: placed.path, asked: asked)
            }
        }
        return asked
            + scores.flatMap { score in
                let step = asked.last { $0.step == score.step.text || $0.step.hasSuffix(".\(score.step)") }?
                    .step
                return score.values.map { (step ?? score.step.text, Step.Asked($0, .item)) }
            }
    }
}

extension SoundCheck {
    /// What its answer means, where the study does not say it.
    fileprivate var meaning: String {
        purpose == .volume
            ? "volume with which everything is played from then on, dB"
            : "level at the ear of a tone of 1 kHz with a loudness of \(plainNumber(ReferenceTone.loudness + use.settings.gain)) LUFS, dB(A)"
    }
}

extension AnswerFormat {
    fileprivate var limits: Limits {
        switch domain {
        case .interval(let minimum, let maximum, _): Limits(unit: unit, minimum: minimum, maximum: maximum)
        case .ordered(_, let earliest, let latest): Limits(earliest: earliest, latest: latest)
        case .oneOf, .severalOf, .free: Limits()
        }
    }

    /// The meanings of values, in the form that the table of answers uses.
    fileprivate var codes: [(value: String, text: LocalizedText)] {
        meanings.map { value, text in
            if case .continuous(let number) = value {
                return (String(decoding: JSON.real(number).encoded(), as: UTF8.self), text)
            }
            if case .boolean(let isYes) = value { return ("\(isYes)", text) }
            return (value.words.joined(), text)
        }
    }
}
