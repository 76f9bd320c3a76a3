import Datasets
import Results
import StudyModel
import TextFormat

/// A sealed bundle as exports take it, every file compared with its sum.
struct ExportSource {
    var run: String
    var study: String
    var studySHA256: String
    var revision: Int
    var task: String
    var participant: String
    var session: Int
    var language: String?
    var program: String
    var start: WallClock
    /// Seconds.
    var duration: Double
    var status: String
    var isRecovered: Bool
    var isClockAdjusted: Bool
    /// An `ORKTaskResult`.
    var result: JSON
    /// Recorders' files that hold items, by bare name.
    var items: [String: JSON] = [:]
    /// Recorders' files of other kinds, by bare name.
    var sounds: [String: [UInt8]] = [:]
    /// The steps' identifiers with those of their blocks, joined by `.`, in visiting order.
    var stepPaths: [String] = []

    /// - Throws: `BundleFailure` naming the first thing that is not as it was sealed.
    init(of bundle: ResultBundle) throws(BundleFailure) {
        if let problem = try bundle.verifySums().first {
            throw BundleFailure("read", "\(bundle.path)/\(problem.path)", .malformed("\(problem)"))
        }
        let manifest = bundle.manifest
        run = manifest.runUUID
        study = manifest.study.text
        studySHA256 = manifest.studySHA256
        revision = manifest.revision
        task = manifest.task.text
        participant = manifest.participant
        session = manifest.session
        language = manifest.language?.tag
        program = manifest.program
        start = manifest.start
        duration = Double(manifest.duration.nanoseconds) / 1e9
        status = manifest.status.rawValue
        isRecovered = manifest.isRecovered
        isClockAdjusted = manifest.isClockAdjusted
        result = bundle.result
        try readFiles(of: bundle)
    }

    private mutating func readFiles(of bundle: ResultBundle) throws(BundleFailure) {
        var folders: [(number: Int, path: String)] = []
        for file in bundle.manifest.files where file.path.hasPrefix("steps/") {
            let parts = file.path.split(separator: "/")
            guard parts.count == 3, let step = file.step else { continue }
            let name = String(parts[2])
            if name == "result.json" {
                folders.append((Int(parts[1].prefix { $0.isNumber }) ?? folders.count, step))
            } else if name.hasSuffix(".json") {
                items[name] = try Self.json(bundle.contents(of: file.path), "\(bundle.path)/\(file.path)")
            } else {
                sounds[name] = try bundle.contents(of: file.path)
            }
        }
        stepPaths = folders.sorted(on: \.number).map(\.path)
    }

    private static func json(_ bytes: [UInt8], _ path: String) throws(BundleFailure) -> JSON {
        do throws(JSON.Malformed) {
            return try JSON(parsing: bytes)
        } catch {
            throw BundleFailure("read", path, .malformed(error.description))
        }
    }
}

extension Duration {
    /// Whole nanoseconds; a run is far shorter than the 292 years that fit.
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
