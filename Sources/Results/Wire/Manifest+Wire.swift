import Platform
import StudyModel
import TextFormat

extension Manifest: Wired {
    static let form: WireForm<Manifest> = .record(
        Manifest.init,
        WireField("bundleVersion", \.bundleVersion, .integer(currentVersion...currentVersion)),
        WireField(among: \.run, RunDescription.form),
        WireField("duration", \.duration, .runLength),
        WireField("status", \.status, .status), WireField("recovered", \.isRecovered, .boolean),
        WireField("clockAdjusted", \.isClockAdjusted, .boolean), WireField("files", \.files, .list()),
        WireField(optional: "pseudonymised", \.areDatesKept, datesForm)
    ).derived("startDate", .date) { .text($0.start.date(of: .start)) }

    private static let datesForm: WireForm<Bool> = .init(
        .all(["dates": .word(["kept", "shifted"])]), write: { ["dates": $0 ? "kept" : "shifted"] },
        read: { try $0.field("dates").asText() == "kept" })

    init(wire: JSON) throws {
        let version = try wire.field("bundleVersion").asInteger()
        guard version == Self.currentVersion else {
            throw WireFailure("bundles of version \(version) are not known to this program")
        }
        self = try Self.form.read(wire)
        var listed: Set<String> = [Self.fileName, Sums.fileName]
        for file in files where !listed.insert(file.path.text).inserted {
            throw WireFailure("'\(file.path.text)' is listed twice, or may not be listed")
        }
    }
}

extension WireForm<Duration> {
    /// Seconds, to the nanosecond.
    fileprivate static let runLength: WireForm<Duration> = .init(
        .number(BundleLimits.duration), write: { .seconds($0) },
        read: { .nanoseconds(Int64((try $0.asNumber(in: BundleLimits.duration) * 1e9).rounded())) })
}

extension WireForm<FinishReason> {
    /// Later programs may know others.
    static let status: WireForm<FinishReason> = .init(
        .identifier, write: { .text($0.rawValue) },
        read: { try $0.expect(FinishReason(rawValue: $0.asText()), "a status") })
}

extension Manifest.File: Wired {
    static let form: WireForm<Manifest.File> = .record(
        Manifest.File.init,
        WireField("path", \.path, .path), WireField(optional: "identifier", \.identifier, .identifier),
        WireField(optional: "step", \.step, .text(.text) { try $0.asFileName() }),
        WireField("contentType", \.contentType, .text(.contentType)),
        WireField("bytes", \.bytes, .integer(BundleLimits.bytes)),
        WireField("sha256", \.sha256, .checksum))
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
