import CHogweed
import Hashing
package import Platform
import TextFormat

/// An Ed25519 key of a log, in the forms of C2SP's signed notes and of Go's package `note`. One that was read from a
/// verifier key cannot sign.
package struct LogKey: Sendable {
    /// The name of the key, and the origin of the log.
    package let name: String
    private let publicKey: [UInt8]
    private let secret: [UInt8]?

    /// The type of a signature with Ed25519.
    private static let algorithm: UInt8 = 1

    /// A new key, whose name nobody else's has.
    ///
    /// - Parameters:
    ///   - secret: 32 random bytes.
    ///   - owner: what signs with it, `log` or `monitor`.
    package init(secret: [UInt8], of owner: String = "log") {
        publicKey = Self.publicKey(of: secret)
        name = "entrain/\(owner)/" + SHA256.hexadecimal(of: publicKey).prefix(16)
        self.secret = secret
    }

    /// The key that a file holds. If there is none, a new one is put there.
    ///
    /// - Parameter new: makes it; with `nil`, nothing is written.
    package static func kept(at path: String, in folder: Folder, new: LogKey?) throws(FileFailure) -> LogKey?
    {
        guard !folder.exists(path) else {
            return LogKey(secretText: try folder.text(of: path, isLine: true))
        }
        if let secret = new?.secretText { try folder.store(Array("\(secret)\n".utf8), at: path) }
        return new
    }

    /// - Parameter text: `PRIVATE+KEY+`, and the rest as `secretText` gives it.
    package init?(secretText text: some StringProtocol) {
        let parts = text.split(separator: "+", maxSplits: 4)
        guard parts.count == 5, parts[0] == "PRIVATE", parts[1] == "KEY",
            let secret = Self.bytes(parts[4])
        else { return nil }
        (name, publicKey, self.secret) = (String(parts[2]), Self.publicKey(of: secret), secret)
        guard parts[3] == hexadecimal(id) else { return nil }
    }

    /// - Parameter text: as `verifierText` gives it.
    package init?(verifierText text: some StringProtocol) {
        let parts = text.split(separator: "+", maxSplits: 2)
        guard parts.count == 3, let key = Self.bytes(parts[2]) else { return nil }
        (name, publicKey, secret) = (String(parts[0]), key, nil)
        guard parts[1] == hexadecimal(id) else { return nil }
    }

    /// What others verify with: the name, the identifier and the public key.
    package var verifierText: String {
        "\(name)+\(hexadecimal(id))+\(([Self.algorithm] + publicKey).base64)"
    }

    /// The key itself; `nil` for one that cannot sign.
    package var secretText: String? {
        secret.map { "PRIVATE+KEY+\(name)+\(hexadecimal(id))+\(([Self.algorithm] + $0).base64)" }
    }

    /// The first 4 bytes of what names the key in signatures.
    private var id: ArraySlice<UInt8> {
        SHA256.digest(of: Array("\(name)\n".utf8) + [Self.algorithm] + publicKey).prefix(4)
    }

    /// A text with its signature.
    ///
    /// - Parameter text: whole lines.
    /// - Returns: `nil` if the key cannot sign.
    package func note(_ text: String) -> String? {
        guard let secret else { return nil }
        let message = Array(text.utf8)
        let signature = unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            unsafe nettle_ed25519_sha512_sign(publicKey, secret, message.count, message, start)
            count = 64
        }
        return "\(text)\n— \(name) \((id + signature).base64)\n"
    }

    /// The text of a note that this key signed; `nil` if it did not.
    package func text(of note: String) -> String? {
        let lines = note.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.last == "", let blank = lines.dropLast().lastIndex(of: "") else { return nil }
        let text = lines[..<blank].joined(separator: "\n") + "\n"
        let message = Array(text.utf8)
        let own = lines[(blank + 1)...].compactMap { line -> [UInt8]? in
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "—", words[1] == name,
                let bytes = [UInt8](base64: words[2]), bytes.count == 68, bytes.prefix(4) == id
            else { return nil }
            return Array(bytes.dropFirst(4))
        }
        guard let signature = own.first, own.count == 1,
            unsafe nettle_ed25519_sha512_verify(publicKey, message.count, message, signature) == 1
        else { return nil }
        return text
    }

    private static func publicKey(of secret: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            unsafe nettle_ed25519_sha512_public_key(start, secret)
            count = 32
        }
    }

    /// The 32 bytes behind the algorithm.
    private static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        guard let bytes = [UInt8](base64: text), bytes.count == 33, bytes[0] == algorithm else { return nil }
        return Array(bytes.dropFirst())
    }
}
