package import ArgumentParser
import Glibc
package import SessionPorts
package import StudyModel
import Synchronization
import Terminal
package import TextFormat

/// How a command prints its result.
package enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
}

/// Exit codes, as sysexits.h names them.
extension ExitCode {
    package static let usage = ExitCode(64)
    package static let badData = ExitCode(65)
    package static let unavailable = ExitCode(69)
    /// The program does not do its job, such as a drill that misses a mistake.
    package static let broken = ExitCode(70)
    package static let diskFailure = ExitCode(74)
    /// A completed run misses a limit that its study sets.
    package static let poorQuality = ExitCode(79)
    package static let interrupted = ExitCode(130)
}

/// The only code that prints. Texts from outside are made safe before they come here; see `TerminalText`.
package enum Output {
    /// Writes a text and a line feed to standard output. It is not an error if the reader has gone away.
    package static func say(_ text: TerminalText) { write(text + "\n", to: STDOUT_FILENO) }

    /// Writes JSON and a line feed to standard output.
    package static func say(json: JSON) { say(.json(json.encoded())) }

    /// Writes whole lines to standard output.
    package static func emit(_ text: TerminalText) { write(text, to: STDOUT_FILENO) }

    /// Writes `error: …` to standard error.
    package static func complain(_ text: TerminalText) { write("error: \(text)\n", to: STDERR_FILENO) }

    /// Writes a remark to standard error.
    package static func remark(_ text: TerminalText) { write(text + "\n", to: STDERR_FILENO) }

    /// Says what simulated participants do about the programs of steps.
    package static func remarkProgramsAreLeftOut() {
        remark(
            "Programs of steps are not started: the simulated participant answers in their place, half-way through their time."
        )
    }

    private static let hasWarned = Atomic<Bool>(false)

    /// Writes a warning to standard error, in the participant's language. The person who starts the run must
    /// confirm it.
    package static func warn(_ phrase: Phrase, _ arguments: String..., in language: Language?) {
        let wording = Wording(language)
        remark("\(wording(.warning, wording(phrase, arguments)))")
        hasWarned.store(true, ordering: .relaxed)
    }

    /// Shows what is about to be run, and waits for Return, so that it and the warnings are read before the first step
    /// covers them.
    ///
    /// - Parameters:
    ///   - summary: participant, session and revision; `nil` waits only if there were warnings.
    ///   - input: the participant's terminal; without one, this does not wait.
    package static func confirm(_ summary: TerminalText?, at input: Int32?, in language: Language?) throws {
        let hasWarned = hasWarned.load(ordering: .relaxed)
        guard let input, summary != nil || hasWarned, isatty(input) == 1, isatty(STDERR_FILENO) == 1
        else { return }
        if let summary { remark(summary) }
        remark("\(Wording(language)(hasWarned ? .beginAllTheSame : .lineBegin))")
        guard readLine(from: input) != nil else { throw ExitCode.interrupted }
    }

    /// Asks a question on standard error, and reads a line of standard input.
    ///
    /// - Returns: the line without surrounding spaces; `nil` at the end of the input.
    package static func ask(_ question: TerminalText) -> String? {
        write(question, to: STDERR_FILENO)
        return readLine(from: STDIN_FILENO)?.trimmed
    }

    /// Reads no byte beyond the line; `nil` at the end of the input.
    private static func readLine(from input: Int32) -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = unsafe read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            guard byte != UInt8(ascii: "\n") else { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
    }

    /// Shows progress in the last line of a terminal, or clears it; does nothing elsewhere.
    package static func progress(_ text: TerminalText?) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        write("\r" + (text ?? "") + "\u{1B}[K", to: STDERR_FILENO)
    }

    private static func write(_ text: TerminalText, to descriptor: Int32) {
        var text = text.text
        text.withUTF8 { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = unsafe Glibc.write(
                    descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                offset += count
            }
        }
    }
}
