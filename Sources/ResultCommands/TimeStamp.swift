import Analysing
import ArgumentParser
import BundleReplay
import Console
import Glibc
import Platform
import Recordings
import Results
import TextFormat

/// The time stamp of a registration or of a checkpoint (RFC 3161), as OpenSSL verifies it.
enum TimeStamp {
    private static let fileName = "registration.tsr"
    private static let limit = Duration.seconds(30)

    /// What the time stamp in a registration's folder says.
    ///
    /// - Parameter authority: the file of the certificates that are trusted.
    /// - Throws: `StudyFailure` if it is no time stamp of this registration by this authority.
    static func verified(in folder: String, authority: String?) throws -> RegisteredAnalysis.Stamp {
        let stamp = "\(folder)/\(fileName)"
        guard authority != nil || isThere(stamp) else { return .none }
        guard let authority else { return .unverified }
        let (time, moment) = try verified(stamp, of: "\(folder)/\(Registration.fileName)", by: authority)
        return .verified(time, at: moment)
    }

    /// The time that an authority's stamp of a file says.
    ///
    /// - Throws: `StudyFailure` if it is no time stamp of this file by this authority.
    static func verified(
        _ stamp: String, of data: String, by authority: String
    ) throws -> (time: String, moment: Double) {
        guard isThere(stamp) else {
            throw StudyFailure(
                "there is no time stamp '\(printable(stamp))': put the authority's answer there", .missing)
        }
        guard isThere(authority) else {
            throw StudyFailure("there are no certificates '\(printable(authority))'", .missing)
        }
        let said = try openssl(["-verify", "-data", data, "-in", stamp, "-CAfile", authority])
        guard said != nil else {
            throw StudyFailure(
                "'\(printable(stamp))' is no time stamp of '\(printable(data))' by the authority of '\(printable(authority))'",
                .badStudy)
        }
        guard let text = try openssl(["-reply", "-in", stamp, "-text"]), let time = time(in: text),
            let moment = RecordedTime.instant(of: time)
        else { throw StudyFailure("OpenSSL does not say the time of '\(printable(stamp))'", .badStudy) }
        return (time, moment)
    }

    /// The time in what OpenSSL prints, `Time stamp: Nov 28 16:00:00 2026 GMT`, as `2026-11-28 16:00:00Z`.
    static func time(in text: String) -> String? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let line = text.split(separator: "\n").first { $0.hasPrefix("Time stamp: ") }
        let words = (line ?? "").dropFirst("Time stamp: ".count).split(separator: " ")
        guard words.count == 5, words[4] == "GMT", let month = months.firstIndex(of: String(words[0])),
            let day = Int(words[1]), let year = Int(words[3]), words[2].count >= 8
        else { return nil }
        return "\(digits(year, 4))-\(digits(month + 1, 2))-\(digits(day, 2)) \(words[2].prefix(8))Z"
    }

    private static func isThere(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

    /// - Returns: what `openssl ts` prints; `nil` if it refuses.
    private static func openssl(_ arguments: [String]) throws -> String? {
        guard let program = ExecutableFile.path(of: "openssl", in: ".") else {
            throw StudyFailure(
                "OpenSSL is needed to verify a time stamp and is not installed: apt-get install openssl",
                .missing)
        }
        let folder = try TemporaryFolder()
        let output = folder.path + "/said"
        let end = unsafe ProcessGroup.run(
            [program, "ts"] + arguments, atMost: limit, until: Interruption.descriptor
        ) { actions in
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        switch end {
        case .code(0): return String(decoding: try NewFile.read(output), as: UTF8.self)
        case .code, .stopped: return nil
        case .interrupted: throw ExitCode.interrupted
        case .neverBegan(let code): throw FileFailure("start", program, .system(code: code))
        }
    }
}
