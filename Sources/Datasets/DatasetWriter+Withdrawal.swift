package import Platform
import Results
import TextFormat

extension DatasetWriter {
    /// Removes all rows of a participant from the dataset.
    ///
    /// A part with such rows is written again under another number. Then the index lists it instead of the old one,
    /// whose files are removed. So the dataset is consistent at every moment, with or without the rows.
    ///
    /// - Returns: how many runs were removed.
    package mutating func remove(participant: String) throws(FileFailure) -> Int {
        var removed = 0
        var changed = index
        for part in index.parts {
            let runs = try part.runs(of: participant, in: folder)
            guard !runs.isEmpty else { continue }
            removed += runs.count
            guard let place = changed.parts.firstIndex(where: { $0.stem == part.stem }) else { continue }
            let number = changed.parts.filter { $0.study == part.study && $0.date == part.date }.map(
                \.number
            ).max()
            if let rest = try rewritten(part, without: runs, number: (number ?? 0) + 1, beside: changed) {
                changed.parts[place] = rest
            } else {
                changed.parts.remove(at: place)
            }
        }
        guard removed > 0 else { return 0 }
        // A part that was kept for its codebook is removed with the last run that needs the codebook.
        let needed = Dictionary(grouping: changed.parts.filter { !$0.runs.isEmpty }, by: \.study)
            .mapValues { Set($0.flatMap(\.texts)) }
        changed.parts.removeAll { part in
            part.runs.isEmpty && needed[part.study]?.isDisjoint(with: part.texts) ?? true
        }
        try replaceIndex(with: changed)
        return removed
    }

    /// A new part with the remaining rows; `nil` if nothing remains.
    private func rewritten(
        _ part: DatasetIndex.Part, without runs: Set<String>, number: Int, beside index: DatasetIndex
    ) throws(FileFailure) -> DatasetIndex.Part? {
        let left = part.runs.filter { !runs.contains($0.uuid) }
        // The codebook of a text stands in one part and serves all of them.
        let isNeeded = index.parts.contains { other in
            other.stem != part.stem && other.study == part.study
                && !Set(other.texts).isDisjoint(with: part.texts)
        }
        guard !left.isEmpty || isNeeded else { return nil }
        var rest = part
        (rest.number, rest.runs, rest.tables) = (number, left, [:])
        let writer = try PartWriter(rest, in: folder, index.format)
        let beginnings = runs.map {
            (csv: Array("\($0),".utf8), ndjson: Array("{\"run\":\"\($0)\"".utf8))
        }
        for table in Table.allCases {
            guard let contents = part.tables[table] else { continue }
            let isOfRuns = table.isOfRuns
            let path = part.path(of: table, as: .ndjson)
            let bytes = try folder.read(path)
            // Each with its end.
            let kept = Lines(of: bytes).whole.map { bytes[$0.lowerBound...$0.upperBound] }.filter { line in
                !isOfRuns || !beginnings.contains { line.starts(with: $0.ndjson) }
            }
            var csv: [ArraySlice<UInt8>] = []
            if contents.files[.csv] != nil {
                csv = Self.records(of: try folder.read(part.path(of: table, as: .csv))).dropFirst().filter {
                    record in !isOfRuns || !beginnings.contains { record.starts(with: $0.csv) }
                }
                guard csv.count == kept.count else {
                    throw FileFailure("read", path, .malformed("CSV has other rows"))
                }
            }
            try writer.append(
                table, csv: Array(csv.joined()), ndjson: Array(kept.joined()), rows: kept.count)
        }
        return try writer.finish()
    }

    /// The records of a CSV file with their line ends; a cell in quotes may contain several lines.
    private static func records(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var (records, start, isQuoted) = ([ArraySlice<UInt8>](), bytes.startIndex, false)
        for place in bytes.indices {
            switch bytes[place] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\n") where !isQuoted:
                records.append(bytes[start...place])
                start = place + 1
            case _: continue
            }
        }
        return records
    }
}

extension DatasetIndex.Part {
    /// The runs of a participant whose rows the part holds.
    package func runs(of participant: String, in dataset: Folder) throws(FileFailure) -> Set<String> {
        let path = path(of: .sessions, as: .ndjson)
        var runs: Set<String> = []
        let bytes = try dataset.read(path)
        for line in Lines(of: bytes).whole {
            do {
                let row = try JSON(parsing: bytes, in: line)
                if try row.field("participant").asText() == participant {
                    runs.insert(try row.field("run").asText())
                }
            } catch {
                throw FileFailure("read", "\(dataset.name)/\(path)", .malformed("\(error)"))
            }
        }
        return runs
    }
}
