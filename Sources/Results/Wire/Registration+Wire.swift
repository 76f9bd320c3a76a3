import StudyModel
import TextFormat

extension Registration: Wired {
    /// The file, byte for byte.
    package var encoded: [UInt8] { wire.encoded() + [UInt8(ascii: "\n")] }

    static let form: WireForm<Registration> = .record(
        {
            Registration(
                of: $0, revision: $1, program: $2, date: $3, meaningSHA256: $4, files: $5, clips: $6)
        }, WireField("study", \.study, .identifier), WireField("revision", \.revision, .count),
        WireField("program", \.program, .text), WireField("date", \.date, .text),
        WireField("meaningSHA256", \.meaningSHA256, .checksum), WireField("files", \.files, .list()),
        WireField("clips", \.clips, .list())
    ).and {
        WireField("programs", unless: [:], \.programs, .named(.checksum))
        WireField("images", unless: [:], \.images, .named(.checksum))
        WireField("studyFile", \.studyFile, .text)
        WireField("analysis", \.analysisSeed, analysisForm)
    }
    .derived("registration", .integer(currentFormat...currentFormat)) { _ in .integer(currentFormat) }

    private static let analysisForm: WireForm<UInt64> = .record({ $0 }, WireField("seed", \.self, .seed))
        .derived("includeSimulated", .boolean) { _ in false }

    init(wire: JSON) throws {
        let format = try wire.field("registration").asInteger()
        guard format == Self.currentFormat else {
            throw WireFailure("registrations of format \(format) are not known to this program")
        }
        self = try Self.form.read(wire)
    }
}

extension Registration.File: Wired {
    static let form: WireForm<Registration.File> = .record(
        Registration.File.init, WireField("name", \.name, .text),
        WireField(optional: "path", \.path, .path), WireField("sha256", \.sha256, .checksum))
}
