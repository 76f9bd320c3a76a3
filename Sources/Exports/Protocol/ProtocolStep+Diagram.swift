import StudyEngine
import StudyModel
import TextFormat

extension ProtocolStep {
    /// The text in its box below its name.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the steps that rules lead to.
    ///   - language: the language of its title.
    func diagramLines(_ numbers: [Identifier: String], _ plan: RunPlan?, _ language: Language?) -> [String] {
        let time = brief { [$0.briefTime].compactMap(\.self) }
        let visits = plan?.mostVisits(of: identifier) ?? 1
        let name = { (target: Navigation.Target) -> String in
            switch target {
            case .step(let step): "\(numbers[step] ?? "") \(step)"
            case .end: "the end"
            }
        }
        return [
            ((title(in: language) == nil ? [] : [identifier.text]) + [step.facts.name]
                + (time.isEmpty ? [] : [time.joined(separator: " / ")])).joined(
                    separator: ", ")
        ]
            + (block.map { [$0.brief] } ?? []) + brief { $0.stimulus.map { [$0.choice.brief] } ?? [] }
            + brief { $0.active?.until.map { [$0.brief] } ?? [] }
            + said { $0.active?.asking ?? [] }.map(\.thing)
            + recorded
            + said { $0.navigation.skipIf.map { "left out if \($0.words)" } }.map(\.thing)
            + said {
                $0.navigation.goTo.map { rule in
                    (rule.condition.map { "if \($0.words): " } ?? "then ") + "go to \(name(rule.target))"
                }
            }.map(\.thing)
            + (visits > 1 ? ["at most \(visits) visits"] : [])
    }

    /// What its variants say, or an example if there is much.
    private func brief(_ words: (Step) -> [String]) -> [String] {
        let all = said(words).map(\.thing)
        return all.count > 3 ? ["\(all[0]) … by round"] : all
    }

    private var recorded: [String] {
        let names = recorders.map(\.signal.quantity).distinct(by: \.self)
        return names.isEmpty ? [] : ["records \(listed(names))"]
    }
}

extension Block {
    fileprivate var brief: String {
        guard let set else { return "\(counted(repetitions, "round"))" }
        if let staircase {
            return
                "at most \(counted(staircase.mostRounds, "round")), the answers to \(staircase.question) decide on the rung of \(set)"
        }
        let each = repetitions == 1 ? "a round" : "\(repetitions) rounds"
        let some = take.map { "\($0.count) drawn of " } ?? ""
        let seen = seenIn.map { ", old or new after \($0)" } ?? ""
        return "\(each) for each of \(some)\(set), \(order.brief)\(seen)"
    }
}

extension Block.Order {
    /// In a few words.
    fileprivate var brief: String {
        switch self {
        case .fixed: "in the order of the file"
        case .shuffle([]): "shuffled"
        case .shuffle: "shuffled by rules"
        case .latinSquare: "in a Latin square"
        case .williams: "in a Williams design"
        case .sameAs(let block): "in the order of \(block)"
        }
    }
}

extension Stimulus.Use.Choice {
    /// In a few words.
    fileprivate var brief: String {
        switch self {
        case .draw(let set, let method): "plays a clip of \(set): \(method.name)"
        case .roundOf: "plays the clip of the round"
        case .play(let clip): "plays \(clip.identifier)"
        case .answered(let question, _, _): "plays the clip named in \(question)"
        case .nearest(let nearest): "plays the clip \(nearest.words)"
        }
    }
}

extension ActiveStep.Until {
    fileprivate var brief: String { "until \(condition.words), for \(holding.words)" }
}

extension ActiveStep {
    /// What its prompts ask, in a few words each.
    fileprivate var asking: [String] {
        prompts.map { prompt in
            "asks \(prompt.question.identifier) " + (prompt.every.map { "every \($0.words)" } ?? "once")
        }
    }
}
