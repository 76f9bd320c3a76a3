package import Datasets
package import Deidentifying
import Platform
import Results
import StudyModel
import TextFormat

/// What a collation found and did.
package struct Collation: Sendable {
    /// Bundles whose rows were added.
    package private(set) var added = 0
    /// Bundles that the dataset held already.
    package private(set) var known = 0
    package private(set) var leftOut: LeftOut
    /// Codes that could not be looked for within words and numbers.
    package private(set) var weakCodes: [String] = []
    /// Bundles whose study could not be read for the codebook, and why.
    package private(set) var withoutCodebook: [(path: String, reason: String)] = []
    /// Everything that the dataset holds now.
    package private(set) var index: DatasetIndex

    /// Adds what is new in `folders` to a dataset.
    ///
    /// Bundles are read on two cores and written in the order of their names, so the same bundles always give the
    /// same files.
    ///
    /// - Parameters:
    ///   - folders: bundles, or folders with bundles at any depth.
    ///   - dataset: the dataset's folder; made if it is missing.
    ///   - poolsRevisions: whether a study may have another text than the dataset already holds.
    ///   - privacy: `nil` leaves everything as it was recorded.
    ///   - format: the form of tables besides NDJSON. With `nil`, the dataset keeps its form; a new one gets CSV.
    /// - Throws: `FileFailure` if a folder cannot be listed, the dataset cannot be written, or a study would have
    ///   several texts. Nothing has then been added.
    package init(
        of folders: [String], into dataset: String, poolsRevisions: Bool = false, privacy: Privacy? = nil,
        format: TableFormat? = nil
    ) async throws {
        try BundleSearch.mustBeApart(folders, from: dataset)
        var writer = try DatasetWriter(dataset)
        try writer.begin(privacy, format)
        var held = HeldRuns(writer.index)
        var texts = TextsOfStudies(writer.index)
        var search = try BundleSearch(for: dataset, holding: held, under: privacy?.pseudonyms)
        for folder in folders { try search.look(in: folder) }
        let deidentification = privacy.map { Deidentification($0, of: search.bundles) }
        (weakCodes, leftOut, index) = (deidentification?.weakCodes ?? [], search.leftOut, writer.index)
        for (path, run) in search.known {
            do throws(FileFailure) {
                _ = try held.isNew(run, ResultBundle.sealedManifestSum(at: path), at: path)
                known += 1
            } catch {
                leftOut.add(damaged: path, error)
            }
        }
        try await BundleRows.read(leftOut.leaveContinued(outOf: search.bundles), deidentification) {
            path, outcome in
            var rows: BundleRows
            var study: Result<Study, FileFailure>?
            do throws(FileFailure) {
                rows = try outcome.get()
                // A text that is seen for the first time must be that of the bundle, so that a false bundle cannot
                // introduce another text.
                if writer.isNew(rows.text, of: rows.study.text) {
                    study = try Codebook.study(of: path, rows.text)
                }
                guard try held.isNew(rows, at: path) else {
                    known += 1
                    return
                }
            } catch {
                leftOut.add(damaged: path, error)
                return
            }
            if privacy == nil { leftOut.add(bundle: path, of: rows.run) }
            texts.add(rows.text, of: rows.study.text, at: path)
            if let study {
                do throws(FileFailure) {
                    rows.add(try Codebook(of: study.get(), rows.study, rows.text, deidentification))
                    rows.add(try OutcomeRows(of: study.get(), rows.study, rows.text, deidentification))
                } catch {
                    withoutCodebook.append((path, error.description))
                }
            }
            try writer.append(rows)
            added += 1
        }
        if !poolsRevisions, let problem = texts.problem {
            try writer.abandon()
            throw FileFailure("collate into", dataset, .malformed(problem))
        }
        try writer.finish()
        index = writer.index
    }

    /// How many rows a table has in the whole dataset.
    package func rows(in table: Table) -> Int {
        index.parts.reduce(0) { $0 + ($1.tables[table]?.rows ?? 0) }
    }
}
