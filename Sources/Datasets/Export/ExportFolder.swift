import CPlatform
import Glibc
import Results

/// A folder that is being written beside its place, and put there whole or not at all.
///
/// Nothing is ever written over. What a killed export leaves bears another name: `NAME.partial-…`.
final class ExportFolder {
    private let target: String
    private let partial: String
    private var made: Set<String> = []
    private var isFinished = false
    /// What must not be in any byte or name; `nil` where everything may.
    private let forbidden: ForbiddenTexts?
    private var sizes: [String: Int] = [:]
    var files: Int { sizes.count }
    var bytes: Int { sizes.values.reduce(0, +) }

    /// - Throws: `BundleFailure` where something stands at `target` already.
    init(_ target: String, forbidden: ForbiddenTexts?) throws(BundleFailure) {
        var target = target
        while target.count > 1, target.hasSuffix("/") { target.removeLast() }
        self.target = target
        self.forbidden = forbidden
        guard unsafe faccessat(AT_FDCWD, target, F_OK, AT_SYMLINK_NOFOLLOW) != 0 else {
            throw BundleFailure("export to", target, .exists)
        }
        try Folder.make(Self.parent(of: target))
        var pattern = Array((target + ".partial-XXXXXX").utf8CString)
        guard unsafe mkdtemp(&pattern) != nil else {
            throw BundleFailure("make", target, .system(code: errno))
        }
        partial = String(decoding: pattern.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { if !isFinished { Self.removeAll(partial) } }

    /// Writes a file; folders above it are made.
    ///
    /// - Parameters:
    ///   - path: relative to the export.
    ///   - texts: of a file of numbers or sound, where anything can stand by chance: what of it is text.
    /// - Throws: `BundleFailure` also where the bytes or the path hold what must not leave.
    func write(_ content: [UInt8], to path: String, checking texts: [UInt8]? = nil) throws(BundleFailure) {
        try check(Array(path.utf8), path)
        try check(texts ?? content, path)
        try put(content, at: path, O_EXCL)
    }

    /// Appends to a file, which is made the first time.
    func append(_ content: [UInt8], to path: String) throws(BundleFailure) {
        try check(Array(path.utf8), path)
        try check(content, path)
        try put(content, at: path, O_APPEND)
    }

    private func put(_ content: [UInt8], at path: String, _ flags: Int32) throws(BundleFailure) {
        try makeFolders(above: path)
        let full = "\(partial)/\(path)"
        let descriptor = unsafe open(full, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
        guard descriptor >= 0 else {
            throw BundleFailure(
                "create", "\(target)/\(path)", errno == EEXIST ? .exists : .system(code: errno))
        }
        defer { close(descriptor) }
        var done = 0
        while done < content.count {
            let count = unsafe content.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
            }
            if count >= 0 {
                done += count
            } else if errno != EINTR {
                throw BundleFailure("write", "\(target)/\(path)", .system(code: errno))
            }
        }
        sizes[path, default: 0] += content.count
    }

    func write(_ json: JSON, to path: String) throws(BundleFailure) {
        try write(json.encoded() + [UInt8(ascii: "\n")], to: path)
    }

    /// Compressed; what is compressed is checked.
    func writeCompressed(_ content: [UInt8], to path: String) throws(BundleFailure) {
        var compressed = try Gzip.compressed(content, level: 9)
        // A code that stands in compressed bytes by chance may not be there at another level.
        for level in [6, 3, 1, 0] where !allows(compressed) {
            compressed = try Gzip.compressed(content, level: level)
        }
        try write(compressed, to: path, checking: content)
    }

    /// The size of a file that was written.
    func size(of path: String) -> Int? { sizes[path] }

    /// Whether bytes may be written.
    func allows(_ content: [UInt8]) -> Bool { forbidden?.first(in: content) == nil }

    /// Puts everything on disk and gives the folder its name.
    func finish() throws(BundleFailure) {
        let descriptor = unsafe open(partial, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BundleFailure("open", target, .system(code: errno)) }
        let isSynced = entrain_sync_file_system(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isSynced else { throw BundleFailure("sync", target, .system(code: code)) }
        // The system refuses to put a folder in the place of a file or of a folder that holds something.
        guard unsafe faccessat(AT_FDCWD, target, F_OK, AT_SYMLINK_NOFOLLOW) != 0 else {
            throw BundleFailure("export to", target, .exists)
        }
        guard unsafe rename(partial, target) == 0 else {
            throw BundleFailure("rename", target, .system(code: errno))
        }
        isFinished = true
        try Folder(Self.parent(of: target)).sync()
    }

    private func check(_ content: [UInt8], _ path: String) throws(BundleFailure) {
        guard let found = forbidden?.first(in: content) else { return }
        throw BundleFailure(
            "export", path,
            .malformed(
                "it would show '\(found)', which must not leave; nothing was written. A code that is also a word of "
                    + "the format cannot be hidden"))
    }

    private func makeFolders(above path: String) throws(BundleFailure) {
        var above = ""
        for part in path.split(separator: "/").dropLast() {
            above += "/" + part
            guard made.insert(above).inserted else { continue }
            guard unsafe mkdir(partial + above, 0o700) == 0 || errno == EEXIST else {
                throw BundleFailure("make", target + above, .system(code: errno))
            }
        }
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func removeAll(_ path: String) {
        do throws(BundleFailure) {
            for entry in try Folder(path).entries() {
                let full = "\(path)/\(entry.name)"
                if entry.isFolder { removeAll(full) } else { _ = unsafe unlink(full) }
            }
        } catch {
            // What cannot be listed stays, under a name that says that it is partial.
        }
        _ = unsafe rmdir(path)
    }
}
