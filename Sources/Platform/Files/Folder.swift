import CPlatform
import Glibc
import Hashing
import Synchronization

/// An open folder; paths are relative to it, and no symbolic link in them is followed.
///
/// Whatever it makes belongs to its owner alone (0600, 0700), whatever the umask.
package struct Folder: Sendable {
    /// The name of the folder in failures.
    package let name: String
    private let opened: OpenFile
    var descriptor: Int32 { opened.descriptor }

    /// - Parameter path: the folder, absolute or from the working directory; links are followed.
    package init(_ path: String) throws(FileFailure) {
        while true {
            let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if opened >= 0 {
                self.init(name: path, opened: OpenFile(opened))
                return
            }
            if errno != EINTR { throw FileFailure("open", path, .system(code: errno)) }
        }
    }

    /// A folder within this one.
    ///
    /// - Parameter name: its name in failures; by default its path.
    package func folder(_ path: String, named name: String? = nil) throws(FileFailure) -> Folder {
        do throws(SystemCall.Failure) {
            let opened = try SystemCall.open(path, at: descriptor, O_RDONLY | O_DIRECTORY)
            return Folder(name: name ?? path, opened: OpenFile(opened))
        } catch {
            throw FileFailure("open", path, .system(code: error.code))
        }
    }

    private init(name: String, opened: OpenFile) {
        self.name = name
        self.opened = opened
    }

    /// Makes the folder at `path` and any missing folders above it, and puts their names on disk. A folder that
    /// exists is left as it is.
    package static func make(_ path: String) throws(FileFailure) {
        var above = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            let parent = above.isEmpty ? "." : above
            above += above.isEmpty || above == "/" ? String(part) : "/\(part)"
            do throws(SystemCall.Failure) {
                try SystemCall.makeFolder(above, at: AT_FDCWD)
            } catch  where error.isAlreadyThere {
                continue
            } catch {
                throw FileFailure("make", above, .system(code: error.code))
            }
            try Folder(parent).sync()
        }
    }

    /// Removes the empty folder at `path`.
    package static func removeEmpty(_ path: String) throws(FileFailure) {
        do throws(SystemCall.Failure) {
            try SystemCall.remove(path, at: AT_FDCWD, isFolder: true)
        } catch {
            throw FileFailure("remove", path, .system(code: error.code))
        }
    }

    /// Makes a folder that must not exist yet.
    package func makeFolder(_ path: String) throws(FileFailure) {
        try attempt("make", path) { () throws(SystemCall.Failure) in
            try SystemCall.makeFolder(path, at: descriptor)
        }
    }

    /// Makes a folder unless it exists.
    package func makeFolderIfMissing(_ path: String) throws(FileFailure) {
        do {
            try makeFolder(path)
        } catch  where error.problem == .exists {
            return
        }
    }

    /// Opens a new file for appending.
    package func create(_ path: String) throws(FileFailure) -> OpenFile {
        try attempt("create", path) { () throws(SystemCall.Failure) in
            let file = OpenFile(
                try SystemCall.open(
                    path, at: descriptor, O_RDWR | O_CREAT | O_EXCL | O_APPEND, mode: 0o600))
            guard fchmod(file.descriptor, 0o600) == 0 else { throw .last }
            return file
        }
    }

    /// Opens an existing file for reading and appending.
    package func openForAppending(_ path: String) throws(FileFailure) -> OpenFile {
        try attempt("open", path) { () throws(SystemCall.Failure) in
            OpenFile(try SystemCall.open(path, at: descriptor, O_RDWR | O_APPEND))
        }
    }

    /// Writes a whole file. If `isDurable`, the file gets its name only when it is complete and on disk.
    package func write(_ bytes: [UInt8], to path: String, isDurable: Bool) throws(FileFailure) {
        let first = isDurable ? path + Self.temporarySuffix : path
        let file = try create(first)
        do {
            try attempt("write", path) { () throws(SystemCall.Failure) in
                try SystemCall.writeAll(bytes, to: file.descriptor)
                if isDurable { try SystemCall.sync(file.descriptor) }
            }
        } catch {
            do throws(FileFailure) {
                try remove(first)
            } catch {
                // A file that cannot be removed keeps its temporary name.
            }
            throw error
        }
        if isDurable { try rename(first, to: path) }
    }

    /// Appends to an existing file. If that fails, part of `bytes` may be in the file.
    package func append(_ bytes: [UInt8], to path: String) throws(FileFailure) {
        let file = try openForAppending(path)
        try attempt("write", path) { () throws(SystemCall.Failure) in
            try SystemCall.writeAll(bytes, to: file.descriptor)
        }
    }

    /// Ends the name of a file that is being written.
    package static let temporarySuffix = ".tmp"

    /// The whole of a regular file.
    package func read(_ path: String) throws(FileFailure) -> [UInt8] {
        let (file, size) = try openForReading(path)
        return try attempt("read", path) { () throws(SystemCall.Failure) in
            try SystemCall.readAll(file.descriptor, size: size)
        }
    }

    /// The size and the digest of a regular file, which is read in pieces.
    package func digest(of path: String) throws(FileFailure) -> FileDigest {
        var hash = SHA256()
        var size = 0
        try read(path) { piece in
            hash.update(piece)
            size += piece.count
        }
        return FileDigest(size: size, sha256: SHA256.hexadecimal(digest: hash.finish()))
    }

    /// Reads a regular file in pieces.
    package func read(
        _ path: String, _ body: ([UInt8]) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        let (file, _) = try openForReading(path)
        var size = 0
        var isAtEnd = false
        while !isAtEnd {
            let piece = try attempt("read", path) { () throws(SystemCall.Failure) in
                try SystemCall.readPiece(file.descriptor, at: size) ?? []
            }
            if !piece.isEmpty { try body(piece) }
            size += piece.count
            isAtEnd = piece.count < SystemCall.pieceSize
        }
    }

    /// Up to `limit` bytes of a regular file from `offset` on; none at its end.
    package func piece(of path: String, at offset: Int, limit: Int) throws(FileFailure) -> [UInt8] {
        let (file, _) = try openForReading(path)
        return try attempt("read", path) { () throws(SystemCall.Failure) in
            try SystemCall.readPiece(file.descriptor, at: offset, limit: limit) ?? []
        }
    }

    /// - Throws: `FileFailure` unless there is a regular file that can be read.
    package func check(_ path: String) throws(FileFailure) { _ = try openForReading(path) }

    private func openForReading(_ path: String) throws(FileFailure) -> (file: OpenFile, size: Int) {
        let (file, status) = try attempt("open", path) { () throws(SystemCall.Failure) in
            let file = OpenFile(try SystemCall.open(path, at: descriptor, O_RDONLY | O_NONBLOCK))
            return (file, try SystemCall.status(file.descriptor))
        }
        guard status.isRegular else {
            throw FileFailure("read", "\(name)/\(path)", .malformed("it is not a file"))
        }
        return (file, status.size)
    }

    package func rename(_ old: String, to new: String) throws(FileFailure) {
        try attempt("rename", old) { () throws(SystemCall.Failure) in
            try SystemCall.rename(old, to: new, at: descriptor)
        }
    }

    /// Renames a folder, never over anything.
    package func renameFolder(_ old: String, toNew new: String) throws(FileFailure) {
        try attempt("rename", new) { () throws(SystemCall.Failure) in
            try SystemCall.renameFolder(old, toNew: new, at: descriptor)
        }
    }

    package func remove(_ path: String) throws(FileFailure) {
        try attempt("remove", path) { () throws(SystemCall.Failure) in
            try SystemCall.remove(path, at: descriptor, isFolder: false)
        }
    }

    package func removeFolder(_ path: String) throws(FileFailure) {
        try attempt("remove", path) { () throws(SystemCall.Failure) in
            try SystemCall.remove(path, at: descriptor, isFolder: true)
        }
    }

    /// Removes a folder within this one with everything in it.
    package func removeAll(_ path: String) throws(FileFailure) {
        for entry in try entries(in: path) {
            let full = "\(path)/\(entry.name)"
            if entry.isFolder { try removeAll(full) } else { try remove(full) }
        }
        try removeFolder(path)
    }

    /// Puts everything on disk that was written to the folder's file system.
    package func syncFileSystem() throws(FileFailure) {
        try attempt("sync", ".") { () throws(SystemCall.Failure) in
            guard entrain_sync_file_system(descriptor) == 0 else { throw .last }
        }
    }

    /// Puts the names in the folder itself on disk.
    package func sync() throws(FileFailure) {
        try attempt("sync", ".") { () throws(SystemCall.Failure) in try SystemCall.sync(descriptor) }
    }

    /// Puts the names in a folder within this one on disk.
    package func sync(_ path: String) throws(FileFailure) { try folder(path).sync() }

    /// Puts a file on disk that was written earlier, or by another program.
    package func syncFile(_ path: String) throws(FileFailure) {
        let file = try openForAppending(path)
        try attempt("sync", path) { () throws(SystemCall.Failure) in
            try SystemCall.sync(file.descriptor, dataOnly: true)
        }
    }

    /// Something in a folder.
    package struct Entry: Hashable, Sendable {
        package var name: String
        package var isFolder: Bool
    }

    /// What a folder within this one contains, by name (`.` is the folder itself). A link does not count as a
    /// folder.
    package func entries(in path: String = ".") throws(FileFailure) -> [Entry] {
        try attempt("list", path) { () throws(SystemCall.Failure) in
            try SystemCall.entries(in: path, at: descriptor)
        }
    }

    /// The names in a folder within this one (`.` is the folder itself), sorted.
    package func names(in path: String) throws(FileFailure) -> [String] { try entries(in: path).map(\.name) }

    /// Every file below, by relative path, sorted. Anything that is not a folder counts as a file.
    package func files() throws(FileFailure) -> [String] { try files(below: "").sorted() }

    /// Every file below a folder within this one, by path relative to this one.
    package func files(below path: String) throws(FileFailure) -> [String] {
        var found: [String] = []
        for entry in try entries(in: path.isEmpty ? "." : path) {
            let full = path.isEmpty ? entry.name : "\(path)/\(entry.name)"
            if entry.isFolder { found += try files(below: full) } else { found.append(full) }
        }
        return found
    }

    /// Every empty folder below, by relative path.
    package func emptyFolders(below path: String = "") throws(FileFailure) -> [String] {
        var found: [String] = []
        for entry in try entries(in: path.isEmpty ? "." : path) where entry.isFolder {
            let full = path.isEmpty ? entry.name : "\(path)/\(entry.name)"
            found += try entries(in: full).isEmpty ? [full] : emptyFolders(below: full)
        }
        return found
    }

    /// Whether a folder is at `path`; a link to one does not count.
    package func isFolder(_ path: String) -> Bool { SystemCall.type(of: path, at: descriptor) == S_IFDIR }

    /// Whether a file is at `path`; a link to one does not count.
    package func isRegularFile(_ path: String) -> Bool {
        SystemCall.type(of: path, at: descriptor) == S_IFREG
    }

    /// Whether `path` is a link that leads to no file: to a folder, or nowhere.
    package func isLinkToFolder(_ path: String) -> Bool {
        guard SystemCall.type(of: path, at: descriptor) == S_IFLNK else { return false }
        var status = stat()
        return unsafe fstatat(descriptor, path, &status, 0) != 0 || status.st_mode & S_IFMT == S_IFDIR
    }

    /// The size of a regular file; `nil` if there is none.
    package func size(of path: String) -> Int? {
        guard let status = SystemCall.status(of: path, at: descriptor), status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Int(status.st_size)
    }

    /// Whether anything is at `path`.
    package func exists(_ path: String) -> Bool { SystemCall.type(of: path, at: descriptor) != nil }

    /// Takes the lock of the folder. The lock ends when nobody holds the folder any more.
    package func lock() throws(FileFailure) {
        try attempt("lock", ".") { () throws(SystemCall.Failure) in try opened.lock(LOCK_EX | LOCK_NB) }
    }

    /// Takes the lock of the folder as soon as nobody else holds it.
    package func waitForLock() throws(FileFailure) {
        try attempt("lock", ".") { () throws(SystemCall.Failure) in try opened.lock(LOCK_EX) }
    }

    /// Takes the lock of an open file. The lock ends when the file is closed.
    package func lock(_ file: OpenFile, _ path: String) throws(FileFailure) {
        try attempt("lock", path) { () throws(SystemCall.Failure) in
            do throws(SystemCall.Failure) {
                try file.lock(LOCK_EX | LOCK_NB)
            } catch  where error.isLocked {
                // Whoever only asks whether it is locked shares the lock for a moment.
                try file.lock(LOCK_SH | LOCK_NB)
                try file.lock(LOCK_EX)
            }
        }
    }

    /// Whether another program holds the lock of a file.
    package func isLocked(_ path: String) throws(FileFailure) -> Bool {
        let file = try openForReading(path).file
        do throws(FileFailure) {
            try attempt("lock", path) { () throws(SystemCall.Failure) in try file.lock(LOCK_SH | LOCK_NB) }
            return false
        } catch  where error.problem == .inUse {
            return true
        }
    }

    package func attempt<Result>(
        _ action: String, _ path: String, _ body: () throws(SystemCall.Failure) -> Result
    ) throws(FileFailure) -> Result {
        do throws(SystemCall.Failure) {
            return try body()
        } catch {
            let full = path == "." ? name : "\(name)/\(path)"
            if error.isLocked { throw FileFailure(action, full, .inUse) }
            if error.isAlreadyThere { throw FileFailure(action, full, .exists) }
            throw FileFailure(action, full, .system(code: error.code))
        }
    }
}

/// An open descriptor, closed when nobody holds it any more. Its lock ends then, although a program that is being
/// started at that moment has a copy of the descriptor.
package final class OpenFile: Sendable {
    let descriptor: Int32
    private let isLocked = Atomic(false)

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        if isLocked.load(ordering: .relaxed) { flock(descriptor, LOCK_UN) }
        close(descriptor)
    }

    /// - Parameter operation: as `flock` takes it.
    package func lock(_ operation: Int32) throws(SystemCall.Failure) {
        while flock(descriptor, operation) != 0 {
            guard errno == EINTR else { throw .last }
        }
        isLocked.store(true, ordering: .relaxed)
    }
}

/// How large a file is, and its lower-case hexadecimal SHA-256.
package struct FileDigest: Hashable {
    package var size: Int
    package var sha256: String

    package init(size: Int, sha256: String) {
        self.size = size
        self.sha256 = sha256
    }

    package init(of bytes: [UInt8]) { self.init(size: bytes.count, sha256: SHA256.hexadecimal(of: bytes)) }
}
