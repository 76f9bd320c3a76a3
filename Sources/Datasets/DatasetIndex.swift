package import Results
import TextFormat

/// What a dataset holds: its parts with their hashes, and the runs that are in them.
///
/// The index decides: a part that it does not list was left by a collation that was killed.
package struct DatasetIndex: Sendable {
    /// The parts in the order in which they were written.
    package internal(set) var parts: [Part] = []

    /// The rows of some bundles of one study and one day: one file of each table in each form.
    package struct Part: Sendable {
        package var study: String
        /// `yyyy-MM-dd`.
        package var date: String
        /// From 1 within study and date.
        package var number: Int
        /// The runs whose rows it holds.
        package var runs: [String] = []
        /// What it holds of each table.
        package var tables: [Table: Contents] = [:]

        /// The folder of its files below that of a table.
        var folder: String { "study=\(study)/date=\(date)" }

        /// Where the part stands below the folder of a table, without the ending.
        package var stem: String {
            let digits = "\(number)"
            return "\(folder)/part-\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)"
        }
    }

    /// Two files with the same rows.
    package struct Contents: Sendable {
        package var rows: Int
        package var csv: File
        package var ndjson: File
    }

    /// One file.
    package struct File: Sendable {
        package var bytes: Int
        package var sha256: String
    }

    static let fileName = "collation.json"
    /// Of the index and the tables; a dataset of another one is neither read nor added to.
    private static let version = 1

    /// Every run that is in the dataset.
    var runs: Set<String> { Set(parts.lazy.flatMap(\.runs)) }

    /// Reads the index of a dataset; one that is not there yet is empty.
    package init(ofDataset path: String) throws(BundleFailure) {
        let bytes: [UInt8]
        do throws(BundleFailure) {
            bytes = try Folder(path).read(Self.fileName)
        } catch  where error.isNotFound {
            return
        }
        do {
            let index = try JSON(parsing: bytes)
            guard let version = index["collation"]?.integer else {
                throw MalformedBundle("'collation' is missing")
            }
            guard version == Self.version else {
                throw MalformedBundle(
                    "the dataset has version \(version), and this program knows version \(Self.version): collate the "
                        + "bundles into a new folder")
            }
            parts = try index.wanted("parts").wantedList().map(Part.init(_:))
        } catch {
            throw BundleFailure("read", "\(path)/\(Self.fileName)", .malformed("\(error)"))
        }
    }

    var json: JSON { ["collation": .integer(Self.version), "parts": .list(parts.map(\.json))] }

    /// The tables that it has, in order.
    package var tables: [Table] {
        Table.allCases.filter { table in
            !table.isOptional || parts.contains { $0.tables[table] != nil }
        }
    }

    /// Every file that the index knows, relative to the dataset.
    var files: Set<String> {
        Set(
            parts.flatMap { part in
                Table.allCases.flatMap {
                    ["\($0.rawValue)/\(part.stem).csv", "\($0.rawValue)/\(part.stem).ndjson"]
                }
            })
    }
}

extension DatasetIndex.Part {
    fileprivate var json: JSON {
        [
            "study": .text(study), "date": .text(date), "number": .integer(number),
            "runs": .list(runs.map { .text($0) }),
            "tables": .members(
                Dictionary(
                    uniqueKeysWithValues: tables.map { table, contents in
                        (
                            table.rawValue,
                            [
                                "rows": .integer(contents.rows), "csv": contents.csv.json,
                                "ndjson": contents.ndjson.json,
                            ]
                        )
                    })),
        ]
    }

    fileprivate init(_ json: JSON) throws {
        guard let number = json["number"]?.integer else { throw MalformedBundle("a part has no number") }
        self.init(
            study: try json.wanted("study").wantedText(), date: try json.wanted("date").wantedText(),
            number: number, runs: try json.wanted("runs").wantedList().map { try $0.wantedText() })
        let listed = try json.wanted("tables")
        for table in Table.allCases where !table.isOptional || listed[table.rawValue] != nil {
            let contents = try listed.wanted(table.rawValue)
            guard let rows = contents["rows"]?.integer else { throw MalformedBundle("a table has no rows") }
            tables[table] = DatasetIndex.Contents(
                rows: rows, csv: try DatasetIndex.File(contents.wanted("csv")),
                ndjson: try DatasetIndex.File(contents.wanted("ndjson")))
        }
    }
}

extension DatasetIndex.File {
    fileprivate var json: JSON { ["bytes": .integer(bytes), "sha256": .text(sha256)] }

    fileprivate init(_ json: JSON) throws {
        guard let bytes = json["bytes"]?.integer else { throw MalformedBundle("a file has no size") }
        self.init(bytes: bytes, sha256: try json.wanted("sha256").wantedText())
    }
}
