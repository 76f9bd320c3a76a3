import ArgumentParser
import BundleReplay
import Console
import Exports
import Glibc
import Platform
import StudyFile
import StudyModel
import TextFormat

package struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Puts what a reviewer of a study asks for into one folder, with a page in front.",
        discussion: """
            The folder has what the check finds, the protocol page, rehearsed data, the analysis of the study's \
            outcomes on them with its report, the power for --effect, how predictable the allocation is, and \
            with --drill what became of runs that were broken on purpose. index.html says first what is open. \
            It is for an ethics committee, for a registered report, or for yourself before the first participant.

            The same study and options give the same files, but for a drill, which tries as much as its time allows.
            """)

    @Argument(help: "The study file.", completion: .file(extensions: ["yaml", "yml"]))
    var study: String

    @Option(name: [.customShort("o"), .customLong("out")], help: "The new folder.", completion: .directory)
    var folder: String

    @Option(help: "How many simulated participants the rehearsed data have, 2 to 1000.")
    var participants = 24

    @Option(
        parsing: .unconditional,
        help:
            "The effect for which the power is estimated, in the primary outcome's unit, such as 2bpm or 0.5."
    )
    var effect: String?

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp(
            "The condition, clip, task, session or arm that has the effect.", valueName: "name"))
    var place: String?

    @Option(help: "How long a drill of the study may take, such as 2min; without it there is none.")
    var drill: String?

    func validate() throws {
        guard (2...1000).contains(participants) else {
            throw ValidationError("--participants takes 2 to 1000")
        }
        guard effect != nil || place == nil else { throw ValidationError("--in needs --effect") }
    }

    func run() async throws {
        try reporting {
            try NewFile.mustBeNew(folder)
            let checked = try CheckedStudy(reading: study)
            let model = try checked.study()
            try Folder.make(folder)
            let parts = try parts(of: model)
            let page = AuditPage(
                title: model.title.text(in: nil),
                facts: facts(of: model, checked),
                open: open(of: model, checked, parts), parts: parts)
            try NewFile.write(Array(page.html.utf8), to: "\(folder)/index.html")
            Output.say("\(printable(folder))/index.html: \(counted(parts.count, "part"))")
        }
    }

    /// What the protocol page says of the reporting guideline.
    private func guideline(in parts: [AuditPage.Part]) -> [String] {
        parts.filter { $0.files.contains("protocol.html") }.compactMap { part in
            part.words.firstRange(of: "; of ").map {
                "Of \(part.words[$0.upperBound...].prefix { $0 != "\n" })."
            }
        }
    }

    private func facts(of model: Study, _ checked: CheckedStudy) -> [(name: String, value: String)] {
        [
            ("Study", "\(model.identifier), revision \(model.revision)"),
            ("SHA-256 of what it says", checked.meaning.sha256), ("Program", "entrain \(programVersion)"),
        ]
    }

    private var results: String { "\(folder)/rehearsed" }

    private func parts(of model: Study) throws -> [AuditPage.Part] {
        let seed = "\(model.seed ?? 1)"
        var parts = [
            try part("Check", "What can be read and can hardly be meant.", "check.txt", ["check", study]),
            try part(
                "Protocol", "What the study does, step by step, in plain words.", "protocol.txt",
                ["protocol", study, "--out", "\(folder)/protocol.html"], makes: ["protocol.html"]),
            try part(
                "Rehearsed data",
                "Results of \(counted(participants, "simulated participant")), in the form of real ones. Their hearts know no effect of music.",
                "rehearsal.txt",
                ["rehearse", study, "--participants", "\(participants)", "--seed", seed, "--out", results],
                makes: ["rehearsed"]),
            try part(
                "Analysis", "The analysis of the study's outcomes, made on the rehearsed data.",
                "analysis.txt",
                ["analyse", results, "--include-simulated"]),
            try part(
                "Report", "The page that the study will have, made of the rehearsed data.", "report.txt",
                ["report", results, "--include-simulated", "--out", "\(folder)/report.html"],
                makes: ["report.html"]),
        ]
        if let effect {
            parts.append(
                try part(
                    "Power", "The share of simulated studies that find an effect of \(effect).", "power.txt",
                    ["power", study, "--participants", "\(participants)", "--seed", seed, "--studies", "100"]
                        + ["--out", "\(folder)/power.html", "--effect", effect]
                        + (place.map { ["--in", $0] } ?? []),
                    makes: ["power.html"]))
        }
        if model.allocation != nil {
            parts.append(
                try part(
                    "Allocation",
                    "How balanced the design is, and how often somebody who knows it guesses the next arm.",
                    "allocation.txt", ["allocation", "simulate", study, "--participants", "\(participants)"]))
        }
        if let drill {
            parts.append(
                try part(
                    "Drill", "What became of runs that were killed, or met a full disk or a failing source.",
                    "drill.txt",
                    ["drill", study, "--budget", drill, "--out", "\(folder)/drill"], makes: ["drill"]))
        }
        return parts
    }

    /// Runs a command of this program and keeps what it writes.
    ///
    /// - Parameter makes: what else it writes into the folder.
    private func part(
        _ title: String, _ purpose: String, _ file: String, _ words: [String], makes: [String] = []
    ) throws -> AuditPage.Part {
        let path = "\(folder)/\(file)"
        let raw = path + ".partial"
        defer { _ = unsafe unlink(raw) }
        let end = unsafe ProcessGroup.run([ProgramFolder.program] + words, atMost: .seconds(86_400)) {
            actions in
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            unsafe posix_spawn_file_actions_addopen(&actions, 1, raw, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        }
        let said = try self.words(in: "\(file).partial")
        try NewFile.write(Array(said.utf8), to: path)
        for page in makes where page.hasSuffix(".html") && end == .code(0) {
            let text = try self.words(in: page)
            _ = unsafe unlink("\(folder)/\(page)")
            try NewFile.write(Array(text.utf8), to: "\(folder)/\(page)")
        }
        guard end == .code(0) else {
            if end == .interrupted || end == .code(130) { throw ExitCode(130) }
            throw StudyFailure(
                "'entrain \(words[0])' could not make its part; what it said is in '\(printable(path))':\n\(said)",
                .badStudy)
        }
        return AuditPage.Part(title, purpose, files: makes + [file], words: said)
    }

    /// What a file of the folder says, without the folder's own name.
    private func words(in file: String) throws -> String {
        String(decoding: try Folder(folder).read(file), as: UTF8.self).replacing("\(folder)/", with: "")
    }

    /// What is not settled before the first participant.
    private func open(of model: Study, _ checked: CheckedStudy, _ parts: [AuditPage.Part]) -> [String] {
        let steps = model.tasks.flatMap(\.allSteps)
        // Clips, outcomes and rehearsed participants give warnings, too, which the command alone has looked for.
        let isWarned = parts.contains { part in
            part.files == ["check.txt"]
                && part.words.split(separator: "\n").contains { $0.hasPrefix("warning[") }
        }
        let untranslated = checked.found.count { $0.code == .missingTranslation }
        let languages = model.languages.map { "\($0)" }
        let judged: [(Bool, String)] = [
            (isWarned, "The check has warnings."),
            (model.outcomes.isEmpty, "The study names no outcomes: what is analysed is exploratory."),
            (
                effect == nil,
                "How many participants are needed was not estimated: name an effect with --effect."
            ),
            (checked.parsed.registration == nil, "The study is not registered ('entrain freeze')."),
            (!steps.contains { $0.consent != nil }, "No step asks for consent."),
            (
                model.seed == nil,
                "The study gives no seed, so that its draws cannot be foreseen from this folder."
            ),
            (
                !model.arms.isEmpty && model.allocation == nil,
                "The study does not say how participants come into its arms."
            ),
            (
                untranslated > 0,
                "\(counted(untranslated, "text")) of the languages \(listed(languages)) \(untranslated == 1 ? "is" : "are") missing."
            ),
            (drill == nil, "No drill was made ('--drill 2min')."),
        ]
        return judged.filter(\.0).map(\.1) + guideline(in: parts)
    }
}
