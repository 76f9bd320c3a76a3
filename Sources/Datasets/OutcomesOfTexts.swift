import BundleReplay
import Results
import StudyModel

/// What each text of a study is meant to find out, as far as it is known.
struct OutcomesOfTexts {
    private var outcomes: [String: [Outcome]] = [:]
    /// Texts of bundles whose study was read, or could not be.
    private var seen: Set<String> = []
    /// What was registered, which then holds for every text.
    private let registered: [Outcome]?

    init(registered: [Outcome]?) { self.registered = registered }

    subscript(text: StudyText) -> [Outcome]? { registered ?? outcomes[text.sha256] }

    /// Takes what a dataset says of its texts.
    mutating func add(_ index: DatasetIndex, of dataset: String) throws {
        let folder = try Folder(dataset)
        for part in index.parts {
            let rows = try part.ndjson(of: .outcomes, in: folder, dataset)
            outcomes.merge(try Outcome.byText(rows)) { first, _ in first }
        }
        // A study that gives no number has no rows; of pseudonymised bundles nobody could read the study.
        guard index.pseudonymised == nil else { return }
        for text in index.parts.flatMap(\.texts) where outcomes[text.sha256] == nil {
            outcomes[text.sha256] = []
        }
    }

    /// Takes what the study of a bundle says, where its text was not seen before.
    mutating func add(_ rows: BundleRows, at path: String, _ deidentification: Deidentification?) throws {
        let text = rows.text.sha256
        // A bundle without its study says no outcomes; its run counts for the clips.
        guard !seen.contains(text), let study = try? Codebook.study(of: path, rows.text) else { return }
        seen.insert(text)
        guard case .success(let study) = study else { return }
        let own = try OutcomeRows(of: study, rows.study, rows.text, deidentification)
        outcomes[text] = try Outcome.byText(own.rows.ndjson)[text] ?? []
    }
}
