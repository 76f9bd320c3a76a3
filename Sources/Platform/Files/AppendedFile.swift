/// A file that grows by whole lines.
package struct AppendedFile: Sendable {
    package let path: String
    private let folder: Folder
    private var file: OpenFile
    private var size: Int
    private var isDirty: Bool
    /// Whether it was written again, and its name on disk may still be that of the old file.
    private var isNameDirty = false

    /// A new file.
    package init(creating path: String, in folder: Folder) throws(FileFailure) {
        self.path = path
        self.folder = folder
        file = try folder.create(path)
        size = 0
        isDirty = false
    }

    /// A new file with its lock taken. Until `publish` it has its temporary name, so nobody ever sees it unlocked.
    package init(creatingLocked path: String, in folder: Folder) throws(FileFailure) {
        self.path = path
        self.folder = folder
        let temporary = path + Folder.temporarySuffix
        file = try folder.create(temporary)
        try folder.lock(file, temporary)
        size = 0
        isDirty = false
    }

    /// Gives a file that was created locked its final name.
    package func publish() throws(FileFailure) { try folder.rename(path + Folder.temporarySuffix, to: path) }

    /// A file left by an interrupted run, to be read and then cut after its good part.
    package init(reopening path: String, in folder: Folder, isLocked: Bool) throws(FileFailure) {
        self.path = path
        self.folder = folder
        file = try folder.openForAppending(path)
        if isLocked { try folder.lock(file, path) }
        size = 0
        isDirty = true
    }

    /// The whole file.
    package func read() throws(FileFailure) -> [UInt8] {
        try folder.attempt("read", path) { () throws(SystemCall.Failure) in
            try SystemCall.readAll(file.descriptor, size: SystemCall.status(file.descriptor).size)
        }
    }

    /// Cuts off what comes after `size`, such as a torn line.
    package mutating func truncate(to size: Int) throws(FileFailure) {
        try folder.attempt("truncate", path) { () throws(SystemCall.Failure) in
            try SystemCall.truncate(file.descriptor, to: size)
        }
        self.size = size
        isDirty = true
    }

    /// Appends with a single write. If that fails, the file is left as it was.
    package mutating func append(_ bytes: [UInt8]) throws(FileFailure) {
        isDirty = true
        do {
            try folder.attempt("write", path) { () throws(SystemCall.Failure) in
                try SystemCall.writeAll(bytes, to: file.descriptor)
            }
        } catch {
            try truncate(to: size)
            throw error
        }
        size += bytes.count
    }

    /// Puts what was appended on disk.
    ///
    /// After a failed sync the system forgets what was not written, and a second sync would wrongly succeed. So the
    /// file is written again under the same name, and the failure is still reported.
    package mutating func sync() throws(FileFailure) {
        guard isDirty else { return }
        do {
            try folder.attempt("sync", path) { () throws(SystemCall.Failure) in
                try SystemCall.sync(file.descriptor, dataOnly: true)
            }
        } catch {
            try writeAnew()
            throw error
        }
        try syncName()
        isDirty = false
    }

    private mutating func writeAnew() throws(FileFailure) {
        let bytes = try read()
        let temporary = path + Folder.temporarySuffix
        if folder.exists(temporary) { try folder.remove(temporary) }
        let fresh = try folder.create(temporary)
        try folder.lock(fresh, temporary)
        try folder.attempt("write", temporary) { () throws(SystemCall.Failure) in
            try SystemCall.writeAll(bytes, to: fresh.descriptor)
            try SystemCall.sync(fresh.descriptor)
        }
        try folder.rename(temporary, to: path)
        (file, isNameDirty) = (fresh, true)
        try syncName()
        isDirty = false
    }

    private mutating func syncName() throws(FileFailure) {
        guard isNameDirty else { return }
        try folder.sync(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".")
        isNameDirty = false
    }
}
