/// Parquet's mixture of runs of one number and bit-packed numbers, used for levels and for indices into a
/// dictionary.
///
/// Source: Apache Parquet, "Encodings", RLE = 3.
struct HybridRuns {
    private(set) var bytes: [UInt8] = []
    private let bitWidth: Int
    /// Numbers that are to be packed.
    private var packed: [UInt32] = []

    /// - Parameter bitWidth: bits of each number, 1...32.
    static func encoded(_ numbers: [UInt32], bitWidth: Int) -> [UInt8] {
        var runs = HybridRuns(bitWidth: bitWidth)
        var place = 0
        while place < numbers.count {
            var end = place + 1
            while end < numbers.count, numbers[end] == numbers[place] { end += 1 }
            runs.append(numbers[place], count: end - place)
            place = end
        }
        runs.pack()
        return runs.bytes
    }

    /// As above, if all numbers are equal.
    static func encoded(_ number: UInt32, count: Int, bitWidth: Int) -> [UInt8] {
        var runs = HybridRuns(bitWidth: bitWidth)
        if count > 0 { runs.appendRun(number, count) }
        return runs.bytes
    }

    private init(bitWidth: Int) { self.bitWidth = bitWidth }

    private mutating func append(_ number: UInt32, count: Int) {
        // Packed numbers come in groups of eight, so a run first fills up the group before it.
        let filler = (8 - packed.count % 8) % 8
        guard count - filler >= 8 else {
            packed += repeatElement(number, count: count)
            return
        }
        packed += repeatElement(number, count: filler)
        pack()
        appendRun(number, count - filler)
    }

    private mutating func appendRun(_ number: UInt32, _ count: Int) {
        bytes.append(varint: UInt(count) << 1)
        for shift in stride(from: 0, to: bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
        }
    }

    /// Packs the waiting numbers. The last group is filled with zeros, which readers ignore.
    private mutating func pack() {
        guard !packed.isEmpty else { return }
        let groups = (packed.count + 7) / 8
        bytes.append(varint: UInt(groups) << 1 | 1)
        packed += repeatElement(0, count: groups * 8 - packed.count)
        var bits: UInt64 = 0
        var filled = 0
        for number in packed {
            bits |= UInt64(number) << UInt64(filled)
            filled += bitWidth
            while filled >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                filled -= 8
            }
        }
        packed.removeAll(keepingCapacity: true)
    }
}
