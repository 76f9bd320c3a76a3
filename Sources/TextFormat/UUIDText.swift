/// UUIDs as text, as in RFC 9562; those of bundles are in upper case.
package enum UUIDText {
    /// A UUID in upper case from 16 bytes or more, with its version and variant set.
    package static func text(of bytes: [UInt8], version: UInt8, separator: String = "-") -> String {
        var bytes = Array(bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        return grouped(hexadecimal(bytes).uppercased(), separator: separator)
    }

    /// 32 digits in groups of 8, 4, 4, 4 and 12.
    package static func grouped(_ digits: String, separator: String = "-") -> String {
        let digits = Array(digits)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
            .joined(separator: separator)
    }

    /// Whether a text is an upper-case UUID, so that it may name a folder.
    ///
    /// - Parameter ignoresCase: whether lower-case digits are taken, too.
    package static func isUUID(_ text: String, ignoringCase ignoresCase: Bool = false) -> Bool {
        text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { place, byte in
                let isBetweenParts = place == 8 || place == 13 || place == 18 || place == 23
                return switch byte {
                case UInt8(ascii: "-"): isBetweenParts
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"):
                    !isBetweenParts
                case UInt8(ascii: "a")...UInt8(ascii: "f"): ignoresCase && !isBetweenParts
                default: false
                }
            }
    }
}

/// Two lower-case digits for each byte.
package func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}

extension String {
    /// The text as a part of an address. Letters, digits, `-._~` and the characters in `kept` stay; other bytes
    /// become `%XX`.
    package func percentEncoded(keeping kept: String = "") -> String {
        let plain = Set(
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~" + kept).utf8)
        return utf8.map { byte in
            plain.contains(byte)
                ? String(Character(Unicode.Scalar(byte))) : "%" + hexadecimal([byte]).uppercased()
        }
        .joined()
    }
}
