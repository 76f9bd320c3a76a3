import Statistics
import TextFormat

extension ConditionContrasts {
    /// The findings, in sentences.
    ///
    /// - Parameter correctedP: the p value of the omnibus test, if it is one of several.
    func answer(correctedP: Double? = nil) -> [String] {
        var sentences = [omnibusSentence(correctedP: correctedP)] + [spreadSentence].compactMap(\.self)
        guard let largest = contrasts.min(by: { $0.p < $1.p }) else { return sentences }
        let found = contrasts.count { $0.correctedP <= 0.05 }
        let clearest =
            "\(printed(largest.first)) minus \(printed(largest.second)), \(signed(largest.estimate, 2))\(quantity.unitOfNumber) (95 % "
            + "interval \(words(largest.interval, 2)), corrected p \(pText(largest.correctedP)))"
        sentences.append(
            contrasts.count == 1
                ? "The difference is \(clearest)."
                : "\(found) of \(contrasts.count) contrasts \(found == 1 ? "has" : "have") a corrected p of at most 0.05; the "
                    + "clearest is \(clearest).")
        return sentences
    }

    /// Whether any conditions differ.
    package func omnibusSentence(correctedP: Double? = nil) -> String {
        let isFound = (correctedP ?? omnibus.p) <= 0.05
        let verb = isFound ? "differ" : "are not shown to differ"
        let found =
            crossing.isEmpty
            ? "\(quantity.plural) \(verb) between the \(conditions.count) \(factor.plural)"
            : "What \(crossing[0]) does \(isFound ? "depends" : "is not shown to depend") on \(crossing[1])"
        return
            "\(found): F(\(omnibus.numerator), "
            + "\(decimals(omnibus.denominator, 1))) = \(decimals(omnibus.f, 2)), \(sphericity)p \(pText(omnibus.p)); by "
            + "\(omnibus.flips.isExact ? "all " : "")\(omnibus.flips.count) sign flips p \(pText(omnibus.flips.p))."
    }

    private var sphericity: String {
        omnibus.numerator > 1 ? "Greenhouse–Geisser ε \(decimals(omnibus.epsilon, 2)), " : ""
    }

    /// Says that the conditions differ in spread, and what that does to p; `nil` if they do not.
    package var spreadSentence: String? {
        unevenSpread.map { spread in
            "The \(factor.plural) differ in spread: \(spread.words(quantity.places))."
                + (conditions.count > 2
                    ? " ε allows for that in p, and each contrast has a standard error of its own." : "")
        }
    }

    /// What the model is, what it cannot show, and what to know about its data, one sentence each.
    package var remarks: [String] {
        let taken = adjustments.filter { $0.kept > 0 }.map { $0.name(factor) }
        var remarks = [
            "Mixed model by REML of \(modelled) of \(counted(participants, "participant")), with standard errors that "
                + "do not assume equal spread (CR2), and degrees of freedom after Satterthwaite"
                + (taken.isEmpty ? "." : "; it adjusts for \(taken.joined(separator: ", ")).")
        ]
        remarks += adjustments.compactMap { $0.remark(factor) }
        if incompleteParticipants > 0 {
            remarks.append(
                "\(counted(incompleteParticipants, "participant")) of \(participants) lack some \(factor.plural) and count "
                    + "with those they have.")
        }
        if isSingular {
            remarks.append(
                "The fit is singular: participants differ by no more than their residuals explain.")
        }
        if participants < Self.fewParticipants {
            remarks.append("Fewer than \(Self.fewParticipants) participants: degrees of freedom are rough.")
        }
        if !outliers.isEmpty {
            let names = outliers.prefix(5).map {
                "\(printable($0.participant)) \($0.clip) (\(signed($0.distance, 1)) residual deviations)"
            }
            let more = outliers.count > 5 ? " and \(outliers.count - 5) more" : ""
            remarks.append("Far from what the model expects: \(names.joined(separator: ", "))\(more).")
        }
        return remarks
    }

    /// What the model explains: the values, or the means of several.
    private var modelled: String {
        let values = counted(responses, quantity.noun)
        return means == responses
            ? values
            : "\(means) means, each of a participant's values in one of the \(factor.plural) (\(values)),"
    }

    /// A condition as people read it.
    package func printed(_ condition: String) -> String { printable(condition) }
}

extension ConditionFactor {
    package var plural: String {
        switch self {
        case .clip: "clips"
        case .mood: "moods"
        case .tempo: "bands of tempo"
        case .condition: "conditions"
        case .task: "tasks"
        case .session: "sessions"
        case .level: "levels"
        }
    }
}

extension Adjustment {
    fileprivate func name(_ factor: ConditionFactor) -> String {
        switch kind {
        case .session: "the session"
        case .place: "the place in the session"
        case .rest: "the rest before"
        case .before:
            switch factor {
            case .clip: "the clip before"
            case .mood: "the mood before"
            case .tempo: "the tempo before"
            case .condition: "the condition before"
            case .task: "the task before"
            case .session: "the session before"
            case .level: "the level before"
            }
        }
    }

    /// Which part of the factor the model could not include.
    fileprivate func remark(_ factor: ConditionFactor) -> String? {
        guard kept < columns else { return nil }
        let name = name(factor)
        if isTooCostly {
            return
                "It does not adjust for \(name): in these orders, contrasts would be less than half as precise."
        }
        switch kind {
        case .before:
            return "It does not adjust for \(name), which these orders do not separate from the other parts."
        case .rest:
            return kept > 0 ? nil : "It does not adjust for \(name), which does not vary."
        case .session, .place:
            return
                "\(columns - kept) of \(columns) differences of \(name) cannot be separated from the \(factor.plural): the "
                + "contrasts include them."
        }
    }
}
