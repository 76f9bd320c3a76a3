import StudyModel
import TextFormat

/// What a study is meant to find out.
enum OutcomesShape {
    /// An outcome whose step or question is still to be looked up.
    struct Draft {
        var measure: Outcome.Measure
        var subject: Located<Identifier>
        var reference: Located<Identifier>?
        var factors: [Located<Identifier>] = []
    }

    static let field = Field(
        "outcomes", .mapping(shape), "Outcomes",
        "What the study is meant to find out; 'entrain analyse' answers it as the design allows.",
        example: ["primary": ["measure": "heartRate", "of": "listen", "relativeTo": "rest"]])

    /// The outcomes, with their steps, questions and scores looked up in the study.
    static func resolved(
        _ drafts: [(rank: Outcome.Rank, draft: Draft)], in study: Study, _ reading: Reading
    ) -> [Outcome] {
        var outcomes: [Outcome] = []
        for (rank, draft) in drafts {
            guard let subject = reading.subject(draft.subject, of: draft.measure, in: study) else { continue }
            var outcome = Outcome(
                rank: rank, measure: draft.measure, subject: subject, by: draft.factors.map(\.value))
            reading.check(draft.factors, of: outcome, in: study)
            if draft.measure == .score, draft.factors.isEmpty {
                reading.checkRounds(of: outcome, at: draft.subject, in: study)
            }
            if let named = draft.reference {
                guard let reference = reading.subject(named, of: draft.measure, in: study) else { continue }
                outcome.reference = reference
                reading.check(outcome, relativeTo: named, in: study)
            }
            let isKnown = outcomes.contains {
                ($0.measure, $0.subject.steps, $0.subject.item, $0.reference, $0.factors)
                    == (
                        outcome.measure, outcome.subject.steps, outcome.subject.item, outcome.reference,
                        outcome.factors
                    )
            }
            if isKnown {
                reading.report(
                    .outcomeSubject, "another outcome is the same", at: draft.subject.range,
                    help: "leave one of them out")
            }
            outcomes.append(outcome)
            reading.context.outcomePlaces.append(TextPlace(draft.subject.range, reading.source))
        }
        return outcomes
    }

    private static let shape = Shape<[(rank: Outcome.Rank, draft: Draft)]>(
        name: "outcomes", title: "Outcomes", description: "What the study is meant to find out.",
        fields: .of(primary, secondary, Field.comment)
    ) { fields in
        let (primary, secondary) = (fields[primary], fields[secondary])
        return (primary.map { [(.primary, $0)] } ?? []) + (secondary ?? []).map { (.secondary, $0) }
    }
    private static let primary = Field(
        "primary", .mapping(outcome), isRequired: true, "Primary outcome",
        "The one measure that answers the study's question.",
        example: ["measure": "heartRate", "of": "listen", "relativeTo": "rest"])
    private static let secondary = Field(
        "secondary", .list(.mapping(outcome), atLeast: 1, noun: "outcome"), "Secondary outcomes",
        "Further outcomes; their p values are corrected after Holm for their number.",
        example: [["measure": "answer", "of": "pleasant"]])

    private static let outcome = Shape<Draft>(
        name: "outcome", title: "Outcome", description: "A number that the study measures.",
        fields: .of(measure, subject, reference, by, Field.comment)
    ) { fields in
        let (measure, subject) = (fields[measure], fields[subject])
        let (reference, factors) = (fields[reference], fields[by])
        guard let measure, let subject else { return nil }
        return Draft(measure: measure, subject: subject, reference: reference, factors: factors ?? [])
    }
    private static let measure = Field(
        "measure", .word(Outcome.Measure.allCases.map { ($0.rawValue, $0) }), isRequired: true, "Measure",
        Outcome.Measure.allCases.map { "\($0.rawValue): \($0.facts.description)" }.joined(separator: "; ")
            + ".",
        example: "heartRate")
    private static let subject = Field(
        "of", Kind<Identifier>.identifier.located, isRequired: true, "Of",
        "The step, question or score; 'step.question' or 'step.dimension' if several have the name.",
        example: "listen")
    private static let reference = Field(
        "relativeTo", Kind<Identifier>.identifier.located, "Relative to",
        "The step or question whose value is subtracted: that of the same round, or else the last one before.",
        example: "rest")
    private static let by = Field(
        "by", .oneOrMore(Kind<Identifier>.identifier.located, noun: "column"), "By",
        "The column of the conditions, or the attribute of the clips, whose values are compared; of two, whether what the first does depends on the second.",
        example: "congruence")
}

