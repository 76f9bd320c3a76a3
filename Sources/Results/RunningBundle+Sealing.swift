package import Platform
import StudyModel
import TextFormat

extension RunningBundle {
    /// Writes what is missing, and gives the folder its final name.
    ///
    /// Every recording must be finished and journalled; steps that are not saved yet are saved.
    ///
    /// - Returns: the folder's name in the output folder.
    /// - Throws: the first failure, up to the last sync of the output folder. The folder then does not have its
    ///   final name, and the run can be recovered.
    package consuming func seal(_ result: TaskResult) throws(FileFailure) -> String {
        var result = result
        result.interruptions = interruptions
        if let open = logs.keys.first(where: { !reported.contains($0) }) {
            throw FileFailure(
                "seal", folder.name, .malformed("the recording '\(open.recorder)' is not finished"))
        }
        try sync()
        for step in result.steps where !savedOrdinals.contains(step.ordinal) { try save(step) }
        try syncSteps()
        try write(form.json(of: result).encoded(), to: Self.resultName)
        if isRecovering { try removeOrphans(keeping: result) }
        if folder.exists(RecorderLog.signsPath) { try folder.remove(RecorderLog.signsPath) }
        if folder.exists(RecorderLog.folder) { try folder.removeFolder(RecorderLog.folder) }
        try writeSums(manifest(of: result))
        if durability == .synced { try folder.sync() }
        try output.renameFolder(folder.name, toNew: header.runUUID)
        if durability == .synced {
            do throws(FileFailure) {
                try output.sync()
            } catch {
                // A power cut might bring the old name back, so the folder gets it back at once. After a failure
                // there is then a run to recover, and no bundle that claims otherwise.
                try output.renameFolder(header.runUUID, toNew: folder.name)
                throw error
            }
        }
        return header.runUUID
    }

    private mutating func manifest(of result: TaskResult) throws(FileFailure) -> Manifest {
        written[Journal.fileName] = try folder.digest(of: Journal.fileName)
        if isRecovering {
            for path in try folder.files()
            where written[path] == nil && path != Manifest.fileName && path != Sums.fileName {
                written[path] = try folder.digest(of: path)
            }
        }
        let steps = Dictionary(uniqueKeysWithValues: result.steps.map { ($0.ordinal, $0) })
        let stepsByFolder = Dictionary(
            uniqueKeysWithValues: steps.values.map {
                (StepFolder.path(ordinal: $0.ordinal, path: $0.path), $0)
            })
        var files: [Manifest.File] = []
        for (path, digest) in written.sorted(by: { $0.key < $1.key }) {
            let parts = path.split(separator: "/")
            let step = stepsByFolder[parts.dropLast().joined(separator: "/")]
            guard let place = BundlePath(path) else {
                throw FileFailure("seal", path, .malformed("it is no path in a bundle"))
            }
            files.append(
                Manifest.File(
                    path: place, identifier: recorded[place.name]?.recorder ?? step?.identifier,
                    step: step?.path.dotted,
                    contentType: Manifest.contentType(of: path), bytes: digest.size, sha256: digest.sha256))
        }
        return Manifest(header: header, result: result, files: files)
    }

    private mutating func writeSums(_ manifest: Manifest) throws(FileFailure) {
        try write(manifest.wire.encoded(), to: Manifest.fileName)
        let sums = Sums(digests: written.mapValues(\.sha256))
        try folder.write(sums.encoded(), to: Sums.fileName, isDurable: durability == .synced)
    }

    /// Removes what the killed run did not report: half-written files, logs, and results that the replay does not
    /// yield.
    private func removeOrphans(keeping result: TaskResult) throws(FileFailure) {
        let stepFolders = Set(
            result.steps.map { StepFolder.path(ordinal: $0.ordinal, path: $0.path) }
                + written.keys.compactMap { path in
                    path.lastIndex(of: "/").map { String(path[..<$0]) }
                })
        let own = [Self.studyName, Self.planName, Self.resultName, Self.proofName, Journal.fileName]
        let kept = Set(
            own
                + result.steps.map { step in
                    "\(StepFolder.path(ordinal: step.ordinal, path: step.path))/\(Self.resultName)"
                })
        for path in try folder.files() where !kept.contains(path) {
            let name = path.split(separator: "/").last.map(String.init)
            let isRecorded = path.hasPrefix("\(StepFolder.parent)/") && name.flatMap { recorded[$0] } != nil
            if !isRecorded { try folder.remove(path) }
        }
        for name in try folder.names(in: StepFolder.parent) {
            let path = "\(StepFolder.parent)/\(name)"
            if !stepFolders.contains(path), try folder.names(in: path).isEmpty {
                try folder.removeFolder(path)
            }
        }
    }
}
