import Datasets
import Results

/// A format that bundles can be exported to.
package struct ExportFormat: Sendable {
    fileprivate let writer: any ExportWriter.Type

    /// Every format, in the order in which people read of them.
    package static let all: [ExportFormat] = [
        BIDSDataset.self, OpenMHealthExport.self, FHIRExport.self, OldResearchKitExport.self, XDFExport.self,
        ROCrate.self,
    ].map { (writer: any ExportWriter.Type) in ExportFormat(writer: writer) }

    /// As people choose it.
    package var name: String { writer.name }
    /// As people write it.
    package var title: String { writer.title }
    /// Whether an export can hold the clips that were played.
    package var holdsClips: Bool { writer.holdsClips }
    /// Whether an export says whose the data are and how they may be used.
    package var isAttributed: Bool { writer.isAttributed }

    /// - Returns: `nil` if no format has that name.
    package init?(named name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    private init(writer: any ExportWriter.Type) { self.writer = writer }

    /// Whether every file of a bundle is copied.
    var copiesFiles: Bool { writer.copiesFiles }

    func begin(_ order: ExportOrder) -> any ExportWriter { writer.init(order: order) }
}

/// What an export is to be made of, besides the runs.
struct ExportOrder {
    /// Where it goes.
    var folder: ExportFolder
    /// What the files of each run are called.
    var names: RunNames
    /// What was taken away; `nil` if everything is as it was recorded.
    var privacy: Privacy?
    /// Where the clips lie.
    var stimuli: String?
    var attribution = Attribution()
}

/// Writes runs in one format.
///
/// Laws, checked for every format by `ExportCommandTests`:
/// 1. `write` is called once for each run, in the order of the names, and then `finish` once.
/// 2. All that is written goes through the order's folder, which looks for what must not leave.
/// 3. Where something was taken away, nothing of the bundle is written that the run does not hold.
/// 4. The same runs give the same bytes.
/// 5. A run without any recording is written too.
protocol ExportWriter: SendableMetatype {
    static var name: String { get }
    static var title: String { get }
    static var holdsClips: Bool { get }
    static var isAttributed: Bool { get }
    /// Whether every file of a bundle is copied, so that a bundle that lacks one must be refused before anything is
    /// written.
    static var copiesFiles: Bool { get }

    init(order: ExportOrder)

    /// - Parameters:
    ///   - index: the run's place among the names.
    ///   - bundle: what it was read from, as it was recorded.
    func write(_ run: ExportedRun, at index: Int, from bundle: ResultBundle) throws

    /// Writes what is known only after the last run.
    func finish() throws
}

extension ExportWriter {
    static var holdsClips: Bool { false }
    static var isAttributed: Bool { false }
    static var copiesFiles: Bool { false }

    func finish() {}
}
