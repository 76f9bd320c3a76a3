import Datasets
import Hashing
import Platform
import Results

/// The clips that were played, copied into the dataset if they are available.
struct BIDSStimuli {
    private let source: String?
    private let folder: ExportFolder
    private var paths: [String: String] = [:]

    init(_ source: String?, _ folder: ExportFolder) {
        self.source = source
        self.folder = folder
    }

    /// The place of a clip below `stimuli`. It is copied the first time.
    ///
    /// - Returns: `nil` if no clips are available, or if the clip is made by the program, such as silence.
    /// - Throws: `FileFailure` if the clip is not the one that was played.
    mutating func path(of clip: ResultBundle.Clip) throws(FileFailure) -> String? {
        guard let source, let file = clip.file, !file.isEmpty else { return nil }
        if let path = paths[file] { return path }
        let name = file.split(separator: "/").last.map(String.init) ?? file
        let bytes = try Self.read(file, name, in: source)
        if let sha256 = clip.sha256, SHA256.hexadecimal(of: bytes) != sha256 {
            throw FileFailure(
                "read", "\(source)/\(name)",
                .malformed("it is not the clip that was played, its SHA-256 differs"))
        }
        var path = "\(clip.identifier)\(Self.ending(of: name))"
        if folder.size(of: "stimuli/\(path)") != nil {
            // Another study has a different clip with that name.
            path = "\(clip.identifier)-\(SHA256.hexadecimal(of: bytes).prefix(8))\(Self.ending(of: name))"
        }
        try folder.write(bytes, to: "stimuli/\(path)", checking: [])
        paths[file] = path
        return path
    }

    /// The clip by its path in the study, or by its name alone.
    private static func read(_ file: String, _ name: String, in source: String) throws(FileFailure)
        -> [UInt8]
    {
        let parts = file.split(separator: "/").dropLast()
        guard !file.hasPrefix("/"), !parts.contains(".."), !parts.isEmpty else {
            return try Folder(source).read(name)
        }
        do throws(FileFailure) {
            return try Folder("\(source)/\(parts.joined(separator: "/"))").read(name)
        } catch  where error.isNotFound {
            // The clips may lie together, without the study's folders.
            return try Folder(source).read(name)
        }
    }

    private static func ending(of name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return BundlePath(String(name[dot...]))?.text ?? ""
    }
}
