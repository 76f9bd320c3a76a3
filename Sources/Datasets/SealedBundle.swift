import Results
import StudyModel

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
    /// Recorders' files by name.
    let recordings: [String: [UInt8]]
    /// The steps' identifiers with those of their blocks, joined by `.`, in visiting order.
    let stepPaths: [String]

    /// - Throws: `BundleFailure` naming the first file that is missing, changed or not as it should be.
    init(at path: String) throws(BundleFailure) {
        let folder = try SourceFolder(path)
        let sums = try Self.sums(in: folder)
        let manifestBytes = try Self.verified("manifest.json", in: folder, sums)
        manifestSHA256 = sums["manifest.json"] ?? SHA256.hexadecimal(of: manifestBytes)
        manifest = try Self.json(manifestBytes, folder.path + "/manifest.json")
        result = try Self.json(Self.verified("result.json", in: folder, sums), folder.path + "/result.json")
        plan = try Self.json(Self.verified("plan.json", in: folder, sums), folder.path + "/plan.json")
        journal = try Self.verified("journal.jsonl", in: folder, sums)
        guard let run = manifest["runUUID"]?.text, let studyText = manifest["study"]?.text,
            let study = Identifier(studyText), let files = manifest["files"]?.list,
            let clock = WallClock(manifest: manifest)
        else { throw BundleFailure("read", "\(path)/manifest.json", .malformed("a member is missing")) }
        self.run = run
        self.study = study
        self.clock = clock
        date = String(clock.date(of: .start).prefix(10))
        var recordings: [String: [UInt8]] = [:]
        var stepPaths: [(folder: String, path: String)] = []
        for file in files {
            guard let name = file["path"]?.text, let bytes = file["bytes"]?.integer, sums[name] != nil,
                folder.size(of: name) == bytes
            else {
                let name = file["path"]?.text ?? "a file"
                throw BundleFailure("read", "\(path)/\(name)", .malformed("it is not as it was sealed"))
            }
            guard name.hasPrefix("steps/"), let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else {
                continue
            }
            let bare = String(name[name.index(after: slash)...])
            if bare == "result.json" {
                guard let step = file["step"]?.text else { continue }
                stepPaths.append((String(name[..<slash]), step))
            } else {
                recordings[bare] = try Self.verified(name, in: folder, sums)
            }
        }
        self.recordings = recordings
        self.stepPaths = stepPaths.sorted { Self.number(of: $0.folder) < Self.number(of: $1.folder) }.map(
            \.path)
    }

    /// The number at the beginning of a step's folder, `steps/02-listening.rest`.
    private static func number(of folder: String) -> Int {
        folder.utf8.dropFirst("steps/".utf8.count).prefix { (0x30...0x39).contains($0) }
            .reduce(0) { $0 &* 10 &+ Int($1 - 0x30) }
    }

    private static func sums(in folder: SourceFolder) throws(BundleFailure) -> [String: String] {
        var sums: [String: String] = [:]
        for line in try folder.read("SHA256SUMS").split(separator: UInt8(ascii: "\n")) where line.count > 66 {
            sums[String(decoding: line.dropFirst(66), as: UTF8.self)] =
                String(decoding: line.prefix(64), as: UTF8.self)
        }
        return sums
    }

    private static func verified(
        _ name: String, in folder: SourceFolder, _ sums: [String: String]
    ) throws(BundleFailure) -> [UInt8] {
        let bytes = try folder.read(name)
        guard sums[name] == SHA256.hexadecimal(of: bytes) else {
            throw BundleFailure("read", "\(folder.path)/\(name)", .malformed("it is not what was sealed"))
        }
        return bytes
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

/// Writes times as RFC 3339 with three decimals and `Z`; keeps the last day's text.
struct TimeText {
    private var day = Int.min
    private var text: [UInt8] = []

    /// - Parameter milliseconds: since 1970-01-01T00:00:00Z.
    mutating func write(_ milliseconds: Int) -> [UInt8] {
        let second = Int((Double(milliseconds) / 1000).rounded(.down))
        let rest = milliseconds - second * 1000
        let time = ((second % 86_400) + 86_400) % 86_400
        if (second - time) / 86_400 != day {
            day = (second - time) / 86_400
            let clock = WallClock(seconds: Int64(second), nanoseconds: 0, utcOffset: 0, zone: "UTC")
            text = Array("\(clock.date(of: .start).prefix(11))00:00:00.000Z".utf8)
        }
        var written = text
        for (place, value) in [(11, time / 3600), (14, time / 60 % 60), (17, time % 60), (21, rest % 100)] {
            written[place] = UInt8(ascii: "0") + UInt8(value / 10)
            written[place + 1] = UInt8(ascii: "0") + UInt8(value % 10)
        }
        written[20] = UInt8(ascii: "0") + UInt8(rest / 100)
        return written
    }
}
