import CZlib
import Results
import SessionPorts
import StudyModel
import StudyTesting
import Testing

@testable import Recordings
@testable import Results

/// Packed by Python's `gzip` and `zipfile`: `time,hr`, `10,60`, `11.5,62`.
private enum Packed {
    static let gzip = "1f8b08000000000002032bc9cc4dd5c928e23234d03133e03234d433d53133e202008725552416000000"
    /// In two parts, as `cat a.gz b.gz` makes them.
    static let parts =
        "1f8b08000000000002032bc9cc4dd5c928e2323400005d8f818b0a0000001f8b0800000000000203d33133e03234d433d53133e2020091435f8f0c000000"
    /// With a file of the Mac's and one that is no recording beside it.
    static let zip =
        "504b0304140000000800c04b3f5c8316dc8c0300000001000000110000005f5f4d41434f53582f2e5f48522e637376ab0000504b0304140000000800c04b3f5c8725552418000000160000000900000045342f48522e6373762bc9cc4dd5c928e23234d03133e03234d433d53133e20200504b0304140000000800c04b3f5c1f28aa6704000000020000000b00000045342f696e666f2e706466cbcb0700504b01021403140000000800c04b3f5c8316dc8c03000000010000001100000000000000000000008001000000005f5f4d41434f53582f2e5f48522e637376504b01021403140000000800c04b3f5c87255524180000001600000009000000000000000000000080013200000045342f48522e637376504b01021403140000000800c04b3f5c1f28aa6704000000020000000b000000000000000000000080017100000045342f696e666f2e706466504b05060000000003000300af0000009e0000000000"
    static let stored =
        "504b0304140000000000c04b3f5c8725552416000000160000000600000048522e63737674696d652c68720a31302c36300a31312e352c36320a504b01021403140000000000c04b3f5c87255524160000001600000006000000000000000000000080010000000048522e637376504b05060000000001000100340000003a0000000000"
    static let office =
        "504b030414000000000000005f5bc71c173c0800000008000000130000005b436f6e74656e745f54797065735d2e786d6c3c54797065732f3e504b030414000000000000005f5b1eaf5f2a0c0000000c00000018000000786c2f776f726b7368656574732f7368656574312e786d6c3c776f726b73686565742f3e504b0102140314000000000000005f5bc71c173c08000000080000001300000000000000000000008001000000005b436f6e74656e745f54797065735d2e786d6c504b0102140314000000000000005f5b1eaf5f2a0c0000000c000000180000000000000000000000800139000000786c2f776f726b7368656574732f7368656574312e786d6c504b05060000000002000200870000007b0000000000"
    static let several =
        "504b0304140000000800c04b3f5c8725552418000000160000000900000045342f48522e6373762bc9cc4dd5c928e23234d03133e03234d433d53133e20200504b0304140000000800c04b3f5c579d00e10a000000960000000b00000045342f54454d502e6373763336d633e4321e6c0400504b01021403140000000800c04b3f5c87255524180000001600000009000000000000000000000080010000000045342f48522e637376504b01021403140000000800c04b3f5c579d00e10a000000960000000b000000000000000000000080013f00000045342f54454d502e637376504b0506000000000200020070000000720000000000"
}

@Suite struct PackedRecordingTests {
    private let folder = TemporaryFolder()

    private func bytes(_ text: String) -> [UInt8] {
        let digits = text.utf8.map { $0 >= 0x61 ? $0 - 0x57 : $0 - 0x30 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = folder.path + "/" + name
        try #require(writeFile(bytes, to: path))
        return path
    }

    private func rates(_ path: String) throws(SourceFailure) -> [Double?] {
        try HeartRateRecording(contentsOf: path).entries.map(\.sample.rate)
    }

    @Test(arguments: [
        ("a.csv.gz", Packed.gzip), ("b.gz", Packed.parts), ("c.zip", Packed.zip), ("d.zip", Packed.stored),
    ])
    func `what is packed is opened`(name: String, content: String) throws {
        #expect(try rates(file(name, bytes(content))) == [60, 62])
    }

    /// Parts that the reader would not see are looked for up to the end of the file.
    @Test(arguments: [0, 1, 1 << 16, 200_000])
    func `every part is read, with padding and wherever it begins`(padding: Int) throws {
        let parts = bytes(Packed.parts)
        let second = try #require(parts.lastIndex(of: 0x8B)) - 1
        let zeros = [UInt8](repeating: 0, count: padding)
        #expect(try rates(file("a.csv.gz", parts[..<second] + zeros + parts[second...] + zeros)) == [60, 62])
    }

    @Test func `what is no part, or a broken one, is not left out in silence`() throws {
        let parts = bytes(Packed.parts)
        let second = try #require(parts.lastIndex(of: 0x8B)) - 1
        let (first, rest) = (Array(parts[..<second]), Array(parts[second...]))
        let broken: [(bytes: [UInt8], words: String)] = [
            (first + Array("rest".utf8), "bytes that are not compressed"),
            (first + [0x1E] + rest.dropFirst(), "bytes that are not compressed"),
            (first + [0x1F, 0x1F] + rest.dropFirst(2), "is damaged"),
            (first + rest.dropLast(12), "cut off"), (first + rest.prefix(1), "cut off"),
        ]
        for (changed, words) in broken {
            let failure = #expect(throws: SourceFailure.self) { try rates(file("b.csv.gz", changed)) }
            #expect(failure?.description.contains(words) == true, "\(words): \(failure as Any)")
        }
    }

    @Test func `of several files one is named`() throws {
        let path = try file("e4.zip", bytes(Packed.several))
        let failure = #expect(throws: SourceFailure.self) { try rates(path) }
        #expect(failure?.isBadData == true)
        #expect(
            failure?.description.contains("'E4/HR.csv', 'E4/TEMP.csv': name one after the archive") == true)
        #expect(try rates(path + "/HR.csv") == [60, 62])
        let missing = #expect(throws: SourceFailure.self) { try rates(path + "/IBI.csv") }
        #expect(missing?.description.contains("the archive holds") == true)
    }

