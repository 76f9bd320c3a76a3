import Hashing
import Platform
package import StudyModel

/// A sealed run that another one continues.
package struct EarlierRun: Sendable {
    /// Where its bundle lies.
    package let path: String
    /// Its UUID.
    package let run: String
    /// Everything that its journal holds, and whatever its engine did besides.
    package let records: [Journal.Record]
    /// Every result that was delivered, in visiting order.
    package let results: [StepResult]
    /// The plan at its end: that of the arm, once it was allocated.
    package let plan: RunPlan

    package init(
        at path: String, run: String, records: [Journal.Record], results: [StepResult], plan: RunPlan
    ) {
        (self.path, self.run, self.records) = (path, run, records)
        (self.results, self.plan) = (results, plan)
    }
}

extension RunningBundle {
    /// Puts all that an earlier run left into a bundle that nobody sees yet: its journal, its results and the files of
    /// its recorders. That run's bundle is only read.
    mutating func adopt(_ earlier: EarlierRun) throws(FileFailure) {
        if earlier.plan.arm != header.arm { try goOn(with: earlier.plan) }
        try journal(earlier.records)
        let bundle = try ResultBundle(at: earlier.path)
        let source = try Folder(earlier.path)
        for file in bundle.manifest.files where recorded[file.path.name] != nil {
            try copy(file, from: source)
        }
        for result in earlier.results { try save(result) }
    }

    private mutating func copy(_ file: Manifest.File, from source: Folder) throws(FileFailure) {
        let path = file.path.text
        guard let end = path.lastIndex(of: "/") else { return }
        let step = String(path[..<end])
        try folder.makeFolderIfMissing(step)
        var copied = try AppendedFile(creating: path, in: folder)
        var hash = SHA256()
        var size = 0
        try source.read(path) { piece throws(FileFailure) in
            try copied.append(piece)
            hash.update(piece)
            size += piece.count
        }
        if durability == .synced { try copied.sync() }
        try syncStepFolder(step)
        let digest = FileDigest(size: size, sha256: SHA256.hexadecimal(digest: hash.finish()))
        guard digest.sha256 == file.sha256 else {
            throw FileFailure(
                "read", "\(source.name)/\(path)", .malformed("it was changed since it was sealed"))
        }
        written[path] = digest
    }
}
