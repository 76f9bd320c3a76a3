import Datasets
import Deidentifying
import Platform
import Results

/// A format that bundles can be exported to.
package struct ExportFormat: Sendable {
    fileprivate let writer: any ExportWriter.Type

    /// Every format, in the order of the documentation.
    package static let all: [ExportFormat] = [
        BIDSDataset.self, OpenMHealthExport.self, FHIRExport.self, OldResearchKitExport.self, XDFExport.self,
        EDFExport.self, SPSSExport.self, PsychDSExport.self, ROCrate.self,
    ].map { (writer: any ExportWriter.Type) in ExportFormat(writer: writer) }

    /// The name on the command line.
    package var name: String { writer.name }
    /// The name in texts.
    package var title: String { writer.title }
    /// Whether an export can include the clips that were played.
    package var holdsClips: Bool { writer.holdsClips }
    /// Whether an export states authorship and licence.
    package var isAttributed: Bool { writer.isAttributed }

    /// - Returns: `nil` if there is no format with that name.
    package init?(named name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }

    private init(writer: any ExportWriter.Type) { self.writer = writer }

    /// Whether every file of a bundle is copied.
    var copiesFiles: Bool { writer.copiesFiles }

    func begin(_ order: ExportOrder) -> any ExportWriter { writer.init(order: order) }
}

/// What an export is made from, besides the runs.
struct ExportOrder {
    /// The folder to write to.
    var folder: ExportFolder
    /// The names of each run's files.
    var names: RunNames
    /// What was removed; `nil` if everything is as it was recorded.
    var privacy: Privacy?
    /// What removes it from bundles; `nil` without `privacy`.
    var deidentification: Deidentification?
    /// The folder of the clips.
    var stimuli: String?
    var attribution = Attribution()
}

/// Writes runs in one format.
///
/// Laws, checked for every format by `ExportCommandTests`: 1. `write` is called once for each run, in the order of
/// the names, and then `finish` once. 2. Everything is written through the order's folder, which looks for what
/// must not leave. 3. If something was removed, nothing from the bundle is written that the run does not contain.
/// 4. The same runs give the same bytes. 5. A run without any recording is written too.
protocol ExportWriter: SendableMetatype {
    static var name: String { get }
    static var title: String { get }
    static var holdsClips: Bool { get }
    static var isAttributed: Bool { get }
    /// Whether every file of a bundle is copied. A bundle that lacks a file must then be refused before anything is
    /// written.
    static var copiesFiles: Bool { get }

    init(order: ExportOrder)

    /// - Parameters:
    ///   - index: the run's place among the names.
    ///   - bundle: the bundle that the run was read from, as it was recorded.
    /// - Throws: `UnusableBundle` before anything of the run is written.
    func write(_ run: ExportedRun, at index: Int, from bundle: ResultBundle) throws

    /// Writes what is known only after the last run.
    func finish() throws
}

/// A bundle that a format cannot take, though it is sealed: it is left out and named, and the others are written.
struct UnusableBundle: Error {
    let failure: FileFailure
}

extension ExportWriter {
    static var holdsClips: Bool { false }
    static var isAttributed: Bool { false }
    static var copiesFiles: Bool { false }

    func finish() {}
}
