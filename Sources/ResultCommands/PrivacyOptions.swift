import ArgumentParser
import Console
import Datasets
import Deidentifying
import Platform
import Results
import TextFormat

/// Whether results may reveal who took part.
struct PrivacyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Replace participants' codes with the key in this file.", valueName: "key-file"),
        completion: .file())
    var pseudonymise: String?

    @Flag(help: "Move all dates of a participant back by the same 1 … 364 days; needs --pseudonymise.")
    var shiftDates = false

    func validate() throws {
        if shiftDates, pseudonymise == nil {
            throw ValidationError(
                "--shift-dates needs --pseudonymise: how far dates move is drawn from the key.")
        }
    }

    /// What has to be removed; `nil` if everything stays as it was recorded.
    func make() throws -> Privacy? {
        guard let pseudonymise else { return nil }
        return Privacy(
            pseudonyms: try Self.pseudonyms(of: pseudonymise), shiftsDates: shiftDates,
            machine: machineName)
    }

    /// The pseudonyms that the key in a file gives.
    static func pseudonyms(of path: String) throws -> Pseudonyms {
        let make = "make one with: (umask 077; head -c 32 /dev/urandom > KEYFILE)"
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try KeyFile.read(path)
        } catch {
            Output.complain("\(error.description); \(make)")
            throw ExitCode.unavailable
        }
        guard let pseudonyms = Pseudonyms(key: bytes) else {
            Output.complain(
                bytes.count < Pseudonyms.shortestKey
                    ? "the key in \(printable(path)) has \(bytes.count) bytes and needs \(Pseudonyms.shortestKey); \(make)"
                    : "the key in \(printable(path)) could be guessed: it is not random enough; \(make)"
            )
            throw ExitCode.badData
        }
        if isOpenToOthers(path) {
            Output.remark("note: others can read the key; chmod 600 \(printable(path))")
        }
        return pseudonyms
    }

    /// Names the codes that could not be looked for everywhere.
    static func remark(on weakCodes: [String]) {
        for code in weakCodes {
            Output.remark(
                "note: the code '\(printable(code))' is short or all digits: it was replaced in names and texts, but "
                    + "numbers that look like it stay")
        }
    }
}
