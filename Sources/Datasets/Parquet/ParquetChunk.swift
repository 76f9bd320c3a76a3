import Platform

/// The pages of one column in one row group, as they are in the file, and their description in the footer.
struct ParquetChunk {
    private var bytes: [UInt8] = []
    /// Bytes of the pages.
    private(set) var size = 0
    /// Where the first page is in the file.
    private(set) var offset = 0
    /// Bytes of the pages before they were packed, with their headers.
    private(set) var unpackedSize = 0
    /// Bytes of the dictionary's page with its header; the page comes first. `nil` without a dictionary.
    private(set) var dictionarySize: Int?
    let rows: Int
    let missing: Int
    /// The least and the greatest value in PLAIN encoding, texts without their length.
    let bounds: (least: [UInt8], greatest: [UInt8])?

    init(rows: Int, missing: Int, bounds: (least: [UInt8], greatest: [UInt8])?) {
        self.rows = rows
        self.missing = missing
        self.bounds = bounds
    }

    /// The raw value is the number in `parquet.thrift`.
    enum Encoding: Int {
        case plain = 0, runs = 3, dictionary = 8
    }

    enum Page {
        /// This many distinct values, one after another.
        case dictionary(Int)
        /// The values of this many rows.
        case values(Int, Encoding)
    }

    /// Packs a page and adds it.
    mutating func add(_ page: Page, _ content: [UInt8], _ zstandard: Zstandard) throws(FileFailure) {
        let packed = try zstandard.compressed(content)
        let header = Self.header(of: page, size: content.count, packedSize: packed.count)
        bytes += header
        bytes += packed
        unpackedSize += header.count + content.count
        size = bytes.count
        if case .dictionary = page { dictionarySize = size }
    }

    /// Removes the bytes, which are to begin at `offset` in the file.
    mutating func removeBytes(at offset: Int) -> [UInt8] {
        self.offset = offset
        defer { bytes = [] }
        return bytes
    }

    var encodings: [Encoding] { dictionarySize == nil ? [.plain, .runs] : [.plain, .runs, .dictionary] }

    /// `PageHeader`.
    private static func header(of page: Page, size: Int, packedSize: Int) -> [UInt8] {
        var header = ThriftWriter()
        let dictionaryPage = 2
        let dataPage = 0
        switch page {
        case .dictionary: header.field(1, small: dictionaryPage)
        case .values: header.field(1, small: dataPage)
        }
        header.field(2, small: size)
        header.field(3, small: packedSize)
        switch page {
        case .dictionary(let count):
            header.field(7) {
                $0.field(1, small: count)
                $0.field(2, small: Encoding.plain.rawValue)
            }
        case .values(let count, let encoding):
            header.field(5) {
                $0.field(1, small: count)
                $0.field(2, small: encoding.rawValue)
                $0.field(3, small: Encoding.runs.rawValue)
                $0.field(4, small: Encoding.runs.rawValue)
            }
        }
        header.end()
        return header.bytes
    }
}
