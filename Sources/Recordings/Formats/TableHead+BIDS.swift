import Glibc
import Platform
import Results
import TextFormat

/// What the sidecar of a BIDS recording says about its columns, which have no names in the recording itself.
///
/// Source: Brain Imaging Data Structure 1.10, physiological recordings and the inheritance principle: a sidecar may
/// lie in a folder above, with fewer entities in its name.
extension TableHead {
    private static let kinds = ["_physio.tsv.gz", "_physio.tsv", "_physioevents.tsv.gz", "_physioevents.tsv"]
    /// How many folders are searched, from a recording up to its dataset.
    private static let depth = 5
    private static let mostEntities = 8

    /// - Parameter path: the path of the recording.
    /// - Returns: `nil` for files that have no sidecar.
    init?(sidecarOf path: String) {
        guard let kind = Self.kinds.first(where: path.hasSuffix) else { return nil }
        let suffix = String(kind.prefix { $0 != "." })
        var folders = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let entities = folders.removeLast().dropLast(kind.count).split(separator: "_").map(String.init)
        guard entities.count <= Self.mostEntities else { return nil }
        for _ in 0..<Self.depth {
            let folder = folders.isEmpty ? "" : folders.joined(separator: "/") + "/"
            for name in Self.names(entities) {
                let place = folder + (name + [String(suffix.dropFirst())]).joined(separator: "_") + ".json"
                guard let found = Self.read(place) else { continue }
                self = found
                return
            }
            // The folder above a relative path is its parent.
            if folders.isEmpty || folders.last == ".." {
                folders.append("..")
            } else if folders.count == 1, folders[0].isEmpty {
                return nil
            } else {
                folders.removeLast()
            }
        }
        return nil
    }

    /// Subsets of the entities in their order, the largest first.
    private static func names(_ entities: [String]) -> [[String]] {
        (0..<1 << entities.count).map { mask in
            entities.indices.filter { mask >> $0 & 1 == 1 }.map { entities[$0] }
        }.sorted { $0.count > $1.count }
    }

    private static func read(_ path: String) -> TableHead? {
        guard unsafe access(path, R_OK) == 0,
            case .success(let bytes) = FileContents.read(path, limit: 1 << 20)
        else { return nil }
        let json: JSON
        do { json = try JSON(parsing: bytes) } catch { return nil }
        let columns = json["Columns"]?.list?.compactMap(\.text) ?? []
        guard !columns.isEmpty else { return nil }
        let rate = json["SamplingFrequency"]?.number
        return TableHead(
            lines: Array((columns.joined(separator: "\t") + "\n").utf8),
            period: rate.flatMap { $0 > 0 ? 1 / $0 : nil },
            assumption: "columns as \(quoted(path)) names them, which counts as line 1")
    }
}
