import Datasets
import Results
import StudyModel
import TextFormat

/// The files of runs and their provenance, as an RO-Crate 1.3 of the profile Process Run Crate.
///
/// Bundles are copied byte for byte. If participants are pseudonymised, bundles lack journal, plan and study, which
/// might reveal who took part, and have a manifest of their own, so they can be verified and collated.
final class ROCrate: ExportWriter {
    static let name = "ro-crate"
    static let title = "RO-Crate"
    static let isAttributed = true
    static let copiesFiles = true

    private let folder: ExportFolder
    private let attribution: Attribution
    private var entities: [JSON] = []
    private var parts: [JSON] = []
    private var actions: [JSON] = []
    private var people: Set<String> = []
    private var programs: Set<String> = []
    private var studies: Set<String> = []
    private var lastEnd = ""

    init(order: ExportOrder) {
        folder = order.folder
        attribution = order.attribution
    }

    func write(_ run: ExportedRun, at index: Int, from bundle: ResultBundle) throws {
        let root = "runs/\(run.source.run)"
        var files: [String] = []
        for path in bundle.manifest.files.map(\.path) + ["manifest.json", "SHA256SUMS"] as [BundlePath] {
            // Packed bytes can look like anything by chance; what they hold are numbers and harmless names.
            let isPacked = path.text.hasSuffix("." + WaveColumns.suffix)
            try folder.write(
                bundle.contents(of: path), to: "\(root)/\(path)", checking: isPacked ? [] : nil)
            files.append("\(root)/\(path)")
        }
        for file in files { addFile(file) }
        describe(run, root, files)
    }

    private func addFile(_ path: String) {
        var members: [String: JSON] = [
            "@id": .text(OldResearchKitExport.address(path)), "@type": "File",
            "name": .text(path.split(separator: "/").last.map(String.init) ?? path),
        ]
        members["encodingFormat"] = .text(Self.mediaType(of: path))
        if let size = folder.size(of: path) { members["contentSize"] = .text("\(size)") }
        entities.append(.members(members))
    }

    private static func mediaType(of path: String) -> String {
        let types = [
            ".json": "application/json", ".jsonl": "application/x-ndjson", ".yaml": "application/yaml",
            ".flac": "audio/flac", ".wav": "audio/wav", ".csv.gz": WaveColumns.contentType,
        ]
        return types.first { path.hasSuffix($0.key) }?.value ?? "text/plain"
    }

    private func describe(_ run: ExportedRun, _ root: String, _ files: [String]) {
        let source = run.source
        let reference = { (id: String) -> JSON in ["@id": .text(id)] }
        let person = "#participant-\(OldResearchKitExport.address(source.participant))"
        let program = "#entrain-\(source.program)"
        let end = run.time(source.duration)
        lastEnd = max(lastEnd, end)
        if people.insert(person).inserted {
            entities.append([
                "@id": .text(person), "@type": "Person", "name": .text("Participant \(source.participant)"),
                "identifier": .text(source.participant),
            ])
        }
        if programs.insert(program).inserted {
            entities.append([
                "@id": .text(program), "@type": "SoftwareApplication", "name": "entrain",
                "version": .text(source.program), "url": .text("urn:entrain:program:\(source.program)"),
            ])
        }
        let inputs = files.first { $0.hasSuffix("/study.yaml") } ?? addStudy(source)
        entities.append([
            "@id": .text("\(root)/"), "@type": "Dataset", "name": .text("Run \(source.run)"),
            "description": .text(
                "Study \(source.study), task \(source.task), participant \(source.participant), "
                    + "session \(source.session): \(source.status), \(source.originText)"),
            "hasPart": .list(files.map { reference(OldResearchKitExport.address($0)) }),
        ])
        parts.append(reference("\(root)/"))
        let action = "#run-\(source.run)"
        entities.append([
            "@id": .text(action), "@type": "CreateAction", "name": .text("Run \(source.run)"),
            "description": .text(source.originText), "startTime": .text(run.time(0)), "endTime": .text(end),
            "agent": reference(person),
            "instrument": reference(program), "object": [reference(inputs)],
            "result": [reference("\(root)/")],
            "actionStatus": reference(
                FinishReason(rawValue: source.status)?.isEndOfTask == true
                    ? "http://schema.org/CompletedActionStatus" : "http://schema.org/FailedActionStatus"),
        ])
        actions.append(reference(action))
    }

    /// Describes the study if its file is not among those written.
    private func addStudy(_ source: ExportSource) -> String {
        let id = "#study-\(source.study)-\(source.revision)"
        if studies.insert(id).inserted {
            entities.append([
                "@id": .text(id), "@type": "CreativeWork", "name": .text(source.study),
                "version": .text("\(source.revision)"),
            ])
        }
        return id
    }

    func finish() throws {
        let context = "https://w3id.org/ro/crate/1.3"
        let profile = "https://w3id.org/ro/wfrun/process/0.5"
        let authors = attribution.authors.enumerated().map { index, name -> JSON in
            ["@id": .text("#author-\(index + 1)"), "@type": "Person", "name": .text(name)]
        }
        var root: [String: JSON] = [
            "@id": "./", "@type": "Dataset", "name": "Runs of studies",
            "description": "Result bundles of runs of studies, with who and what made them.",
            "datePublished": .text(lastEnd), "license": ["@id": "#licence"],
            "conformsTo": ["@id": .text(profile)], "hasPart": .list(parts), "mentions": .list(actions),
        ]
        if !authors.isEmpty {
            root["author"] = .list(authors.map { ["@id": $0["@id"] ?? .null] })
        }
        let described: [JSON] = [
            [
                "@id": "ro-crate-metadata.json", "@type": "CreativeWork", "about": ["@id": "./"],
                "conformsTo": ["@id": .text(context)],
            ],
            .members(root),
            [
                "@id": .text(profile), "@type": ["CreativeWork", "Profile"], "name": "Process Run Crate",
                "version": "0.5",
            ],
            [
                "@id": "#licence", "@type": "CreativeWork",
                "name": .text(attribution.licence ?? "No licence stated"),
                "description": attribution.licence == nil
                    ? "Ask those who run the study before using these data."
                    : "This licence says how the data may be used.",
            ],
        ]
        try folder.write(
            ["@context": .text(context + "/context"), "@graph": .list(described + authors + entities)],
            to: "ro-crate-metadata.json")
    }
}
