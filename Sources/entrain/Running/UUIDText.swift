/// UUIDs as texts, upper case.
enum UUIDText {
    /// A random one (version 4).
    static func random() -> String { from((0..<16).map { _ in UInt8.random(in: .min ... .max) }, version: 4) }

    /// One from 16 bytes or more, with its version and variant set.
    static func from(_ bytes: [UInt8], version: UInt8) -> String {
        var bytes = Array(bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0f | version << 4
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }
}
