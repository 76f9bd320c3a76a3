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
        let entries = try SourceFolder(path).entries()
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
                try lookAtRun(full)
            } else {
                try look(in: full)
            }
        }
    }

    private mutating func lookAtRun(_ path: String) throws(BundleFailure) {
        if try SourceFolder(path).size(of: "manifest.json") == nil {
            broken.append(path)
        } else {
            bundles.append(path)
        }
    }

    private static func isNamedLikeARun(_ name: String) -> Bool {
        name.utf8.count == 36
            && name.utf8.enumerated().allSatisfy { index, byte in
                [8, 13, 18, 23].contains(index)
                    ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
            }
    }
}
