import Results

/// A first answer: does a clip change the heart rate, by how much, and how sure is that?
package struct Analysis: Sendable {
    /// One answer per study, by its name.
    package private(set) var studies: [StudyResponse] = []
    /// Bundles of which nothing was taken.
    package private(set) var damaged: [Collation.Refusal] = []

    /// - Parameters:
    ///   - paths: datasets, bundles, or folders with bundles; a run that comes twice counts once.
    ///   - random: the chance that sign flips are drawn from.
    /// - Throws: `BundleFailure` where a dataset or a folder cannot be read.
    package init(of paths: [String], using random: inout some RandomNumberGenerator) async throws {
        var runs: [String: RecordedRun] = [:]
        for path in paths {
            let index = try DatasetIndex(ofDataset: path)
            guard index.parts.isEmpty else {
                for part in index.parts {
                    for run in try part.recordedRuns(in: path) { runs[run.run] = run }
                }
                continue
            }
            var search = BundleSearch(known: [])
            try search.look(in: path)
            damaged += search.broken.map { Collation.Refusal(path: $0, reason: "it has no manifest") }
            try await BundleRows.read(search.bundles) { path, outcome in
                switch outcome {
                case .failure(let failure):
                    damaged.append(Collation.Refusal(path: path, reason: failure.description))
                case .success(let rows):
                    for run in try RecordedRun.runs({ rows[$0].ndjson }) { runs[run.run] = run }
                }
            }
        }
        let byStudy = Dictionary(grouping: runs.values, by: \.study)
        for (study, runs) in byStudy.sorted(by: { $0.key < $1.key }) {
            studies.append(
                StudyResponse(of: study, runs.sorted { $0.run < $1.run }, using: &random))
        }
    }
}

/// How hearts answered the clips of one study.
package struct StudyResponse: Sendable {
    package var study: String
    /// Everybody who took part.
    package var participants: Int
    package var sessions: Int
    package var responses: [ClipResponse] = []
    package var exclusions: [Exclusion] = []
    /// All clips, then each mood, then each clip; each participant counts once, with the mean of their responses.
    package var groups: [Group] = []

    /// Responses that are looked at together.
    package struct Group: Sendable {
        package var kind: Kind
        package var name: String
        /// How many responses.
        package var clips: Int
        package var difference: PairedDifference

        package enum Kind: String, Sendable { case all, mood, clip }
    }

    init(of study: String, _ runs: [RecordedRun], using random: inout some RandomNumberGenerator) {
        self.study = study
        participants = Set(runs.map(\.participant)).count
        sessions = runs.count
        for run in runs {
            let found = run.responses()
            responses += found.responses
            exclusions += found.exclusions
        }
        addGroup(.all, "all clips", responses, &random)
        for mood in Set(responses.compactMap(\.mood)).sorted() {
            addGroup(.mood, mood, responses.filter { $0.mood == mood }, &random)
        }
        for clip in Set(responses.map(\.clip)).sorted() {
            addGroup(.clip, clip, responses.filter { $0.clip == clip }, &random)
        }
    }

    private mutating func addGroup(
        _ kind: Group.Kind, _ name: String, _ responses: [ClipResponse],
        _ random: inout some RandomNumberGenerator
    ) {
        let means = Dictionary(grouping: responses, by: \.participant).sorted { $0.key < $1.key }
            .map { $0.value.reduce(0) { $0 + $1.change } / Double($0.value.count) }
        guard let difference = PairedDifference(means, using: &random) else { return }
        groups.append(Group(kind: kind, name: name, clips: responses.count, difference: difference))
    }
}

extension DatasetIndex.Part {
    fileprivate func recordedRuns(in dataset: String) throws -> [RecordedRun] {
        try RecordedRun.runs { table in
            let bytes = try Folder(dataset).read("\(table.rawValue)/\(stem).ndjson")
            guard SHA256.hexadecimal(of: bytes) == tables[table]?.ndjson.sha256 else {
                throw BundleFailure(
                    "read", "\(dataset)/\(table.rawValue)/\(stem).ndjson",
                    .malformed("it is not what was collated"))
            }
            return bytes
        }
    }
}
