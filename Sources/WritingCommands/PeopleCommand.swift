import ArgumentParser
import BundleReplay
import Console
import People
import Platform
import Results
import SessionPorts
import StudyEngine
import StudyModel
import TextFormat

package struct PeopleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people",
        abstract: "Lets simulated people sit at a study, and finds what they lose or cannot read.",
        discussion: """
            Each person runs the study at a terminal of their own, with simulated hearts and without sound: a nervous, an old \
            (40 × 12 characters), a fast and a blind one (with --plain), and a foreign one (40 × 12) for each other language \
            of the study. They read the screen, answer by chance, and remember what they meant. The command tells what was \
            lost, not seen, not translated, cut off or impossible, with the screen. The exit code is 65 if there was anything. \
            Time goes faster, so that a session takes about 15 seconds, or longer if answers have a time limit.
            """)

    @OptionGroup var options: StudyOptions
    @OptionGroup var sitting: ParticipantOptions

    @Option(help: "Only this person: \(Person.all.map(\.name).joined(separator: ", ")). Can be repeated.")
    var only: [String] = []

    @Option(
        help: "Seconds of the run per second of real time, 1 to 1000; default: by the length of the study.")
    var speed: Double?

    func validate() throws {
        if let name = only.first(where: { name in !Person.all.contains { $0.name == name } }) {
            throw ValidationError(
                "there is no person '\(printable(name))': \(Person.all.map(\.name).joined(separator: ", "))")
        }
        guard (1...1000).contains(speed ?? 1) else { throw ValidationError("--speed takes 1 to 1000") }
    }

    func run() async throws {
        Interruption.ignoreBrokenPipes()
        let hasFound = try reporting {
            let whole = try options.load().study()
            let people = Person.all.filter { only.isEmpty || only.contains($0.name) }
            return try PeopleSessions(
                of: whole, options, sitting, seed: options.seed(of: whole), speed: speed
            ).hold(with: people)
        }
        if hasFound { throw ExitCode.badData }
    }
}

/// The sessions of people at one study.
struct PeopleSessions {
    private let study: Study
    private let options: StudyOptions
    private let sitting: ParticipantOptions
    private let seed: UInt64
    private let speed: Double?
    private let session: Int
    private let folder: TemporaryFolder

    init(
        of whole: Study, _ options: StudyOptions, _ sitting: ParticipantOptions, seed: UInt64, speed: Double?
    ) throws {
        study =
            sitting.arm != nil
            ? try whole.inArm(named: sitting.arm) : whole.allocation == nil ? whole.inEachArm[0] : whole
        (self.options, self.sitting, self.seed, self.speed) = (options, sitting, seed, speed)
        session = try study.number(of: sitting.session)
        folder = try TemporaryFolder(inMemory: true)
    }

    /// Whom the results name.
    private static let code = ParticipantOptions.code(of: 1)

    /// Holds all sessions, and says what was found.
    ///
    /// - Returns: whether anything was.
    func hold(with people: [Person]) throws -> Bool {
        let ordered = try sitting.task(
            of: study, named: options.task, participant: Self.code, session: session, seed: seed)
        var (sessions, answers, screens, found) = (0, 0, 0, 0)
        for task in ordered.map({ [$0] }) ?? study.tasks {
            let plan = try sitting.plan(
                study, task: task, participant: Self.code, session: session, seed: seed)
            for person in people {
                let languages: [Language?] =
                    person.isForeign ? Array(study.languages.dropFirst()) : [study.languages.first]
                for language in languages {
                    let held = try hold(person, plan, in: language, number: sessions)
                    (sessions, answers) = (sessions + 1, answers + held.answers)
                    (screens, found) = (screens + held.screens, found + held.findings.count)
                }
            }
        }
        let what =
            found == 0
            ? "nothing was lost, not seen, not translated, cut off or impossible" : counted(found, "finding")
        let count =
            "\(counted(sessions, "session")), \(counted(answers, "answer")), \(counted(screens, "screen"))"
        Output.say("\(count), seed \(String(seed)): \(what).")
        return found > 0
    }

