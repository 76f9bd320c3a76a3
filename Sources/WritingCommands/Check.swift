import ArgumentParser
import BundleReplay
import Console
import SessionPorts
import Signals
import Sound
import StudyFile
import StudyModel
import TextFormat

package struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Finds mistakes in studies and catalogues, without running them.",
        discussion: """
            Every mistake has a code; 'entrain explain CODE' says more. With --format json, 'fix' holds the \
            change of the file that 'help' describes. A catalogue of clips is checked as a catalogue. The \
            exit code is 65 if there are errors. A warning that is meant is answered in the study, \
            'expect: {CODE: REASON}', in a step or for the whole study; it is not said again. Simulated participants of \
            each arm show which steps are reached, and whether outcomes have values. The loudness of clips is measured once, and remembered until their \
            files change.
            """)

    @Argument(help: "Study files, or catalogues of clips.", completion: .file(extensions: ["yaml", "yml"]))
    var studies: [String]

    @Option(help: "'text' for people, 'json' for programs and editors.")
    var format = OutputFormat.text

    @Flag(help: "Leave out what only a rehearsal of some participants finds.")
    var quick = false

    @Option(help: "Write the study in today's words into a new file; it says the same.", completion: .file())
    var rewrite: String?

    func validate() throws {
        guard rewrite == nil || studies.count == 1 else {
            throw ValidationError("--rewrite takes one study; write the others one after another")
        }
    }

    func run() async throws {
        if let rewrite { return try reporting { try Rewriting.write(studies[0], to: rewrite) } }
        var checked: [CheckedFile] = []
        var unread: (any Error)?
        for path in studies {
            do {
                try reporting { checked.append(CheckedFile(try CheckedStudy(reading: path), isQuick: quick)) }
            } catch {
                unread = error
            }
        }
        for index in checked.indices { await checked[index].checkClips() }
        let diagnostics = checked.flatMap(\.diagnostics)
        switch format {
        case .json: Output.say(.json(Array(diagnostics.json.utf8)))
        case .text:
            if !diagnostics.isEmpty {
                Output.emit(.coloured(diagnostics.rendered(isColoured: Terminals.isColoured)))
            }
            for language in Set(checked.compactMap(\.study?.parsed.study).flatMap(\.languages)).sorted()
            where !Wording.speaks(language) {
                Output.remark(
                    "The program itself does not speak '\(language)': participants read its own words, such as 'Return = go on', in English."
                )
            }
            for file in checked where !file.hasErrors { Output.say("\(file.path): \(file.summary)") }
            if checked.contains(where: \.lacksLoudness) {
                Output.remark("Loudness was not measured: that needs libebur128 (apt install libebur128-1).")
            }
        }
        if checked.contains(where: \.hasErrors) { throw ExitCode.badData }
        if let unread { throw unread }
    }
}

/// A study or a catalogue, with its findings.
private struct CheckedFile {
    var path: String
    /// Without the warnings that the study expects.
    private(set) var diagnostics: [Diagnostic]
    private(set) var uses: ClipUses
    /// The study; `nil` for a catalogue.
    var study: CheckedStudy?
    private let isQuick: Bool
    /// How many warnings the study expects.
    private var expected = 0
    /// How many clips a catalogue has.
    var clipCount = 0

    /// - Parameter isQuick: whether nobody is rehearsed.
    init(_ study: CheckedStudy, isQuick: Bool) {
        (path, self.isQuick) = (study.path, isQuick)
        guard ParsedCatalogue.isCatalogue(study.text) else {
            (diagnostics, uses, self.study) = (study.found, study.parsed.clipUses, study)
            diagnostics += study.parsed.doubts
            if let read = study.parsed.study {
                diagnostics +=
                    read.outcomesWithoutValue(at: study.parsed)
                    + read.outcomesWithoutComparison(at: study.parsed)
                // Whoever gets no plan is told by the orders of the study.
                diagnostics += isQuick ? [] : (try? read.placesNobodyCameTo(at: study.parsed)) ?? []
            }
            return
        }
        let parsed = ParsedCatalogue(
            study.text, named: path, library: .beside(study: path == "-" ? "./-" : path))
        (diagnostics, uses, clipCount) = (parsed.diagnostics, parsed.uses, parsed.clipCount)
    }

    /// Adds what the sound of the clips tells, and takes out what the study expects.
    mutating func checkClips() async {
        let findings = await ClipChecks.measure(uses, besides: path)
        diagnostics += findings.unreadable + uses.diagnostics(findings.figures)
        diagnostics += study?.exchangedClips(findings.figures.mapValues(\.sha256)) ?? []
        guard let expectations = study?.parsed.expectations else { return }
        let unmet = hasErrors || lacksLoudness || isQuick ? [] : diagnostics.unmet(expectations)
        let left = diagnostics.unanswered(by: expectations)
        (expected, diagnostics) = (diagnostics.count - left.count, left + unmet)
    }

    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// Whether there are clips whose loudness could not be measured.
    var lacksLoudness: Bool { !ClipMeasurement.canMeasureLoudness && !uses.entries.isEmpty }

    /// What was found and what could not be checked, in a line.
    var summary: String {
        let doubts = [
            lacksLoudness ? "loudness not measured" : nil, expected > 0 ? "\(expected) expected" : nil,
        ].compactMap(\.self)
        let doubt = doubts.isEmpty ? nil : doubts.joined(separator: ", ")
        if let study { return study.summary(warnings: diagnostics.count, unmeasured: doubt) }
        return CheckedStudy.verdict(warnings: diagnostics.count, unmeasured: doubt)
            + " (catalogue, \(clipCount) clip\(clipCount == 1 ? "" : "s"))"
    }
}
