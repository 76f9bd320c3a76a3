import Datasets
import Glibc
package import Platform
import Results
import TextFormat

/// Who has withdrawn: a record in a folder, which applies to all bundles and datasets below it.
///
/// It is read wherever bundles are looked for. Each participant in it is counted under a random name, the same in
/// every folder. Participants who are only left out also have their code in it; for those who were erased, only the
/// random name is left.
package struct Withdrawals: Hashable, Sendable {
    /// The codes of participants whose results stay but are left out, with the names under which they are counted.
    package private(set) var marked: [String: String] = [:]
    /// The codes of participants whose results are being destroyed, with the names under which they are counted.
    package private(set) var erasing: [String: String] = [:]
    /// The names under which participants are counted whose results were destroyed.
    package private(set) var erased: Set<String> = []
    /// The next free code at each erasure. No code before it is given out again.
    package private(set) var nextCodes: Set<String> = []

    package static let fileName = "withdrawals.json"
    private static let version = 1

    package init() {}

    /// The codes of all who are left out wherever they are found.
    package var codes: Set<String> { Set(marked.keys).union(erasing.keys) }
    /// How many participants have withdrawn.
    package var count: Int {
        Set(marked.merging(erasing) { $1 }.values).union(erased).count
    }

    /// The name under which a participant is counted, if they have withdrawn.
    package func name(of code: String) -> String? { erasing[code] ?? marked[code] }

    package mutating func formUnion(_ other: Withdrawals) {
        marked.merge(other.marked) { first, _ in first }
        erasing.merge(other.erasing) { first, _ in first }
        erased.formUnion(other.erased)
        nextCodes.formUnion(other.nextCodes)
    }

    /// - Parameter name: the name under which the participant is counted; one that is already recorded stays.
    package mutating func mark(_ code: String, as name: String) {
        if marked[code] == nil { marked[code] = name }
    }

    /// - Parameter next: the code that is free now; `nil` where nobody gets a code. Where it is that of the erased person,
    ///   who only rehearsed, it is not written down.
    package mutating func beginErasing(_ code: String, as name: String, next: String?) {
        if erasing[code] == nil { erasing[code] = name }
        if let next, next != code { nextCodes.insert(next) }
    }

    package mutating func endErasing(_ code: String) {
        marked[code] = nil
        if let name = erasing.removeValue(forKey: code) { erased.insert(name) }
    }

    /// The record of a folder; empty if there is none.
    ///
    /// - Throws: `FileFailure` if there is a record that cannot be read, because nobody who has withdrawn may be
    ///   taken for one who stayed.
    package init(in folder: Folder) throws(FileFailure) {
        self.init()
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try folder.read(Self.fileName)
        } catch  where error.isNotFound {
            return
        }
        do {
            self = try Withdrawals(JSON(parsing: bytes))
        } catch {
            throw FileFailure("read", "\(folder.name)/\(Self.fileName)", .malformed("\(error)"))
        }
    }

    /// The records of a folder and of all folders above it.
    package init(of path: String) throws(FileFailure) {
        guard var above = realPath(path) else { return }
        while true {
            if unsafe faccessat(AT_FDCWD, "\(above)/\(Self.fileName)", F_OK, AT_SYMLINK_NOFOLLOW) == 0 {
                formUnion(try Withdrawals(in: Folder(above)))
            }
            guard let slash = above.lastIndex(of: "/"), above != "/" else { return }
            above = slash == above.startIndex ? "/" : String(above[..<slash])
        }
    }

    /// Writes the record into its folder atomically, and puts it on disk.
    package func write(to folder: Folder) throws(FileFailure) {
        try folder.replace(Self.fileName, with: json.encoded())
        try folder.sync()
    }

    private init(_ json: JSON) throws {
        let version = try json.field("withdrawals").asInteger()
        guard version == Self.version else {
            throw WireFailure("it has version \(version), and this program knows version \(Self.version)")
        }
        marked = try Self.names(json.field("marked"))
        erasing = try Self.names(json.field("erasing"))
        erased = Set(try json.field("erased").asList { try $0.asText() })
        nextCodes = Set(try json["nextCodes"].map { try $0.asList { try $0.asText() } } ?? [])
    }

    private static func names(_ list: JSON) throws -> [String: String] {
        var names: [String: String] = [:]
        for entry in try list.asList({ $0 }) {
            names[try entry.field("participant").asText()] = try entry.field("as").asText()
        }
        return names
    }

    private static func json(_ names: [String: String]) -> JSON {
        .list(
            names.sorted { $0.key < $1.key }.map { ["participant": .text($0.key), "as": .text($0.value)] })
    }

    private var json: JSON {
        [
            "withdrawals": .integer(Self.version), "marked": Self.json(marked),
            "erasing": Self.json(erasing), "erased": .texts(erased.sorted()),
            "nextCodes": .texts(nextCodes.sorted()),
        ]
    }
}
