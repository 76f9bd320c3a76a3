import StudyModel
import TextFormat

extension ProtocolPage {
    /// What is drawn and how, and the constraints of every draw.
    var chance: String {
        var said: [String] = []
        if study.tasks.count > 1 {
            said.append(
                study.nextTask?.sentence(of: study.tasks.count)
                    ?? "The study has \(study.tasks.count) tasks. The person who starts a run says which task it does."
            )
        }
        if !study.arms.isEmpty {
            said.append("The arms are \(listed(study.arms.map(\.named))).")
            if Set(study.arms.map(\.ratio)).count > 1 {
                said.append(
                    "The ratio of \(listed(study.arms.map(\.identifier.text))) is \(study.arms.map { "\($0.ratio)" }.joined(separator: ":"))."
                )
            }
            let limited = study.arms.compactMap { arm in arm.places.map { "\(arm.named) \($0)" } }
            if study.allocation != nil, !limited.isEmpty {
                said.append("Participants that an arm can have at most: \(listed(limited)).")
            }
            said +=
                study.allocation?.sentences ?? [
                    "The program does not draw the arm: the person who starts a run names it. How it is decided is not said in the study."
                ]
        }
        let drawn = tasks.flatMap { shown in
            shown.steps.flatMap(\.withInner).flatMap { Self.draws(of: $0, shown, study) }
        }
        said += drawn.distinct(by: \.self)
        guard !drawn.isEmpty || study.nextTask != nil else {
            return HTML.sentences(said + ["Nothing else in this study depends on chance."])
        }
        return HTML.sentences(said + rules)
    }

    /// How every draw is made.
    private var rules: [String] {
        [
            "Every draw is made before the run begins.",
            study.seed.map { "All draws come from the seed of the study, \($0)." }
                ?? "The study gives no seed. Each run draws one of its own, or is given one, and records it.",
            "The same study, seed, participant and session give the same draws on every machine.",
            "Draws of different steps do not depend on each other.",
            "The numbers come from SHA-256 and SplitMix64, by the rules called entrain-1.",
            "Each result holds all draws in plan.json, and 'entrain verify' makes them again.",
        ]
    }

    private static func draws(of step: ProtocolStep, _ shown: ShownTask, _ study: Study) -> [String] {
        let place = "\(step.identifier) of task \(shown.name)"
        var said: [String] = []
        if let block = step.block {
            let pool = block.set.flatMap(study.rounds)?.pool ?? []
            switch block.order {
            case .fixed: break
            case .shuffle, .latinSquare, .williams, .sameAs:
                said.append(
                    "The order of the rounds of \(place) is \(block.order.words(of: pool.count))".asSentence)
            }
            if let take = block.take, let set = block.set {
                let whole = take.each.map { pool.places(by: $0)[0].count } ?? pool.count
                let row = take.each == nil ? "the first" : "those"
                said.append(
                    "The \(take.count) that \(place) takes of \(set)\(take.kinds) are "
                        + (take.isRow
                            ? "\(row) of the participant's row of a Latin square; over \(counted(whole, "participant")) each is taken equally often."
                            : "drawn anew for each pass; all are equally likely."))
            }
            if let rows = block.staircase?.rowsOfRung, rows > 1 {
                said.append(
                    "Which of the \(rows) rows of its rung each round of \(place) takes is drawn; each is equally likely."
                )
            }
            if let tracks = block.staircase?.tracks.compactMap(\.identifier?.text), tracks.count > 1 {
                said.append(
                    "Which of the tracks \(listed(tracks)) comes next in \(place) is drawn in lots; in each lot every track comes once."
                )
            }
            if block.insertion != nil {
                let names = listed(step.inserted.map(\.identifier.text))
                said.append(
                    "The place of \(names) among the rounds of \(place) is drawn; every place is equally likely."
                )
            }
        }
        for (text, rounds) in step.said({ draws(in: $0, place, study) }) {
            said.append(text + remark(rounds))
        }
        return said
    }

    private static func draws(in step: Step, _ place: String, _ study: Study) -> [String] {
        step.draws.map { draw in
            switch draw {
            case .duration(let drawn): return "The time that \(place) lasts is \(drawn.words)."
            case .clip(let name, let method):
                let set = study.stimulusSet(name)
                let goesOn =
                    set?.isOverSessions == true ? "; the draws go on from session to session" : ""
                return
                    "The clip of \(place), of the set \(name), is \(method.words(of: set?.pool.count ?? 0))\(goesOn)."
            case .items(let order):
                return "The order of the questions of \(place) is \(order.words ?? "fixed")."
            case .choices(let question, let order):
                let owner = question == step.identifier ? place : "\(question) in \(place)"
                return "The order of the choices of \(owner) is \(order.words ?? "fixed")."
            }
        }
    }
}
