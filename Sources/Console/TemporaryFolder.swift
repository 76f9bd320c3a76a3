import Glibc
package import Platform
import StudyModel

/// What is left of a file system.
package enum FreeSpace {
    /// Bytes that this user can still write at a path; `nil` if nothing is known of it.
    package static func bytes(at path: String) -> Double? {
        var system = statvfs()
        guard unsafe statvfs(path, &system) == 0 else { return nil }
        return Double(system.f_bavail) * Double(system.f_frsize)
    }
}

/// A temporary folder that is removed when nobody needs it any more.
package final class TemporaryFolder {
    package let path: String
    private let base: String

    /// - Parameter inMemory: whether the folder may be in memory, where nothing waits for a disk. It is if nobody named
    ///   another place, and a gibibyte is free there.
    package init(inMemory: Bool = false) throws(FileFailure) {
        base = environmentVariable("TMPDIR") ?? (inMemory && Self.isMemoryFree ? Self.memory : "/tmp")
        var pattern = Array("\(base)/entrain-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&pattern) != nil else { throw FileFailure("make", base, .system(code: errno)) }
        path = String(decoding: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The file system that Linux keeps in memory.
    private static let memory = "/dev/shm"

    private static var isMemoryFree: Bool {
        unsafe access(memory, W_OK) == 0 && (FreeSpace.bytes(at: memory) ?? 0) >= 0x1p30
    }

    deinit {
        do throws(FileFailure) {
            try Folder(base).removeAll(String(path.dropFirst(base.count + 1)))
        } catch {
            // What cannot be removed stays in the system's folder for temporary files.
        }
    }
}
