package import Deidentifying
package import Platform
import Results
import StudyModel
import TextFormat

/// Writes one part: a file of each table in each form.
///
/// NDJSON and CSV grow as bundles come. Parquet is made from the NDJSON when the part is closed, so that many days
/// can grow at the same time and row groups are still large.
final class PartWriter {
    private(set) var part: DatasetIndex.Part
    private let dataset: Folder
    private let format: TableFormat
    private var files: [Table: Files] = [:]
    /// Bytes of all files so far.
    private(set) var size = 0

    private struct Files {
        var ndjson: PartFile
        /// A table without rows has no file, because readers of CSV could not tell the types of its columns.
        var csv: PartFile?
        var rows = 0
    }

    init(_ part: DatasetIndex.Part, in dataset: Folder, _ format: TableFormat) throws(FileFailure) {
        self.part = part
        self.dataset = dataset
        self.format = format
        for table in Table.allCases { files[table] = try open(table) }
    }

    private func open(_ table: Table) throws(FileFailure) -> Files {
        let path = part.path(of: table, as: .ndjson)
        try dataset.makeFolders(above: path)
        return Files(ndjson: try PartFile(path, header: [], in: dataset))
    }

    private func openCSV(_ table: Table) throws(FileFailure) -> PartFile {
        return try PartFile(part.path(of: table, as: .csv), header: table.header, in: dataset)
    }

    /// - Parameter piece: number of bytes to write to a file at once.
    func append(_ rows: BundleRows, piece: Int) throws(FileFailure) {
        for table in Table.allCases where rows[table].rows > 0 {
            if format == .csv, files[table]?.csv == nil { files[table]?.csv = try openCSV(table) }
            let text = rows[table]
            try files[table]?.ndjson.append(text.ndjson, piece: piece)
            try files[table]?.csv?.append(text.csv, piece: piece)
            files[table]?.rows += text.rows
            size += text.ndjson.count + (format == .csv ? text.csv.count : 0)
        }
        part.runs.append(
            DatasetIndex.Run(uuid: rows.run, manifest: rows.manifest, continues: rows.continues))
        if !part.texts.contains(rows.text) { part.texts.append(rows.text) }
    }

    /// Appends rows of a table for runs that the part already lists.
    func append(_ table: Table, csv: [UInt8], ndjson: [UInt8], rows: Int) throws(FileFailure) {
        guard rows > 0 else { return }
        if format == .csv, files[table]?.csv == nil { files[table]?.csv = try openCSV(table) }
        try files[table]?.csv?.append(csv, piece: 1 << 16)
        try files[table]?.ndjson.append(ndjson, piece: 1 << 16)
        files[table]?.rows += rows
    }

    func finish() throws(FileFailure) -> DatasetIndex.Part {
        for table in Table.allCases {
            guard let open = files[table] else { continue }
            var contents = DatasetIndex.Contents(rows: open.rows, files: [:])
            contents.files[.ndjson] = try open.ndjson.finish()
            contents.files[.csv] = try open.csv?.finish()
            if format == .parquet { contents.files[.parquet] = try writeParquet(table, open.rows) }
            for form in contents.files.keys {
                try dataset.sync(Folder.above(part.path(of: table, as: form)))
            }
            part.tables[table] = contents
        }
        return part
    }

    private func writeParquet(_ table: Table, _ rows: Int) throws(FileFailure) -> DatasetIndex.File {
        let (source, path) = (part.path(of: table, as: .ndjson), part.path(of: table, as: .parquet))
        try dataset.makeFolders(above: path)
        let written = try ParquetFile.write(table, from: source, to: path, in: dataset)
        guard written.rows == rows else {
            throw FileFailure(
                "read", "\(dataset.name)/\(source)",
                .malformed("it has \(written.rows) rows, and \(rows) were written"))
        }
        return written.file
    }
}

