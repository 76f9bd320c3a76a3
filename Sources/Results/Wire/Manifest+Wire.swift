import StudyModel
import TextFormat

extension Manifest {
    /// The manifest as `manifest.json` holds it.
    var wire: JSON {
        .members([
            "audio": .text(audio),
            "bundleVersion": .integer(bundleVersion),
            "clockAdjusted": .boolean(isClockAdjusted),
            "duration": .seconds(duration),
            "files": .list(files.map(\.wire)),
            "language": language.map { .text($0.tag) },
            "participant": .text(participant),
            "program": .text(program),
            "recovered": .boolean(isRecovered),
            "revision": .integer(revision),
            "runUUID": .text(runUUID),
            "session": .integer(session),
            "speed": speed.map { .anyReal($0) },
            "start": start.wire,
            "startDate": .text(start.date(of: .start)),
            "status": .text(status.rawValue),
            "study": .text(study),
            "studySHA256": .text(studySHA256),
            "task": .text(task),
        ])
    }

    init(wire: JSON) throws {
        let status = try wire.field("status")
        bundleVersion = try wire.field("bundleVersion").asInteger()
        guard bundleVersion == Self.currentVersion else {
            throw WireFailure(
                description: "bundles of version \(bundleVersion) are not known to this program")
        }
        program = try wire.field("program").asText()
        study = try wire.field("study").asIdentifier()
        revision = try wire.field("revision").asInteger()
        studySHA256 = try wire.field("studySHA256").asText()
        task = try wire.field("task").asIdentifier()
        participant = try wire.field("participant").asText()
        session = try wire.field("session").asInteger()
        language = try wire.optional("language") { Language(try $0.asText()) }
        runUUID = try wire.field("runUUID").asText()
        start = try WallClock(wire: wire.field("start"))
        duration = try wire.field("duration").asSeconds()
        speed = try wire.optional("speed") { try $0.asNumber() }
        audio = try wire.field("audio").asText()
        self.status = try status.expect(FinishReason(rawValue: status.asText()), "a status")
        isRecovered = try wire.field("recovered").asBoolean()
        isClockAdjusted = try wire.field("clockAdjusted").asBoolean()
        files = try wire.field("files").asList(File.init(wire:))
    }
}

extension Manifest.File {
    var wire: JSON {
        .members([
            "bytes": .integer(bytes),
            "contentType": .text(contentType),
            "identifier": identifier.map { .text($0) },
            "path": .text(path),
            "sha256": .text(sha256),
            "step": step.map { .text($0) },
        ])
    }

    init(wire: JSON) throws {
        path = try wire.field("path").asText()
        identifier = try wire.optional("identifier") { try $0.asIdentifier() }
        step = try wire.optional("step") { try $0.asText() }
        contentType = try wire.field("contentType").asText()
        bytes = try wire.field("bytes").asInteger()
        sha256 = try wire.field("sha256").asText()
    }
}
