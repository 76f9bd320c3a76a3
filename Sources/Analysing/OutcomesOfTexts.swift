import Datasets
import Deidentifying
import Platform
import Results
import StudyModel

/// The outcomes of each text of a study, as far as they are known.
struct OutcomesOfTexts {
    private var outcomes: [String: [Outcome]] = [:]
    /// The texts of bundles whose study was read, or could not be read.
    private var seen: Set<String> = []
    /// The registered outcomes, which then apply to every text.
    private let registered: [Outcome]?

    init(registered: [Outcome]?) { self.registered = registered }

    subscript(text: StudyText) -> [Outcome]? { registered ?? outcomes[text.sha256] }

    /// Adds what a dataset says about its texts.
    mutating func add(_ index: DatasetIndex, of dataset: String) throws {
        let folder = try Folder(dataset)
        for part in index.parts {
            let rows = try part.ndjson(of: .outcomes, in: folder, dataset)
            outcomes.merge(try Outcome.byText(rows)) { first, _ in first }
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
    }
}
