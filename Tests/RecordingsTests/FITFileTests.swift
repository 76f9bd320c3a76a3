import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Recordings

/// Writes FIT files.
private struct FITWriter {
    private var messages: [UInt8] = []
    var isBigEndian = false

    private func number(_ value: Int, _ size: Int) -> [UInt8] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }

    /// - Parameters:
    ///   - fields: number, size and base type.
    ///   - developerSizes: sizes of developers' fields.
    mutating func define(
        _ local: UInt8, message: Int, _ fields: [(UInt8, UInt8, UInt8)], developerSizes: [UInt8] = []
    ) {
        messages += [0x40 | local | (developerSizes.isEmpty ? 0 : 0x20), 0, isBigEndian ? 1 : 0]
        messages += number(message, 2) + [UInt8(fields.count)]
        for field in fields { messages += [field.0, field.1, field.2] }
        guard !developerSizes.isEmpty else { return }
        messages.append(UInt8(developerSizes.count))
        for size in developerSizes { messages += [0, size, 0] }
    }

    mutating func add(header: UInt8, _ values: [(value: Int, size: Int)]) {
        messages.append(header)
        for (value, size) in values { messages += number(value, size) }
    }

    func file(headerSize: UInt8 = 14) -> [UInt8] {
        var bytes: [UInt8] = [headerSize, 0x10, 0, 0]
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: messages.count >> (8 * $0)) }
        bytes += Array(".FIT".utf8) + Array(repeating: 0, count: Int(headerSize) - 12) + messages
        var sum: UInt16 = 0
        for byte in bytes {
            sum ^= UInt16(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
        }
        return bytes + [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
    }
}

/// A record's time and heart rate, with a field of 2 bytes and one of a developer between them.
private let recordFields: [(UInt8, UInt8, UInt8)] = [(253, 4, 0x86), (6, 2, 0x84), (3, 1, 2)]

private func ride(isBigEndian: Bool = false) -> FITWriter {
    var writer = FITWriter()
    writer.isBigEndian = isBigEndian
    writer.define(0, message: 20, recordFields, developerSizes: [3])
    writer.define(1, message: 78, [(0, 6, 0x84)])
    writer.define(2, message: 20, [(3, 1, 2)])
    writer.add(header: 0, [(1_000_000_030, 4), (9, 2), (60, 1), (0, 3)])
    writer.add(header: 1, [(980, 2), (990, 2), (0xFFFF, 2)])
    writer.add(header: 0, [(1_000_000_031, 4), (9, 2), (61, 1), (0, 3)])
    writer.add(header: 0, [(1_000_000_032, 4), (9, 2), (0xFF, 1), (0, 3)])
    writer.add(header: 0, [(1_000_000_033, 4), (9, 2), (0, 1), (0, 3)])
    // Times in five bits: 1 000 000 034 ends in 00010 (2), and 1 comes 31 s later.
    writer.add(header: 0x80 | 2 << 5 | UInt8(1_000_000_034 & 0x1F), [(62, 1)])
    writer.add(header: 0x80 | 2 << 5 | UInt8((1_000_000_034 + 31) & 0x1F), [(63, 1)])
    return writer
}

private func read(_ bytes: [UInt8]) throws -> HeartRateRecording {
    try HeartRateRecording(reading: bytes, named: "ride.fit")
}

private func rows(_ recording: HeartRateRecording) -> [[Double]] {
    recording.entries.map { [$0.time, $0.sample.rate ?? -1] + $0.sample.rrIntervals }
}

private let rideRows: [[Double]] = [[0, 60], [1, 61, 0.98, 0.99], [3, -1], [4, 62], [35, 63]]

