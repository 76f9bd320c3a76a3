import Glibc
import Results

/// A folder that is only read.
struct SourceFolder {
    let path: String
    private let opened: Descriptor

    init(_ path: String) throws(BundleFailure) {
        self.path = path
        opened = try Descriptor(opening: path, at: AT_FDCWD, flags: O_DIRECTORY, named: path)
    }

    /// The whole of a regular file; a link is not followed.
    func read(_ name: String) throws(BundleFailure) -> [UInt8] {
        let full = "\(path)/\(name)"
        let file = try Descriptor(
            opening: name, at: opened.number, flags: O_NOFOLLOW | O_NONBLOCK, named: full)
        var status = stat()
        guard unsafe fstat(file.number, &status) == 0 else {
            throw BundleFailure("read", full, .system(code: errno))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw BundleFailure("read", full, .malformed("it is not a file"))
        }
        return try file.readToEnd(expecting: Int(status.st_size), named: full)
    }

    /// The size of a regular file; `nil` where there is none.
    func size(of name: String) -> Int? {
        var status = stat()
        guard unsafe fstatat(opened.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Int(status.st_size)
    }

    /// The names in the folder, sorted, and whether each is a folder; links count as neither.
    func entries() throws(BundleFailure) -> [(name: String, isFolder: Bool)] {
        let copy = try Descriptor(opening: ".", at: opened.number, flags: O_DIRECTORY, named: path)
        guard let stream = unsafe fdopendir(dup(copy.number)) else {
            throw BundleFailure("list", path, .system(code: errno))
        }
        defer { unsafe closedir(stream) }
        var entries: [(name: String, isFolder: Bool)] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            let type = unsafe Int(entry.pointee.d_type)
            entries.append((name, type == DT_DIR || type == DT_UNKNOWN && isFolder(name)))
        }
        return entries.sorted { $0.name < $1.name }
    }

    private func isFolder(_ name: String) -> Bool {
        var status = stat()
        return unsafe fstatat(opened.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// An open descriptor for reading, closed at its end.
private final class Descriptor {
    let number: Int32

    init(opening path: String, at folder: Int32, flags: Int32, named name: String) throws(BundleFailure) {
        while true {
            let opened = unsafe openat(folder, path, flags | O_RDONLY | O_CLOEXEC)
            if opened >= 0 {
                number = opened
                return
            }
            if errno != EINTR { throw BundleFailure("open", name, .system(code: errno)) }
        }
    }

    deinit { close(number) }

    func readToEnd(expecting size: Int, named name: String) throws(BundleFailure) -> [UInt8] {
        var failure: Int32?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let got = unsafe Glibc.read(
                    number, buffer.baseAddress.map { unsafe $0 + count }, size - count)
                if got == 0 { return }
                if got > 0 {
                    count += got
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        if let failure { throw BundleFailure("read", name, .system(code: failure)) }
        return bytes
    }
}
