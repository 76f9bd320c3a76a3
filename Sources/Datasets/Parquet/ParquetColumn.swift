import Platform
import Results

/// The values of one column in the row group that is being filled.
struct ParquetColumn {
    private let kind: Table.Kind
    private let isRequired: Bool
    private var rows = 0
    private var missingRows = 0
    /// 1 for each row with a value and 0 for each row without; empty while all rows have one.
    private var levels: [UInt32] = []
    /// Whole and real numbers, eight bytes each.
    private var numbers: [UInt8] = []
    private var flags: [Bool] = []
    private var texts = DistinctTexts()
    private var integers: (least: Int, greatest: Int)?
    private var reals: (least: Double, greatest: Double)?

    init(_ column: Table.Column) {
        kind = column.kind
        isRequired = column.isRequired
    }

    /// A row without a value. The column must be optional.
    mutating func missing() {
        precondition(!isRequired, "a row lacks a value that every row has")
        if missingRows == 0 { levels = Array(repeating: 1, count: rows) }
        levels.append(0)
        missingRows += 1
        rows += 1
    }

    /// A whole number, or milliseconds since 1970.
    mutating func append(integer: Int) {
        numbers.append(littleEndian: UInt64(bitPattern: Int64(integer)))
        integers = (min(integers?.least ?? integer, integer), max(integers?.greatest ?? integer, integer))
        addRow()
    }

    mutating func append(real: Double) {
        numbers.append(littleEndian: real.bitPattern)
        reals = (min(reals?.least ?? real, real), max(reals?.greatest ?? real, real))
        addRow()
    }

    mutating func append(boolean: Bool) {
        flags.append(boolean)
        addRow()
    }

    mutating func append(text bytes: [UInt8], _ range: Range<Int>) {
        texts.append(bytes, range)
        addRow()
    }

    private mutating func addRow() {
        if missingRows > 0 { levels.append(1) }
        rows += 1
    }

    /// Ends the row group, returns its pages, and starts the next one.
    mutating func finishChunk(_ zstandard: Zstandard) throws(FileFailure) -> ParquetChunk {
        var chunk = ParquetChunk(rows: rows, missing: missingRows, bounds: bounds)
        if kind == .text, texts.repeatsMuch {
            try chunk.add(.dictionary(texts.ranges.count), texts.page, zstandard)
            let bitWidth = max(1, Int.bitWidth - (texts.ranges.count - 1).leadingZeroBitCount)
            let places = HybridRuns.encoded(texts.places, bitWidth: bitWidth)
            try chunk.add(
                .values(rows, .dictionary), definitionLevels + [UInt8(bitWidth)] + places, zstandard)
        } else {
            try chunk.add(.values(rows, .plain), definitionLevels + plainValues, zstandard)
        }
        rows = 0
        missingRows = 0
        levels.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        flags.removeAll(keepingCapacity: true)
        texts.removeAll()
        integers = nil
        reals = nil
        return chunk
    }

    private var plainValues: [UInt8] {
        switch kind {
        case .text: texts.plain
        case .integer, .real, .time: numbers
        case .boolean:
            stride(from: 0, to: flags.count, by: 8).map { first in
                (first..<min(first + 8, flags.count)).reduce(0) {
                    $0 | (flags[$1] ? 1 << UInt8($1 - first) : 0)
                }
            }
        }
    }

    /// Which rows have a value, after the length of this list; empty if all must have one.
    private var definitionLevels: [UInt8] {
        guard !isRequired else { return [] }
        let runs =
            missingRows == 0
            ? HybridRuns.encoded(1, count: rows, bitWidth: 1) : HybridRuns.encoded(levels, bitWidth: 1)
        var bytes: [UInt8] = []
        bytes.append(littleEndian: UInt32(runs.count))
        return bytes + runs
    }

    private var bounds: (least: [UInt8], greatest: [UInt8])? {
        switch kind {
        case .text: texts.bounds
        case .integer, .time:
            integers.map {
                (
                    Self.bytes(UInt64(bitPattern: Int64($0.least))),
                    Self.bytes(UInt64(bitPattern: Int64($0.greatest)))
                )
            }
        case .real:
            // A reader that filters by bounds must not miss the other zero.
            reals.map {
                (
                    Self.bytes(($0.least == 0 ? -0.0 : $0.least).bitPattern),
                    Self.bytes(($0.greatest == 0 ? 0.0 : $0.greatest).bitPattern)
                )
            }
        case .boolean:
            flags.isEmpty ? nil : ([flags.contains(false) ? 0 : 1], [flags.contains(true) ? 1 : 0])
        }
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: number)
        return bytes
    }
}
