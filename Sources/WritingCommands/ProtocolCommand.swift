import ArgumentParser
import BundleReplay
import Console
import Exports
import StudyFile
import StudyModel
import TextFormat

package struct ProtocolCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "protocol",
        abstract: "Makes a page that says in plain words what a study does.",
        discussion: """
            It is for ethics committees, registrations and the methods section. It begins with what happens to a participant, \
            in a few sentences and a time line, what is measured, and what becomes of the data. Folded below, and open on \
            paper, are the way through each task as a picture, every step with its wordings in all languages, what depends on \
            chance, what is stored, checksums of the study and its clips, and the items of the reporting guideline for music-based \
            interventions (Robb, Burns & Carpenter 2011). Where the study says nothing, the page says so.

            The page is one file that needs nothing else. It suits light and dark screens, and paper. --to png and \
            --to pdf need Chromium.
            """)

    @Argument(help: "The study file.", completion: .file(extensions: ["yaml", "yml"]))
    var study: String

    @Option(name: [.customShort("o"), .customLong("out")], help: "The new file.", completion: .file())
    var file: String

    @Option(name: [.customLong("to")], help: "The format; default: as the file's name ends, or html.")
    var form: PageForm?

    func validate() throws { _ = try PageForm(form, for: file) }

    func run() async throws {
        try reporting { try NewFile.mustBeNew(file) }
        let page = try await Self.makePage(of: reporting { try CheckedStudy(reading: study) }, at: study)
        try reporting { try PageForm(form, for: file).write(page.text, to: file) }
        Output.say(
            "\(printable(file)): \(page.subject); \(page.openItems)"
        )
    }

    /// The page of a study; prints what is wrong with it.
    static func makePage(of checked: CheckedStudy, at study: String) async throws -> ProtocolPage {
        let findings = await ClipChecks.measure(checked.parsed.clipUses, besides: study)
        let diagnostics =
            checked.diagnostics + findings.unreadable + checked.parsed.clipUses.diagnostics(findings.figures)
        guard let model = checked.parsed.study, !diagnostics.contains(where: { $0.severity == .error }) else {
            Output.emit(.coloured(diagnostics.rendered(isColoured: Terminals.isColoured)))
            throw ExitCode.badData
        }
        return ProtocolPage(
            of: ProtocolPage.Source(
                study: model, name: study.split(separator: "/").last.map(String.init) ?? study,
                text: checked.text,
                files: checked.parsed.files,
                clips: findings.figures.mapValues {
                    ProtocolPage.ClipFile(sha256: $0.sha256, length: $0.length)
                }, program: programVersion))
    }
}
