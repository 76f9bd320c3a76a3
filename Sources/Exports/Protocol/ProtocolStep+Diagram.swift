import StudyModel
import TextFormat

extension ProtocolStep {
    /// The text in its box below its name.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the steps that rules lead to.
    ///   - language: the language of its title.
    func diagramLines(_ numbers: [Identifier: String], _ language: Language?) -> [String] {
        let times = said { [$0.briefTime].compactMap(\.self) }.map(\.thing)
        let time = times.count > 3 ? ["\(times[0]) … by round"] : times
        let titles = said { [$0.title?.text(in: language)].compactMap(\.self) }
        let rules = step.navigation
        let name = { (target: Navigation.Target) -> String in
            switch target {
            case .step(let step): "\(numbers[step] ?? "") \(step)"
            case .end: "the end"
            }
        }
        return [
            ([step.kindWords] + (time.isEmpty ? [] : [time.joined(separator: " / ")])).joined(separator: ", ")
        ]
            + (titles.count == 1 ? titles.map { "“\($0.thing)”" } : [])
            + (block.map { [$0.brief] } ?? []) + (step.active?.brief ?? []) + recorded
            + said { $0.navigation.skipIf.map { "left out if \($0.words)" } }.map(\.thing)
            + said {
                $0.navigation.goTo.map { rule in
                    (rule.condition.map { "if \($0.words): " } ?? "then ") + "go to \(name(rule.target))"
                }
            }.map(\.thing)
            + (rules.maximumVisits > 1 ? ["at most \(rules.maximumVisits) visits"] : [])
    }

    private var recorded: [String] {
        let names = step.recorders.map(\.signal.quantity)
        return names.isEmpty ? [] : ["records \(listed(names))"]
    }
}

extension Block {
    fileprivate var brief: String {
        guard let set else { return "\(counted(repetitions, "round"))" }
        let each = repetitions == 1 ? "a round" : "\(repetitions) rounds"
        return "\(each) for each of \(set), \(order.brief)"
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

extension ActiveStep {
    /// The text in its box about it.
    fileprivate var brief: [String] {
        let clip: [String] =
            switch stimulus?.choice {
            case .draw(let set, let method): ["plays a clip of \(set): \(method.name)"]
            case .roundOf: ["plays the clip of the round"]
            case .play(let clip): ["plays \(clip.identifier)"]
            case .answered(let question, _, _): ["plays the clip named in \(question)"]
            case .nearest(let nearest): ["plays the clip \(nearest.words)"]
            case nil: []
            }
        let until = until.map { "until \($0.condition.words), for \($0.holding.words)" }
        let asked = prompts.map { prompt in
            "asks \(prompt.question.identifier) " + (prompt.every.map { "every \($0.words)" } ?? "once")
        }
        return clip + [until].compactMap(\.self) + asked
    }
}
