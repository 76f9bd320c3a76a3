import Datasets
import Deidentifying
import Platform
import Results
import StudyModel
import TextFormat

/// The outcomes of each text of a study, as far as they are known, and what its questions are called.
struct OutcomesOfTexts {
    private var outcomes: [String: [Outcome]] = [:]
    private var questions: [String: [String: String]] = [:]
    /// The texts of bundles whose study was read, or could not be read.
    private var seen: Set<String> = []
    /// The registered outcomes, which then apply to every text.
    private let registered: [Outcome]?

    init(registered: [Outcome]?) { self.registered = registered }

    subscript(text: StudyText) -> [Outcome]? { registered ?? outcomes[text.sha256] }

    /// The titles of a text's questions, by question; a question with several titles has none here.
    func titles(of text: StudyText) -> [String: String] {
        (questions[text.sha256] ?? [:]).filter { !$0.value.isEmpty }.unambiguous
    }

    /// - Parameter bytes: the NDJSON of the table `codebook`, which has the study's first language first.
    private mutating func addTitles(_ bytes: [UInt8]) throws {
        var languages: [String: String] = [:]
        for line in Lines(of: bytes).whole {
            let row = try JSON(parsing: bytes, in: line)
            let (text, question) = (
                try row.field("study_sha256").asText(), try row.field("question").asText()
            )
            let language = row["language"]?.text ?? ""
            guard languages[text] == nil || languages[text] == language, let title = row["title"]?.text else {
                continue
            }
            languages[text] = language
            let known = questions[text, default: [:]][question] ?? title
            questions[text, default: [:]][question] = known == title ? title : ""
        }
    }

    /// Adds what a dataset says about its texts.
    mutating func add(_ index: DatasetIndex, of dataset: String) throws {
        let folder = try Folder(dataset)
        for part in index.parts {
            let rows = try part.ndjson(of: .outcomes, in: folder, dataset)
            outcomes.merge(try Outcome.byText(rows)) { first, _ in first }
            try addTitles(part.ndjson(of: .codebook, in: folder, dataset))
        }
        // A study without numbers has no rows. The study of pseudonymised bundles could not be read.
        guard index.pseudonymised == nil else { return }
        for text in index.parts.flatMap(\.texts) where outcomes[text.sha256] == nil {
            outcomes[text.sha256] = []
        }
    }

    /// Adds what the study of a bundle says, if its text is new.
    mutating func add(_ rows: BundleRows, at path: String, _ deidentification: Deidentification?) throws {
        let text = rows.text.sha256
        // A bundle without its study gives no outcomes, but its run counts for the clips.
        guard !seen.contains(text), let study = try? Codebook.study(of: path, rows.text) else { return }
        seen.insert(text)
        guard case .success(let study) = study else { return }
        let own = try OutcomeRows(of: study, rows.study, rows.text, deidentification)
        outcomes[text] = try Outcome.byText(own.rows.ndjson)[text] ?? []
        if let codebook = try? Codebook(of: study, rows.study, rows.text, deidentification) {
            try addTitles(codebook.rows.ndjson)
        }
    }
}
