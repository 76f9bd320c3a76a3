import ArgumentParser
import BundleReplay
import Results
import StudyModel
import StudySession
import TextFormat

struct Plan: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows every draw for one participant, without running anything.",
        discussion: "The same study, seed, participant and session give the same plan on every machine.")

    @OptionGroup var options: StudyOptions
    @Option(help: "The participant's code, such as P01.")
    var participant: String

    @OptionGroup var sitting: ParticipantOptions

    @Option(help: "'text' for people; 'json' is the bundle's plan.json, byte for byte.")
    var format = OutputFormat.text

    func validate() throws { try ParticipantOptions.validate(participant: participant) }

    func run() throws {
        try reporting {
            let study = try options.load().study()
            let task = try study.task(named: options.task)
            let plan = try sitting.plan(
                study, task: task, participant: participant, seed: options.seed(of: study))
            switch format {
            case .json: Output.emit(.json(PlanDocument(plan).encoded()))
            case .text: Output.emit(.lines(plan.summary))
            }
        }
    }
}

extension RunPlan {
    /// The plan for people: the steps in order, with their clips, and the seed.
    fileprivate var summary: String {
        var lines = [
            "\(study) \(revision), task \(task.identifier), participant \(printable(participant)), "
                + "session \(session), seed \(seed)"
        ]
        var dealt = Array(repeating: 0, count: decks.count)
        for entry in sections.compactMap(\.passes.first).joined() {
            let path = entry.path.map(\.text).joined(separator: ".")
            let condition = entry.clipOfRound.flatMap {
                $0.stimulus.isCondition ? $0.stimulus.identifier : nil
            }
            let round = entry.round.map { " (round \($0)\(condition.map { ": \($0)" } ?? ""))" } ?? ""
            var clip = ""
            switch entry.stimulus {
            case .clip(let drawn): clip = "  \(drawn.stimulus.identifier)"
            case .next(let deck):
                if dealt[deck] < decks[deck].clips.count {
                    clip = "  \(decks[deck].clips[dealt[deck]].stimulus.identifier)"
                    dealt[deck] += 1
                }
            case nil: break
            }
            var lasts = ""
            if case .active(let active) = entry.step.kind, active.drawnDuration != nil {
                lasts = "  \(active.duration)"
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
