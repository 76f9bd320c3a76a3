/// HMAC-SHA-256 (RFC 2104).
package enum HMAC {
    /// The authentication code of `bytes`, 32 bytes.
    ///
    /// - Parameter key: of any length.
    package static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        let blockSize = 64
        var block = key.count > blockSize ? SHA256.digest(of: key) : key
        block += [UInt8](repeating: 0, count: blockSize - block.count)
        let inner = SHA256.digest(of: block.map { $0 ^ 0x36 } + bytes)
        return SHA256.digest(of: block.map { $0 ^ 0x5C } + inner)
    }
}
