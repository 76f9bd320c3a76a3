import Allocating
import ArgumentParser
import BundleReplay
import Console
import People
import Platform
import StudyFile
import StudyModel
import TextFormat

package struct Rehearse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse",
        abstract: "Runs a study without waiting, with simulated participants and hearts.",
        discussion: """
            For one participant, it prints everything that happens, with its time. For several, it says how \
            balanced the draws are, how long the sessions last, and how much data to expect. With --out, \
            every rehearsal leaves a bundle, as a run would. Rules look at the same simulated hearts with \
            and without --out. With --answers, participants answer as a file says, such as '{sex: female, \
            mood: [2, 9]}'; a list is used in turn. If the study has arms, participants are assigned to them \
            in turn, by their numbers, or all to that of --arm; if it allocates its arms, they are allocated by a \
            secret and a ledger of the rehearsal's own. Without --task they do the tasks that the \
            study orders, or choose the tasks one after the other. If the study lists its sessions, they are \
            rehearsed one after the other, each on the first of its days, or only that of --session.
            """)

    @OptionGroup var options: StudyOptions

    @Option(
        help: "How many participants, with the codes P01, P02 …; default: 1.",
        transform: { text in
            guard let count = Int(text) else {
                throw ValidationError("--participants is how many: 11 rehearses P01 to P11")
            }
            return count
        })
    var participants: Int?

    @Option(name: .shortAndLong, help: "The code of one participant, such as P07, in place of P01.")
    var participant: String?

    @Option(
        name: [.customLong("with")],
        help: ArgumentHelp(
            "With --participant: another who takes part in the same run; can be repeated.", valueName: "code")
    )
    var others: [String] = []

    @OptionGroup var sitting: ParticipantOptions

    @Option(help: "The participants' language, such as fr; default: the study's first.")
    var language: String?

    @Option(
        help: "A file with answers by question; all other answers are left to chance.",
        completion: .file(extensions: ["yaml", "yml"]))
    var answers: String?

    @Option(
        name: [.customShort("o"), .customLong("out")], help: "A folder for result bundles.",
        completion: .directory)
    var output: String?

    @Flag(help: "With --out: at last, an old person sits at the study, as with 'entrain people --only old'.")
    var people = false

    @Option(help: "'text' for people, 'json' for programs.")
    var format = OutputFormat.text

    func validate() throws {
        if people, output == nil || format == .json {
            throw ValidationError("--people is for a rehearsal with --out and --format text")
        }
        guard (1...1_000_000).contains(participants ?? 1) else {
            throw ValidationError("--participants takes 1 to 1000000")
        }
        if let participant {
            guard participants == nil else {
                throw ValidationError("--participant names one: leave --participants out")
            }
            for code in [participant] + others { try ParticipantOptions.validate(participant: code) }
            try ParticipantOptions.validate(companions: others, of: participant)
        } else if !others.isEmpty {
            throw ValidationError("--with needs --participant")
        } else if sitting.participantNumber != nil {
            throw ValidationError("--participant-number needs --participant")
        }
    }

    /// Who is rehearsed.
    private var members: [Cohort.Member] {
        guard let participant else { return (1...(participants ?? 1)).map { Cohort.Member(number: $0) } }
        return [Cohort.Member(code: participant, number: sitting.number(of: participant))]
    }

    func run() async throws {
        try await reporting {
            let checked = try options.load()
            let whole = try checked.study()
            let studies =
                sitting.arm != nil
                ? [try whole.inArm(named: sitting.arm)] : whole.allocation == nil ? whole.inEachArm : [whole]
            let study = studies[0]
            if !others.isEmpty { try study.mustTakeSeveral() }
            let seed = options.seed(of: study)
            let groups = try sitting.sessions(of: study).flatMap { session in
                try study.groups(of: members, doing: options.task, session: session, seed: seed)
                    .map { (session: session, task: $0.task, members: $0.members) }
            }
            let (language, tasks) = (try study.language(tagged: language), groups.map(\.task))
            let asked = options.task == nil ? study.tasks : tasks
            let answers = try answers.map { try ParsedAnswers(file: $0, to: asked) }
            if tasks.contains(where: \.observesSoundLevel) {
                Output.remark(
                    "A rehearsal has no microphone: rules that look at a sound level do not hold in it.")
            }
            if tasks.flatMap(\.allSteps).contains(where: { $0.program != nil }) {
                Output.remarkProgramsAreLeftOut()
            }
            let allocation = RehearsedAllocation(of: study, naming: "\(seed)")
            if allocation != nil, study.allocation?.isSealed == true {
                Output.remark("\(RehearsedAllocation.sealedRemark)")
            }
            let earlier = RehearsedAnswers()
            if sitting.session != nil, tasks.contains(where: { !$0.recalled.isEmpty }) {
                Output.remark(
                    "Nobody has answered anything in an earlier session: leave --session out to rehearse all of them."
                )
            }
            var tallies: [Tally] = []
            for (session, task, members) in groups {
                var cohort = Cohort(
                    checked: checked, document: try checked.document(), studies: studies, task: task,
                    seed: seed,
                    session: session, language: language, answers: answers)
                (cohort.armSource, cohort.earlier, cohort.others) = (allocation?.armSource, earlier, others)
                if let tally = try await rehearse(members, in: cohort) { tallies.append(tally) }
            }
            switch format {
            case .json: for tally in tallies { Output.say(json: tally.json) }
            case .text: Output.emit(.lines(Tally.text(of: tallies)))
            }
            guard people else { return }
            let sessions = try PeopleSessions(of: whole, options, sitting, seed: seed, speed: nil)
            if try sessions.hold(with: Person.all.filter { $0.name == "old" }) { throw ExitCode.badData }
        }
    }

    /// - Returns: `nil` for a single participant, of whom everything is printed at once.
    private func rehearse(_ members: [Cohort.Member], in cohort: Cohort) async throws -> Tally? {
        if let only = members.first, self.members.count == 1, format == .text, output == nil {
            if let moment = cohort.moment, let name = cohort.sessionName {
                let words = "session \(cohort.session) (\(name), day \(moment.day))"
                Output.emit(.lines("\(words)\n"))
            }
            Output.emit(.lines(try await cohort.transcript(of: only)))
            return nil
        }
        return try await cohort.rehearse(members, output: output)
    }
}

