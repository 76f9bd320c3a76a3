import ArgumentParser
import BundleReplay
import MonitorClient
import Platform
import Signals
import Sound
import StudyFile
import StudySession
import TextFormat

struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Finds mistakes in studies, without running them.",
        discussion: """
            Every finding has a code; 'entrain explain CODE' says more. The exit code is 65 if there are errors. The \
            loudness of clips is measured once, and remembered until their files change.
            """)

    @Argument(help: "Study files.", completion: .file(extensions: ["yaml", "yml"]))
    var studies: [String]

    @Option(help: "'text' for people, 'json' for programs and editors.")
    var format = OutputFormat.text

    func run() async throws {
        var checked: [CheckedStudy] = []
        var unread: (any Error)?
        for path in studies {
            do { try reporting { checked.append(try CheckedStudy(reading: path)) } } catch { unread = error }
        }
        var heard: [[Diagnostic]] = []
        for study in checked {
            heard.append(
                await ClipChecks.diagnostics(of: study.parsed.clipUses, besides: study.path))
        }
        let diagnostics = zip(checked, heard).flatMap { $0.diagnostics + $1 }
        switch format {
        case .json: Output.say(.json(Array(diagnostics.json.utf8)))
        case .text:
            if !diagnostics.isEmpty {
                Output.emit(.coloured(diagnostics.rendered(isColoured: Terminals.isColoured)))
            }
            for (study, heard) in zip(checked, heard) where !study.hasErrors && !heard.hasErrors {
                Output.say("\(study.path): \(study.summary(warnings: study.diagnostics.count + heard.count))")
            }
            remarkWithoutLoudness(checked)
        }
        if checked.contains(where: \.hasErrors) || heard.contains(where: \.hasErrors) {
            throw ExitCode.badData
        }
        if let unread { throw unread }
    }

    private func remarkWithoutLoudness(_ checked: [CheckedStudy]) {
        guard !ClipMeasurement.canMeasureLoudness,
            checked.contains(where: { !$0.parsed.clipUses.entries.isEmpty })
        else { return }
        Output.remark("Loudness was not measured: that needs libebur128 (apt install libebur128-1).")
    }
}

extension [Diagnostic] {
    fileprivate var hasErrors: Bool { contains { $0.severity == .error } }
}
