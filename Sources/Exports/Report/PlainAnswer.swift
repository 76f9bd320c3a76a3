import Analysing
import Datasets
import Statistics
import StudyModel
import TextFormat

/// The answer to one question of a study: a sentence in plain words, other readings of the same data, and a picture.
struct PlainAnswer {
    /// How the study ranks it.
    let label: String
    private(set) var sentence = ""
    /// What speaks against it, one sentence each.
    private(set) var doubts: [String] = []
    private let quantity: Quantity
    private let contrasts: [ConditionContrasts.Contrast]
    private let pair: ComparedPair?
    /// What the picture of a pair shows.
    private let measured: String
    private let name: (String) -> String

    init(_ result: OutcomeResult, in study: StudyResponse) {
        let outcome = result.outcome
        (quantity, contrasts, pair) = (study.quantity(of: outcome), result.contrasts, study.pair(of: result))
        name = study.naming(result)
        // A value and its baseline are shown beside each other, a difference is not.
        if case .change = result.finding {
            let words = outcome.measure.facts.names.singular.split(separator: " ")
            measured = words.dropLast(["in", "to", "of"].contains(words.last) ? 1 : 0).joined(separator: " ")
        } else {
            measured = quantity.singular
        }
        label =
            switch outcome.rank {
            case .primary: "Primary outcome"
            case .secondary: "Secondary outcome"
            case .usual: "Exploratory outcome"
            }
        let subject = outcome.subject.words(study.questionTitles)
        let reference = outcome.reference?.words(study.questionTitles, after: outcome.subject)
        let relative = reference.map { ", relative to \($0)," } ?? ""
        let plural = "\(outcome.measure.facts.names.plural) \(subject)"
        switch result.finding {
        case .arms(let groups):
            say(
                of: plural + relative, between: "\(groups.groups.count) arms",
                p: result.correctedP ?? result.p)
        case .conditions(let found):
            say(
                found, of: plural + relative, p: result.correctedP ?? result.p,
                by: outcome.factors.first.map { " of \($0)" } ?? "")
        case .change(let difference, .some(let contrast)):
            let place = outcome.measure.facts.names.plural.hasSuffix(" in") ? "in" : "for"
            sentence = found(
                result.correctedP ?? contrast.p,
                "\(plural) were \(Self.words(contrast, quantity)("than \(place) \(reference ?? contrast.second)"))"
            )
            doubt(contrast.p, difference.p)
        case .mean(let mean):
            let interval = mean.interval.map {
                " (95 % interval \(Axis.decimals($0.lowerBound, quantity.places)) to \(Axis.decimals($0.upperBound, quantity.places)))"
            }
            sentence =
                "The mean \(quantity.singular) was \(Axis.decimals(mean.mean, quantity.places))\(quantity.unitBehindNumber)"
                + "\(interval ?? "") in \(counted(mean.count, "participant")); there is nothing to compare it with."
        case .change, .none:
            sentence = "\(quantity.singular.capitalizedFirst): \(result.answer.joined(separator: " "))"
        }
        doubtMeans()
        if let alone = result.p, let corrected = result.correctedP, (alone <= 0.05) != (corrected <= 0.05) {
            doubts.append(
                "Two readings: p is \(pText(alone)) by itself, and \(pText(corrected)) after Holm for all such outcomes."
            )
        }
        if result.sensitivity.contains(where: \.turnsAnswer) {
            doubts.append(SensitivityCheck.sentence(result.sensitivity))
        }
    }

    /// The clips, moods or tempos of a study, which it need not have named as an outcome.
    init(_ found: ConditionContrasts, in study: StudyResponse) {
        (quantity, contrasts, pair) = (found.quantity, found.shown, study.pair(of: found))
        (name, measured) = (
            study.naming(found.factor), "\(found.quantity.singular) minus that of the rest before"
        )
        label = "Exploratory, \(found.factor.plural)"
        say(found, of: "\(found.quantity.plural), relative to the rest before,", p: found.omnibus.p)
        doubtMeans()
    }

    /// Each answer of a study, the one that it is meant to give first.
    static func all(of study: StudyResponse) -> [PlainAnswer] {
        let clips = study.contrasts.filter { $0.quantity == .heartRate }.map { PlainAnswer($0, in: study) }
        let named = study.outcomes.filter { $0.outcome.rank != .usual }.map { PlainAnswer($0, in: study) }
        let usual = study.outcomes.filter { $0.outcome.rank == .usual }.map { PlainAnswer($0, in: study) }
        return named.isEmpty ? clips + usual : named + usual + clips
    }

    private mutating func say(
        _ found: ConditionContrasts, of plural: String, p: Double?, by factor: String = ""
    ) {
        if found.crossing.isEmpty {
            say(of: plural, between: "\(found.conditions.count) \(found.factor.plural)\(factor)", p: p)
        } else {
            sentence =
                "\(plural): what \(found.crossing[0]) does \((p ?? 1) <= 0.05 ? "depends" : "is not shown to depend") on \(found.crossing[1])."
        }
        doubt(found.omnibus.p, found.omnibus.flips.p)
    }

