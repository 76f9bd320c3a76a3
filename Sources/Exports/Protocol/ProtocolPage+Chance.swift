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
            said +=
                study.allocation?.sentences(among: study.arms) ?? [
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
        var questions: [Question] = []
        var said: [String] = []
        switch step.kind {
        case .active(let active):
            if let drawn = active.drawnDuration {
                said.append("The time that \(place) lasts is \(drawn.words).")
            }
            if case .draw(let set, let method) = active.stimulus?.choice {
                let count = study.stimulusSet(set)?.pool.count ?? 0
                let goesOn =
                    study.stimulusSet(set)?.isOverSessions == true
                    ? "; the draws go on from session to session" : ""
                said.append(
                    "The clip of \(place), of the set \(set), is \(method.words(of: count))\(goesOn).")
            }
            questions = active.prompts.map(\.question)
        case .question(let format, _):
            questions = [Question(identifier: step.identifier, format: format)]
        case .form(let form):
            if let order = form.order.words {
                said.append("The order of the questions of \(place) is \(order).")
            }
            questions = form.questions
        case .program(let program): questions = program.questions
        case .instruction, .countdown, .review, .allocation, .consent, .block, .completion: break
        }
        for question in questions {
            guard let order = question.format.choiceOrder?.words else { continue }
            said.append("The order of the choices of \(question.identifier) in \(place) is \(order).")
        }
        return said
    }
}
