import StudyModel
import TextFormat

extension Reading {
    /// Reports factors of an outcome that its rounds and clips do not have, or whose values cannot be compared.
    func check(_ factors: [Located<Identifier>], of outcome: Outcome, in study: Study) {
        for (place, factor) in factors.enumerated() {
            if place > 1 {
                report(
                    .outOfRange, "an outcome has at most two columns", at: factor.range,
                    help: "leave one out, or name several outcomes")
            } else if factors[..<place].contains(where: { $0.value == factor.value }) {
                report(
                    .duplicateIdentifier, "'\(factor.value)' is named twice", at: factor.range,
                    help: "leave one of them out")
            } else {
                check(factor, of: outcome, in: study)
            }
        }
    }

    private func check(_ factor: Located<Identifier>, of outcome: Outcome, in study: Study) {
        let name = factor.value.text
        var values: Set<String> = []
        for step in outcome.subject.steps {
            let rounds = study.rounds(of: step, isScore: outcome.measure == .score)
            let own = rounds.compactMap { $0.attributes[name] }
            values.formUnion(own)
            guard own.isEmpty else { continue }
            let known = Set(rounds.flatMap(\.attributes.keys)).sorted()
            report(
                .unknownAttribute, "no condition and no clip of '\(step)' has '\(name)'", at: factor.range,
                help: Help.nearest(to: name, among: known, all: "they have")
                    ?? "put the step into a block with 'forEach' over conditions that have this column")
            return
        }
        if values.count == 1, let only = values.first {
            report(
                .outcomeSubject, "'\(name)' is '\(only)' everywhere, so there is nothing to compare",
                at: factor.range, help: "name a column with several values")
        } else if values.count > Outcome.mostLevels {
            report(
                .outcomeSubject,
                "'\(name)' has \(values.count) different values, and at most \(Outcome.mostLevels) can be compared",
                at: factor.range, help: "add a column that puts them into groups, and name it")
        }
    }
}

extension Study {
    /// The conditions and clips that a visit of a step may have.
    ///
    /// - Parameters:
    ///   - path: the identifiers of its blocks and of the step, joined by `.`.
    ///   - isScore: whether it is for a score, which counts all rounds of its innermost block.
    fileprivate func rounds(of path: String, isScore: Bool) -> [Stimulus] {
        let names = path.split(separator: ".")[...]
        return inEachArm.flatMap { study in
            study.tasks.flatMap { study.owners(of: names, in: $0.steps, isScore) }
                .flatMap { step in
                    let pool = step.set.flatMap { study.rounds($0) }?.pool ?? []
                    return step.block?.rows(of: pool) ?? pool
                }
        }
    }

    /// The steps and blocks that have such conditions or clips.
    private func owners(of path: ArraySlice<Substring>, in steps: [Step], _ isScore: Bool) -> [Step] {
        guard let name = path.first, let step = steps.first(where: { $0.identifier.text == name }) else {
            return []
        }
        guard let block = step.block else {
            // The clip of an answer may be that of another step of the round.
            return isScore ? [] : steps.filter { $0.block == nil && $0.set != nil }
        }
        let isCounted = isScore && path.count == 2
        return (isCounted || step.set == nil ? [] : [step])
            + owners(of: path.dropFirst(), in: block.ownSteps, isScore)
    }
}

extension Step {
    /// The set or table that its clip or its rounds are from; `nil` if there is none.
    fileprivate var set: Identifier? { if case .set(let set)? = facts.clips { set } else { nil } }
}
