import ArgumentParser
import BundleReplay
import Console
import Exports
import Hashing
import Platform
import Results
import SessionPorts
import Sound
import StudyFile
import StudyModel
import StudySession
import TextFormat
import TransparencyLog

package struct Freeze: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze",
        abstract: "Records what a study is before its first participant, for a registration.",
        discussion: """
            The new folder holds the study with all texts that it uses, checksums of its clips, the protocol page, and \
            registration.json. That file has the checksum of each text and a digest of what the study says. Comments, \
            blank lines, quotes and 'comment' keys do not change what a study says; every other edit does.

            registration.tsq is a request for a time stamp (RFC 3161) that you can send to a time-stamping authority; this \
            command sends nothing. Once the study names the folder with the key 'registration', 'entrain run' refuses a \
            changed study, unless --deviation says why. 'entrain analyse --registered' makes the registered analysis. With \
            --results, the log of that folder shows that the registration was there before the runs.
            """)

    @Argument(help: "The study file.", completion: .file(extensions: ["yaml", "yml"]))
    var study: String

    @Option(name: [.customShort("o"), .customLong("out")], help: "The new folder.", completion: .directory)
    var folder: String

    @Option(
        help: "The folder for result bundles, whose log then has the registration.", completion: .directory)
    var results: String?

    func run() async throws {
        let checked = try reporting { try CheckedStudy(reading: study) }
        let page = try await ProtocolCommand.makePage(of: checked, at: study)
        try reporting {
            let registration = try registration(of: checked)
            let bytes = registration.encoded
            var files = [
                "protocol.html": Array(page.text.utf8), Registration.fileName: bytes,
                "registration.tsq": TimeStampRequest.der(for: bytes, nonce: randomBytes(8)),
            ]
            for file in registration.files {
                guard let path = file.path else { continue }
                files[path.text] =
                    file.name == registration.studyFile
                    ? checked.text : Array((checked.parsed.files[file.name] ?? "").utf8)
            }
            try NewFolder.write(files, to: folder)
            let sum = SHA256.hexadecimal(of: bytes)
            Output.say(
                """
                \(printable(folder)): \(registration.study), revision \(registration.revision), \
                \(counted(registration.files.count, "file")), \(counted(registration.clips.count, "clip"))
                SHA-256 of what the study says: \(registration.meaningSHA256)
                SHA-256 of registration.json: \(sum)
                """)
            if checked.parsed.registration == nil {
                Output.remark(
                    "Write 'registration: FOLDER' below 'study:' in the study file; FOLDER is the path from the study file to this folder. "
                        + "Then a changed study is not run with a participant.")
            }
            guard let results else { return }
            try Folder.make(results)
            let proof = try ResultsLog.append([LogEntry(frozen: sum)], in: results, seed: randomBytes(32))
            if let proof { try NewFile.write(Array(proof.checkpoint.utf8), to: "\(folder)/checkpoint") }
        }
    }

    private func registration(of checked: CheckedStudy) throws -> Registration {
        let model = try checked.study()
        let folder = FilePath.prefix(of: study)
        let clips = try checked.parsed.clipUses.entries.map { entry in
            Registration.File(
                name: entry.clip.path, path: nil,
                sha256: try ClipMeasurement.sum(of: folder + entry.clip.path))
        }
        var texts = checked.parsed.files.mapValues { Array($0.utf8) }
        if let own = checked.parsed.registration { texts[own.path] = nil }
        let name = study == "-" ? "study.yaml" : study.split(separator: "/").last.map(String.init) ?? study
        let all = [(name, checked.text)] + texts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        var registration = Registration(
            of: model.identifier, revision: model.revision, program: programVersion,
            date: WallClock.now().date(of: .start), meaningSHA256: checked.meaning.sha256,
            files: all.enumerated().map { number, file in
                Registration.File(
                    name: file.0, path: Self.place(of: file.0, number + 1),
                    sha256: SHA256.hexadecimal(of: file.1))
            }, clips: clips)
        let programs = model.tasks.flatMap(\.allSteps).compactMap(\.program)
        registration.programs = programs.digests(in: FilePath.folder(of: study))
        for image in model.images { registration.images[image] = try ClipMeasurement.sum(of: folder + image) }
        return registration
    }

    /// The place of a copy in the folder. The number separates names that differ only in replaced characters.
    private static func place(of name: String, _ number: Int) -> BundlePath? {
        let last = name.split(separator: "/").last ?? ""
        let plain = last.map { $0.utf8.allSatisfy(Identifier.isAllowed) ? $0 : "_" }
        return BundlePath("files/\(number)-\(String(plain.suffix(100)))")
    }
}
