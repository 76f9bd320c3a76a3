import ArgumentParser
import BundleReplay
import Glibc
import Participants
import SessionPorts
package import StudyModel
import TextFormat

/// The participant's code: given, or asked for.
package enum ParticipantCode {
    /// Asks for the code at the terminal, and suggests the next free one.
    ///
    /// - Parameter others: codes that have no run there, and are not free either.
    package static func ask(freeIn output: String, besides others: Set<String>) throws -> String {
        let proposed = try Register(in: output).nextCode(besides: others)
        while true {
            guard let line = Output.ask("The participant's code [\(printable(proposed))]: ") else {
                throw ExitCode.interrupted
            }
            let code = line.isEmpty ? proposed : line
            do {
                try ParticipantOptions.validate(participant: code)
                return code
            } catch let problem as ValidationError {
                Output.complain("\(printable(problem.message))")
            }
        }
    }

    /// Whether somebody is at a terminal.
    package static var isAskable: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// - Throws: `ValidationError` if nobody can be asked.
    package static func mustBeAskable() throws {
        guard isAskable else {
            throw ValidationError(
                "Missing expected argument '--participant <participant>': there is no terminal to ask for it")
        }
    }

    /// Warns of a code that looks like a person's name or address.
    package static func warnOfName(_ code: String, in language: Language?) {
        if looksLikeName(code) { Output.warn(.warnName, code, in: language) }
    }

    /// A code that can be taken for another one: in capital letters without marks, Greek and Cyrillic letters as the Latin
    /// ones that look like them, O as zero, and numbers without zeros before them.
    package static func likeness(of code: String) -> String {
        let plain = code.uppercased().map { alike[$0] ?? $0 }.filter { $0.isLetter || $0.isNumber }
        var likeness = ""
        for character in plain {
            if character == "0", likeness.last?.isNumber != true { continue }
            likeness.append(character)
        }
        return likeness
    }

    private static let alike: [Character: Character] = Dictionary(
        uniqueKeysWithValues: zip("ΑΒΕΖΗΙΚΜΝΡΤΥΧАВЕКМНРСТХІЅЈΟOО", "ABEZHIKMNPTYXABEKMHPCTXISJ000"))

    /// Asks whether a new code is one that is known already, if it looks or counts like it.
    ///
    /// - Throws: `StudyFailure` if it is the same person; then the known code counts.
    package static func mustBeNew(_ code: String, among known: Set<String>) throws {
        guard !known.contains(code) else { return }
        guard let other = known.sorted().first(where: { likeness(of: $0) == likeness(of: code) }) else {
            return
        }
        let words = "\(printable(code)) can be taken for \(printable(other)), who has taken part"
        guard isAskable else {
            Output.remark("\(words). If this is the same person, give --participant \(printable(other)).")
            return
        }
        guard Output.ask("\(words). Is this the same person? [y/N] ")?.lowercased() != "y" else {
            throw StudyFailure("nothing was begun: give --participant \(printable(other))", .usage)
        }
    }

    /// Letters without any digit, at least three of them and some in lower case; or an address.
    package static func looksLikeName(_ code: String) -> Bool {
        if code.contains("@") { return true }
        let letters = code.filter(\.isLetter)
        return letters.count >= 3 && letters.contains(where: \.isLowercase)
            && !code.contains(where: \.isNumber)
    }
}
