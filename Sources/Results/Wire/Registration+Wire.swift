import StudyModel
import TextFormat

extension Registration {
    /// The file, byte for byte.
    package var encoded: [UInt8] { wire.encoded() + [UInt8(ascii: "\n")] }

    private var wire: JSON {
        [
            "analysis": ["includeSimulated": false, "seed": .text("\(analysisSeed)")],
            "clips": .list(clips.map(\.wire)),
            "date": .text(date),
            "files": .list(files.map(\.wire)),
            "meaningSHA256": .text(meaningSHA256),
            "program": .text(program),
            "registration": .integer(Self.currentFormat),
            "revision": .integer(revision),
            "study": .text(study),
            "studyFile": .text(studyFile),
        ]
    }

    init(wire: JSON) throws {
        let format = try wire.field("registration").asInteger()
        guard format == Self.currentFormat else {
            throw WireFailure("registrations of format \(format) are not known to this program")
        }
        self.init(
            of: try wire.field("study").asIdentifier(), revision: try wire.field("revision").asCount(),
            program: try wire.field("program").asText(), date: try wire.field("date").asText(),
            meaningSHA256: try wire.field("meaningSHA256").asChecksum(),
            files: try wire.field("files").asList(File.init(wire:)),
            clips: try wire.field("clips").asList(File.init(wire:)))
        studyFile = try wire.field("studyFile").asText()
        analysisSeed = try wire.field("analysis").field("seed").asSeed()
    }
}

extension Registration.File {
    fileprivate var wire: JSON {
        let members: [String: JSON?] = [
            "name": .text(name), "path": path.map { .text($0.text) }, "sha256": .text(sha256),
        ]
        return .members(members.compactMapValues(\.self))
    }

    fileprivate init(wire: JSON) throws {
        self.init(
            name: try wire.field("name").asText(), path: try wire.optional("path") { try $0.asPath() },
            sha256: try wire.field("sha256").asChecksum())
    }
}
