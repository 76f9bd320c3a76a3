import Glibc
package import Platform
import Results

/// The file with a key for pseudonyms, and this machine's name, which must not appear in pseudonymised exports.
package enum KeyFile {
    /// The bytes of a key.
    package static func read(_ path: String) throws(FileFailure) -> [UInt8] {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        return try Folder(folder).read(name)
    }

    /// Whether people other than the owner may read the file.
    package static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & (S_IRGRP | S_IROTH) != 0
    }

    /// This machine's name; `nil` if it has none.
    package static var machine: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}
