import Results

/// Looks for bundles in folders.
struct BundleSearch {
    private(set) var bundles: [String] = []
    private(set) var unsealed: [String] = []
    /// Bundles without a manifest.
    private(set) var broken: [String] = []
    /// How many bundles are named like a run that is known.
    private(set) var known = 0
    private let runs: Set<String>

    /// A folder with one of these files is, or was, a bundle.
    private static let marks: Set<String> = ["SHA256SUMS", "journal.jsonl", "plan.json"]

    /// - Parameter runs: the runs that need not be read again.
    init(known runs: Set<String>) { self.runs = runs }

    mutating func look(in path: String) throws(BundleFailure) {
        let folder = try Folder(path)
        let entries = try folder.entries()
        let names = Set(entries.lazy.filter { !$0.isFolder }.map(\.name))
        if names.contains(DatasetIndex.fileName) { return }
        if names.contains("manifest.json") {
            bundles.append(path)
            return
        }
        if !names.isDisjoint(with: Self.marks) {
            broken.append(path)
            return
        }
        for entry in entries where entry.isFolder {
            let full = path.hasSuffix("/") ? path + entry.name : "\(path)/\(entry.name)"
            if runs.contains(entry.name) {
                known += 1
            } else if entry.name.hasSuffix(".running") {
                unsealed.append(full)
            } else if Self.isNamedLikeARun(entry.name) {
                if folder.isRegularFile("\(entry.name)/manifest.json") {
                    bundles.append(full)
                } else {
                    broken.append(full)
                }
            } else {
                try look(in: full)
            }
        }
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
