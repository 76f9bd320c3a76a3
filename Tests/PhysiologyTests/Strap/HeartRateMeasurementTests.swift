import Physiology
import StudyTesting
import Testing
import TextFormat

@testable import Results

/// What other programs' own tests say of packets, shared beside the project.
private struct Vector: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]
    /// `nil` if the packet is none.
    var expected: Expected?
    var testDescription: String { bytes.map { String($0, radix: 16) }.joined(separator: " ") }

    struct Expected: Hashable, Sendable {
        var rate: Int
        var contact: String
        var energy: Int?
        var intervals: [Int]
    }

    static let shared: [Vector] = {
        let root = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
        guard let bytes = readFile("/\(root)/shared/data/ble/vectors.json") else { return [] }
        do {
            return try JSON(parsing: bytes).field("vectors").asList { try Vector($0) }
        } catch {
            Issue.record("the shared vectors cannot be read: \(error)")
            return []
        }
    }()

    init(_ json: JSON) throws {
        let digits = Array(try json.field("hex").asText())
        bytes = try stride(from: 0, to: digits.count - 1, by: 2).map { index in
            try #require(UInt8(String(digits[index...index + 1]), radix: 16))
        }
        let wanted = try json.field("expect")
        guard try wanted.field("valid").asBoolean() else { return }
        expected = Expected(
            rate: try wanted.field("heart_rate_bpm").asInteger(),
            contact: try wanted.field("sensor_contact").asText(),
            energy: try wanted.field("energy_kj") == .null ? nil : wanted.field("energy_kj").asInteger(),
            intervals: try wanted.field("rr_1024") == .null
                ? [] : wanted.field("rr_1024").asList { try $0.asInteger() })
    }
}

extension HeartRateMeasurement {
    fileprivate init(_ bytes: [UInt8]) throws(Malformed) { try self.init(parsing: bytes.span) }
}

@Suite struct HeartRateMeasurementTests {
    @Test(
        .enabled(if: !Vector.shared.isEmpty, "the shared packets are not on this machine"),
        arguments: Vector.shared)
    fileprivate func `agrees with other programs about their packets`(vector: Vector) throws {
        guard let expected = vector.expected else {
            // Others refuse a packet for half an interval at its end; we leave out that half.
            if let read = try? HeartRateMeasurement(vector.bytes), read.hasHalfInterval { return }
            #expect(throws: HeartRateMeasurement.Malformed.truncated(count: vector.bytes.count)) {
                try HeartRateMeasurement(vector.bytes)
            }
            return
        }
        let read = try HeartRateMeasurement(vector.bytes)
        let contact =
            switch read.contact {
            case .notSupported: "not_supported"
            case .notDetected: "not_detected"
            case .detected: "detected"
            }
        #expect(
            Vector.Expected(
                rate: read.beatsPerMinute, contact: contact, energy: read.energyExpended,
                intervals: read.rawIntervals.map(Int.init)) == expected)
    }

    @Test func `keeps every interval, exactly`() throws {
        let read = try HeartRateMeasurement([0x16, 0x48, 0x54, 0x01, 0xec, 0x02])
        #expect(read.beatsPerMinute == 72)
        #expect(read.contact == .detected)
        #expect(read.rawIntervals == [340, 748])
        #expect(read.rrIntervals == [0.33203125, 0.73046875])
    }

    @Test func `intervals announced and not sent are none, and reserved bits mean nothing`() throws {
        #expect(try HeartRateMeasurement([0x10, 70]).rawIntervals == [])
        #expect(try HeartRateMeasurement([0xE0, 70]).beatsPerMinute == 70)
    }

    @Test func `half an interval at the end costs that half only`() throws {
        let read = try HeartRateMeasurement([0x10, 70, 0x54, 0x01, 0xec])
        #expect(read.rawIntervals == [340] && read.hasHalfInterval && read.beatsPerMinute == 70)
        #expect(try HeartRateMeasurement([0x10, 70, 0x54, 0x01]).hasHalfInterval == false)
        #expect(try HeartRateMeasurement([0x00, 70, 0x54]).hasHalfInterval == false)
    }

    @Test(
        arguments: [
            [], [0x00], [0x01, 0x46], [0x08, 70, 1], [0x1f, 1, 0, 1],
        ] as [[UInt8]])
    func `refuses what ends too early`(bytes: [UInt8]) {
        #expect(throws: HeartRateMeasurement.Malformed.truncated(count: bytes.count)) {
            try HeartRateMeasurement(bytes)
        }
    }

    @Test func `survives a million random packets, and takes each the way its length says`() {
        var random = SeededRandom(seed: 2037)
        var accepted = 0
        for _ in 0..<1_000_000 {
            let bytes = (0..<Int(random.next() % 24)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let isWhole = Self.fits(bytes)
            do throws(HeartRateMeasurement.Malformed) {
                let read = try HeartRateMeasurement(bytes)
                accepted += 1
                #expect(isWhole && (0...65_535).contains(read.beatsPerMinute))
            } catch {
                #expect(!isWhole)
            }
        }
        #expect((400_000..<950_000).contains(accepted))
    }

    /// The same rule in other words: the fields' lengths summed up.
    private static func fits(_ bytes: [UInt8]) -> Bool {
        guard let flags = bytes.first else { return false }
        let fixed = 2 + Int(flags & 1) + (flags & 8 != 0 ? 2 : 0)
        return bytes.count >= fixed
    }
}
