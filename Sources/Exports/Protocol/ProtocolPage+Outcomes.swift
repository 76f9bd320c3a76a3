import Analysing
import Datasets
import Statistics
import StudyModel
import TextFormat

extension ProtocolPage {
    /// What the study is meant to find out, and how it is analysed.
    var outcomes: String {
        let outcomes = study.analysedOutcomes
        let opening =
            study.outcomes.isEmpty
            ? [
                "The study names no outcomes.",
                outcomes.isEmpty
                    ? "It gives no number that could be compared."
                    : "'entrain analyse' uses the usual ones of such a study, listed here, and calls them exploratory.",
            ] : []
        let titles = questionTitles
        let items = outcomes.map { outcome in
            "<div><dt>\(HTML.escaped(outcome.heading(titles)))</dt><dd>\(HTML.sentences(sentences(on: outcome)))</dd></div>"
        }
        let corrected = outcomes.count { $0.rank != .primary } > 1
        let rank = study.outcomes.isEmpty ? "exploratory" : "secondary"
        let closing =
            outcomes.isEmpty
            ? []
            : [
                corrected
                    ? "The p values of the \(rank) outcomes are corrected after Holm for their number." : nil,
                "An effect is given with its 95 % interval.",
                "The analysis says what was left out, and why.",
            ].compactMap(\.self)
        return HTML.sentences(opening) + (items.isEmpty ? "" : "<dl class=\"items\">\(items.joined())</dl>\n")
            + HTML.sentences(closing)
    }

    /// The titles of questions, by their names.
    private var questionTitles: [String: String] {
        allSteps.flatMap { $0.said(\.questions).map(\.thing) }.reduce(into: [:]) { titles, question in
            titles[question.identifier.text] = question.title?.text(in: study.languages.first)
        }.unambiguous
    }

    private func sentences(on outcome: Outcome) -> [String] {
        var said = [outcome.measure.facts.sentence(of: outcome.subject.words(questionTitles))]
        if outcome.measure == .answer, isPrompted(outcome.subject) {
            said.append("If it is answered several times in a visit, the mean counts.")
        }
        if let reference = outcome.reference {
            said.append(
                "The value of \(reference.name) is subtracted from it: that of the same round, or else of the last visit before."
            )
        }
        return said + comparison(of: outcome)
    }

    /// Whether a prompt asks for it during a step.
    private func isPrompted(_ subject: Outcome.Subject) -> Bool {
        let steps = tasks.flatMap(\.task.placedSteps).filter { subject.steps.contains($0.path) }
        return steps.flatMap(\.step.facts.asked).contains {
            $0.place == .prompt && $0.identifier == subject.item
        }
    }

    /// The comparison that the design allows: the first that applies.
    private func comparison(of outcome: Outcome) -> [String] {
        let within = conditions(of: outcome)
        if let first = outcome.factors.first {
            let means = "Each participant counts once in each of them, with the mean of their values."
            guard let second = outcome.factors.dropFirst().first else {
                return [
                    "The levels of \(first) are compared within participants, by a linear mixed model fitted by REML.",
                    means,
                ]
            }
            return [
                "It is tested whether what \(first) does depends on \(second), within participants, by a linear mixed model fitted by REML.",
                "Each participant counts once in each combination, with the mean of their values.",
            ]
        }
        if study.arms.count > 1 {
            let model =
                if outcome.reference != nil {
                    "The arms are compared by Welch's test, adjusted for the values to which they are relative."
                } else if study.arms.count == 2 {
                    "The two arms are compared by Welch's test."
                } else {
                    "The arms are compared by Welch's test."
                }
            return [model, "Each participant counts once, with the mean of their values."]
        }
        if let within {
            return [
                "\(within) are compared within participants, by a linear mixed model fitted by REML.",
                "Each participant counts once in each of them, with the mean of their values.",
            ]
        }
        if outcome.reference != nil {
            return [
                "The two values of each participant are compared by Student's test of pairs, with sign flips beside it.",
                "Each participant counts once, with the mean of their values.",
            ]
                + (!stepsWithDrawnClip(of: outcome).isEmpty
                    ? [
                        "If participants come to several sessions, the clips are compared within participants, by a linear mixed model."
                    ]
                    : [])
        }
        return [
            "If participants come to several sessions, these are compared within participants, by a linear mixed model.",
            "Otherwise nothing is compared: the mean is given with its 95 % interval.",
        ]
    }

    /// The steps of an outcome in which the clip differs from participant to participant.
    private func stepsWithDrawnClip(of outcome: Outcome) -> [ProtocolStep] {
        tasks.flatMap { $0.steps.flatMap(\.withInner) }.filter { step in
            guard outcome.subject.name == step.identifier.text else { return false }
            switch step.step.active?.stimulus?.choice {
            case .draw, .answered, .nearest: return true
            case .roundOf, .play, nil: return false
            }
        }
    }

    /// The variable that differs within participants; `nil` if there is none.
    private func conditions(of outcome: Outcome) -> String? {
        let own = tasks.filter { shown in
            shown.task.placedSteps.contains { outcome.subject.steps.contains($0.path) }
        }
        let steps = own.flatMap { $0.steps.flatMap(\.withInner) }
        // A score counts all rounds of its innermost block.
        let inner = outcome.measure == .score ? 2 : 1
        let blocks = Set(
            outcome.subject.steps.flatMap { $0.split(separator: ".").dropLast(inner).map(String.init) })
        let sets = steps.filter { blocks.contains($0.identifier.text) }.compactMap(\.block?.set)
            .filter { (study.rounds($0)?.pool.count ?? 0) > 1 }
        if let set = sets.first {
            return study.stimulusSet(set) == nil ? "The conditions of \(set)" : "The clips of the set \(set)"
        }
        // Whoever comes once to a step outside of blocks hears one clip there.
        let comesAgain =
            study.sessions.count > 1 || outcome.subject.steps.contains { $0.contains(".") }
        let drawn = stepsWithDrawnClip(of: outcome)
        if drawn.contains(where: { comesAgain || $0.step.navigation.maximumVisits > 1 }) {
            return "The clips"
        }
        return Set(own.map(\.task.identifier)).count > 1 ? "The tasks" : nil
    }
}

extension Outcome {
    /// `Primary outcome: heart rate in listen minus rest, per minute`.
    fileprivate func heading(_ titles: [String: String]) -> String {
        let quantity = Quantity(of: self, titles: titles)
        let rank =
            switch rank {
            case .primary: "Primary"
            case .secondary: "Secondary"
            case .usual: "Exploratory"
            }
        return "\(rank) outcome: \(quantity.singular)\(quantity.unitBehind)"
    }
}
