/// One notification of the Bluetooth Heart Rate Measurement characteristic (0x2A37).
///
/// Source: Bluetooth SIG, Heart Rate Service 1.0, section 3.1. All fields are little-endian; the reserved bits of
/// the flags are ignored. Real straps send packets whose flags promise intervals but that contain none, if no beat
/// fell into their second. Such a packet is valid, and has no interval. If half an interval stands at the end, only
/// that half is dropped; the rest of the notification is valid.
package struct HeartRateMeasurement: Hashable, Sendable {
    /// Whether the strap touches skin.
    package enum Contact: Hashable, Sendable {
        /// The strap cannot tell.
        case notSupported
        case notDetected
        case detected
    }

    /// Bytes that are not a notification.
    package enum Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        /// The flags promise more bytes than came.
        case truncated(count: Int)

        package var description: String {
            switch self {
            case .truncated(let count): "a notification of \(count) bytes ends before its fields do"
            }
        }
    }

    /// As sent, 0...65535; 0 means that the strap found no pulse.
    package var beatsPerMinute: Int
    package var contact: Contact
    /// Kilojoules since the last reset, as sent; `nil` in most packets.
    package var energyExpended: Int?
    /// Time between beats in 1/1024 s, as sent, oldest first; empty if not sent.
    package var rawIntervals: [UInt16]
    /// Whether a single byte was left after the last whole interval.
    package var hasHalfInterval: Bool

    /// - Parameter bytes: as notified, usually 2 to 20.
    /// - Throws: `Malformed.truncated` if the flags promise more bytes than came.
    package init(parsing bytes: Span<UInt8>) throws(Malformed) {
        var position = 0
        let flags = try Self.byte(of: bytes, at: &position)
        beatsPerMinute =
            flags & 0x01 != 0
            ? Int(try Self.word(of: bytes, at: &position)) : Int(try Self.byte(of: bytes, at: &position))
        contact =
            switch flags & 0x06 {
            case 0x06: .detected
            case 0x04: .notDetected
            default: .notSupported
            }
        energyExpended = flags & 0x08 != 0 ? Int(try Self.word(of: bytes, at: &position)) : nil
        rawIntervals = flags & 0x10 != 0 ? Self.words(of: bytes, from: position) : []
        hasHalfInterval = flags & 0x10 != 0 && (bytes.count - position) % 2 == 1
    }

    /// Seconds between beats, oldest first; exact, because 1024 is a power of two.
    package var rrIntervals: [Double] { rawIntervals.map { Double($0) / 1024 } }

    private static func byte(of bytes: Span<UInt8>, at position: inout Int) throws(Malformed) -> UInt8 {
        guard position < bytes.count else { throw .truncated(count: bytes.count) }
        defer { position += 1 }
        return bytes[position]
    }

    private static func word(of bytes: Span<UInt8>, at position: inout Int) throws(Malformed) -> UInt16 {
        guard bytes.count - position >= 2 else { throw .truncated(count: bytes.count) }
        defer { position += 2 }
        return UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8
    }

    /// All remaining words, without half a word at the end.
    private static func words(of bytes: Span<UInt8>, from start: Int) -> [UInt16] {
        let count = (bytes.count - start) / 2
        guard count > 0 else { return [] }
        return (0..<count).map { index in
            UInt16(bytes[start + 2 * index]) | UInt16(bytes[start + 2 * index + 1]) << 8
        }
    }
}

/// Where a strap is worn, as its Body Sensor Location characteristic (0x2A38) says.
package enum BodySensorLocation: UInt8, Hashable, Sendable {
    case other = 0
    case chest, wrist, finger, hand, earLobe, foot

    /// In words, such as `ear lobe`.
    package var name: String {
        switch self {
        case .other: "other"
        case .chest: "chest"
        case .wrist: "wrist"
        case .finger: "finger"
        case .hand: "hand"
        case .earLobe: "ear lobe"
        case .foot: "foot"
        }
    }
}
