package import Platform
import StudyModel

/// The contents of `SHA256SUMS`, in the form that `sha256sum -c` reads.
package struct Sums: Hashable {
    /// Lower-case hexadecimal SHA-256 by path.
    package var digests: [String: String]

    package static let fileName = "SHA256SUMS"

    package init(digests: [String: String]) { self.digests = digests }

    package func encoded() -> [UInt8] {
        let lines = digests.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)\n" }
        return Array(lines.joined().utf8)
    }

    /// - Throws: `FileFailure` if a line is not a digest, two spaces and a path within the bundle.
    package init(parsing bytes: [UInt8]) throws(FileFailure) {
        digests = [:]
        let lines = Lines(of: bytes)
        for (index, line) in lines.whole.enumerated() {
            guard let (digest, path) = Self.sum(bytes[line]), digests.updateValue(digest, forKey: path) == nil
            else {
                throw FileFailure("read", Self.fileName, .malformed("line \(index + 1) is not a checksum"))
            }
        }
        if lines.hasTornEnd {
            throw FileFailure("read", Self.fileName, .malformed("the last line is torn"))
        }
    }

    /// The digest of one path; what comes after it is not read.
    package static func digest(of path: String, in bytes: [UInt8]) -> String? {
        Lines(of: bytes).whole.lazy.compactMap { sum(bytes[$0]) }.first { $0.path == path }?.digest
    }

    private static func sum(_ line: ArraySlice<UInt8>) -> (digest: String, path: String)? {
        let digest = line.prefix(64)
        let space = line.dropFirst(64).prefix(2)
        guard digest.count == 64, digest.allSatisfy(isHexadecimal),
            space.elementsEqual([UInt8(ascii: " "), UInt8(ascii: " ")]),
            let path = String(validating: line.dropFirst(66), as: UTF8.self), BundlePath(path) != nil
        else { return nil }
        return (String(decoding: digest, as: UTF8.self), path)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
