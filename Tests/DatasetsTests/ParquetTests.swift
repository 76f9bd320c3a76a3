import Hashing
import Platform
import Results
import StudyTesting
import Testing

@testable import Datasets

@Suite struct ThriftWriterTests {
    private func bytes(_ write: (inout ThriftWriter) -> Void) -> [UInt8] {
        var writer = ThriftWriter()
        write(&writer)
        writer.end()
        return writer.bytes
    }

    @Test(
        arguments: zip(
            [0, -1, 1, 63, -64, 64, 300, -300, .max, .min],
            [
                [0], [1], [2], [0x7E], [0x7F], [0x80, 0x01], [0xD8, 0x04], [0xD7, 0x04],
                [0xFE] + Array(repeating: 0xFF, count: 8) + [0x01], Array(repeating: 0xFF, count: 9) + [0x01],
            ] as [[UInt8]]))
    func `numbers near 0 are short`(number: Int, written: [UInt8]) {
        #expect(bytes { $0.field(1, large: number) } == [0x16] + written + [0])
    }

    @Test func `a field says how far its number is from the one before`() {
        #expect(
            bytes {
                $0.field(1, small: 1)
                $0.field(2, boolean: true)
                $0.field(17, boolean: false)
                $0.field(33, text: "é")
            } == [0x15, 0x02, 0x11, 0xF2, 0x08, 0x42, 0x02, 0xC3, 0xA9, 0x00])
    }

    @Test func `fields within a structure are counted anew`() {
        #expect(
            bytes {
                $0.field(4) { $0.field(1) { _ in } }
                $0.field(5, small: 0)
            } == [0x4C, 0x1C, 0x00, 0x00, 0x15, 0x00, 0x00])
    }

    @Test func `lists of 15 and more have their length behind`() {
        #expect(bytes { $0.field(1, smalls: [1, 2]) } == [0x19, 0x25, 0x02, 0x04, 0x00])
        #expect(bytes { $0.field(1, texts: ["a"]) } == [0x19, 0x18, 0x01, 0x61, 0x00])
        let long = bytes { $0.field(1, structures: Array(0..<15)) { $0.field(1, small: $1) } }
        #expect(long.prefix(3) == [0x19, 0xFC, 0x0F])
        #expect(long.count == 3 + 15 * 3 + 1)
    }
}

@Suite struct HybridRunsTests {
    @Test func `packs numbers as the format's own example does`() {
        #expect(HybridRuns.encoded([0, 1, 2, 3, 4, 5, 6, 7], bitWidth: 3) == [0x03, 0x88, 0xC6, 0xFA])
    }

