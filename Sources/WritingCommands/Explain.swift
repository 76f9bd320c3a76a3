import ArgumentParser
import Console
import StudyFile
import StudyModel
import TextFormat

package struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explains a code that 'entrain check' printed.",
        discussion: "Without a code, it lists all codes.")

    @Argument(
        help: "The code, such as unknown-key.", completion: .list(DiagnosticCode.allCases.map(\.rawValue)))
    var code: String?

    func run() throws {
        guard let code else {
            for code in DiagnosticCode.allCases { Output.say("\(code.rawValue): \(code.title)") }
            return
        }
        // As 'check' prints it: error[missing-file].
        let named = code.split(separator: "[").last.map { String($0.prefix { $0 != "]" }) } ?? code
        guard let known = DiagnosticCode(rawValue: named) else {
            let all = DiagnosticCode.allCases.map(\.rawValue)
            let near =
                Suggestion.nearest(to: named, among: all).map { "; did you mean '\($0)'?" }
                ?? "; 'entrain explain' lists them all"
            Output.complain("there is no code '\(code)'\(near)")
            throw ExitCode.usage
        }
        Output.emit(.lines(known.text))
    }
}

extension DiagnosticCode {
    /// The code's page for a terminal.
    fileprivate var text: String {
        var parts = ["\(rawValue): \(title)", explanation]
        if let difference {
            parts.append("For example:\n\n" + indented(difference.mistake))
            parts.append("Without the mistake:\n\n" + indented(difference.remedy))
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    }
}