    private func hold(
        _ person: Person, _ plan: RunPlan, in language: Language?, number: Int
    ) throws -> (answers: Int, screens: Int, findings: [Finding]) {
        let output = "\(folder.path)/\(number)"
        let steps = plan.allEntries.map(\.step)
        let speed = speed ?? Self.speed(of: steps, lasting: plan.longestTime)
        let reading = StudyReading(plan, in: language, agreement: Wording(language)(.agreement))
        let longest = steps.compactMap(\.facts.timing?.longest).max()
        var held = try PersonSession(
            person, running: command(person, plan, in: language, output: output, speed: speed), reading,
            seed: seed, speed: speed, longest: longest ?? .zero, mayLeave: study.kiosk == nil)
        held.sit()
        var findings = held.findings
        let bundle = try bundle(in: output)
        if findings.isEmpty,
            held.code != 0 && held.code != Int(ExitCode.poorQuality.rawValue) || bundle == nil
        {
            findings.append(
                Finding(
                    kind: .impossible, words: "the run ended with the exit code \(held.code)",
                    screen: held.last))
        }
        if let bundle, findings.isEmpty {
            let comparison = Comparison(held.record, with: bundle.visits, reading)
            findings = comparison.lost
            findings += comparison.unread(
                in: held.sight, first: study.languages.first, shortest: .milliseconds(200) * speed)
        }
        report(findings, of: person, plan, language)
        return (held.record.count, held.sight.count, findings)
    }

    /// A session takes about 15 s, but each limit for answers leaves a second to type; one for a prompt, during which
    /// something else goes on, a quarter.
    private static func speed(of steps: [Step], lasting time: Duration) -> Double {
        let prompts = steps.flatMap { $0.active?.prompts ?? [] }
        let limits =
            steps.compactMap(\.timeLimit).map(\.duration)
            + prompts.compactMap(\.timeLimit).map { $0 * 4 }
        let most = (limits.min() ?? .seconds(1000)) / .seconds(1)
        return max(1, min(1000, most, max(10, time / .seconds(15))))
    }

    /// The bundle of a session; `nil` if it left none.
    private func bundle(in output: String) throws -> ResultBundle? {
        guard let results = try? Folder(output) else { return nil }
        let name = try results.names(in: ".").first { !$0.hasPrefix(".") && results.isFolder($0) }
        return try name.map { try ResultBundle(at: "\(output)/\($0)") }
    }

    private func report(_ findings: [Finding], of person: Person, _ plan: RunPlan, _ language: Language?) {
        let task = study.tasks.count > 1 ? ", task \(plan.task.identifier)" : ""
        let tongue = language.map { ", \($0)" } ?? ""
        let session =
            "\(printable(options.study))\(task), \(person.name), \(person.columns)×\(person.rows)\(tongue)"
        for finding in findings {
            Output.emit(.lines(finding.line(of: session) + "\n"))
            for row in finding.picture(isASCII: !Terminals.usesUnicode) { Output.emit(.lines(row + "\n")) }
        }
    }

    /// The command line of a session.
    private func command(
        _ person: Person, _ plan: RunPlan, in language: Language?, output: String, speed: Double
    ) -> [String] {
        var words = ["env", "-u", "NO_COLOR", "-u", "ACCESSIBLE", "LC_ALL=C.UTF-8", "TERM=xterm-256color"]
        words += [ProgramFolder.program, "run", options.study, "--participant", Self.code, "--out", output]
        words += ["--audio", "none", "--seed", "\(seed)", "--task", plan.task.identifier.text]
        words += ["--speed", plainNumber(speed)]
        if person.readsLines { words.append("--plain") }
        if let language { words += ["--language", language.tag] }
        if let number = sitting.participantNumber { words += ["--participant-number", "\(number)"] }
        if !study.sessions.isEmpty { words += ["--session", "\(session)"] }
        if study.allocation == nil, let arm = study.arm { words += ["--arm", arm.text] }
        if !plan.task.yokedSteps.isEmpty { words += ["--yoked-to", "none"] }
        return words + plan.sourceNames.flatMap { ["--source", "\($0)=simulated"] }
    }
}