    /// Says it if the model's difference and that of the plain means of a pair have different signs.
    private mutating func doubtMeans() {
        let both = (pair?.people ?? []).compactMap { person in
            person[0].flatMap { first in person[1].map { first - $0 } }
        }
        let sum = both.reduce(0, +)
        guard contrasts.count == 1, sum * contrasts[0].estimate < 0 else { return }
        doubts.append(
            "Without what the model adjusts for, the means differ the other way: by "
                + "\(Axis.signed(sum / Double(both.count)))\(quantity.unitBehindNumber).")
    }

    /// The difference of a pair, or the clearest of several.
    private mutating func say(of plural: String, between conditions: String, p: Double?) {
        guard let clearest = contrasts.min(by: { $0.p < $1.p }) else { return }
        let (first, second) = (name(clearest.first), name(clearest.second))
        let isOnly = contrasts.count == 1
        let difference = Self.words(clearest, quantity, alone: !isOnly)("with \(first) than with \(second)")
        if isOnly {
            sentence = found(p, "\(plural) were \(difference)")
        } else if (p ?? 1) <= 0.05 {
            sentence = "\(plural) differ between the \(conditions): most clearly, they were \(difference)"
        } else {
            sentence =
                "\(plural) are not shown to differ between the \(conditions): in the clearest pair, they were \(difference)"
        }
    }

    private func found(_ p: Double?, _ words: String) -> String {
        (p ?? 1) <= 0.05 ? words : "No difference is shown: \(words.lowercasedFirst)"
    }

    private mutating func doubt(_ p: Double, _ flips: Double) {
        guard (p <= 0.05) != (flips <= 0.05) else { return }
        doubts.append(
            "Two readings: sign flips, a test that assumes no normal distribution, \(flips <= 0.05 ? "show a difference" : "do not show it") "
                + "(p \(pText(flips)), against \(pText(p)) by the model).")
    }

    /// `6.20/min lower … (95 % interval 3.10 to 9.30).` around the words for what is compared.
    private static func words(
        _ contrast: ConditionContrasts.Contrast, _ quantity: Quantity, alone: Bool = false
    ) -> (String) -> String {
        let isLower = contrast.estimate < 0
        let (word, other) = isLower ? ("lower", "higher") : ("higher", "lower")
        let low = isLower ? -contrast.interval.upperBound : contrast.interval.lowerBound
        let high = isLower ? -contrast.interval.lowerBound : contrast.interval.upperBound
        let number = { (value: Double) in Axis.decimals(abs(value), quantity.places) }
        let interval =
            low < 0
            ? "\(number(low)) \(other) to \(number(high)) \(word)" : "\(number(low)) to \(number(high))"
        return { compared in
            "\(number(contrast.estimate))\(quantity.unitBehindNumber) \(word) \(compared) (95 % interval"
                + "\(alone ? " of this pair alone" : "") \(interval))."
        }
    }

    /// The paired lines of a single pair, or all differences below each other.
    var picture: String {
        let unit = quantity.symbol.isEmpty ? "" : ", \(quantity.symbol)"
        if let pair, contrasts.count == 1 {
            return PairChart(pair: pair, names: pair.names.map(name), quantity: measured + unit).html
        }
        let shown = ForestPlot(contrasts, quantity, name)
        return shown.html(
            "Each difference with its 95 % interval, for that pair alone."
                + (shown.rows.count < contrasts.count
                    ? " The clearest \(shown.rows.count) of \(contrasts.count)." : ""))
    }
}

extension StudyResponse {
    /// The quantity of an outcome with the titles of questions.
    func quantity(of outcome: Outcome) -> Quantity { Quantity(of: outcome, titles: questionTitles) }

    /// What a clip is called: its title if it has one.
    func called(_ clip: String) -> String { clipTitles[clip] ?? clip }

    /// What the conditions of a comparison are called; of a difference between two clips, both have their titles.
    func naming(_ factor: ConditionFactor?) -> (String) -> String {
        guard factor == .clip else { return { $0 } }
        return { text in
            text.split(separator: " ", omittingEmptySubsequences: false).map { word in
                let (opened, closed) = (word.hasPrefix("("), word.hasSuffix(")"))
                let clip = String(word.dropFirst(opened ? 1 : 0).dropLast(closed ? 1 : 0))
                return (opened ? "(" : "") + called(clip) + (closed ? ")" : "")
            }.joined(separator: " ")
        }
    }

    func naming(_ result: OutcomeResult) -> (String) -> String {
        switch result.finding {
        case .conditions(let found): naming(found.factor)
        case .change:
            { name in
                [result.outcome.subject, result.outcome.reference].compactMap(\.self)
                    .first { $0.name == name }?.words(questionTitles) ?? name
            }
        case .arms, .mean, .none: { $0 }
        }
    }
}

extension Quantity {
    /// The unit right after a number: `/min`, ` ms`; empty without one.
    fileprivate var unitBehindNumber: String {
        symbol.hasPrefix("1/") ? String(symbol.dropFirst()) : symbol.isEmpty ? "" : " \(symbol)"
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
    /// Abbreviations such as RMSSD keep their capitals.
    fileprivate var lowercasedFirst: String {
        dropFirst().first?.isUppercase == true ? self : prefix(1).lowercased() + dropFirst()
    }
}
