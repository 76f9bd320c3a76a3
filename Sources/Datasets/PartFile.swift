import Hashing
package import Platform
import Results

/// A file of a dataset that is being written. It gets its name only when it is complete and on disk.
///
/// It is open only during a write, so the parts of many days can grow at the same time.
final class PartFile {
    /// Relative to the dataset.
    let path: String
    private let dataset: Folder
    private var hash = SHA256()
    private var waiting: [UInt8]
    private(set) var size = 0

    private var temporary: String { path + Folder.temporarySuffix }

    init(_ path: String, header: [UInt8], in dataset: Folder) throws(FileFailure) {
        self.path = path
        self.dataset = dataset
        waiting = header
        _ = try dataset.create(path + Folder.temporarySuffix)
    }

    /// - Parameter piece: number of bytes to write at once.
    func append(_ bytes: [UInt8], piece: Int) throws(FileFailure) {
        waiting += bytes
        if waiting.count >= piece { try flush() }
    }

    /// Writes the waiting bytes, puts the file on disk and gives the file its name.
    ///
    func finish() throws(FileFailure) -> DatasetIndex.File {
        try flush()
        try dataset.syncFile(temporary)
        try dataset.rename(temporary, to: path)
        return DatasetIndex.File(bytes: size, sha256: SHA256.hexadecimal(digest: hash.finish()))
    }

    private func flush() throws(FileFailure) {
        guard !waiting.isEmpty else { return }
        hash.update(waiting)
        try dataset.append(waiting, to: temporary)
        size += waiting.count
        waiting.removeAll(keepingCapacity: true)
    }
}

extension Folder {
    /// Replaces a whole file at once.
    package func replace(_ path: String, with bytes: [UInt8]) throws(FileFailure) {
        let temporary = path + Self.temporarySuffix
        if exists(temporary) { try remove(temporary) }
        try write(bytes, to: path, isDurable: true)
    }

    /// Makes the folders within this one that a file needs.
    func makeFolders(above path: String) throws(FileFailure) {
        try makeFolders(Self.above(path))
    }

    /// The folder of the file at `path`.
    static func above(_ path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// Makes a folder within this one, and any missing folders above it.
    package func makeFolders(_ path: String) throws(FileFailure) {
        var above = ""
        for part in path.split(separator: "/") {
            above += above.isEmpty ? String(part) : "/\(part)"
            try makeFolderIfMissing(above)
        }
    }
}
