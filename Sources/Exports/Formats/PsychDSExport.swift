import BundleReplay
import Datasets
import Deidentifying
import Platform
import Results
import TextFormat

/// The tables of `entrain collate` as a Psych-DS dataset: a CSV file for each table that has rows, and what every column
/// means.
final class PsychDSExport: ExportWriter {
    static let name = "psych-ds"
    static let title = "Psych-DS"
    static let isAttributed = true

    private let folder: ExportFolder
    private let attribution: Attribution
    private let deidentification: Deidentification?
    private let tasks = TasksOfBundles()
    private var written: Set<Table> = []
    private var studies: Set<String> = []
    private var texts: Set<String> = []
    private var origins: [RunOrigin: Int] = [:]

    init(order: ExportOrder) {
        (folder, attribution) = (order.folder, order.attribution)
        deidentification = order.deidentification
    }

    func write(_ run: ExportedRun, at index: Int, from bundle: ResultBundle) throws {
        let rows: BundleRows
        do throws(FileFailure) {
            rows = try read(bundle)
        } catch {
            throw UnusableBundle(failure: error)
        }
        studies.insert(run.source.study)
        texts.insert(rows.text.sha256)
        origins[run.source.origin, default: 0] += 1
        for table in Table.allCases {
            let body = rows.csv(of: table)
            guard !body.isEmpty else { continue }
            let header = written.insert(table).inserted ? table.header : []
            try folder.append(header + body, to: "\(Self.path(of: table)).csv")
        }
    }

    /// The rows of a bundle, with those of its study if the study is new and its words may leave.
    private func read(_ bundle: ResultBundle) throws(FileFailure) -> BundleRows {
        var rows = try BundleRows(of: bundle.path, deidentification, tasks)
        guard deidentification == nil, !texts.contains(rows.text.sha256),
            case .success(let study) = try Codebook.study(of: bundle.path, rows.text)
        else { return rows }
        rows.add(try Codebook(of: study, rows.study, rows.text, nil))
        rows.add(try OutcomeRows(of: study, rows.study, rows.text, nil))
        return rows
    }

    /// The file of a table without its suffix. `description` is a keyword of Psych-DS.
    private static func path(of table: Table) -> String { "data/description-\(table.rawValue)_data" }

    func finish() throws {
        let tables = Table.allCases.filter(written.contains)
        // A column may mean something else in another table, so each file says what its columns are.
        for table in tables {
            let described = described("The table \(table.rawValue)", Self.variables(table.columns))
            try folder.write(.members(described), to: "\(Self.path(of: table)).json")
        }
        var seen: Set<String> = []
        let columns = tables.flatMap(\.columns).filter { seen.insert($0.name).inserted }
        let names = studies.sorted().joined(separator: ", ")
        var dataset = described("Runs of \(names)", Self.variables(columns))
        if !attribution.authors.isEmpty {
            dataset["author"] = .list(
                attribution.authors.map { ["@type": "Person", "name": .text($0)] })
        }
        if let licence = attribution.licence { dataset["license"] = .text(licence) }
        try folder.write(.members(dataset), to: "dataset_description.json")
        try folder.write(Array(readme(names).utf8), to: "README.md")
    }

    private func described(_ name: String, _ variables: [JSON]) -> [String: JSON] {
        [
            "@context": "https://schema.org/", "@type": "Dataset", "name": .text(name),
            "description":
                "Runs of studies with entrain: a row for each thing that happened or was measured.",
            "variableMeasured": .list(variables),
        ]
    }

    private static func variables(_ columns: [Table.Column]) -> [JSON] {
        columns.map {
            ["@type": "PropertyValue", "name": .text($0.name), "description": .text($0.meaning)]
        }
    }

    private func readme(_ names: String) -> String {
        let keys = Table.allCases.filter { written.contains($0) && !$0.key.isEmpty }.map { table in
            "- `\(table.rawValue)`: \(table.key.map { "`\($0)`" }.joined(separator: ", "))"
        }
        let invented = origins.filter(\.key.isInvented).values.reduce(0, +)
        return """
            # Runs of \(names)

            Each file in `data` is a table. The columns `run`, `participant` and `session` say where a row belongs;
            `dataset_description.json`, and a file beside each table, say what every column means.

            An empty cell is a missing value. A text that programs would not take for a text, such as `007` or
            an empty answer, begins with `'`: take one `'` away and you have what was answered.

            These columns identify a row:

            \(keys.joined(separator: "\n"))
            \(invented == 0 ? "" : "\n\(invented) of \(origins.values.reduce(0, +)) runs are simulated or replayed: see the column `origin` of `sessions`.\n")
            """
    }
}