extension Reading {
    /// What a measure with this name is taken of; reports if there is no such thing.
    fileprivate func subject(
        _ name: Located<Identifier>, of measure: Outcome.Measure, in study: Study
    ) -> Outcome.Subject? {
        let known = study.subjects(of: measure)
        if let subject = known.first(where: { $0.name == name.value.text }) { return subject }
        let others = known.filter { $0.item == name.value || $0.name.hasPrefix("\(name.value).") }.map(\.name)
        let isThere = study.tasks.contains { task in
            task.allSteps.contains { $0.identifier == name.value || $0.asks(name.value) }
                || task.scores.contains { $0.identifier == name.value }
        }
        if !others.isEmpty {
            let all = others.map { "'\($0)'" }.joined(separator: ", ")
            report(
                .outcomeSubject, "'\(name.value)' could be several: \(all)", at: name.range,
                help: others.count == 1 ? .write(others[0]) : "write one of \(all)")
        } else if isThere {
            report(
                .outcomeSubject, "'\(name.value)' \(measure.facts.absence)", at: name.range,
                help: Help(measure.help(in: known.map(\.name))))
        } else {
            report(
                measure.isAsked ? .unknownQuestion : .unknownStep,
                "there is no \(measure.noun) '\(name.value)'", at: name.range,
                help: Help.nearest(
                    to: name.value.text, among: known.map(\.name), all: "the \(measure.noun)s are"))
        }
        return nil
    }

    /// Reports a score that adds up over the rounds of several conditions, where the outcome was meant for each of
    /// them: as the primary outcome of a study that compares nothing else, or with several questions a round.
    fileprivate func checkRounds(of outcome: Outcome, at name: Located<Identifier>, in study: Study) {
        let scores = study.tasks.flatMap { task in task.scores.map { (steps: task.allSteps, score: $0) } }
        guard let (steps, score) = scores.first(where: { $0.score.identifier == outcome.subject.item }),
            score.reversals == nil,
            let (step, block) = steps.lazy.compactMap({ step in step.block.map { (step, $0) } }).last(where: {
                _, block in
                block.ownSteps.contains { $0.identifier == score.step }
            }), let set = block.set, (study.rounds(set)?.pool.count ?? 0) > 1
        else { return }
        let isAlone = outcome.rank == .primary && study.arms.count < 2
        let asked = score.inputs.count { input in
            step.withInner.contains { $0.identifier == input.question || $0.asks(input.question) }
        }
        guard isAlone || (block.repetitions == 1 && asked > 1) else { return }
        report(
            .outcomeSubject,
            "the score '\(outcome.subject.name)' counts all rounds of the block '\(step.identifier)', so it has no value for each of '\(set)'",
            at: name.range,
            help: Help(
                "put the steps of a round into a block of their own within it, such as 'type: block, repeat: 1': a score begins "
                    + "anew with each pass through its innermost block"))
    }

    fileprivate func check(_ outcome: Outcome, relativeTo name: Located<Identifier>, in study: Study) {
        let (own, reference) = (outcome.subject, outcome.reference)
        if outcome.measure == .evokedRate {
            report(
                .outcomeBaseline, "'evokedRate' has a baseline of its own: the 2 s before the onset",
                at: name.range,
                help: "leave 'relativeTo' out")
            return
        }
        if own.steps == reference?.steps, own.item == reference?.item {
            report(
                .outcomeBaseline, "an outcome cannot be relative to itself", at: name.range,
                help: "name the \(outcome.measure.noun) whose value is subtracted, or leave 'relativeTo' out")
            return
        }
        let isTogether = study.tasks.contains { task in
            let paths = Set(task.placedSteps.map(\.path))
            return !paths.isDisjoint(with: own.steps) && !paths.isDisjoint(with: reference?.steps ?? [])
        }
        guard !isTogether else {
            let comesLater = study.tasks.allSatisfy { task in
                let paths = task.placedSteps.map(\.path)
                guard let first = paths.firstIndex(where: { reference?.steps.contains($0) == true }),
                    let last = paths.lastIndex(where: own.steps.contains)
                else { return true }
                return first > last
            }
            let places = [own.steps, reference?.steps ?? []].map { Set($0.map { $0.prefix { $0 != "." } }) }
            if comesLater, places[0].isDisjoint(with: places[1]) {
                doubt(
                    .outcomeBaseline, "'\(name.value)' comes after '\(own.name)': it is no baseline",
                    at: name.range,
                    help:
                        "name an earlier step; if this one is meant, say so with 'expect: {outcome-baseline: REASON}'"
                )
            }
            return
        }
        report(
            .outcomeBaseline, "no task has both '\(own.name)' and '\(name.value)'", at: name.range,
            help: "name a \(outcome.measure.noun) of the same task")
    }
}

extension Outcome.Measure {
    fileprivate var isAsked: Bool { facts.giver != .step }

    fileprivate var noun: String { facts.giver.rawValue }

    fileprivate func help(in known: [String]) -> String {
        guard !known.isEmpty else { return facts.remedy }
        return "\(facts.remedy), or name one that has it: \(known.prefix(12).joined(separator: ", "))"
    }
}
