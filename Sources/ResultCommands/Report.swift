import Analysing
import ArgumentParser
import BundleReplay
import Console
import Datasets
import Deidentifying
import Exports
import Glibc
import Participants
import Results
import StudyEngine
import StudyFile
import StudyModel
import TextFormat

package struct Report: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Makes a page with charts of one run, or of many.",
        discussion: """
            For one bundle it shows the measured and the expected heart rate, steps, clips and gaps, how \
            punctual the run was, the draws, and how good the data are. For a dataset, or for several \
            bundles, it begins with the answer to the study's question in a sentence and a picture. Then come how hearts \
            responded over time, who took part, the tables, how balanced the clips were, and the quality of every \
            session; how it was tested is folded, and open on paper. Runs that do not come from a participant need --include-simulated; \
            runs of different texts of a study are shown separately.

            The page is one file that needs nothing else. If more than 200 clips were left out, a second file lists \
            them all. It suits light and dark screens, and paper. --to png and \
            --to pdf need Chromium.
            """)

    @Argument(help: "A bundle, a dataset, or folders with bundles.", completion: .directory)
    var paths: [String]

    @Option(name: [.customShort("o"), .customLong("out")], help: "The new file.", completion: .file())
    var file: String

    @Option(name: [.customLong("to")], help: "The format; default: as the file's name ends, or html.")
    var form: PageForm?

    @OptionGroup var simulated: SimulatedRuns
    @OptionGroup var pooled: PooledRevisions
    @OptionGroup var registration: RegistrationOptions
    @OptionGroup var privacy: PrivacyOptions

    @Option(help: "The seed of the sign flips, for several runs.")
    var seed: UInt64 = 1

    func validate() throws {
        try registration.validate(seed: seed, pooled)
        _ = try PageForm(form, for: file)
    }

    func run() async throws {
        let privacy = try privacy.make()
        let page = try await reporting { try await makePage(privacy) }
        try reporting {
            if page.list != nil { try NewFile.mustBeNew(listPath) }
            try PageForm(form, for: file).write(page.text, to: file)
            if let list = page.list { try NewFile.write(Array(list.utf8), to: listPath) }
        }
        for line in page.leftOut.lines(unsealed: "left out") { Output.remark("\(line)") }
        Output.say("\(printable(file)): \(page.subject)")
        if !page.leftOut.damaged.isEmpty { throw ExitCode.badData }
    }

    private struct Page {
        var text: String
        var subject: String
        /// What was left out, if that is too much for the page.
        var list: String?
        var leftOut = LeftOut()
    }

    private func makePage(_ privacy: Privacy?) async throws -> Page {
        if paths.count == 1, try !DatasetReport.isCollection(paths[0]) {
            let bundle = try ResultBundle(at: paths[0])
            let run = bundle.manifest.run
            guard simulated.includeSimulated || !run.origin.isInvented else {
                throw StudyFailure(
                    "'\(printable(paths[0]))' is \(printable(run.originText)): add --include-simulated to make a page of it",
                    .badStudy)
            }
            let tasks = TasksOfBundles()
            let expected = ExpectedRates(of: tasks.task(of: bundle))
            guard let privacy else {
                let study = try tasks.studies.study(of: bundle)?.study.parsed.study
                let report = try SessionReport(of: bundle, expected: expected, in: study)
                return Page(text: report.html, subject: "one run")
            }
            var deidentification = Deidentification(privacy, of: paths)
            let safe = try deidentification.applied(to: ResultBundle(verifying: paths[0]))
            let report = try SessionReport(of: safe, expected: expected)
            return Page(text: try deidentification.checked(report.html), subject: "one run")
        }
        let registered = try registration.read()
        let seed = registered?.seed ?? seed
        var random = SplitMix64(seed: seed)
        let report = try await DatasetReport(
            of: paths,
            taking: RunSelection(
                includesSimulated: simulated.includeSimulated, poolsRevisions: pooled.poolRevisions,
                withCourses: true, registered: registered),
            privacy: privacy,
            made: ReportOrigin(
                version: programVersion, command: privacy == nil ? typed : nil, seed: seed,
                listName: String(listPath.split(separator: "/").last ?? "")),
            using: &random)
        guard report.runs > 0 else {
            throw StudyFailure(
                "there is no run in \(paths.joined(separator: ", "))\(report.leftOut.hint)", .badStudy)
        }
        let (text, list) = try report.checkedPage()
        return Page(
            text: text, subject: report.runs == 1 ? "one run" : "\(report.runs) runs", list: list,
            leftOut: report.leftOut)
    }

    /// The file with the list of everything that was left out, beside the page.
    private var listPath: String {
        let end = PageForm.allCases.map { ".\($0.rawValue)" }.first { file.hasSuffix($0) } ?? ""
        return file.dropLast(end.count) + "-left-out.csv"
    }

    /// The command that makes the page again.
    private var typed: String {
        let flags =
            (simulated.includeSimulated ? ["--include-simulated"] : [])
            + (pooled.poolRevisions ? ["--pool-revisions"] : [])
            + (registration.registered.map { ["--registered", Self.quoted($0)] } ?? [])
        return
            (["entrain", "report"] + paths.map(Self.quoted) + [
                "--out", Self.quoted(file), "--seed", "\(seed)",
            ]
            + flags).joined(separator: " ")
    }

    /// A word as a shell needs it.
    private static func quoted(_ word: String) -> String {
        let plain = word.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "/._-".utf8.contains(byte)
        }
        return plain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }
}
