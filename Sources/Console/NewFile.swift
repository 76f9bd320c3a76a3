import Glibc
package import Platform
import Results

/// A file that is written completely or not at all, and never over another one.
package enum NewFile {
    package static func write(_ bytes: [UInt8], to path: String) throws(FileFailure) {
        try mustBeNew(path)
        let partial = "\(path).\(getpid()).partial"
        let descriptor = unsafe open(
            partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileFailure("create", path, .system(code: errno)) }
        let failure = Self.fill(descriptor, bytes)
        close(descriptor)
        guard failure == 0 else {
            _ = unsafe unlink(partial)
            throw FileFailure("write", path, .system(code: failure))
        }
        // Unlike a rename, a link never replaces anything.
        let isLinked = unsafe link(partial, path) == 0
        let code = errno
        _ = unsafe unlink(partial)
        guard isLinked else {
            throw FileFailure("write", path, code == EEXIST ? .exists : .system(code: code))
        }
    }

    package static func mustBeNew(_ path: String) throws(FileFailure) {
        guard unsafe faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0 else {
            throw FileFailure("write", path, .exists)
        }
    }

    /// The whole of a file.
    package static func read(_ path: String) throws(FileFailure) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFailure("read", path, .system(code: errno)) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe Glibc.read(descriptor, &piece, piece.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes += piece.prefix(count)
            } else if errno != EINTR {
                throw FileFailure("read", path, .system(code: errno))
            }
        }
    }

    /// - Returns: the system's error, or 0.
    private static func fill(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32 {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
            }
            if count >= 0 { done += count } else if errno != EINTR { return errno }
        }
        return fsync(descriptor) == 0 ? 0 : errno
    }
}
