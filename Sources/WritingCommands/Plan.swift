import ArgumentParser
import BundleReplay
import Console
import Results
import StudyModel
import TextFormat

package struct Plan: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Shows every draw for one participant, without running anything.",
        discussion: """
            The same study, seed, participant and session give the same plan on every machine. If the study lists \
            its sessions, it shows all of them, one after the other, or only that of --session.
            """)

    @OptionGroup var options: StudyOptions
    @Option(name: .shortAndLong, help: "The participant's code, such as P01.")
    var participant: String?

    @Option(
        help:
            "How many participants, with the codes P01, P02 …; needs --format json, and prints one plan a line."
    )
    var participants: Int?

    @OptionGroup var sitting: ParticipantOptions

    @Option(help: "'text' for people; 'json' is the bundle's plan.json, byte for byte.")
    var format = OutputFormat.text

    func validate() throws {
        guard (participant == nil) != (participants == nil) else {
            throw ValidationError(
                participant == nil
                    ? "Missing expected argument '--participant <participant>'"
                    : "--participant names one: leave --participants out")
        }
        guard (1...1_000_000).contains(participants ?? 1) else {
            throw ValidationError("--participants takes 1 to 1000000")
        }
        if let participant { try ParticipantOptions.validate(participant: participant) }
        guard participants == nil || format == .json else {
            throw ValidationError("the plans of several participants are for programs: add --format json")
        }
    }

    func run() throws {
        try reporting {
            let study = try options.load().study().inArm(named: sitting.arm)
            let seed = options.seed(of: study)
            if let participant {
                for session in try sitting.sessions(of: study) {
                    let plan = try plan(of: participant, study, session, seed)
                    switch format {
                    case .json: Output.emit(.json(PlanDocument(plan).encoded()))
                    case .text: Output.emit(.lines(plan.summary))
                    }
                }
            }
            guard let participants else { return }
            for number in 1...participants {
                for session in try sitting.sessions(of: study) {
                    let plan = try plan(of: ParticipantOptions.code(of: number), study, session, seed)
                    Output.emit(.json(PlanDocument(plan).encoded()))
                }
            }
        }
    }

    private func plan(
        of participant: String, _ study: Study, _ session: Int, _ seed: UInt64
    ) throws -> RunPlan {
        let ordered = try sitting.task(
            of: study, named: options.task, participant: participant, session: session, seed: seed)
        return try sitting.plan(
            study, task: ordered ?? study.task(named: options.task), participant: participant,
            session: session,
            seed: seed)
    }
}

extension RunPlan.Entry {
    /// Whether it is of a later round of a staircase, or of another rung: the answers decide.
    fileprivate var isDecidedLater: Bool {
        isOtherRung || blocks.last.map { $0.staircase != nil && $0.round != 1 } == true
    }
}

extension RunPlan {
    /// The plan for people: the steps in order, with their clips, and the seed.
    fileprivate var summary: String {
        var lines = [
            "\(study) \(revision), task \(task.identifier), participant \(printable(participant)), "
                + "session \(session)\(arm.inWords), seed \(seed)"
        ]
        var dealt = Array(repeating: 0, count: decks.count)
        for entry in sections.compactMap(\.passes.first).joined() where !entry.isDecidedLater {
            let path = entry.path.dotted
            let rounds = entry.blocks.compactMap { block -> String? in
                guard let round = block.round else { return nil }
                if let staircase = block.staircase {
                    return "1 to at most \(staircase.mostRounds): the answers to \(staircase.question) decide"
                }
                let clip = block.clip?.stimulus
                let seen = block.step.block?.seenIn.flatMap { _ in clip?.attributes[Block.Take.name] }
                let name = clip.flatMap { $0.isCondition ? $0.identifier.text : nil }
                let words = [name, seen].compactMap(\.self).joined(separator: ", ")
                return words.isEmpty ? "\(round)" : "\(round): \(words)"
            }
            let round =
                rounds.isEmpty
                ? "" : " (round\(rounds.count == 1 ? "" : "s") \(rounds.joined(separator: ", ")))"
            var clip = ""
            switch entry.stimulus {
            case .clip(let drawn): clip = "  \(drawn.stimulus.identifier)"
            case .next(let deck):
                if dealt[deck] < decks[deck].clips.count {
                    clip = "  \(decks[deck].clips[dealt[deck]].stimulus.identifier)"
                    dealt[deck] += 1
                }
            case .answered(let question, _, _): clip = "  as answered: \(question)"
            case .nearest(let nearest, _, _): clip = "  \(nearest.words)"
            case nil: break
            }
            var lasts = ""
            if let active = entry.step.active, active.drawnDuration != nil {
                lasts = "  \(active.duration)"
            } else if let ending = entry.step.active?.ending {
                lasts = "  until \(ending.words)"
            }
            lines.append("  \(path)\(round)\(clip)\(lasts)")
        }
        if !draws.isEmpty { lines.append("draws:") }
        for draw in draws {
            lines.append("  \(draw.stream)  \(draw.method): \(draw.chosen.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
