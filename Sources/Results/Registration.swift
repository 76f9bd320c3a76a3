import Hashing
package import Platform
package import StudyModel
import TextFormat

/// A study at the time when it was frozen: the contents of `registration.json` in the folder of a registration.
package struct Registration: Hashable, Sendable {
    /// The version of the format that this program writes.
    package static let currentFormat = 1
    /// The file's name in the folder.
    package static let fileName = "registration.json"

    /// The study's identifier.
    package var study: Identifier
    /// The study's revision.
    package var revision: Int
    /// The version of the program that wrote it.
    package var program: String
    /// When it was written, by the machine's clock: `2026-11-23T10:15:00.000+0100`. Only a time stamp proves it.
    package var date: String
    /// Lower-case hexadecimal SHA-256 of what the study says, regardless of comments and notation.
    package var meaningSHA256: String
    /// The name of the study file, the first of the files.
    package var studyFile: String
    /// The study file and all texts that it uses, with their places in the folder.
    package var files: [File]
    /// Every clip of the study. Clips are not copied, and have no place in the folder.
    package var clips: [File]
    /// The files of which the programs of steps are made, as the study names them, with their SHA-256.
    package var programs: [String: String] = [:]
    /// The pictures of the study, by path, with their SHA-256.
    package var images: [String: String] = [:]
    /// The seed of the sign flips of the registered analysis.
    package var analysisSeed: UInt64

    /// A file as it was.
    package struct File: Hashable, Sendable {
        /// Its path relative to the study file, in normal form; the study file's own name.
        package var name: String
        /// Where its copy lies in the folder of the registration, if there is one.
        package var path: BundlePath?
        /// Lower-case hexadecimal SHA-256.
        package var sha256: String

        package init(name: String, path: BundlePath?, sha256: String) {
            (self.name, self.path, self.sha256) = (name, path, sha256)
        }
    }

    package init(
        of study: Identifier, revision: Int, program: String, date: String, meaningSHA256: String,
        files: [File], clips: [File]
    ) {
        (self.study, self.revision, self.program, self.date) = (study, revision, program, date)
        (self.files, self.clips, self.meaningSHA256) = (files, clips, meaningSHA256)
        studyFile = files.first?.name ?? ""
        analysisSeed = 1
    }

    /// - Parameter place: what errors call the file.
    /// - Throws: `FileFailure` if it is not a registration, or if a later version of the program wrote it.
    package init(parsing bytes: [UInt8], from place: String) throws(FileFailure) {
        do { self = try Registration(wire: JSON(parsing: bytes)) } catch {
            throw FileFailure("read", place, .malformed("it is no registration: \(error)"))
        }
    }
}

extension Registration {
    /// The SHA-256 of the files of programs and pictures, by their names.
    package var fileDigests: [String: String] { programs.merging(images) { program, _ in program } }
}

/// A request for a time stamp (RFC 3161, section 2.4.1), which any time-stamping authority can answer.
package enum TimeStampRequest {
    /// The request in DER: version 1, SHA-256, a nonce, and a request for the authority's certificate.
    ///
    /// - Parameter nonce: 8 random bytes, which the answer repeats.
    package static func der(for bytes: [UInt8], nonce: [UInt8]) -> [UInt8] {
        // 2.16.840.1.101.3.4.2.1 is SHA-256.
        let algorithm = element(
            0x30, element(0x06, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]) + [0x05, 0])
        let imprint = element(0x30, algorithm + element(0x04, SHA256.digest(of: bytes)))
        // A first byte of 1 to 127 keeps the number positive, and as short as DER demands.
        let number = [(nonce.first ?? 0) & 0x7F | 0x40] + nonce.dropFirst()
        return element(0x30, element(0x02, [1]) + imprint + element(0x02, number) + element(0x01, [0xFF]))
    }

    /// A value of fewer than 128 bytes with its tag and length.
    private static func element(_ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
        [tag, UInt8(value.count)] + value
    }
}

extension RunDescription {
    /// The files of programs and pictures that are not as they were, in words.
    ///
    /// - Parameter before: the files of a registration, or of an earlier run, which may have none noted.
    package func changedFiles(since before: [String: String]) -> [String] {
        let all = programs.map { ("program's file", $0) } + (images?.files ?? []).map { ("picture", $0) }
        return all.compactMap { kind, file in
            before[file.name].flatMap {
                $0 == file.sha256 ? nil : "the \(kind) '\(file.name)' is another one"
            }
        }
    }

    /// The SHA-256 of the files of programs and pictures, by their names.
    package var fileDigests: [String: String] {
        Dictionary((programs + (images?.files ?? [])).map { ($0.name, $0.sha256) }) { first, _ in first }
    }
}
