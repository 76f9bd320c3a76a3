import Results
import TextFormat

/// `datapackage.json`: a Frictionless Data Package of the CSV files, with types, keys, sizes and hashes.
///
/// All files of a part hold the same runs, so that keys point within the part.
struct DataPackage {
    let index: DatasetIndex

    init(_ index: DatasetIndex) { self.index = index }

    var json: JSON {
        let resources = index.parts.flatMap { part in
            Table.allCases.filter { part.tables[$0] != nil }.map { resource($0, of: part) }
        }
        return [
            "$schema": "https://datapackage.org/profiles/2.0/datapackage.json", "name": "entrain-dataset",
            "title": "Runs of studies as tables", "resources": .list(resources),
        ]
    }

    private func resource(_ table: Table, of part: DatasetIndex.Part) -> JSON {
        let file = part.tables[table]?.csv
        return [
            "name": .text(Self.name(of: table, part)), "type": "table",
            "path": .text("\(table.rawValue)/\(part.stem).csv"),
            "format": "csv", "mediatype": "text/csv", "encoding": "utf-8", "scheme": "file",
            "bytes": .integer(file?.bytes ?? 0), "hash": .text("sha256:\(file?.sha256 ?? "")"),
            "dialect": ["delimiter": ",", "lineTerminator": "\n", "quoteChar": "\"", "doubleQuote": true],
            "schema": schema(of: table, part),
        ]
    }

    private static func name(of table: Table, _ part: DatasetIndex.Part) -> String {
        "\(table.rawValue)-\(part.stem)".lowercased().replacing("study=", with: "").replacing(
            "date=", with: ""
        )
        .replacing("/", with: "-")
    }

    private func schema(of table: Table, _ part: DatasetIndex.Part) -> JSON {
        var members: [String: JSON] = ["fields": .list(table.columns.map(Self.field)), "missingValues": [""]]
        if !table.key.isEmpty { members["primaryKey"] = .list(table.key.map { .text($0) }) }
        if table != .sessions, table.isOfRuns {
            members["foreignKeys"] = [
                [
                    "fields": ["run"],
                    "reference": ["resource": .text(Self.name(of: .sessions, part)), "fields": ["run"]],
                ]
            ]
        }
        return .members(members)
    }

    private static func field(_ column: Table.Column) -> JSON {
        var members: [String: JSON] = [
            "name": .text(column.name), "description": .text(column.meaning),
            "constraints": ["required": .boolean(column.isRequired)],
        ]
        switch column.kind {
        case .text: members["type"] = "string"
        case .integer: members["type"] = "integer"
        case .real: members["type"] = "number"
        case .boolean:
            members["type"] = "boolean"
            members["trueValues"] = ["true"]
            members["falseValues"] = ["false"]
        case .time:
            members["type"] = "datetime"
            members["format"] = "any"
        }
        return .members(members)
    }
}
