import Results
import StudyModel
import TextFormat

/// A bundle's parts that tables are made of, each compared with the sums that sealed it.
struct SealedBundle {
    let run: String
    let study: Identifier
    /// The local day on which the run began, `yyyy-MM-dd`.
    let date: String
    let clock: WallClock
    let manifest: JSON
    let manifestSHA256: String
    let result: JSON
    let plan: JSON
    let journal: [UInt8]
    /// Recorders' files of items by name.
    let recordings: [String: [UInt8]]
    /// The names of recorders' other files, such as sound.
    let others: Set<String>
    /// The steps' identifiers with those of their blocks, joined by `.`, in visiting order.
    let stepPaths: [String]

    /// - Throws: `BundleFailure` naming the first file that is missing, changed or not as it should be.
    init(at path: String) throws(BundleFailure) {
        let folder = try Folder(path)
        let sums = try Sums(parsing: folder.read(Sums.fileName)).digests
        let manifestBytes = try Self.verified("manifest.json", in: folder, sums)
        let resultBytes = try Self.verified("result.json", in: folder, sums)
        let planBytes = try Self.verified("plan.json", in: folder, sums)
        journal = try Self.verified("journal.jsonl", in: folder, sums)
        manifestSHA256 = sums["manifest.json"] ?? SHA256.hexadecimal(of: manifestBytes)
        manifest = try Self.json(manifestBytes, "\(path)/manifest.json")
        result = try Self.json(resultBytes, path + "/result.json")
        plan = try Self.json(planBytes, path + "/plan.json")
        guard let run = manifest["runUUID"]?.text, let studyText = manifest["study"]?.text,
            let study = Identifier(studyText), let files = manifest["files"]?.list,
            let clock = WallClock(manifest: manifest)
        else {
            throw BundleFailure("read", "\(path)/manifest.json", .malformed("a member is missing"))
        }
        self.run = run
        self.study = study
        self.clock = clock
        date = String(clock.date(of: .start).prefix(10))
        let sizes = [
            "result.json": resultBytes.count, "plan.json": planBytes.count, "journal.jsonl": journal.count,
        ]
        var recordings: [String: [UInt8]] = [:]
        var others: Set<String> = []
        var stepPaths: [(folder: String, path: String)] = []
        for file in files {
            guard let name = file["path"]?.text, let size = file["bytes"]?.integer, sums[name] != nil else {
                throw BundleFailure(
                    "read", "\(path)/manifest.json", .malformed("a file of it has no sum"))
            }
            let isRecording =
                file["contentType"]?.text == "application/json" && sizes[name] == nil
                && name.hasPrefix("steps/") && !name.hasSuffix("/result.json")
            let content = isRecording ? try Self.verified(name, in: folder, sums) : nil
            var found = content?.count ?? sizes[name]
            if found == nil { found = try Self.verifiedSize(of: name, in: folder, sums) }
            guard found == size else { throw Self.changed(name, folder) }
            guard name.hasPrefix("steps/"), let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else {
                continue
            }
            let bare = String(name[name.index(after: slash)...])
            if bare == "result.json" {
                guard let step = file["step"]?.text else { continue }
                stepPaths.append((String(name[..<slash]), step))
            } else if let content {
                recordings[bare] = content
            } else {
                others.insert(bare)
            }
        }
        self.recordings = recordings
        self.others = others
        self.stepPaths = stepPaths.sorted { Self.number(of: $0.folder) }.map(\.path)
    }

    /// The number at the beginning of a step's folder, `steps/02-listening.rest`.
    private static func number(of folder: String) -> Int {
        folder.utf8.dropFirst("steps/".utf8.count).prefix { (0x30...0x39).contains($0) }
            .reduce(0) { $0 &* 10 &+ Int($1 - 0x30) }
    }

    private static func verified(
        _ name: String, in folder: Folder, _ sums: [String: String]
    ) throws(BundleFailure) -> [UInt8] {
        let bytes = try folder.read(name)
        guard sums[name] == SHA256.hexadecimal(of: bytes) else { throw changed(name, folder) }
        return bytes
    }

    /// Of a file of which no more is needed.
    private static func verifiedSize(
        of name: String, in folder: Folder, _ sums: [String: String]
    ) throws(BundleFailure) -> Int {
        let digest = try folder.digest(of: name)
        guard sums[name] == digest.sha256 else { throw changed(name, folder) }
        return digest.size
    }

    private static func changed(_ name: String, _ folder: Folder) -> BundleFailure {
        BundleFailure("read", "\(folder.name)/\(name)", .malformed("it is not what was sealed"))
    }

    private static func json(_ bytes: [UInt8], _ path: String) throws(BundleFailure) -> JSON {
        do throws(JSON.Malformed) {
            return try JSON(parsing: bytes)
        } catch {
            throw BundleFailure("read", path, .malformed(error.description))
        }
    }
}

extension WallClock {
    /// The clock that a manifest tells.
    fileprivate init?(manifest: JSON) {
        guard let start = manifest["start"], let seconds = start["seconds"]?.integer,
            let nanoseconds = start["nanoseconds"]?.integer, let offset = start["utcOffset"]?.integer,
            let zone = start["zone"]?.text
        else { return nil }
        self.init(
            seconds: Int64(seconds), nanoseconds: Int64(nanoseconds), utcOffset: offset, zone: zone)
    }
}