@Suite struct FITFileTests {
    @Test func `intervals that are none are told, and part the others`() throws {
        var writer = ride()
        for second in 31..<40 {
            writer.add(header: 1, [(second == 35 ? 5000 : 990, 2), (0xFFFF, 2), (0xFFFF, 2)])
            writer.add(header: 0, [(1_000_000_000 + second, 4), (9, 2), (60, 1), (0, 3)])
        }
        let recording = try HeartRateRecording(reading: writer.file(), named: "ride.fit")
        #expect(
            recording.reading.skipped.contains {
                $0.reason.hasPrefix("with an interval outside") && $0.count == 1
            })
        #expect(recording.entries.count { $0.isAfterGap } == 1)
    }

    @Test(arguments: [true, false], [12, 14] as [UInt8])
    func `reads rates, intervals and short times`(isBigEndian: Bool, headerSize: UInt8) throws {
        let recording = try read(ride(isBigEndian: isBigEndian).file(headerSize: headerSize))
        #expect(rows(recording) == rideRows)
        #expect(recording.reading.damage == nil)
        #expect(
            recording.reading.skipped == [
                .init(reason: "without a value", count: 1, firstPlace: "record 7")
            ])
    }

    @Test func `a record without its time is left out and told, and the others are read`() throws {
        var writer = FITWriter()
        writer.define(0, message: 20, recordFields, developerSizes: [3])
        for (time, rate) in [(1_000_000_000, 60), (0xFFFF_FFFF, 61), (1_000_000_002, 62)] {
            writer.add(header: 0, [(time, 4), (9, 2), (rate, 1), (0, 3)])
        }
        let recording = try read(writer.file())
        #expect(rows(recording) == [[0, 60], [2, 62]])
        #expect(recording.reading.skipped.map(\.count) == [1])
        #expect(recording.reading.skipped.first?.firstPlace == "record 3")
    }

    @Test func `intervals without a rate stand where their record stands`() throws {
        var writer = FITWriter()
        writer.define(0, message: 20, [(253, 4, 0x86), (6, 2, 0x84)])
        writer.define(1, message: 78, [(0, 6, 0x84)])
        writer.define(2, message: 290, [(253, 4, 0x86), (1, 4, 0x84)])
        writer.add(header: 0, [(1_000_000_000, 4), (9, 2)])
        writer.add(header: 1, [(800, 2), (0xFFFF, 2), (0xFFFF, 2)])
        writer.add(header: 0, [(1_000_000_001, 4), (9, 2)])
        writer.add(header: 2, [(1_000_000_002, 4), (750, 2), (100, 2)])
        writer.add(header: 0, [(1_000_000_002, 4), (9, 2)])
        writer.add(header: 1, [(600, 2), (600, 2), (0xFFFF, 2)])
        let later = ride().file()
        let recording = try read(writer.file() + later)
        #expect(rows(recording).prefix(2) == [[0, 75, 0.8], [1, 92.3, 0.75, 0.6, 0.6]])
        #expect(recording.entries.count == 2 + rideRows.count)
    }

    @Test func `beats that a strap stored under water keep their moments`() throws {
        var writer = FITWriter()
        writer.define(0, message: 132, [(253, 4, 0x86), (0, 2, 0x84), (6, 1, 2), (9, 4, 0x86)])
        writer.define(1, message: 132, [(6, 4, 2), (10, 6, 0x0D)])
        writer.add(header: 0, [(1_000_000_000, 4), (16_384, 2), (75, 1), (0x12F00, 4)])
        // 0x330 after a turn over of the 12 bits, 0x664, 0x998, and one that is left over.
        writer.add(
            header: 1,
            [
                (76, 1), (77, 1), (78, 1), (0xFF, 1), (0x30, 1), (0x43, 1), (0x66, 1), (0x98, 1), (0xF9, 1),
                (0xFF, 1),
            ])
        let recording = try read(writer.file())
        #expect(recording.entries.map(\.sample.rate) == [75, 76, 77, 78])
        let lengths = recording.entries.flatMap(\.sample.rrIntervals)
        #expect(lengths == [Double(0x430) / 1024, Double(0x334) / 1024, Double(0x334) / 1024])
        #expect(recording.entries.map(\.time).last.map { abs($0 - lengths.reduce(0, +)) < 1e-6 } == true)
        let beside = try read(writer.file() + ride().file())
        #expect(beside.entries.compactMap(\.sample.rate).count == rideRows.count - 1)
        #expect(beside.entries.flatMap(\.sample.rrIntervals).count == 3 + 2)
    }

    @Test func `intervals behind the last rate belong to it`() throws {
        var writer = ride()
        writer.add(header: 1, [(900, 2), (910, 2), (0xFFFF, 2)])
        #expect(rows(try read(writer.file())) == Array(rideRows.dropLast()) + [[35, 63, 0.9, 0.91]])
    }

    @Test func `several files may stand one behind the other`() throws {
        var later = FITWriter()
        later.define(0, message: 20, recordFields)
        later.add(header: 0, [(1_000_000_100, 4), (9, 2), (64, 1)])
        #expect(rows(try read(ride().file() + later.file())) == rideRows + [[70, 64]])
    }

    @Test func `monitoring tells 16 bits of its times`() throws {
        var writer = FITWriter()
        writer.define(0, message: 55, [(253, 4, 0x86)])
        writer.define(1, message: 55, [(26, 2, 0x84), (27, 1, 2)])
        writer.add(header: 0, [(0x1234_FFF0, 4)])
        writer.add(header: 1, [(0xFFFA, 2), (60, 1)])
        writer.add(header: 1, [(0x0002, 2), (61, 1)])
        #expect(rows(try read(writer.file())) == [[0, 60], [8, 61]])
    }

    @Test func `a file that ends early gives what it has, and says so`() throws {
        let whole = ride().file()
        let recording = try read(Array(whole.dropLast(5)))
        #expect(rows(recording) == Array(rideRows.dropLast(2)))
        #expect(
            recording.reading.damage
                == "the file ends after \(whole.count - 5) of \(whole.count) bytes: 9 records were read")
        let unsummed = try read(Array(whole.dropLast(1)))
        #expect(rows(unsummed) == rideRows)
        #expect(unsummed.reading.damage == "the file ends before its checksum: all 10 records were read")
    }

    @Test func `a changed byte shows in the checksum`() throws {
        var bytes = ride().file()
        bytes[bytes.count - 3] = 64
        let recording = try read(bytes)
        #expect(rows(recording).last == [35, 64])
        #expect(recording.reading.damage == "the checksum is wrong: some of the 10 records may be")
    }

    @Test func `a message without a definition is where reading ends`() throws {
        var writer = FITWriter()
        writer.define(0, message: 20, recordFields)
        writer.add(header: 0, [(1_000_000_030, 4), (9, 2), (60, 1)])
        writer.add(header: 5, [(1, 4)])
        let recording = try read(writer.file())
        #expect(rows(recording) == [[0, 60]])
        #expect(recording.reading.damage?.hasPrefix("record 3 has no definition") == true)
    }

    @Test(arguments: 0..<2000 as Range<UInt64>)
    func `whatever a file holds, a recording is sound or refused`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bytes = ride(isBigEndian: seed % 2 == 0).file()
        for _ in 0...Int(random.next() % 4) {
            let place = Int(random.next() % UInt64(bytes.count))
            switch random.next() % 3 {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.removeSubrange(place..<min(place + 3, bytes.count))
            default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
            }
            if bytes.isEmpty { bytes = [0] }
        }
        do {
            let recording = try read(bytes)
            #expect(recording.entries.first?.time == 0)
            #expect(recording.entries.allSatisfy { $0.sample.rate.map { (15...300).contains($0) } != false })
        } catch {
            #expect((error as? SourceFailure)?.isBadData == true)
        }
    }
}
