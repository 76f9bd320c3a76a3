import Datasets
import Results
import StudyModel
import TextFormat

/// Results as ResearchKit 1 and 2 wrote them, with files named by `fileURL`.
///
/// ResearchKit wrote absolute addresses, which hold only on the device itself; these are relative to the run's
/// folder.
struct OldResearchKitExport: ExportWriter {
    static let name = "researchkit2"
    static let title = "ResearchKit 1 and 2"

    let order: ExportOrder

    func write(_ run: ExportedRun, at index: Int, from bundle: ResultBundle) throws {
        let folders = Self.folders(of: run)
        try order.folder.write(
            ResultRewriting.withAddresses(run.source.result) { name in
                Self.address(folders[name].map { "\($0)/\(name)" } ?? name)
            },
            to: "\(run.source.run)/result.json")
        try Self.writeRecordings(of: run, below: run.source.run, to: order.folder)
    }

    /// Writes recorders' files beside the results of their steps.
    static func writeRecordings(of run: ExportedRun, below root: String, to folder: ExportFolder) throws {
        for (name, path) in folders(of: run).sorted(by: { $0.key < $1.key }) {
            if let items = run.source.items[name] {
                try folder.write(items, to: "\(root)/\(path)/\(name)")
            } else if let columns = run.source.columns[name] {
                // Packed bytes can look like anything by chance; what they hold are numbers and harmless names.
                try folder.write(columns, to: "\(root)/\(path)/\(name)", checking: [])
            } else if let sound = run.source.sounds[name] {
                try folder.write(sound, to: "\(root)/\(path)/\(name)")
            }
        }
    }

    /// Name of a recorder's file → folder of its step.
    private static func folders(of run: ExportedRun) -> [String: String] {
        var folders: [String: String] = [:]
        for step in run.steps {
            let folder = StepFolder.path(ordinal: step.ordinal, path: step.path)
            for recording in step.recordings { folders[recording.name] = folder }
        }
        return folders
    }

    /// A path with everything but letters, digits, `-._~/` written as `%XX`.
    static func address(_ path: String) -> String { path.percentEncoded(keeping: "/") }
}
