import Glibc
package import Platform
import StudyModel

/// A temporary folder that is removed when nobody needs it any more.
package final class TemporaryFolder {
    package let path: String
    private let base: String

    package init() throws(FileFailure) {
        base = environmentVariable("TMPDIR") ?? "/tmp"
        var pattern = Array("\(base)/entrain-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&pattern) != nil else { throw FileFailure("make", base, .system(code: errno)) }
        path = String(decoding: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        do throws(FileFailure) {
            try Folder(base).removeAll(String(path.dropFirst(base.count + 1)))
        } catch {
            // What cannot be removed stays in the system's folder for temporary files.
        }
    }
}
