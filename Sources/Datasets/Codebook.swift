import BundleReplay
import Results
import StudyModel
import TextFormat

/// What the questions in one text of a study ask, and what their answers mean: rows of the table `codebook`.
struct Codebook {
    private(set) var rows = TableText(.codebook)

    /// Reads the study that a bundle holds.
    ///
    /// - Parameter text: what the manifest says about the study.
    /// - Returns: the study, or why it cannot be read.
    /// - Throws: `BundleFailure` if it is not the study that the manifest names.
    static func study(of path: String, _ text: StudyText) throws(BundleFailure) -> Result<
        Study, BundleFailure
    > {
        let bundle = try ResultBundle(at: path)
        let refused = { (reason: String) in BundleFailure("collate", path, .malformed(reason)) }
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
            return .failure(BundleFailure("read", "\(path)/study.yaml", .malformed("\(error)")))
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
    /// - Throws: `BundleFailure` if its words would reveal what must not leave.
    init(
        of words: Study, _ study: Identifier, _ text: StudyText, _ deidentification: Deidentification?
    ) throws(BundleFailure) {
        var deidentification = deidentification
        let clean = { (text: String) in deidentification?.cleaned(text) ?? text }
        for task in words.tasks {
            for (step, question, kind) in task.answered {
                for language in words.languages.isEmpty ? [nil] : words.languages.map(Optional.some) {
                    add(question, kind, in: language, clean) { row in
                        row.text(study.text)
                        row.text(text.sha256)
                        row.text(clean(task.identifier.text))
                        row.text(clean(step))
                    }
                }
            }
        }
        try deidentification?.check(rows.csv + rows.ndjson, Table.codebook.rawValue)
    }

    /// A row for each value that has a meaning, or a single row if none has.
    private mutating func add(
        _ question: Question, _ kind: AnswerKind, in language: Language?, _ clean: (String) -> String,
        _ lead: (inout TableText) -> Void
    ) {
        let format = kind == .consent ? nil : question.format
        let limits = format?.limits ?? Limits()
        let meanings = format?.codes ?? []
        for place in 0..<max(meanings.count, 1) {
            let meaning = meanings.isEmpty ? nil : meanings[place]
            rows.addRow { row in
                lead(&row)
                row.text(clean(question.identifier.text))
                row.text(kind.rawValue)
                row.text((language?.tag).map(clean))
                row.text((question.title?.text(in: language)).map(clean))
                row.text((question.text?.text(in: language)).map(clean))
                row.boolean(question.isOptional)
                row.text((limits.unit).map(clean))
                row.real(limits.minimum)
                row.real(limits.maximum)
                row.text((limits.earliest).map(clean))
                row.text((limits.latest).map(clean))
                row.integer(meaning.map { _ in place + 1 })
                row.text((meaning?.value).map(clean))
                row.text((meaning?.text.text(in: language)).map(clean))
            }
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
    fileprivate var answered: [(step: String, Question, AnswerKind)] {
        let asked = placedSteps.flatMap { placed in
            placed.step.facts.asked.map { asked in
                var question = asked.question
                if asked.place == .step, question.text == nil {
                    question.text = placed.step.soundCheck.map { .plain($0.meaning) }
                }
                return (step: placed.path, question, asked.kind)
            }
        }
        return asked
            + scores.flatMap { score in
                let step = asked.last { $0.step == score.step.text || $0.step.hasSuffix(".\(score.step)") }?
                    .step
                return score.values.map { (step ?? score.step.text, $0, $0.format.kind) }
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
        case .ordered(let earliest, let latest): Limits(earliest: earliest, latest: latest)
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
