import Results
import Statistics
import StudyModel
import TextFormat

extension OutcomeResult {
    package var quantity: Quantity { Quantity(of: outcome) }

    /// `Primary outcome, heart rate in listen minus rest`.
    package var title: String {
        switch outcome.rank {
        case .primary: "Primary outcome, \(quantity.singular)"
        case .secondary: "Secondary outcome, \(quantity.singular)"
        case .usual: "Exploratory outcome, \(quantity.singular)"
        }
    }

    /// The findings, in sentences.
    package var answer: [String] {
        let quantity = quantity
        switch finding {
        case .arms(let groups):
            return [groups.answer(quantity, correctedP)]
                + [groups.spreadSentence(quantity)].compactMap(\.self)
        case .conditions(let contrasts): return contrasts.answer(correctedP: correctedP) + corrected
        case .change(let difference, nil):
            return [
                "\(signed(difference.mean, quantity.places))\(quantity.unitOfNumber) of "
                    + "\(counted(difference.count, "participant")): nothing varies that could be tested."
            ]
        case .change(_, let contrast?):
            return [
                "The difference is \(contrast.effect(quantity))\(holm)."
            ]
        case .mean(let mean):
            let interval = mean.interval.map {
                " (95 % interval \(decimals($0.lowerBound, quantity.places)) … "
                    + "\(decimals($0.upperBound, quantity.places)))"
            }
            return [
                "The mean of \(counted(mean.count, "participant")) is "
                    + "\(decimals(mean.mean, quantity.places))\(quantity.unitOfNumber)\(interval ?? ""); there is nothing to "
                    + "compare it with."
            ]
        case .none: return ["There is no answer: \(reasonOfNone)."]
        }
    }

    /// Why there is no finding.
    private var reasonOfNone: String {
        values == 0 ? "nobody has a value" : "the values do not vary, or are too few"
    }

    /// What is known about p besides the contrasts.
    package var corrected: [String] {
        correctedP.map { ["Corrected after Holm for all \(rankNoun), p is \(pText($0))."] } ?? []
    }

    private var holm: String {
        correctedP.map { ", \(pText($0)) after Holm for all \(rankNoun)" } ?? ""
    }

    private var rankNoun: String {
        switch outcome.rank {
        case .primary: "primary outcomes"
        case .secondary: "secondary outcomes"
        case .usual: "exploratory outcomes"
        }
    }

    /// How it was compared, what was left out and what else to know, one sentence each.
    var notes: [String] { methods + caveats }

    /// How it was compared, one sentence each.
    package var methods: [String] { [method, calibration?.sentence].compactMap(\.self) }

    /// What was left out and what else to know, one sentence each.
    package var caveats: [String] {
        var notes = remarks
        let counts = exclusions.counts(of: \.reason.rawValue)
        let reasons = OutcomeExclusion.Reason.allCases.compactMap { reason in
            counts[reason.rawValue].map { "\(reason.rawValue) (\($0))" }
        }
        if !reasons.isEmpty { notes.append("Left out: \(reasons.joined(separator: ", ")).") }
        if censored > 0 {
            notes.append(
                "In \(censored) of \(counted(values, "value")) \(outcome.measure == .duration ? "the participant did not end the step" : "the condition did not hold") before the step's time was over. They "
                    + "count with all of that time, so a mean is that of the time within the step (restricted mean)."
            )
        }
        if !withoutValue.isEmpty {
            let names = withoutValue.prefix(12).map { printable($0) }.joined(separator: ", ")
            let more = withoutValue.count > 12 ? " and \(withoutValue.count - 12) more" : ""
            notes.append("Without any value (\(withoutValue.count)): \(names)\(more).")
        }
        return notes
    }

    private var method: String? {
        switch finding {
        case .arms(let groups): groups.sentence(values: values)
        case .conditions, .none: nil
        case .change(let difference, let contrast):
            "Student's test of \(counted(values, "value")) of \(counted(participants, "participant")), each counted once with "
                + "the mean of theirs; by \(difference.isExact ? "all " : "")\(difference.flips) sign flips p "
                + "\(pText(difference.p))\(contrast?.size.map { ", Cohen's dz \($0.words)" } ?? "")."
        case .mean:
            values > participants ? "Each participant is counted once, with the mean of theirs." : nil
        }
    }

    /// The contrasts that a table shows.
    package var contrasts: [ConditionContrasts.Contrast] {
        switch finding {
        case .arms(let groups): groups.contrasts
        case .conditions(let contrasts): contrasts.shown
        case .change(_, let contrast): contrast.map { [$0] } ?? []
        case .mean, .none: []
        }
    }

