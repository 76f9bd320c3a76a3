/// A call that changed the disk, or a text on the screen, as the preloaded library recorded it.
struct FaultRecord: Hashable {
    /// The kind of call; the numbers are those of `entrain_fault_kind` in `CFaults.h`.
    enum Kind: Int, CaseIterable {
        case create = 1
        case open, write, sync, syncAll, rename, remove, makeFolder, truncate, say
    }

    var kind: Kind
    /// The number of the call, from 1; 0 if the call does not count.
    var number: Int
    /// What the call returned; below 0 if it failed.
    var result: Int
    /// Where it wrote, or the size that it truncated to.
    var offset: Int
    var path: String
    /// The new name of what was renamed.
    var newPath: String
    var bytes: [UInt8]
    /// When it was made, seconds since 1970, by a clock that no fault changes.
    var time = 0.0
}

/// The preloaded library's records of one run, in order.
struct FaultLog: Hashable {
    var records: [FaultRecord]

    /// - Parameter bytes: a log; an incomplete record at its end is ignored.
    init(parsing bytes: [UInt8]) {
        records = []
        var place = 0
        while let record = Self.record(in: bytes, at: &place) { records.append(record) }
    }

    /// How many calls counted.
    var callCount: Int { records.map(\.number).max() ?? 0 }

    /// What the screen had said after the first so many calls: each line with its time.
    func said(after count: Int = .max) -> [(time: Double, line: Substring)] {
        records.prefix(count).filter { $0.kind == .say }.flatMap { record in
            String(decoding: record.bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
                .map { (record.time, $0) }
        }
    }

    private static let headSize = 56
    private static let magic = 0x464e_4445

    private static func record(in bytes: [UInt8], at place: inout Int) -> FaultRecord? {
        guard place + headSize <= bytes.count else { return nil }
        let start = place
        let integer = { (offset: Int, size: Int) -> Int in
            (0..<size).reduce(0) { $0 | Int(bytes[start + offset + $1]) << (8 * $1) }
        }
        let sizes = [40, 44, 48].map { integer($0, 4) }
        let end = place + headSize + sizes.reduce(0, +)
        guard integer(0, 4) == magic, let kind = FaultRecord.Kind(rawValue: integer(4, 4)), end <= bytes.count
        else { return nil }
        var next = place + headSize
        let parts = sizes.map { size -> ArraySlice<UInt8> in
            defer { next += size }
            return bytes[next..<next + size]
        }
        let record = FaultRecord(
            kind: kind, number: integer(8, 8), result: integer(16, 8), offset: integer(24, 8),
            path: String(decoding: parts[0], as: UTF8.self),
            newPath: String(decoding: parts[1], as: UTF8.self), bytes: Array(parts[2]),
            time: Double(integer(32, 8)) / 1e9)
        place = end
        return record
    }
}
