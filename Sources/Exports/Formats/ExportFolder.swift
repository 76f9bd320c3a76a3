import Datasets
import Deidentifying
import Hashing
package import Platform
import Results
import TextFormat

/// A folder that is written beside its final place, and moved there complete or not at all.
///
/// Nothing is ever overwritten. The remains of a killed export have another name: `NAME.partial-…`.
final class ExportFolder {
    private let name: String
    private let parent: Folder
    private let partialName: String
    private let partial: Folder
    private var made: Set<String> = []
    private var isFinished = false
    /// What must not appear in any byte or name; `nil` if everything may.
    private let deidentification: Deidentification?
    private var sizes: [String: Int] = [:]
    var files: Int { sizes.count }
    var bytes: Int { sizes.values.reduce(0, +) }

    /// - Throws: `FileFailure` if `target` already exists.
    init(_ target: String, checking deidentification: Deidentification?) throws(FileFailure) {
        var target = target
        while target.count > 1, target.hasSuffix("/") { target.removeLast() }
        self.deidentification = deidentification
        let slash = target.utf8.lastIndex(of: UInt8(ascii: "/"))
        let above = slash.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
        name = slash.map { String(target[target.index(after: $0)...]) } ?? target
        if above != "." { try Folder.make(above) }
        parent = try Folder(above)
        guard !parent.exists(name) else { throw FileFailure("export to", target, .exists) }
        partialName = try Self.makeFolder(beside: name, in: parent)
        partial = try parent.folder(partialName, named: target)
    }

    /// - Returns: the name of a new folder.
    private static func makeFolder(beside name: String, in parent: Folder) throws(FileFailure) -> String {
        var number = 1
        while true {
            let free = "\(name).partial-\(number)"
            do throws(FileFailure) {
                try parent.makeFolder(free)
                return free
            } catch  where error.problem == .exists {
                number += 1
            }
        }
    }

    deinit {
        guard !isFinished else { return }
        do throws(FileFailure) {
            try parent.removeAll(partialName)
        } catch {
            // What cannot be removed stays, under a name that says that it is partial.
        }
    }

    /// Writes a file, and makes the folders above it.
    ///
    /// - Parameters:
    ///   - path: relative to the export.
    ///   - texts: the text parts of a file of numbers or sound, in which other bytes can look like anything by
    ///     chance.
    /// - Throws: `FileFailure` also if the bytes or the path contain what must not leave.
    func write(_ content: [UInt8], to path: String, checking texts: [UInt8]? = nil) throws(FileFailure) {
        try check(path)
        try check(texts ?? content, path)
        try makeFolders(above: path)
        try partial.write(content, to: path, isDurable: false)
        sizes[path] = content.count
    }

    /// Appends to a file, which is created the first time.
    func append(_ content: [UInt8], to path: String) throws(FileFailure) {
        try check(path)
        try check(content, path)
        if let size = sizes[path] {
            try partial.append(content, to: path)
            sizes[path] = size + content.count
        } else {
            try makeFolders(above: path)
            try partial.write(content, to: path, isDurable: false)
            sizes[path] = content.count
        }
    }

    func write(_ json: JSON, to path: String) throws(FileFailure) {
        try write(json.encoded() + [UInt8(ascii: "\n")], to: path)
    }

    /// Writes a compressed file. The compressed bytes are checked too.
    func writeCompressed(_ content: [UInt8], to path: String) throws(FileFailure) {
        var compressed = try Deflation.packed(content, level: 9)
        // If compressed bytes contain a code by chance, they may not at another compression level.
        for level in [6, 3, 1, 0] where !allows(compressed) {
            compressed = try Deflation.packed(content, level: level)
        }
        try write(compressed, to: path, checking: content)
    }

    /// Writes a compressed table of numbers, whose bytes can look like anything by chance.
    func writeNumbers(_ content: [UInt8], to path: String) throws(FileFailure) {
        try write(Deflation.packed(content, level: 6), to: path, checking: [])
    }

    /// The size of a file that was written.
    func size(of path: String) -> Int? { sizes[path] }

    /// Whether bytes may be written.
    func allows(_ content: [UInt8]) -> Bool { deidentification?.forbidden.first(in: content) == nil }

    /// Puts everything on disk and gives the folder its final name.
    func finish() throws(FileFailure) {
        try partial.syncFileSystem()
        try parent.renameFolder(partialName, toNew: name)
        isFinished = true
        try parent.sync()
    }

    /// - Throws: if the path leads out of the export.
    private func check(_ path: String) throws(FileFailure) {
        guard BundlePath(path) != nil else {
            throw FileFailure("export", path, .malformed("it is not a path in an export"))
        }
        try check(Array(path.utf8), path)
    }

    private func check(_ content: [UInt8], _ path: String) throws(FileFailure) {
        try deidentification?.check(content, path)
    }

    private func makeFolders(above path: String) throws(FileFailure) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
        let above = String(path[..<slash])
        if made.insert(above).inserted { try partial.makeFolders(above) }
    }
}

/// A new folder with the checksums of its files, written completely or not at all.
package enum NewFolder {
    /// - Parameter files: the files, by path in the folder.
    /// - Throws: `FileFailure` if something exists there already, or if the disk fails.
    package static func write(_ files: [String: [UInt8]], to target: String) throws(FileFailure) {
        let folder = try ExportFolder(target, checking: nil)
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) { try folder.write(bytes, to: path) }
        let sums = Sums(digests: files.mapValues { SHA256.hexadecimal(of: $0) })
        try folder.write(sums.encoded(), to: Sums.fileName)
        try folder.finish()
    }
}