    /// The outcome as text for people.
    var lines: [String] {
        let sentences = ["\(title):"] + answer.map { "  " + $0 }
        switch finding {
        case .conditions(let contrasts):
            return sentences + contrasts.lines(hasOmnibus: false) + notes.map { "  " + $0 } + sensitivityLines
                + interactionLines
        case .arms, .change, .mean, .none:
            let table =
                contrasts.isEmpty
                ? []
                : ConditionContrasts.lines(
                    of: contrasts, under: "difference\(quantity.unitBehind)", places: quantity.places)
            return sentences + table + notes.map { "  " + $0 } + sensitivityLines + interactionLines
        }
    }

    private var interactionLines: [String] {
        guard let armsByConditions else { return [] }
        return ["  " + armsByConditions.note]
            + ConditionContrasts.lines(
                of: armsByConditions.contrasts, under: "difference of differences\(quantity.unitBehind)",
                places: quantity.places)
    }

    private var sensitivityLines: [String] {
        guard !sensitivity.isEmpty else { return [] }
        return ["  " + SensitivityCheck.sentence(sensitivity)]
            + aligned(SensitivityCheck.rows(sensitivity, quantity)).map { "  " + $0 }
    }
}

extension ConditionContrasts.Contrast {
    /// `+3.21 per minute (95 % interval +0.5 … +5.9), p 0.012`.
    fileprivate func effect(_ quantity: Quantity) -> String {
        "\(signed(estimate, quantity.places))\(quantity.unitOfNumber) (95 % interval \(words(interval, quantity.places))), "
            + "p \(pText(p))"
    }
}

extension GroupContrasts {
    fileprivate func answer(_ quantity: Quantity, _ correctedP: Double?) -> String {
        let holm = correctedP.map { ", \(pText($0)) after Holm for all such outcomes" } ?? ""
        guard let omnibus else {
            return contrasts.map { contrast in
                "\(printable(contrast.first)) minus \(printable(contrast.second)) is \(contrast.effect(quantity))\(holm)."
            }.joined(separator: " ")
        }
        let verb = (correctedP ?? omnibus.p) <= 0.05 ? "differ" : "are not shown to differ"
        return
            "The \(groups.count) arms \(verb): "
            + "F(\(omnibus.numerator), \(decimals(omnibus.denominator, omnibus.denominator.rounded() == omnibus.denominator ? 0 : 1))) = \(decimals(omnibus.f, 2)), p \(pText(omnibus.p))\(holm)."
    }

    /// Says that the arms differ in spread, and what that does to p; `nil` if they do not.
    fileprivate func spreadSentence(_ quantity: Quantity) -> String? {
        unevenSpread.map { spread in
            "The arms differ in spread: \(spread.words(quantity.places)). The test allows for that."
        }
    }

    fileprivate func sentence(values: Int) -> String {
        let people = groups.map { group in
            let spread = group.deviation.map { ", SD \(decimals($0, 2))" } ?? ""
            return "\(printable(group.name)) \(group.participants) (mean \(decimals(group.mean, 2))\(spread))"
        }
        let participants = groups.reduce(0) { $0 + $1.participants }
        let how =
            switch method {
            case .welch: "Welch's test"
            case .adjusted:
                "Welch's test, adjusted for the values to which they are relative along one line,"
            }
        return
            "\(how) of \(counted(values, "value")) of \(counted(participants, "participant")): \(people.joined(separator: ", ")). "
            + "A size is the difference divided by the standard deviation of participants within the arms."
    }
}

extension StudyResponse {
    /// The outcomes as text for people.
    var outcomeLines: [String] {
        (outcomeProblem.map { ["  \($0)"] } ?? []) + outcomes.flatMap(\.lines)
    }

    /// The text about all outcomes together.
    package var outcomeProblem: String? {
        let once =
            askedOnce.isEmpty
            ? ""
            : " Asked once of each participant, and compared with nothing: \(askedOnce.map { printable($0) }.joined(separator: ", "))."
        if !hasKnownOutcomes {
            return responses.isEmpty && exclusions.isEmpty
                ? "No bundle has its study, so its outcomes are not known." : nil
        }
        if outcomes.isEmpty {
            return responses.isEmpty
                ? "The study gives no number that could be compared: no heart rate of a timed step, no rating, no score, and no "
                    + "question with a number that is asked more than once." + once
                : once.isEmpty ? nil : String(once.dropFirst())
        }
        guard outcomes.contains(where: { $0.outcome.rank == .usual }) else { return nil }
        return
            "The study names no 'outcomes': these are the usual ones of such a study, and are exploratory."
            + once
    }
}