/// Writes the rows of bundles into the parts of their study and day, and keeps the index.
package struct DatasetWriter {
    private let path: String
    let folder: Folder
    package private(set) var index: DatasetIndex
    private var open: [String: PartWriter] = [:]
    /// The texts of each study whose codebook exists or was looked for.
    private var texts: [String: Set<StudyText>]
    /// Whether the dataset's folder did not exist before.
    private let isNewFolder: Bool

    /// A part is closed when all its files together have this size, bytes.
    private static let largestPart = 256 << 20
    /// How much may wait in memory for all growing files, bytes; each day has up to two files for each table.
    private static let mostWaiting = 16 << 20
    /// The files beside the tables.
    private static let fileNames =
        [DatasetIndex.fileName, "datapackage.json", LoadScript.promisedName]
        + LoadScript.allCases.map(\.fileName)
    /// The least and the greatest number of bytes to write at once.
    private static let pieces = 1 << 12...1 << 16

    /// Opens a dataset and locks it against other writers; creates it if it is missing.
    package init(_ path: String) throws(FileFailure) {
        isNewFolder = (try? Folder(path)) == nil
        try Folder.make(path)
        self.path = path
        folder = try Folder(path)
        do {
            try folder.lock()
        } catch  where error.problem == .inUse {
            throw FileFailure("collate into", path, .malformed("another program is collating into it"))
        }
        index = try DatasetIndex(ofDataset: path)
        texts = index.texts
        try removeLeftOvers()
    }

    /// Whether a text of a study comes for the first time, so that its codebook is needed.
    package func isNew(_ text: StudyText, of study: String) -> Bool { texts[study]?.contains(text) != true }

    package mutating func append(_ rows: BundleRows) throws(FileFailure) {
        texts[rows.study.text, default: []].insert(rows.text)
        let key = "\(rows.study.text)/\(rows.date)"
        if open[key] == nil {
            let number =
                index.parts.lazy.filter { $0.study == rows.study.text && $0.date == rows.date }
                .map(\.number).max() ?? 0
            open[key] = try PartWriter(
                DatasetIndex.Part(study: rows.study.text, date: rows.date, number: number + 1), in: folder,
                index.format)
        }
        guard let writer = open[key] else { preconditionFailure("a part was opened") }
        let share = Self.mostWaiting / (open.count * Table.allCases.count * 2)
        try writer.append(rows, piece: min(max(share, Self.pieces.lowerBound), Self.pieces.upperBound))
        if writer.size >= Self.largestPart { try close(key) }
    }

    /// Leaves the dataset as it was.
    package mutating func abandon() throws(FileFailure) {
        open = [:]
        index = try DatasetIndex(ofDataset: path)
        try removeLeftOvers()
        for place in places { try removeEmpty(place) }
        if isNewFolder, try folder.entries().isEmpty { try Folder.removeEmpty(path) }
    }

    /// The folders that are there for tables.
    private var places: [String] {
        (Table.allCases.map(\.rawValue) + [DatasetIndex.parquetFolder]).filter { folder.exists($0) }
    }

    /// Removes a folder and those in it, except folders that contain a file.
    private func removeEmpty(_ path: String) throws(FileFailure) {
        for entry in try folder.entries(in: path) where entry.isFolder {
            try removeEmpty("\(path)/\(entry.name)")
        }
        if try folder.entries(in: path).isEmpty { try folder.removeFolder(path) }
    }

    /// Sets how codes are replaced in new rows, and the form in which they are written.
    ///
    /// - Parameter format: `nil` leaves it to the dataset.
    /// - Throws: if the dataset's content was made in another way.
    package mutating func begin(_ privacy: Privacy?, _ format: TableFormat?) throws(FileFailure) {
        if let format, format != index.format {
            guard index.parts.isEmpty else {
                throw FileFailure(
                    "collate into", path,
                    .malformed(
                        "its tables are \(index.format.title): leave out '--format \(format.rawValue)', or give "
                            + "another folder"))
            }
            index.format = format
        }
        let wanted = privacy.map { DatasetIndex.Pseudonymised($0) }
        guard !index.parts.isEmpty, index.pseudonymised != wanted else {
            index.pseudonymised = wanted
            return
        }
        let held =
            index.pseudonymised.map { $0.shiftsDates ? "pseudonymised, with shifted dates" : "pseudonymised" }
            ?? "not pseudonymised"
        throw FileFailure(
            "collate into", path,
            .malformed(
                "its runs are \(held)\(index.pseudonymised?.key == wanted?.key ? "" : ", with another key or none"): "
                    + "give the same options, or another folder"))
    }

    /// Closes every part, and then lists them in the index.
    package mutating func finish() throws(FileFailure) {
        for key in open.keys.sorted() { try close(key) }
        for script in LoadScript.allCases {
            try update(script.fileName, Array(script.text(for: index).utf8))
        }
        try update(LoadScript.promisedName, LoadScript.promised(by: index))
        try update("datapackage.json", DataPackage(index).json.encoded())
        try update(DatasetIndex.fileName, index.json.encoded())
    }

    /// Lists other parts instead of the old ones, whose files are removed.
    mutating func replaceIndex(with other: DatasetIndex) throws(FileFailure) {
        index = other
        try finish()
        try removeLeftOvers()
        for place in places { try removeEmpty(place) }
    }

    /// Replaces a file if its content differs, such as one that a killed collation left ahead of the index.
    private func update(_ name: String, _ bytes: [UInt8]) throws(FileFailure) {
        if folder.size(of: name) == bytes.count, try folder.read(name) == bytes { return }
        try folder.replace(name, with: bytes)
        try folder.sync()
    }

    private mutating func close(_ key: String) throws(FileFailure) {
        guard let writer = open.removeValue(forKey: key) else { return }
        index.parts.append(try writer.finish())
    }

    /// Removes the remains of a killed collation: parts that the index does not list, and half-written files.
    private func removeLeftOvers() throws(FileFailure) {
        for entry in try folder.entries()
        where !entry.isFolder && entry.name.hasSuffix(Folder.temporarySuffix) {
            let whole = String(entry.name.dropLast(Folder.temporarySuffix.count))
            if Self.fileNames.contains(whole) { try folder.remove(entry.name) }
        }
        let listed = index.files
        for place in places {
            for file in try folder.files(below: place) where !listed.contains(file) {
                let name = file.split(separator: "/").last ?? ""
                if name.hasPrefix("part-") { try folder.remove(file) }
            }
        }
    }
}
