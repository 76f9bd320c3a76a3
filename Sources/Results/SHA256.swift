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

    /// A digest as lower-case hexadecimal digits.
    public static func hexadecimal(digest: [UInt8]) -> String { TextFormat.hexadecimal(digest) }

    /// The seed of a random stream: the first 8 bytes, big-endian, of the digest of a text's UTF-8.
    public static func streamSeed(of text: String) -> UInt64 {
        digest(of: Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
