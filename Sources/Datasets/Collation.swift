import Results

/// What a collation found and did.
package struct Collation: Sendable {
    /// Bundles whose rows were added.
    package private(set) var added = 0
    /// Bundles that the dataset held already.
    package private(set) var known = 0
    /// Bundles from which nothing was taken, and why.
    package private(set) var damaged: [Refusal] = []
    /// What was left out although it is not damaged.
    package private(set) var leftAside: LeftAside
    /// Everything that the dataset holds now.
    package private(set) var index: DatasetIndex

    /// A bundle from which nothing was taken.
    package struct Refusal: Sendable {
        package var path: String
        package var reason: String

        package init(path: String, reason: String) { (self.path, self.reason) = (path, reason) }
    }

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
        leftAside = search.leftAside
        damaged = search.refused
        try await BundleRows.read(search.bundles) { path, outcome in
            switch outcome {
            case .failure(let failure): damaged.append(Refusal(path: path, reason: failure.description))
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
