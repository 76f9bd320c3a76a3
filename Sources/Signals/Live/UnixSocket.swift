import Glibc
import Platform
import Recordings
import TextFormat

/// A socket in the file system.
enum UnixSocket {
    /// The other end: another program's socket to which we are connected, or our own.
    enum End: Sendable {
        case connected(Int32)
        case listening(Int32)
    }

    struct Problem: Error {
        var text: String
    }

    /// Why there cannot be a socket with that name; `nil` if nothing speaks against it.
    static func problem(at path: String) -> Problem? {
        guard path.utf8.count <= 107 else { return tooLong(path) }
        var status = stat()
        if unsafe lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT != S_IFSOCK else { return nil }
            return Problem(text: "\(quoted(path)) is not a socket to read from: another file has that name")
        }
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard unsafe access(folder, W_OK | X_OK) != 0 else { return nil }
        return Problem(
            text: "the socket \(quoted(path)) cannot be made: \(quoted(folder)): \(systemMessage(errno))")
    }

    private static func tooLong(_ path: String) -> Problem {
        Problem(text: "the path of the socket \(quoted(path)) is longer than 107 bytes: choose a shorter one")
    }

    /// Connects if a program listens. A socket that nobody listens to is replaced; anything else is left alone.
    static func open(_ path: String) -> Result<End, Problem> {
        // With the zero byte that ends a path.
        let bytes = Array(path.utf8) + [0]
        guard let descriptor = UnixAddress.socket(), bytes.count <= 108 else {
            return .failure(tooLong(path))
        }
        if unsafe UnixAddress.apply(connect, to: descriptor, bytes) {
            return .success(.connected(descriptor))
        }
        let code = errno
        var status = stat()
        let isThere = unsafe lstat(path, &status) == 0
        guard !isThere || code == ECONNREFUSED && status.st_mode & S_IFMT == S_IFSOCK else {
            close(descriptor)
            return .failure(
                Problem(text: "\(quoted(path)) is not a socket to read from: \(systemMessage(code))"))
        }
        if isThere { unsafe unlink(path) }
        // A participant's heart rate is nobody else's business on the machine. Nobody can connect before the socket
        // listens.
        let isOurs = unsafe UnixAddress.apply(bind, to: descriptor, bytes) && chmod(path, 0o600) == 0
        guard isOurs, listen(descriptor, 8) == 0 else {
            let problem = Problem(text: "the socket \(quoted(path)) cannot be made: \(systemMessage(errno))")
            close(descriptor)
            return .failure(problem)
        }
        return .success(.listening(descriptor))
    }
}
