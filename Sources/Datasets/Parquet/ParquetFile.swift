import Platform
import Results

/// A part of a table as Parquet: typed, and compressed with Zstandard.
///
/// Source: Apache Parquet, "File Format" and `parquet.thrift`; data pages of version 1.
final class ParquetFile {
    /// The letters with which a file begins and ends.
    static let mark = Array("PAR1".utf8)

    private let file: PartFile
    private let zstandard: Zstandard
    private var columns: [ParquetColumn]
    private var footer: ParquetFooter
    private var lines: NDJSONRows
    private var offset = ParquetFile.mark.count
    /// How many bytes the waiting rows have as NDJSON.
    private var waiting = 0
    private(set) var rows = 0

    /// A row group is closed when its rows have this many bytes as NDJSON, which limits the memory.
    private static let largestGroup = 8 << 20
    private static let piece = 1 << 16

    /// - Parameter path: relative to the dataset.
    init(_ path: String, of table: Table, in dataset: Folder) throws(FileFailure) {
        file = try PartFile(path, header: Self.mark, in: dataset)
        zstandard = try Zstandard()
        columns = table.columns.map(ParquetColumn.init)
        footer = ParquetFooter(table)
        lines = NDJSONRows(table)
    }

    /// Writes the rows of a part from its NDJSON.
    ///
    /// - Returns: the file and the number of its rows.
    /// - Throws: `FileFailure` if the lines do not belong to the table.
    static func write(
        _ table: Table, from lines: String, to path: String, in dataset: Folder
    ) throws(FileFailure) -> (file: DatasetIndex.File, rows: Int) {
        let parquet = try ParquetFile(path, of: table, in: dataset)
        var torn: [UInt8] = []
        try dataset.read(lines) { piece throws(FileFailure) in
            torn += piece
            guard let end = piece.lastIndex(of: UInt8(ascii: "\n")) else { return }
            let whole = torn.count - piece.count + end + 1
            do {
                try parquet.append(torn, 0..<whole)
            } catch let failure as FileFailure {
                throw failure
            } catch {
                throw FileFailure("read", "\(dataset.name)/\(lines)", .malformed("\(error)"))
            }
            torn.removeSubrange(0..<whole)
        }
        guard torn.isEmpty else {
            throw FileFailure("read", "\(dataset.name)/\(lines)", .malformed("its last line is torn"))
        }
        return (try parquet.finish(), parquet.rows)
    }

    private func append(_ bytes: [UInt8], _ range: Range<Int>) throws {
        var place = range.lowerBound
        while place < range.upperBound {
            let start = place
            try lines.read(bytes, at: &place, into: &columns)
            rows += 1
            waiting += place - start
            if waiting >= Self.largestGroup { try endGroup() }
        }
    }

    private func endGroup() throws(FileFailure) {
        guard waiting > 0 else { return }
        var chunks: [ParquetChunk] = []
        for index in columns.indices {
            var chunk = try columns[index].finishChunk(zstandard)
            try file.append(chunk.removeBytes(at: offset), piece: Self.piece)
            offset += chunk.size
            chunks.append(chunk)
        }
        footer.add(chunks)
        waiting = 0
    }

    private func finish() throws(FileFailure) -> DatasetIndex.File {
        try endGroup()
        try file.append(footer.bytes, piece: Self.piece)
        return try file.finish()
    }
}
