import Glibc
import StudyModel
import Synchronization

/// A monitor's messages about one run, on disk until they have been sent.
///
/// Nothing is synced, because the bundle protects the data from power cuts. The holder of a spool holds its lock,
/// so that nobody else delivers it at the same time.
final class Spool: Sendable {
    /// The folder of spools in an output folder.
    static let folder = ".monitor"
    private static let suffix = ".ndjson"

    let path: String
    private let descriptor: Int32
    /// Whether the disk has refused a line.
    private let isBroken = Atomic(false)

    /// A new spool.
    ///
    /// - Returns: `nil` if the disk fails.
    convenience init?(in output: String, run: String) {
        let folder = output + "/" + Self.folder
        unsafe mkdir(output, 0o777)
        unsafe mkdir(folder, 0o700)
        self.init(opening: folder + "/" + run + Self.suffix, O_CREAT | O_EXCL | O_RDWR | O_APPEND)
    }

    /// A spool that an earlier run left.
    ///
    /// - Returns: `nil` if another program holds it, or if it is gone.
    convenience init?(leftAt path: String) { self.init(opening: path, O_RDWR | O_APPEND) }

    private init?(opening path: String, _ flags: Int32) {
        let descriptor = unsafe open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The spools in an output folder, in order.
    static func left(in output: String) -> [String] {
        let folder = output + "/" + Self.folder
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var paths: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(suffix) { paths.append(folder + "/" + name) }
        }
        return paths.sorted()
    }

    static func run(of path: String) -> String {
        String(path.split(separator: "/").last ?? "").replacingSuffix(suffix)
    }

    /// Adds lines. After a failure, the disk is not tried again.
    func append(_ lines: [UInt8]) {
        guard !isBroken.load(ordering: .relaxed) else { return }
        var written = 0
        while written < lines.count {
            let count = unsafe lines[written...].withUnsafeBytes {
                unsafe write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                isBroken.store(true, ordering: .relaxed)
                return
            }
            written += count
        }
    }

    /// All messages before the first incomplete line.
    func messages() -> [MonitorMessage] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        lseek(descriptor, 0, SEEK_SET)
        while true {
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        var messages: [MonitorMessage] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let message = MonitorMessage(line: line) else { break }
            messages.append(message)
        }
        return messages
    }

    /// Everything was sent. The folder is removed with its last spool.
    func remove() {
        unsafe unlink(path)
        if let slash = path.lastIndex(of: "/") { unsafe rmdir(String(path[..<slash])) }
    }
}

extension String {
    fileprivate func replacingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
