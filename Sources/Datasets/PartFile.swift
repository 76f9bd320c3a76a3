import Results

/// One file of a dataset being written: it has its name only once it is whole and on disk.
final class PartFile {
    /// Relative to the dataset.
    let path: String
    private let dataset: Folder
    private var file: AppendedFile
    private var hash = SHA256()
    private var waiting: [UInt8] = []
    private(set) var size = 0

    /// So many bytes are written at once.
    private static let piece = 1 << 16

    init(_ path: String, header: [UInt8], in dataset: Folder) throws(BundleFailure) {
        self.path = path
        self.dataset = dataset
        file = try AppendedFile(creating: path + Folder.temporarySuffix, in: dataset)
        waiting.reserveCapacity(2 * Self.piece)
        try append(header)
    }

    func append(_ bytes: [UInt8]) throws(BundleFailure) {
        waiting += bytes
        if waiting.count >= Self.piece { try flush() }
    }

    /// Writes what waits, puts it on disk and gives the file its name.
    ///
    /// - Returns: size and lower-case hexadecimal SHA-256.
    func finish() throws(BundleFailure) -> (bytes: Int, sha256: String) {
        try flush()
        try file.sync()
        try dataset.rename(path + Folder.temporarySuffix, to: path)
        return (size, SHA256.hexadecimal(digest: hash.finish()))
    }

    private func flush() throws(BundleFailure) {
        hash.update(waiting)
        try file.append(waiting)
        size += waiting.count
        waiting.removeAll(keepingCapacity: true)
    }
}

extension Folder {
    /// Replaces a whole file at once.
    func replace(_ path: String, with bytes: [UInt8]) throws(BundleFailure) {
        let temporary = path + Self.temporarySuffix
        if exists(temporary) { try remove(temporary) }
        try write(bytes, to: path, isDurable: true)
    }

    /// Makes a folder within this one, with those above it.
    func makeFolders(_ path: String) throws(BundleFailure) {
        var above = ""
        for part in path.split(separator: "/") {
            above += above.isEmpty ? String(part) : "/\(part)"
            try makeFolderIfMissing(above)
        }
    }
}