extension ParticipantOptions {
    /// The numbers of the sessions that are tried: the one that is named or, if the study lists its sessions, all.
    func sessions(of study: Study) throws(StudyFailure) -> ClosedRange<Int> {
        guard session == nil, !study.sessions.isEmpty else {
            let number = try study.number(of: session)
            return number...number
        }
        return 1...study.sessions.count
    }
}

extension Study {
    /// The tasks that are rehearsed, each with those who do it in a session. If participants choose, they choose
    /// the tasks in turn.
    func groups(
        of members: [Cohort.Member], doing task: String?, session: Int, seed: UInt64
    ) throws -> [(task: Task, members: [Cohort.Member])] {
        guard task == nil || !sessions.isEmpty, nextTask != nil || !sessions.isEmpty else {
            return [(try self.task(named: task), members)]
        }
        var groups = tasks.map { (task: $0, members: [Cohort.Member]()) }
        for member in members {
            let ordered = try self.task(
                named: task, participant: member.code, number: member.number, session: session, seed: seed)
            let place = ordered.flatMap { task in tasks.firstIndex { $0.identifier == task.identifier } }
            groups[place ?? ((member.number ?? 1) - 1) % groups.count].members.append(member)
        }
        return groups.filter { !$0.members.isEmpty }
    }
}

extension ParsedAnswers {
    /// The answers in a file; prints what is wrong with it.
    init(file path: String, to tasks: [Study.Task]) throws {
        guard case .success(let text) = FileContents.read(path, limit: 1 << 20) else {
            throw StudyFailure("cannot read the answers '\(path)'", .missing)
        }
        self.init(text, named: path, to: tasks)
        guard !diagnostics.isEmpty else { return }
        Output.emit(.coloured(diagnostics.rendered(isColoured: Terminals.isColoured)))
        if diagnostics.contains(where: { $0.severity == .error }) { throw ExitCode.badData }
    }
}
