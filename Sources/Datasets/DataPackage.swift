import Results
import TextFormat

/// `datapackage.json`: a Frictionless Data Package of the tables, with types and keys.
///
/// In CSV, each file is a resource with its size and hash. All files of a part hold the same runs, so keys point
/// within the part. In Parquet, each table is a resource with all its files.
struct DataPackage {
    let index: DatasetIndex

    init(_ index: DatasetIndex) { self.index = index }

    var json: JSON {
        [
            "$schema": "https://datapackage.org/profiles/2.0/datapackage.json", "name": "entrain-dataset",
            "title": "Runs of studies as tables", "resources": .list(resources),
        ]
    }

    private var resources: [JSON] {
        switch index.format {
        case .csv:
            index.parts.flatMap { part in
                Table.allCases.compactMap { table in
                    part.tables[table]?.files[.csv].map { resource(table, of: part, $0) }
                }
            }
        case .parquet:
            Table.allCases.compactMap { table in
                let parts = index.parts.filter { $0.tables[table]?.files[.parquet] != nil }
                return parts.isEmpty ? nil : resource(table, of: parts)
            }
        }
    }

    private func resource(
        _ table: Table, of part: DatasetIndex.Part, _ file: DatasetIndex.File
    ) -> JSON {
        [
            "name": .text(Self.name(of: table, part)), "type": "table",
            "path": .text(part.path(of: table, as: .csv)),
            "format": "csv", "mediatype": "text/csv", "encoding": "utf-8", "scheme": "file",
            "bytes": .integer(file.bytes), "hash": .text("sha256:\(file.sha256)"),
            "dialect": ["delimiter": ",", "lineTerminator": "\n", "quoteChar": "\"", "doubleQuote": true],
            "schema": schema(of: table, sessions: Self.name(of: .sessions, part)),
        ]
    }

    private func resource(_ table: Table, of parts: [DatasetIndex.Part]) -> JSON {
        [
            "name": .text(table.rawValue), "type": "table",
            "path": .list(parts.map { .text($0.path(of: table, as: .parquet)) }),
            "format": "parquet", "mediatype": "application/vnd.apache.parquet", "scheme": "file",
            "schema": schema(of: table, sessions: Table.sessions.rawValue),
        ]
    }

    private static func name(of table: Table, _ part: DatasetIndex.Part) -> String {
        "\(table.rawValue)-\(part.stem)".lowercased().replacing("study=", with: "").replacing(
            "date=", with: ""
        )
        .replacing("/", with: "-")
    }

    /// - Parameter sessions: the resource of the runs.
    private func schema(of table: Table, sessions: String) -> JSON {
        var members: [String: JSON] = ["fields": .list(table.columns.map(field)), "missingValues": [""]]
        if !table.key.isEmpty { members["primaryKey"] = .texts(table.key) }
        if table != .sessions, table.isOfRuns {
            members["foreignKeys"] = [
                [
                    "fields": ["run"],
                    "reference": ["resource": .text(sessions), "fields": ["run"]],
                ]
            ]
        }
        return .members(members)
    }

    private func field(_ column: Table.Column) -> JSON {
        var members: [String: JSON] = [
            "name": .text(column.name), "description": .text(column.meaning),
            "constraints": ["required": .boolean(column.isRequired)],
        ]
        switch column.kind {
        case .text: members["type"] = "string"
        case .integer:
            // pandas, and with it frictionless, reads whole numbers of Parquet as real ones if one is missing.
            let isReal = index.format == .parquet && !column.isRequired
            members["type"] = isReal ? "number" : "integer"
        case .real: members["type"] = "number"
        case .boolean:
            members["type"] = "boolean"
            if index.format == .csv {
                members["trueValues"] = ["TRUE"]
                members["falseValues"] = ["FALSE"]
            }
        case .time:
            members["type"] = "datetime"
            members["format"] = "any"
        }
        return .members(members)
    }
}
