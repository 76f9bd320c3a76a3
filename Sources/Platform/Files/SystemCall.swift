import CPlatform
import Glibc

/// The system calls that take memory, with their errors as values.
///
/// Calls that a signal interrupts are repeated.
package enum SystemCall {
    /// A call's error number.
    package struct Failure: Error {
        package var code: Int32

        /// The error number of the last call.
        package static var last: Failure { Failure(code: errno) }

        package var isAlreadyThere: Bool { code == EEXIST || code == ENOTEMPTY }
        package var isMissing: Bool { code == ENOENT }
        package var isLocked: Bool { code == EWOULDBLOCK }
    }

    package static func isDiskFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

    /// Writes all of `bytes`, in as many calls as it takes.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
            }
            if count >= 0 { done += count } else if errno != EINTR { throw .last }
        }
    }

    /// Reads a regular file to its end, which is where a read returns less than was asked for.
    ///
    /// - Parameter size: the expected size; by now the file may be larger or smaller.
    package static func readAll(_ descriptor: Int32, size: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let limit = max(4096, size + 1 - bytes.count)
            guard let piece = try readPiece(descriptor, at: bytes.count, limit: limit) else { return bytes }
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
            if piece.count < limit { return bytes }
        }
    }

    static let pieceSize = 1 << 16

    /// Up to `limit` bytes from `offset`; `nil` at the end.
    package static func readPiece(_ descriptor: Int32, at offset: Int, limit: Int = pieceSize) throws(Failure)
        -> [UInt8]?
    {
        while true {
            var count = 0
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
                unsafe count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
                initialized = max(0, count)
            }
            if count > 0 { return piece }
            if count == 0 { return nil }
            if errno != EINTR { throw .last }
        }
    }

    static func status(_ descriptor: Int32) throws(Failure) -> (isRegular: Bool, size: Int) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
        return (status.st_mode & S_IFMT == S_IFREG, Int(status.st_size))
    }

    /// Does something to what a path names, in the folder that holds it. No link in the path is followed, so that
    /// nothing below an open folder can lead out of it.
    private static func inFolder<Result>(
        of path: String, at folder: Int32, _ body: (Int32, String) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard folder != AT_FDCWD, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return try body(folder, path)
        }
        var above = folder
        defer { if above != folder { close(above) } }
        for name in path[..<slash].split(separator: "/") {
            let next = try openOnce(String(name), at: above, O_RDONLY | O_DIRECTORY)
            if above != folder { close(above) }
            above = next
        }
        return try body(above, String(path[path.index(after: slash)...]))
    }

    private static func openOnce(_ name: String, at folder: Int32, _ flags: Int32, mode: mode_t = 0)
        throws(Failure) -> Int32
    {
        while true {
            let descriptor = unsafe openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC, mode)
            if descriptor >= 0 { return descriptor }
            if errno != EINTR { throw .last }
        }
    }

    static func open(_ path: String, at folder: Int32, _ flags: Int32, mode: mode_t = 0) throws(Failure)
        -> Int32
    {
        try inFolder(of: path, at: folder) { (folder, name) throws(Failure) in
            try openOnce(name, at: folder, flags, mode: mode)
        }
    }

    package static func makeFolder(_ path: String, at folder: Int32) throws(Failure) {
        try inFolder(of: path, at: folder) { (folder, name) throws(Failure) in
            let isMade = unsafe mkdirat(folder, name, 0o700) == 0 && fchmodat(folder, name, 0o700, 0) == 0
            guard isMade else { throw .last }
        }
    }

    package static func remove(_ path: String, at folder: Int32, isFolder: Bool) throws(Failure) {
        try inFolder(of: path, at: folder) { (folder, name) throws(Failure) in
            guard unsafe unlinkat(folder, name, isFolder ? AT_REMOVEDIR : 0) == 0 else { throw .last }
        }
    }

    /// Renames a file, replacing any file with the new name.
    package static func rename(_ old: String, to new: String, at folder: Int32) throws(Failure) {
        try inFolder(of: old, at: folder) { (from, old) throws(Failure) in
            try inFolder(of: new, at: folder) { (to, new) throws(Failure) in
                guard unsafe renameat(from, old, to, new) == 0 else { throw .last }
            }
        }
    }

    /// Renames a folder, never over anything.
    ///
    /// A file system that cannot promise this still refuses to replace a file or a non-empty folder. An empty
    /// folder is looked for beforehand.
    package static func renameFolder(_ old: String, toNew new: String, at folder: Int32) throws(Failure) {
        if unsafe entrain_rename_new(folder, old, new) == 0 { return }
        guard [ENOSYS, EINVAL, ENOTSUP, EPERM].contains(errno) else { throw .last }
        guard unsafe faccessat(folder, new, F_OK, AT_SYMLINK_NOFOLLOW) != 0 else {
            throw Failure(code: EEXIST)
        }
        try rename(old, to: new, at: folder)
    }

    package static func sync(_ descriptor: Int32, dataOnly: Bool = false) throws(Failure) {
        while true {
            if (dataOnly ? fdatasync(descriptor) : fsync(descriptor)) == 0 { return }
            if errno != EINTR { throw .last }
        }
    }

    package static func truncate(_ descriptor: Int32, to size: Int) throws(Failure) {
        while ftruncate(descriptor, off_t(size)) != 0 { if errno != EINTR { throw .last } }
    }

    /// The contents of a folder by name, without `.` and `..`. A link does not count as a folder.
    package static func entries(in path: String, at folder: Int32) throws(Failure) -> [Folder.Entry] {
        let descriptor = try open(path, at: folder, O_RDONLY | O_DIRECTORY)
        guard let stream = unsafe fdopendir(descriptor) else {
            let failure = Failure.last
            close(descriptor)
            throw failure
        }
        defer { unsafe closedir(stream) }
        var entries: [Folder.Entry] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            let kind = unsafe Int(entry.pointee.d_type)
            let isFolder =
                kind == Int(DT_DIR) || kind == Int(DT_UNKNOWN) && type(of: name, at: descriptor) == S_IFDIR
            entries.append(Folder.Entry(name: name, isFolder: isFolder))
        }
        return entries.sorted { $0.name < $1.name }
    }

    /// What is at a path: `S_IFREG`, `S_IFDIR` …; `nil` if there is nothing.
    static func type(of path: String, at folder: Int32) -> mode_t? {
        status(of: path, at: folder).map { $0.st_mode & S_IFMT }
    }

    static func status(of path: String, at folder: Int32) -> stat? {
        do throws(Failure) {
            return try inFolder(of: path, at: folder) { (folder, name) throws(Failure) in
                var status = stat()
                guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .last }
                return status
            }
        } catch {
            return nil
        }
    }
}
