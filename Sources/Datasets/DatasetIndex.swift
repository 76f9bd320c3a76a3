import Deidentifying
import Hashing
package import Platform
import Results
import TextFormat

/// The contents of a dataset: its parts with their hashes, and the runs in them.
///
/// The index decides what belongs to the dataset. A part that it does not list was left by a collation that was
/// killed.
package struct DatasetIndex: Sendable {
    /// The parts in the order in which they were written.
    package internal(set) var parts: [Part] = []
    /// The form of the tables, besides NDJSON.
    package internal(set) var format = TableFormat.csv
    /// How codes were replaced; `nil` if everything is as it was recorded.
    package internal(set) var pseudonymised: Pseudonymised?

    /// How codes of a dataset were replaced.
    package struct Pseudonymised: Hashable, Sendable {
        /// Distinguishes keys without revealing them.
        package var key: String
        var shiftsDates: Bool

        init(_ privacy: Privacy) {
            key = privacy.pseudonyms.mark
            shiftsDates = privacy.shiftsDates
        }
    }

    /// The rows of some bundles of one study and one day: one file of each table in each form.
    package struct Part: Sendable {
        package var study: String
        /// `yyyy-MM-dd`.
        package var date: String
        /// The number of the part within study and date, from 1.
        package var number: Int
        /// The runs whose rows it holds.
        package var runs: [Run] = []
        /// The texts of the study in these runs.
        package var texts: [StudyText] = []
        /// What it holds of each table.
        package var tables: [Table: Contents] = [:]

        /// What distinguishes it from the other parts.
        package var stem: String { "study=\(study)/date=\(date)/part-\(digits(number, 4))" }

        /// The file of a table, relative to the dataset.
        ///
        /// Parquet has folders of its own that contain nothing else, because readers take a folder for a table.
        /// They would take `date=…` in a path for a column.
        package func path(of table: Table, as form: Form) -> String {
            switch form {
            case .csv, .ndjson: "\(table.rawValue)/\(stem).\(form.rawValue)"
            case .parquet:
                "\(DatasetIndex.parquetFolder)/\(table.rawValue)/part-\(study)-\(date)-\(digits(number, 4)).parquet"
            }
        }
    }

    /// How a file holds rows.
    package enum Form: String, CaseIterable, Sendable {
        case csv, ndjson, parquet
    }

    /// A run whose rows are in the dataset.
    package struct Run: Sendable {
        package var uuid: String
        /// Lower-case hexadecimal SHA-256 of its bundle's manifest, which distinguishes it from another bundle of
        /// the same name.
        package var manifest: String
        /// The run that it continues, if it does.
        package var continues: String?
    }

    /// Files with the same rows.
    package struct Contents: Sendable {
        package var rows: Int
        package var files: [Form: File]
    }

    /// One file.
    package struct File: Sendable {
        package var bytes: Int
        /// Lower-case hexadecimal.
        package var sha256: String
    }

    package static let fileName = RunningBundle.datasetIndexName
    /// The version of the index and the tables. A dataset of another version is neither read nor added to.
    static let version = 28
    /// Where the folders of the tables' Parquet files lie.
    static let parquetFolder = "parquet"

    /// Every run in the dataset, with the SHA-256 of its bundle's manifest.
    var runs: [String: String] {
        Dictionary(parts.lazy.flatMap(\.runs).map { ($0.uuid, $0.manifest) }) { first, _ in first }
    }

    /// Runs that another run of the dataset continues.
    package var continued: Set<String> { Set(parts.lazy.flatMap(\.runs).compactMap(\.continues)) }

    /// The texts of each study.
    package var texts: [String: Set<StudyText>] {
        parts.reduce(into: [:]) { $0[$1.study, default: []].formUnion($1.texts) }
    }

    /// Reads the index of a dataset; empty if the dataset does not exist yet.
    package init(ofDataset path: String) throws(FileFailure) {
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try Folder(path).read(Self.fileName)
        } catch  where error.isNotFound {
            return
        }
        do {
            let index = try JSON(parsing: bytes)
            let version = try index.field("collation").asInteger()
            guard version == Self.version else {
                throw WireFailure(
                    "the dataset has version \(version), and this program knows version \(Self.version): collate the "
                        + "bundles into a new folder")
            }
            let format = try index.field("format")
            self.format = try format.expect(TableFormat(rawValue: format.asText()), "a form of tables")
            parts = try index.field("parts").asList(Part.init(_:))
            if let told = index["pseudonymised"] { pseudonymised = try Pseudonymised(told) }
        } catch {
            throw FileFailure("read", "\(path)/\(Self.fileName)", .malformed("\(error)"))
        }
    }

    var json: JSON {
        var members: [String: JSON] = [
            "collation": .integer(Self.version), "format": .text(format.rawValue),
            "parts": .list(parts.map(\.json)),
        ]
        if let pseudonymised { members["pseudonymised"] = pseudonymised.json }
        return .members(members)
    }

    /// The tables that say something, in order.
    package var tables: [Table] { Table.allCases.filter { !$0.isOptional || rows(of: $0) > 0 } }

    /// How many rows a table has.
    package func rows(of table: Table) -> Int { parts.reduce(0) { $0 + ($1.tables[table]?.rows ?? 0) } }

    /// Every file that the index knows, relative to the dataset.
    var files: Set<String> {
        Set(
            parts.flatMap { part in
                part.tables.flatMap { table, contents in
                    contents.files.keys.map { part.path(of: table, as: $0) }
                }
            })
    }
}

