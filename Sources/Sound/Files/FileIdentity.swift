import Glibc

/// Which bytes a path leads to, as far as that is told without reading them.
package struct FileIdentity: Hashable, Sendable {
    private let file: [UInt64]
    private let bytes: [Int]

    /// - Returns: `nil` where there is no file.
    package init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        file = [UInt64(status.st_dev), UInt64(status.st_ino)]
        bytes = [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }

    /// Whether it is the same file, and something else was written into it.
    package func isRewritten(_ now: FileIdentity) -> Bool { file == now.file && bytes != now.bytes }
}
