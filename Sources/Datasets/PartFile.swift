import Glibc
import Results

/// One file of a dataset being written: it has its name only once it is whole and on disk.
final class PartFile {
    let path: String
    private let descriptor: Int32
    private var hash = SHA256()
    private var waiting: [UInt8] = []
    private(set) var size = 0
    private var isOpen = true

    private var temporary: String { path + Self.temporarySuffix }
    /// Ends the name of a file that is being written.
    static let temporarySuffix = ".tmp"

    init(_ path: String, header: [UInt8]) throws(BundleFailure) {
        self.path = path
        descriptor = unsafe open(
            path + Self.temporarySuffix, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw BundleFailure("create", path, .system(code: errno)) }
        try append(header)
    }

    deinit { if isOpen { close(descriptor) } }

    func append(_ bytes: [UInt8]) throws(BundleFailure) {
        waiting += bytes
        if waiting.count >= 1 << 16 { try flush() }
    }

    /// Writes what waits, puts it on disk and gives the file its name.
    ///
    /// - Returns: size and lower-case hexadecimal SHA-256.
    func finish() throws(BundleFailure) -> (bytes: Int, sha256: String) {
        try flush()
        defer { isOpen = false }
        let isSynced = fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isSynced else { throw BundleFailure("sync", path, .system(code: code)) }
        guard unsafe rename(temporary, path) == 0 else {
            throw BundleFailure("rename", path, .system(code: errno))
        }
        return (size, SHA256.hexadecimal(digest: hash.finish()))
    }

    private func flush() throws(BundleFailure) {
        hash.update(waiting)
        var done = 0
        while done < waiting.count {
            let count = unsafe waiting.withUnsafeBytes { buffer in
                unsafe write(descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
            }
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                throw BundleFailure("write", path, .system(code: errno))
            }
        }
        size += waiting.count
        waiting.removeAll(keepingCapacity: true)
    }

    /// Replaces a whole file at once.
    static func replace(_ path: String, with bytes: [UInt8]) throws(BundleFailure) {
        _ = try PartFile(path, header: bytes).finish()
    }
}

/// Calls on a dataset's folders.
enum DatasetFolder {
    /// Makes a folder with those above it that are missing.
    static func make(_ path: String) throws(BundleFailure) {
        var above = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            above += above.isEmpty || above == "/" ? String(part) : "/\(part)"
            guard unsafe mkdir(above, 0o700) == 0 || errno == EEXIST else {
                throw BundleFailure("make", above, .system(code: errno))
            }
        }
    }

    /// Puts the names in a folder on disk.
    static func sync(_ path: String) throws(BundleFailure) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BundleFailure("open", path, .system(code: errno)) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw BundleFailure("sync", path, .system(code: errno)) }
    }

    static func remove(_ path: String) throws(BundleFailure) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw BundleFailure("remove", path, .system(code: errno))
        }
    }
}