extension DatasetIndex.Pseudonymised {
    fileprivate var json: JSON { ["key": .text(key), "shiftedDates": .boolean(shiftsDates)] }

    fileprivate init(_ json: JSON) throws {
        key = try json.field("key").asText()
        shiftsDates = json["shiftedDates"]?.boolean == true
    }
}

extension DatasetIndex.Part {
    fileprivate var json: JSON {
        [
            "study": .text(study), "date": .text(date), "number": .integer(number),
            "runs": .list(runs.map(\.json)),
            "texts": .list(texts.map(\.json)),
            "tables": .members(
                Dictionary(
                    uniqueKeysWithValues: tables.map { ($0.rawValue, $1.json) })),
        ]
    }

    fileprivate init(_ json: JSON) throws {
        self.init(
            study: try json.field("study").asText(), date: try json.field("date").asText(),
            number: try json.field("number").asInteger(),
            runs: try json.field("runs").asList {
                DatasetIndex.Run(
                    uuid: try $0.field("run").asText(), manifest: try $0.field("manifest").asText(),
                    continues: $0["continues"]?.text)
            }, texts: try json.field("texts").asList(StudyText.init(_:)))
        let listed = try json.field("tables")
        for table in Table.allCases where !table.isOptional || listed[table.rawValue] != nil {
            tables[table] = try DatasetIndex.Contents(listed.field(table.rawValue))
        }
    }
}

extension DatasetIndex.Run {
    fileprivate var json: JSON {
        .members([
            "run": .text(uuid), "manifest": .text(manifest), "continues": continues.map { .text($0) },
        ])
    }
}

extension DatasetIndex.Contents {
    fileprivate var json: JSON {
        let files = Dictionary(uniqueKeysWithValues: files.map { ($0.rawValue, $1.json) })
        return .members(files.merging(["rows": .integer(rows)]) { $1 })
    }

    fileprivate init(_ json: JSON) throws {
        rows = try json.field("rows").asInteger()
        files = [:]
        for form in DatasetIndex.Form.allCases {
            files[form] = try json[form.rawValue].map { try DatasetIndex.File($0) }
        }
    }
}

extension DatasetIndex.File {
    fileprivate var json: JSON { ["bytes": .integer(bytes), "sha256": .text(sha256)] }

    fileprivate init(_ json: JSON) throws {
        self.init(bytes: try json.field("bytes").asInteger(), sha256: try json.field("sha256").asText())
    }
}

/// The form of a dataset's tables for other programs; NDJSON is always there too.
package enum TableFormat: String, CaseIterable, Sendable {
    case csv, parquet

    var form: DatasetIndex.Form {
        switch self {
        case .csv: .csv
        case .parquet: .parquet
        }
    }

    package var title: String {
        switch self {
        case .csv: "CSV"
        case .parquet: "Parquet"
        }
    }
}

extension DatasetIndex.Part {
    /// A table's rows.
    package func ndjson(of table: Table, in folder: Folder, _ dataset: String) throws -> [UInt8] {
        if table.isOptional, tables[table] == nil { return [] }
        let path = path(of: table, as: .ndjson)
        let bytes = try folder.read(path)
        guard SHA256.hexadecimal(of: bytes) == tables[table]?.files[.ndjson]?.sha256 else {
            throw FileFailure(
                "read", "\(dataset)/\(path)", .malformed("it was changed since it was collated"))
        }
        return bytes
    }
}
