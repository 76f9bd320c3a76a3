import Platform
import StudyModel
import TextFormat

extension Manifest {
    /// The manifest as `manifest.json` holds it.
    var wire: JSON {
        run.wire([
            "bundleVersion": .integer(bundleVersion),
            "clockAdjusted": .boolean(isClockAdjusted),
            "duration": .seconds(duration),
            "files": .list(files.map(\.wire)),
            "pseudonymised": areDatesKept.map { ["dates": $0 ? "kept" : "shifted"] },
            "recovered": .boolean(isRecovered),
            "start": start.wire,
            "startDate": .text(start.date(of: .start)),
            "status": .text(status.rawValue),
        ])
    }

    init(wire: JSON) throws {
        let status = try wire.field("status")
        bundleVersion = try wire.field("bundleVersion").asInteger()
        guard bundleVersion == Self.currentVersion else {
            throw WireFailure(
                "bundles of version \(bundleVersion) are not known to this program")
        }
        run = try RunDescription(wire: wire, wallClock: wire.field("start"))
        let seconds = try wire.field("duration").asNumber(in: BundleLimits.duration)
        duration = .nanoseconds(Int64((seconds * 1e9).rounded()))
        self.status = try status.expect(FinishReason(rawValue: status.asText()), "a status")
        isRecovered = try wire.field("recovered").asBoolean()
        isClockAdjusted = try wire.field("clockAdjusted").asBoolean()
        areDatesKept = try wire.optional("pseudonymised") { try $0.field("dates").asText() == "kept" }
        files = try wire.field("files").asList(File.init(wire:))
        var listed: Set<String> = [Self.fileName, Sums.fileName]
        for file in files where !listed.insert(file.path.text).inserted {
            throw WireFailure("'\(file.path.text)' is listed twice, or may not be listed")
        }
    }
}

extension Manifest.File {
    var wire: JSON {
        .members([
            "bytes": .integer(bytes),
            "contentType": .text(contentType),
            "identifier": identifier.map { .text($0) },
            "path": .text(path.text),
            "sha256": .text(sha256),
            "step": step.map { .text($0) },
        ])
    }

    init(wire: JSON) throws {
        path = try wire.field("path").asPath()
        identifier = try wire.optional("identifier") { try $0.asIdentifier() }
        step = try wire.optional("step") { try $0.asFileName() }
        contentType = try wire.field("contentType").asText()
        bytes = try wire.field("bytes").asInteger(in: BundleLimits.bytes)
        sha256 = try wire.field("sha256").asChecksum()
    }
}

extension Manifest {
    /// The run that a bundle's run continues, as its manifest says, of which nothing else is read; `nil` if there is
    /// none, or if it cannot be read.
    package static func runContinued(byBundle path: String) -> String? {
        do {
            var reader = JSONReader(try Folder(path).read(fileName))
            let parts = try JSONParts(&reader, names: ["continues"])
            return parts[0].isEmpty ? nil : try JSON(parsing: reader.bytes, in: parts[0]).asUUID()
        } catch {
            return nil
        }
    }
}
