import CNettle
import TextFormat

/// SHA-256 by Nettle, of whole data or piece by piece.
public struct SHA256: Sendable {
    private var state = sha256_ctx()

    /// The digest of no bytes.
    public init() { unsafe nettle_sha256_init(&state) }

    /// Adds bytes.
    public mutating func update(_ bytes: [UInt8]) {
        unsafe nettle_sha256_update(&state, bytes.count, bytes)
    }

    /// The digest of all bytes that were added, 32 bytes.
    public consuming func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            unsafe nettle_sha256_digest(&state, 32, start)
            count = 32
        }
    }

    /// The digest of `bytes`, 32 bytes.
    public static func digest(of bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    /// The digest of `bytes` as 64 lower-case hexadecimal digits.
    public static func hexadecimal(of bytes: [UInt8]) -> String { hexadecimal(digest: digest(of: bytes)) }

    /// The digest of a text in UTF-8 as 64 lower-case hexadecimal digits.
    public static func hexadecimal(of text: String) -> String { hexadecimal(of: Array(text.utf8)) }

    /// Whether a text has the form that `hexadecimal(of:)` gives.
    package static func isHexadecimal(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
                default: false
                }
            }
    }

    /// A digest in Base64 instead of hexadecimal digits.
    package static func base64(hexadecimal text: String) -> String {
        let digits = text.compactMap(\.hexDigitValue)
        let digest = stride(from: 0, to: digits.count - 1, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
        return digest.base64
    }

    /// A digest as lower-case hexadecimal digits.
    public static func hexadecimal(digest: [UInt8]) -> String { TextFormat.hexadecimal(digest) }

    /// The seed of a random stream: the first 8 bytes, big-endian, of the digest of a text's UTF-8.
    public static func streamSeed(of text: String) -> UInt64 {
        digest(of: Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
