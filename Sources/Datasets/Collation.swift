import Results

/// What a collation found and did.
package struct Collation: Sendable {
    /// Bundles whose rows were added.
    package private(set) var added = 0
    /// Bundles that the dataset held already.
    package private(set) var known = 0
    package private(set) var leftOut: LeftOut
    /// Everything that the dataset holds now.
    package private(set) var index: DatasetIndex

    /// Adds what is new in `folders` to a dataset.
    ///
    /// Bundles are read on two cores and written in the order of their names, so that the same bundles make the same
    /// files.
    ///
    /// - Parameters:
    ///   - folders: bundles, or folders with bundles at any depth.
    ///   - dataset: the dataset's folder; made where it is missing.
    /// - Throws: `BundleFailure` if a folder cannot be listed or the dataset cannot be written.
    package init(of folders: [String], into dataset: String) async throws {
        for folder in folders { _ = try Folder(folder) }
        var writer = try DatasetWriter(dataset)
        index = writer.index
        var inDataset = index.runs
        var search = BundleSearch(known: inDataset)
        for folder in folders { try search.look(in: folder) }
        known = search.known
        leftOut = search.leftOut
        try await BundleRows.read(search.bundles) { path, outcome in
            switch outcome {
            case .failure(let failure): leftOut.add(damaged: path, failure)
            case .success(let rows) where inDataset.insert(rows.run).inserted:
                try writer.append(rows)
                added += 1
            case .success: known += 1
            }
        }
        try writer.finish()
        index = writer.index
    }

    /// Rows of a table in the whole dataset.
    package func rows(in table: Table) -> Int {
        index.parts.reduce(0) { $0 + ($1.tables[table]?.rows ?? 0) }
    }
}
