import Glibc

/// What identifies a file's content without reading it: device, inode, size and times.
package struct FileIdentity: Hashable, Sendable {
    private let file: [UInt64]
    private let bytes: [Int]

    /// - Returns: `nil` if there is no file.
    package init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        file = [UInt64(status.st_dev), UInt64(status.st_ino)]
        bytes = [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }

    /// Whether it is the same file with new content.
    package func isRewritten(_ now: FileIdentity) -> Bool { file == now.file && bytes != now.bytes }
}