    @Test func `writes a number that repeats once`() {
        #expect(HybridRuns.encoded(Array(repeating: 4, count: 100), bitWidth: 3) == [0xC8, 0x01, 0x04])
        #expect(HybridRuns.encoded(Array(repeating: 260, count: 8), bitWidth: 9) == [0x10, 0x04, 0x01])
        #expect(HybridRuns.encoded(1, count: 100, bitWidth: 1) == [0xC8, 0x01, 0x01])
        #expect(HybridRuns.encoded([], bitWidth: 1) == [])
        #expect(HybridRuns.encoded(1, count: 0, bitWidth: 1) == [])
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `any numbers come back`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let bitWidth = Int.random(in: 1...32, using: &random)
        let greatest = UInt32(truncatingIfNeeded: UInt64(1) << UInt64(bitWidth) - 1)
        var numbers: [UInt32] = []
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            let number = UInt32.random(in: 0...greatest, using: &random)
            let count = Bool.random(using: &random) ? 1 : Int.random(in: 1...40, using: &random)
            numbers += repeatElement(number, count: count)
        }
        let bytes = HybridRuns.encoded(numbers, bitWidth: bitWidth)
        #expect(read(bytes, bitWidth: bitWidth, count: numbers.count) == numbers)
    }

    /// Written after the format's description, not after the encoder.
    private func read(_ bytes: [UInt8], bitWidth: Int, count: Int) -> [UInt32] {
        var numbers: [UInt32] = []
        var rest = bytes[...]
        while numbers.count < count, !rest.isEmpty {
            var (header, shift) = (0, 0)
            while let byte = rest.popFirst() {
                header |= Int(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            if header & 1 == 1 {
                let bits = rest.prefix(header >> 1 * bitWidth).flatMap { byte in
                    (0..<8).map { byte >> UInt8($0) & 1 }
                }
                rest = rest.dropFirst(header >> 1 * bitWidth)
                for first in stride(from: 0, to: bits.count, by: bitWidth) {
                    numbers.append(
                        (0..<bitWidth).reduce(0) { $0 | UInt32(bits[first + $1]) << UInt32($1) })
                }
            } else {
                let width = (bitWidth + 7) / 8
                let number = rest.prefix(width).reversed().reduce(0) { $0 << 8 | UInt32($1) }
                rest = rest.dropFirst(width)
                numbers += repeatElement(number, count: header >> 1)
            }
        }
        return Array(numbers.prefix(count))
    }
}

@Suite struct DistinctTextsTests {
    private func texts(_ values: [String]) -> DistinctTexts {
        var texts = DistinctTexts()
        for value in values { texts.append(Array(value.utf8), 0..<value.utf8.count) }
        return texts
    }

    @Test func `keeps each text once, and its length before it`() {
        let found = texts(["a", "bc", "a", "", "bc", "bc"])
        #expect(found.page == [1, 0, 0, 0, 0x61, 2, 0, 0, 0, 0x62, 0x63, 0, 0, 0, 0])
        #expect(found.places == [0, 1, 0, 2, 1, 1])
        #expect(found.repeatsMuch)
        #expect(found.plain.count == 6 * 4 + 8)
        #expect(found.bounds?.least == [] && found.bounds?.greatest == [0x62, 0x63])
    }

    @Test func `a thousand texts are told apart, however often they come`() {
        let found = texts((0..<5000).map { "\($0 * 7919 % 1000)" })
        #expect(found.ranges.count == 1000)
        for (value, place) in found.places.enumerated() {
            let text = String(decoding: found.page[found.ranges[Int(place)]], as: UTF8.self)
            #expect(text == "\(value * 7919 % 1000)")
        }
    }

    @Test func `does not look for texts that did not repeat before`() {
        var found = texts(["a", "b", "c"])
        found.removeAll()
        for text in ["x", "y", "x", "x"] { found.append(Array(text.utf8), 0..<1) }
        #expect(found.places == [0, 1, 2, 2])
        #expect(found.plain == texts(["x"]).page + texts(["y"]).page + texts(["x"]).page + texts(["x"]).page)
    }

    @Test func `long texts have no bounds, and none have none`() {
        #expect(texts([String(repeating: "x", count: 65), "a"]).bounds == nil)
        #expect(texts([]).bounds == nil)
    }
}

@Suite struct NDJSONRowsTests {
    private func digits(_ text: String) -> (value: Int, places: Int)? {
        NDJSONRows.digits(Array(text.utf8), 0..<text.utf8.count)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `short numbers are read as the library reads them`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<100 {
            let count = Int.random(in: 1...15, using: &random)
            var text = (0..<count).map { _ in "\(Int.random(in: 0...9, using: &random))" }
            if count > 1, Bool.random(using: &random) {
                text.insert(".", at: Int.random(in: 1..<count, using: &random))
            }
            let number = text.joined()
            let found = try #require(digits(number), "\(number)")
            #expect(Double(found.value) / NDJSONRows.powersOfTen[found.places] == Double(number), "\(number)")
        }
    }

    @Test(arguments: ["", ".", "1.", ".5", "-1", "1e5", "1.2.3", "1234567890123456", "nan", "0x1", "+1"])
    func `leaves all others to the library`(number: String) {
        #expect(digits(number) == nil)
    }
}

@Suite struct ParquetFileTests {
    private let run =
        #""run":"r","study":"s","participant":"P01","session":1,"step":"a","visit":1,"stimulus":null"#

    private func write(_ lines: String) throws -> (bytes: [UInt8], rows: Int) {
        let place = TemporaryFolder()
        return try withExtendedLifetime(place) {
            let folder = try Folder(place.path)
            try folder.write(Array(lines.utf8), to: "in", isDurable: false)
            let written = try ParquetFile.write(.samples, from: "in", to: "out", in: folder)
            let bytes = try folder.read("out")
            #expect(written.file.bytes == bytes.count)
            #expect(written.file.sha256 == SHA256.hexadecimal(of: bytes))
            return (bytes, written.rows)
        }
    }

    private func line(_ quality: String = "0.5", time: String = #""2026-01-31T09:00:14.083Z""#) -> String {
        "{\(run),\"recorder\":\"hr\",\"offset_seconds\":1.5,\"time\":\(time),\"bpm\":60.0,\"source\":\"a\\\"b\","
            + "\"quality\":\(quality),\"expected_bpm\":null,\"deviation_bpm\":null,\"in_band\":null,\"counted\":true}\n"
    }

    @Test func `begins and ends with its mark, and says where its footer is`() throws {
        for count in [0, 1, 3] {
            let (bytes, rows) = try write(String(repeating: line(), count: count))
            #expect(rows == count)
            #expect(bytes.prefix(4) == ParquetFile.mark[...] && bytes.suffix(4) == ParquetFile.mark[...])
            let length = bytes.suffix(8).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            #expect(bytes.count >= 12 + length)
            // Version 2, then the schema: 17 columns and their root.
            #expect(bytes[(bytes.count - 8 - length)...].prefix(5) == [0x15, 0x04, 0x19, 0xFC, 0x12])
        }
    }

    @Test func `the same rows make the same bytes`() throws {
        let lines = (0..<50).map { line("0.\($0)") }.joined()
        #expect(try write(lines).bytes == write(lines).bytes)
    }

    @Test(arguments: [
        "x", "{}\n", "{\"run\":\"r\"}\n", "\n", "null\n",
        #"{"run":null,"study":"s","participant":"P01","session":1}"# + "\n",
    ])
    func `refuses lines that are no rows of the table`(lines: String) {
        #expect(throws: FileFailure.self) { try write(lines) }
    }

    @Test func `refuses values of another type`() {
        #expect(throws: FileFailure.self) { try write(line("\"high\"")) }
        #expect(throws: FileFailure.self) { try write(line("true")) }
        #expect(throws: FileFailure.self) { try write(line(time: "\"yesterday\"")) }
        #expect(throws: FileFailure.self) { try write(line(time: "7")) }
        #expect(throws: FileFailure.self) { try write(String(line().dropLast())) }
    }
}
