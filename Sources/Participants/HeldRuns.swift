import Datasets
package import Platform
import Results
import TextFormat

/// The runs that were found so far. A copy of a bundle counts once, and a different bundle of the same run is an
/// error.
package struct HeldRuns {
    private var runs: [String: (manifest: String, place: String)] = [:]
    /// Runs that another run of the dataset continues.
    private var continued: Set<String> = []

    package init() {}

    /// The runs of a dataset.
    init(_ index: DatasetIndex) {
        continued = index.continued
        for part in index.parts {
            let place = "the dataset, \(part.stem)"
            for run in part.runs { runs[run.uuid] = (run.manifest, place) }
        }
    }

    var names: Set<String> { Set(runs.keys) }

    /// Whether the rows of a run are to be added: it is found for the first time, and no run of the dataset continues it.
    ///
    /// - Throws: `FileFailure` if the dataset has the rows of the run that it continues.
    mutating func isNew(_ rows: BundleRows, at path: String) throws(FileFailure) -> Bool {
        guard !continued.contains(rows.run) else { return false }
        if let earlier = rows.continues, runs[earlier] != nil {
            throw FileFailure(
                "collate", path,
                .malformed(
                    "it continues the run \(earlier), and the dataset has the rows of that one: collate the bundles into "
                        + "a new folder"))
        }
        return try isNew(rows.run, rows.manifest, at: path)
    }

    /// Whether a run is found for the first time.
    ///
    /// - Parameters:
    ///   - manifest: SHA-256 of its bundle's manifest.
    ///   - place: where it was found.
    /// - Throws: `FileFailure` that names both places, if it was found with different content.
    package mutating func isNew(_ run: String, _ manifest: String, at place: String) throws(FileFailure)
        -> Bool
    {
        guard let known = runs[run] else {
            runs[run] = (manifest, place)
            return true
        }
        guard known.manifest == manifest else {
            throw FileFailure(
                "take", place,
                .malformed(
                    "it is of the run \(run), as is another bundle with different content: \(known.place)"))
        }
        return false
    }
}

/// The texts of every study that a dataset has or will have.
struct TextsOfStudies {
    private let known: [String: Set<StudyText>]
    private var found: [String: [StudyText: (bundles: Int, first: String)]] = [:]

    init(_ index: DatasetIndex) { known = index.texts }

    mutating func add(_ text: StudyText, of study: String, at path: String) {
        found[study, default: [:]][text, default: (0, path)].bundles += 1
    }

    /// What prevents pooling the bundles; `nil` if each study has one text, or if the dataset already has them all.
    var problem: String? {
        for (study, texts) in found.sorted(by: { $0.key < $1.key }) {
            let held = known[study, default: []]
            guard held.union(texts.keys).count > 1, !held.isSuperset(of: texts.keys) else { continue }
            let names =
                held.sorted().map { "\($0.title) in the dataset" }
                + texts.sorted { $0.key < $1.key }.filter { !held.contains($0.key) }.map {
                    "\($0.key.title) in \(counted($0.value.bundles, "bundle")), such as \($0.value.first)"
                }
            return
                "the study '\(study)' comes in several texts: \(names.joined(separator: "; ")). Nothing was added: "
                + "collate each into a dataset of its own, or put them into one with --pool-revisions"
        }
        return nil
    }
}
