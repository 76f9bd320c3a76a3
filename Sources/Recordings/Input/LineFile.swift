import Glibc

/// A file that is written in order and can be read anywhere. It remembers its first failure.
final class LineFile {
    private static let bufferSize = 1 << 18

    let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var written = 0
    private var isRemoved = false
    /// The system's error number for the first failure.
    private(set) var failure: Int32?

    /// - Returns: `nil` if the file cannot be made; the system's error number says why.
    init?(_ path: String) {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return nil }
        buffer.reserveCapacity(Self.bufferSize)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Bytes written so far.
    var position: Int { written + buffer.count }

    func write(_ bytes: [UInt8]) {
        buffer += bytes
        if buffer.count >= Self.bufferSize { flush() }
    }

    private func flush() {
        var place = 0
        while failure == nil, place < buffer.count {
            let count = unsafe buffer.withUnsafeBytes {
                unsafe pwrite(
                    descriptor, $0.baseAddress?.advanced(by: place), $0.count - place, off_t(written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                failure = errno
                break
            }
            place += count
            written += count
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// The bytes in a range; fewer if they cannot be read.
    func read(_ range: Range<Int>) -> [UInt8] {
        flush()
        var bytes = [UInt8](repeating: 0, count: range.count)
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(descriptor, $0.baseAddress, $0.count, off_t(range.lowerBound))
            }
            if count < 0, errno == EINTR { continue }
            if count < 0 { failure = failure ?? errno }
            bytes.removeLast(range.count - max(count, 0))
            return bytes
        }
    }

    /// Waits until everything is on the disk.
    func finish() {
        flush()
        if fsync(descriptor) != 0, errno != EINVAL, errno != EROFS { failure = failure ?? errno }
    }

    /// Removes the file's name.
    func remove() {
        guard !isRemoved else { return }
        isRemoved = true
        _ = unsafe unlink(path)
    }
}
