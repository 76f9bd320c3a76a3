package import Results
import TextFormat

/// Folders that were found among bundles and are not damaged, but were left out.
package struct LeftAside: Sendable {
    /// Folders of runs that go on or were killed.
    package internal(set) var unsealed: [String] = []
    /// Links to folders, which are not followed: what they lead to may be elsewhere too, or change.
    package internal(set) var links: [String] = []

    package init() {}

    package mutating func add(_ other: LeftAside) {
        unsealed += other.unsealed
        links += other.links
    }
}

/// Looks for bundles in folders.
package struct BundleSearch {
    package private(set) var bundles: [String] = []
    /// Folders from which nothing can be taken, and why.
    package private(set) var refused: [Collation.Refusal] = []
    package private(set) var leftAside = LeftAside()
    /// How many bundles are named like a run that is known.
    private(set) var known = 0
    private let runs: Set<String>

    /// A folder with one of these files is, or was, a bundle.
    private static let marks: Set<String> = ["SHA256SUMS", "journal.jsonl", "plan.json"]

    /// - Parameter runs: the runs that need not be read again.
    package init(known runs: Set<String>) { self.runs = runs }

    /// - Throws: `BundleFailure` if the folder cannot be listed; one below it that cannot is refused.
    package mutating func look(in path: String) throws(BundleFailure) {
        let folder = try Folder(path)
        look(in: folder, path, try folder.entries())
    }

    private mutating func look(in folder: Folder, _ path: String, _ entries: [Folder.Entry]) {
        let names = Set(entries.lazy.filter { !$0.isFolder }.map(\.name))
        if names.contains(DatasetIndex.fileName) { return }
        if names.contains("manifest.json") {
            bundles.append(path)
            return
        }
        if !names.isDisjoint(with: Self.marks) {
            refused.append(Self.withoutManifest(path))
            return
        }
        for entry in entries {
            let full = path.hasSuffix("/") ? path + entry.name : "\(path)/\(entry.name)"
            if !entry.isFolder {
                if folder.isLinkToFolder(entry.name) { leftAside.links.append(full) }
            } else if runs.contains(entry.name) {
                known += 1
            } else if entry.name.hasSuffix(".running") {
                leftAside.unsealed.append(full)
            } else if Self.isNamedLikeARun(entry.name), folder.isRegularFile("\(entry.name)/manifest.json") {
                bundles.append(full)
            } else {
                lookFurther(in: full, isRun: Self.isNamedLikeARun(entry.name))
            }
        }
    }

    private mutating func lookFurther(in path: String, isRun: Bool) {
        do throws(BundleFailure) {
            let folder = try Folder(path)
            let entries = try folder.entries()
            if isRun { refused.append(Self.withoutManifest(path)) } else { look(in: folder, path, entries) }
        } catch {
            refused.append(Collation.Refusal(path: path, reason: error.description))
        }
    }

    private static func withoutManifest(_ path: String) -> Collation.Refusal {
        Collation.Refusal(path: path, reason: "it has no manifest")
    }

    /// Eight, four, four, four and twelve hexadecimal digits.
    private static func isNamedLikeARun(_ name: String) -> Bool {
        name.utf8.count == 36
            && name.utf8.enumerated().allSatisfy { index, byte in
                switch byte {
                case UInt8(ascii: "-"): index == 8 || index == 13 || index == 18 || index == 23
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
                    UInt8(ascii: "a")...UInt8(ascii: "f"):
                    true
                default: false
                }
            }
    }
}

extension LeftAside {
    /// A line for each; `unsealed` says what became of runs that go on.
    package func lines(unsealed what: String) -> [String] {
        unsealed.map { "not sealed, \(what): \(printable($0))" }
            + links.map { "a link, not followed: \(printable($0))" }
    }
}
