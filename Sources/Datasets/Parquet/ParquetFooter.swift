/// The end of a Parquet file: its columns, and where the values of each row group are.
struct ParquetFooter {
    private let columns: [Table.Column]
    private let name: String
    private var groups: [[ParquetChunk]] = []

    init(_ table: Table) {
        columns = table.columns
        name = table.rawValue
    }

    /// Adds a row group: a chunk for every column, in order, whose place in the file is known.
    mutating func add(_ chunks: [ParquetChunk]) { groups.append(chunks) }

    /// `FileMetaData`, its length and the letters that end a file.
    var bytes: [UInt8] {
        var writer = ThriftWriter()
        writer.field(1, small: 2)
        beginSchema(&writer)
        writer.field(3, large: groups.reduce(0) { $0 + Self.rows(of: $1) })
        writer.field(4, structures: groups, write)
        writer.field(6, text: "entrain")
        // The least and the greatest values follow the order of each type.
        writer.field(7, structures: columns) { order, _ in order.field(1) { _ in } }
        writer.end()
        var bytes = writer.bytes
        bytes.append(littleEndian: UInt32(bytes.count))
        return bytes + ParquetFile.mark
    }

    private func beginSchema(_ writer: inout ThriftWriter) {
        writer.field(2, structures: [nil] + columns.map { $0 }) { element, column in
            guard let column else {
                element.field(4, text: name)
                return element.field(5, small: columns.count)
            }
            element.field(1, small: column.kind.physicalType)
            element.field(3, small: column.isRequired ? 0 : 1)
            element.field(4, text: column.name)
            column.kind.describe(&element)
        }
    }

    private static func rows(of group: [ParquetChunk]) -> Int { group.first?.rows ?? 0 }

    /// `RowGroup`.
    private func write(_ writer: inout ThriftWriter, _ group: [ParquetChunk]) {
        writer.field(1, structures: Array(zip(columns, group))) { writer, described in
            // Deprecated, but required.
            writer.field(2, large: 0)
            writer.field(3) { Self.write(&$0, described.0, described.1) }
        }
        writer.field(2, large: group.reduce(0) { $0 + $1.unpackedSize })
        writer.field(3, large: Self.rows(of: group))
        writer.field(5, large: group.first?.offset ?? 0)
        writer.field(6, large: group.reduce(0) { $0 + $1.size })
    }

    /// `ColumnMetaData`.
    private static func write(_ writer: inout ThriftWriter, _ column: Table.Column, _ chunk: ParquetChunk) {
        let zstandard = 6
        writer.field(1, small: column.kind.physicalType)
        writer.field(2, smalls: chunk.encodings.map(\.rawValue))
        writer.field(3, texts: [column.name])
        writer.field(4, small: zstandard)
        writer.field(5, large: chunk.rows)
        writer.field(6, large: chunk.unpackedSize)
        writer.field(7, large: chunk.size)
        writer.field(9, large: chunk.offset + (chunk.dictionarySize ?? 0))
        if chunk.dictionarySize != nil { writer.field(11, large: chunk.offset) }
        writer.field(12) { statistics in
            statistics.field(3, large: chunk.missing)
            if let bounds = chunk.bounds {
                statistics.field(5, bytes: bounds.greatest)
                statistics.field(6, bytes: bounds.least)
            }
        }
    }
}

extension Table.Kind {
    /// Its number in `Type`.
    fileprivate var physicalType: Int {
        switch self {
        case .boolean: 0
        case .integer, .time: 2
        case .real: 5
        case .text: 6
        }
    }

    /// What its numbers or bytes mean: first for old readers, then for all.
    fileprivate func describe(_ element: inout ThriftWriter) {
        switch self {
        case .boolean, .integer, .real: break
        case .text:
            element.field(6, small: 0)
            element.field(10) { $0.field(1) { _ in } }
        case .time:
            element.field(6, small: 9)
            element.field(10) {
                $0.field(8) { timestamp in
                    timestamp.field(1, boolean: true)
                    timestamp.field(2) { unit in unit.field(1) { _ in } }
                }
            }
        }
    }
}