    @Test func `wherever a packed file is cut off or damaged, it is refused and not read as less`() throws {
        for content in [Packed.gzip, Packed.zip] {
            let whole = bytes(content)
            for length in 5..<whole.count - 1 {
                let path = try file("cut-\(content.utf8.count)-\(length)", Array(whole[..<length]))
                // A checksum that is cut off at its end costs nothing.
                guard let found = try? rates(path) else { continue }
                #expect(found == [60, 62])
            }
        }
        var broken = bytes(Packed.gzip)
        broken[14] ^= 0xFF
        let path = try file("broken.gz", broken)
        #expect(throws: SourceFailure.self) { try rates(path) }
    }

    @Test func `what was packed to fill memory is refused by name`() throws {
        let path = try file("bomb.csv.gz", PackedBytes.zeros(Inflation.harmless + 1))
        let failure = #expect(throws: SourceFailure.self) {
            var input = try RecordedInput(path: path)
            return try input.rest(limit: 1 << 30)
        }
        #expect(failure?.isBadData == true)
        #expect(failure?.description.contains("bomb.csv.gz' unpacks to more than 250 times its size") == true)
    }

    @Test func `a document of Excel is no archive of recordings`() throws {
        let path = try file("book.xlsx", bytes(Packed.office))
        let failure = #expect(throws: SourceFailure.self) { try rates(path) }
        #expect(failure?.description.contains("save its sheet as CSV") == true)
    }

    @Test func `an archive without files is told as such`() throws {
        let path = try file("empty.zip", [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18))
        let failure = #expect(throws: SourceFailure.self) { try rates(path) }
        #expect(failure?.description.contains("holds no file that may be a recording") == true)
    }

    @Test func `an archive from a pipe or in another is refused with what to do`() throws {
        let inner = try file("inner.csv.gz", PackedBytes.gzip(bytes(Packed.zip)))
        let failure = #expect(throws: SourceFailure.self) { try rates(inner) }
        #expect(failure?.description.contains("give the file itself") == true)
    }

    @Test func `a changed byte in an archive is noticed`() throws {
        var content = bytes(Packed.zip)
        let place = try #require(content.firstIndex(of: 0x2B))
        for offset in 1..<20 {
            var changed = content
            changed[place + offset] ^= 0x10
            let path = try file("changed-\(offset).zip", changed)
            #expect(throws: SourceFailure.self) { try rates(path) }
        }
        content.removeLast(30)
        let path = try file("short.zip", content)
        #expect(throws: SourceFailure.self) { try rates(path) }
    }

    @Test func `a long recording is unpacked a block at a time`() throws {
        let path = try file("bytes.gz", bytes(Packed.gzip))
        var input = try RecordedInput(path: path)
        var block: [UInt8] = []
        var all: [UInt8] = []
        repeat {
            try input.read(into: &block, atMost: 3)
            all += block
        } while !block.isEmpty
        #expect(String(decoding: all, as: UTF8.self) == "time,hr\n10,60\n11.5,62\n")
    }
}

/// gzip of any bytes, by zlib.
private enum PackedBytes {
    static func zeros(_ count: Int) -> [UInt8] { gzip([UInt8](repeating: 0, count: count)) }

    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var stream = unsafe z_stream()
        unsafe deflateInit2_(
            &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, zlibVersion(),
            Int32(MemoryLayout<z_stream>.size))
        defer { unsafe deflateEnd(&stream) }
        let bound = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
        var input = bytes
        return unsafe input.withUnsafeMutableBufferPointer { source in
            // SAFETY: both buffers outlive the call.
            unsafe [UInt8](unsafeUninitializedCapacity: bound) { target, count in
                unsafe stream.next_in = source.baseAddress
                unsafe stream.avail_in = UInt32(source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(target.count)
                unsafe deflate(&stream, Z_FINISH)
                unsafe count = target.count - Int(stream.avail_out)
            }
        }
    }
}
