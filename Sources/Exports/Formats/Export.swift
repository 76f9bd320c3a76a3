import Datasets
package import Deidentifying
package import Participants
import Platform
package import Results
import StudyModel

/// Who made the data and how they may be used, for formats that say so.
package struct Attribution: Sendable {
    package var authors: [String]
    package var licence: String?

    package init(authors: [String] = [], licence: String? = nil) {
        self.authors = authors
        self.licence = licence
    }
}

/// What an export found and wrote.
package struct Export: Sendable {
    package private(set) var runs: [Summary] = []
    package private(set) var leftOut = LeftOut()
    package private(set) var files = 0
    package private(set) var bytes = 0
    /// How many typed answers and voice recordings were left out.
    package private(set) var removed = (answers: 0, sounds: 0)
    /// Codes that could not be looked for within words and numbers.
    package private(set) var weakCodes: [String] = []

    /// One run, as written.
    package struct Summary: Sendable {
        package var run: String
        package var participant: String
        package var origin: RunOrigin
        package var heartRates: Int
        /// The sum of all heart rates, 1/min.
        package var sum: Double
        package var intervals: Int
    }

    /// Writes bundles in a format.
    ///
    /// - Parameters:
    ///   - paths: bundles, or folders with bundles at any depth. A run that is found twice counts once.
    ///   - target: the new folder, which must not exist yet.
    ///   - privacy: `nil` leaves everything as it was recorded.
    ///   - stimuli: the folder of the clips, for formats that include them.
    ///   - attribution: authorship and licence, for formats that state them.
    ///   - includingSimulated: whether runs that are not of a participant are included.
    /// - Throws: `FileFailure` if there is nothing to export, if the export cannot be written, or if a bundle holds
    ///   something that the format has no place for; the bundle is then named.
    package init(
        of paths: [String], to format: ExportFormat, at target: String, privacy: Privacy?, stimuli: String?,
        attribution: Attribution, includingSimulated: Bool
    ) throws {
        var found = try findBundles(in: paths, includingSimulated, copyingFiles: format.copiesFiles)
        guard !found.isEmpty else { return }
        if let pseudonyms = privacy?.pseudonyms {
            // In the order of the codes, the first pseudonym would belong to the first code.
            found.sort { $0.head.order(pseudonyms.code(of:)) < $1.head.order(pseudonyms.code(of:)) }
        }
        var names = RunNames(found.map(\.head))
        var taken: Deidentification?
        if let privacy {
            let deidentification = Deidentification(
                privacy, participants: Set(found.map(\.head.participant)), runs: found.map(\.head.run))
            weakCodes = deidentification.weakCodes
            taken = deidentification
            names.pseudonymise(privacy.pseudonyms, deidentification.forbidden)
        }
        let folder = try ExportFolder(target, checking: taken)
        let writer = format.begin(
            ExportOrder(
                folder: folder, names: names, privacy: privacy, deidentification: taken, stimuli: stimuli,
                attribution: attribution))
        for (index, bundle) in found.enumerated() {
            do {
                let opened =
                    try taken?.applied(to: ResultBundle(verifying: bundle.path))
                    ?? ResultBundle(at: bundle.path)
                let run = try ExportedRun(ExportSource(of: opened))
                try writer.write(run, at: index, from: opened)
                let samples = run.samples
                runs.append(
                    Summary(
                        run: run.source.run, participant: run.source.participant, origin: run.source.origin,
                        heartRates: samples.count, sum: samples.reduce(0) { $0 + $1.value },
                        intervals: run.beats.count + samples.reduce(0) { $0 + $1.rrIntervals.count }))
            } catch let unusable as UnusableBundle {
                leftOut.add(damaged: bundle.path, unusable.failure)
            } catch  where !(error is FileFailure) {
                throw FileFailure("export", bundle.path, .malformed("\(error)"))
            }
        }
        guard !runs.isEmpty else { return }
        try writer.finish()
        try folder.finish()
        files = folder.files
        bytes = folder.bytes
        if let taken { removed = taken.removed }
    }

    /// Intact bundles, in the order of participant, session and time.
    private mutating func findBundles(
        in paths: [String], _ includingSimulated: Bool, copyingFiles: Bool
    ) throws -> [(path: String, head: RunHead)] {
        var search = BundleSearch(known: [])
        for path in paths { try search.look(in: path) }
        leftOut = search.leftOut
        var found: [(path: String, head: RunHead)] = []
        var held = HeldRuns()
        for path in leftOut.leaveContinued(outOf: search.bundles) {
            do {
                let bundle = try ResultBundle(at: path)
                if copyingFiles { try bundle.checkFiles() }
                let source = try ExportSource(of: bundle)
                _ = try ExportedRun(source)
                leftOut.add(bundle: path, of: source.run)
                if try held.isNew(source.run, ResultBundle.sealedManifestSum(at: path), at: path),
                    leftOut.takes(source.origin, includingSimulated: includingSimulated)
                {
                    found.append((path, RunHead(source)))
                }
            } catch {
                leftOut.add(damaged: path, "\(error)")
            }
        }
        return found.sorted { $0.head.order { $0 } < $1.head.order { $0 } }
    }
}
