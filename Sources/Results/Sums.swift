/// What `SHA256SUMS` says, in the form that `sha256sum -c` reads.
struct Sums: Hashable {
    /// Lower-case hexadecimal SHA-256 by path.
    var digests: [String: String]

    static let fileName = "SHA256SUMS"

    init(digests: [String: String]) { self.digests = digests }

    func encoded() -> [UInt8] {
        let lines = digests.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)\n" }
        return Array(lines.joined().utf8)
    }

    /// - Throws: `BundleFailure` where a line is not a digest, two spaces and a path within the bundle.
    init(parsing bytes: [UInt8]) throws(BundleFailure) {
        digests = [:]
        let lines = Lines(of: bytes)
        for (index, line) in lines.whole.enumerated() {
            let text = String(decoding: bytes[line], as: UTF8.self)
            let digest = String(text.prefix(64))
            let path = String(text.dropFirst(66))
            let isDigest = digest.count == 64 && digest.allSatisfy(\.isHexDigit)
            let isWithin =
                !path.isEmpty && !path.hasPrefix("/") && !path.split(separator: "/").contains("..")
            guard isDigest, text.dropFirst(64).prefix(2) == "  ", isWithin, digests[path] == nil else {
                throw BundleFailure("read", Self.fileName, .malformed("line \(index + 1) is not a sum"))
            }
            digests[path] = digest
        }
        if lines.hasTornEnd {
            throw BundleFailure("read", Self.fileName, .malformed("the last line is torn"))
        }
    }
}
