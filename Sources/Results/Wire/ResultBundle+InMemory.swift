import Hashing
package import StudyModel
package import TextFormat

extension ResultBundle {
    /// The parts of another bundle that may leave the laboratory, in memory, with a manifest and sums of their own.
    ///
    /// - Parameters:
    ///   - result: `result.json`.
    ///   - run: the facts about the run.
    ///   - reason: how it ended.
    ///   - paths: the steps' identifiers after those of their blocks, in visiting order.
    ///   - recordings: recorders' files by their names in the result.
    ///   - withDates: whether the dates are those of the run.
    package init(
        _ result: JSON, of run: RunDescription, endedBy reason: FinishReason, paths: [String],
        recordings: [String: [UInt8]], withDates: Bool, like other: ResultBundle
    ) throws {
        var files = MadeFiles()
        try files.add(result.encoded(), RunningBundle.resultName)
        for (index, (step, path)) in zip(try result.field("results").asList { $0 }, paths).enumerated() {
            let folder = StepFolder.path(ordinal: index + 1, path: path)
            try files.add(
                step.encoded(), "\(folder)/\(RunningBundle.resultName)",
                identifier: step.field("identifier").asIdentifier(), step: path)
            for entry in try step.field("results").asList({ $0 }) where ResultRewriting.isFile(entry) {
                let name = try entry.field("fileName").asFileName()
                guard let bytes = recordings[name] else { throw WireFailure("a recording is missing") }
                try files.add(
                    bytes, "\(folder)/\(name)", identifier: entry.field("identifier").asIdentifier(),
                    step: path)
            }
        }
        let manifest = Manifest(
            run, endedBy: reason, like: other.manifest, files: files.listed.sorted { $0.path < $1.path },
            areDatesKept: withDates)
        files.contents["manifest.json"] = manifest.wire.encoded()
        let sums = Sums(
            digests: Dictionary(
                uniqueKeysWithValues: files.contents.map { ($0.key.text, SHA256.hexadecimal(of: $0.value)) }))
        files.contents["SHA256SUMS"] = sums.encoded()
        try self.init(
            inMemory: files.contents, manifest, result, sums.digests[Manifest.fileName], madeOf: other)
    }
}

/// Files of a bundle that is made in memory.
private struct MadeFiles {
    var contents: [BundlePath: [UInt8]] = [:]
    var listed: [Manifest.File] = []

    mutating func add(
        _ bytes: [UInt8], _ path: String, identifier: Identifier? = nil, step: String? = nil
    ) throws {
        let place = try JSON.text(path).asPath()
        contents[place] = bytes
        listed.append(
            Manifest.File(
                path: place, identifier: identifier, step: step,
                contentType: Manifest.contentType(of: path), bytes: bytes.count,
                sha256: SHA256.hexadecimal(of: bytes)))
    }
}
