#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that grows by whole lines.
struct AppendedFile: ~Copyable, Sendable {
    let path: String
    private var descriptor: Int32
    private(set) var size: Int
    private var isDirty: Bool

    /// A new file.
    init(creating path: String, in folder: borrowing Folder) throws(BundleFailure) {
        self.init(path, try folder.create(path), isDirty: false)
    }

    /// A new file with its lock taken; until `publish` it stands under its temporary name, so that nobody
    /// ever sees it unlocked.
    static func createLocked(_ path: String, in folder: borrowing Folder) throws(BundleFailure)
        -> AppendedFile
    {
        let temporary = path + Folder.temporarySuffix
        let file = AppendedFile(path, try folder.create(temporary), isDirty: false)
        try folder.lock(file.descriptor, temporary)
        return file
    }

    /// A file of an interrupted run, with its lock taken.
    static func reopenLocked(_ path: String, in folder: borrowing Folder) throws(BundleFailure)
        -> AppendedFile
    {
        let file = AppendedFile(path, try folder.openForAppending(path), isDirty: true)
        try folder.lock(file.descriptor, path)
        return file
    }

    private init(_ path: String, _ descriptor: Int32, isDirty: Bool) {
        self.path = path
        self.descriptor = descriptor
        self.isDirty = isDirty
        size = 0
    }

    deinit { close(descriptor) }

    /// Gives a file that was created locked its name.
    func publish(in folder: borrowing Folder) throws(BundleFailure) {
        try folder.rename(path + Folder.temporarySuffix, to: path)
    }

    /// The whole file.
    func read(in folder: borrowing Folder) throws(BundleFailure) -> [UInt8] {
        let descriptor = descriptor
        return try folder.attempt("read", path) { () throws(SystemCall.Failure) in
            try SystemCall.readAll(descriptor)
        }
    }

    /// Cuts off what stands behind `size`, such as a torn line.
    mutating func truncate(to size: Int, in folder: borrowing Folder) throws(BundleFailure) {
        let descriptor = descriptor
        try folder.attempt("truncate", path) { () throws(SystemCall.Failure) in
            try SystemCall.truncate(descriptor, to: size)
        }
        self.size = size
        isDirty = true
    }

    /// Appends by one call; where that fails, the file is left as it was.
    mutating func append(_ bytes: [UInt8], in folder: borrowing Folder) throws(BundleFailure) {
        let descriptor = descriptor
        isDirty = true
        do {
            try folder.attempt("write", path) { () throws(SystemCall.Failure) in
                try SystemCall.writeAll(bytes, to: descriptor)
            }
        } catch {
            try truncate(to: size, in: folder)
            throw error
        }
        size += bytes.count
    }

    /// Puts what was appended on disk.
    ///
    /// After a failed sync the system forgets what was not written, so a second one would lie: the file is
    /// written anew elsewhere under the same name, and the failure is told all the same.
    mutating func sync(in folder: borrowing Folder) throws(BundleFailure) {
        guard isDirty else { return }
        let descriptor = descriptor
        do {
            try folder.attempt("sync", path) { () throws(SystemCall.Failure) in
                try SystemCall.sync(descriptor, dataOnly: true)
            }
        } catch {
            try writeAnew(in: folder)
            throw error
        }
        isDirty = false
    }

    private mutating func writeAnew(in folder: borrowing Folder) throws(BundleFailure) {
        let bytes = try read(in: folder)
        let temporary = path + Folder.temporarySuffix
        let fresh = try folder.create(temporary)
        do {
            try folder.lock(fresh, temporary)
            try folder.attempt("write", temporary) { () throws(SystemCall.Failure) in
                try SystemCall.writeAll(bytes, to: fresh)
                try SystemCall.sync(fresh)
            }
            try folder.rename(temporary, to: path)
        } catch {
            close(fresh)
            try folder.remove(temporary)
            throw error
        }
        close(descriptor)
        descriptor = fresh
        isDirty = false
    }
}
