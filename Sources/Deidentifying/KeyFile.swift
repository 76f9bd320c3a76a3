package import Platform
import Results

/// The file with a key for pseudonyms.
package enum KeyFile {
    /// The bytes of a key.
    package static func read(_ path: String) throws(FileFailure) -> [UInt8] {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        return try Folder(folder).read(name)
    }
}
