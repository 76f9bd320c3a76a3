import BundleReplay
import Datasets
import Hashing
import Platform
import Results
import StudyModel
import TextFormat

/// The clips that were played, copied into the dataset if they are available, with the beats that their catalogues give.
///
/// Names and tables follow BEP044 (Stim-BIDS) as proposed in pull request 2022 of the BIDS specification: 'stimuli.tsv'
/// lists the clips, and 'stim-LABEL_annot-beats_events.tsv' has the beats of one.
struct BIDSStimuli {
    private let source: String?
    private let folder: ExportFolder
    private var paths: [String: String] = [:]
    /// The rows of `stimuli.tsv`, by label.
    private var listed: [String: [BIDSTable.Cell]] = [:]
    /// The labels of clips with beats.
    private var annotated: [String] = []
    /// The clips of a study, by its checksum and their identifiers.
    private var studies: [String: [String: Stimulus]] = [:]

    init(_ source: String?, _ folder: ExportFolder) {
        self.source = source
        self.folder = folder
    }

    /// Learns what the catalogues of a run's study say about its clips; nothing if its words must not leave, or if it
    /// cannot be read.
    mutating func read(_ run: ExportedRun, from bundle: ResultBundle) {
        guard source != nil, !bundle.manifest.isPseudonymised, studies[run.source.studySHA256] == nil,
            let study = try? CheckedStudy(recordedIn: bundle).study()
        else { return }
        studies[run.source.studySHA256] = Dictionary(
            study.clips.map { ($0.identifier.text, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The place of a clip below `stimuli`. It is copied the first time.
    ///
    /// - Parameter study: the checksum of the run's study.
    /// - Returns: `nil` if no clips are available, or if the clip is made by the program, such as silence.
    /// - Throws: `FileFailure` if the clip is not the one that was played.
    mutating func path(of clip: ResultBundle.Clip, in study: String) throws(FileFailure) -> String? {
        guard let source, let file = clip.file, !file.isEmpty else { return nil }
        if let path = paths[file] { return path }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let (bytes, place) = try Self.read(file, name, in: source)
        let sha256 = SHA256.hexadecimal(of: bytes)
        if let told = clip.sha256, sha256 != told {
            throw FileFailure(
                "read", "\(source)/\(name)",
                .malformed("it is not the clip that was played, its SHA-256 differs"))
        }
        var label = clip.identifier.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        // Another clip may have the same letters and digits.
        if label.isEmpty || listed[label] != nil { label += "x\(sha256.prefix(8))" }
        let path = "stim-\(label)_audio\(Self.ending(of: name))"
        try folder.write(bytes, to: "stimuli/\(path)", checking: [])
        paths[file] = path
        listed[label] = [
            .text("stim-\(label)"), .text("audio"), .missing, .init(clip.attributes["licence"]), .missing,
            .init(clip.title), .text("true"), .text(clip.identifier), .text(sha256),
        ]
        try writeBeats(of: studies[study]?[clip.identifier], in: place, as: label)
        return path
    }

    /// The name in `stimuli.tsv` of the clip at a place.
    static func name(of path: String) -> String {
        path.lastIndex(of: "_").map { String(path[..<$0]) } ?? path
    }

    /// Writes the beats of a clip up to its end, which its file tells if its catalogue does not.
    private mutating func writeBeats(
        of clip: Stimulus?, in file: String, as label: String
    ) throws(FileFailure) {
        guard let clip, let beats = clip.beats,
            let length = clip.duration
                ?? HeldSound(decoding: file).map({ .seconds(Double($0.frames) / $0.rate) })
        else { return }
        let times = beats.beats(in: .zero..<length)
        guard !times.isEmpty else { return }
        var table = BIDSTable(["onset", "duration", "trial_type"])
        table.rows = times.map { [.real($0 / .seconds(1)), .integer(0), .text("beat")] }
        try folder.write(table.bytes, to: "stimuli/stim-\(label)_annot-beats_events.tsv")
        annotated.append(label)
    }

    /// Writes the lists of clips and annotations, if there is any clip.
    func finish() throws(FileFailure) {
        guard !listed.isEmpty else { return }
        var clips = BIDSTable([
            "stimulus_id", "type", "URL", "license", "copyright", "description", "present", "identifier",
            "sha256",
        ])
        clips.rows = listed.sorted { $0.key < $1.key }.map(\.value)
        try folder.write(clips.bytes, to: "stimuli/stimuli.tsv")
        try folder.write(
            [
                "identifier": ["Description": "The clip's name in the study and in events"],
                "sha256": ["Description": "SHA-256 of the file"],
                "description": ["Description": "The clip's title, as its catalogue gives it"],
                "license": ["Description": "The licence that the catalogue gives"],
                "present": ["Description": "Whether the file is here"],
            ], to: "stimuli/stimuli.json")
        guard !annotated.isEmpty else { return }
        var annotations = BIDSTable(["annot_id", "description"])
        annotations.rows = annotated.sorted().map {
            [.text("\($0)_beats"), .text("Beats of stim-\($0), as its catalogue gives them")]
        }
        try folder.write(annotations.bytes, to: "stimuli/annotations.tsv")
        try folder.write(
            [
                "onset": ["Description": "When the beat is heard, from the clip's beginning", "Units": "s"],
                "trial_type": ["Description": "What is there", "Levels": ["beat": "a beat of the music"]],
            ], to: "stimuli/annot-beats_events.json")
    }

    /// The clip by its path in the study, or by its name alone, and where it lies.
    private static func read(
        _ file: String, _ name: String, in source: String
    ) throws(FileFailure) -> ([UInt8], place: String) {
        let parts = file.split(separator: "/").dropLast()
        // The clips may lie together, without the study's folders.
        let together = { () throws(FileFailure) in (try Folder(source).read(name), place: "\(source)/\(name)")
        }
        guard !file.hasPrefix("/"), !parts.contains(".."), !parts.isEmpty else { return try together() }
        let folder = "\(source)/\(parts.joined(separator: "/"))"
        do throws(FileFailure) {
            return (try Folder(folder).read(name), place: "\(folder)/\(name)")
        } catch  where error.isNotFound {
            return try together()
        }
    }

    private static func ending(of name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return BundlePath(String(name[dot...]))?.text ?? ""
    }
}
