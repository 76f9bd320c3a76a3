import Physiology
import Statistics
import StudyModel
import TextFormat

/// The result of a primary outcome with another choice of values.
package struct SensitivityCheck: Sendable {
    package var kind: Kind
    /// How many values are included, and from how many participants.
    package var values: Int
    package var participants: Int
    /// The p value of the outcome's test; `nil` if the choice leaves too little data.
    package var p: Double?
    /// The contrast that is clearest with all values.
    package var contrast: ConditionContrasts.Contrast?
    /// Whether p is on the other side of 0.05.
    package var turnsAnswer: Bool

    /// Another choice.
    package enum Kind: String, Sendable, CaseIterable {
        case perProtocol, covered, later, withoutOutliers
    }

    /// A value farther than this from the median of its condition, in robust standard deviations, is an outlier.
    static let farthest = 3.5

    /// The checks whose choice changes the values.
    static func all(of result: OutcomeResult, _ values: [OutcomeValue]) -> [SensitivityCheck] {
        Kind.allCases.compactMap { kind in
            let chosen = kind.chosen(of: values, compared: result.finding)
            guard kind == .later ? !chosen.isEmpty : chosen.count < values.count else { return nil }
            return SensitivityCheck(kind, result, chosen)
        }
    }

    private init(_ kind: Kind, _ result: OutcomeResult, _ values: [OutcomeValue]) {
        var outcome = result.outcome
        outcome.rank = .usual
        let other = OutcomeResult(testing: outcome, values)
        self.kind = kind
        self.values = other.values
        participants = other.participants
        let clearest = result.contrasts.min { $0.p < $1.p }
        contrast = other.contrasts.first { $0.first == clearest?.first && $0.second == clearest?.second }
        p = contrast == nil ? nil : other.p
        turnsAnswer = p.map { ($0 <= 0.05) != ((result.p ?? 1) <= 0.05) } ?? false
    }

    /// What all of them say together.
    package static func sentence(_ checks: [SensitivityCheck]) -> String {
        let turned = checks.filter(\.turnsAnswer)
        let tested = checks.count { $0.p != nil }
        guard !turned.isEmpty else {
            return tested == 0
                ? "No other choice of values leaves enough for a test."
                : "With \(counted(tested, "other choice")) of values, p stays on the same side of 0.05."
        }
        let choices = turned.map(\.kind.words).map { $0.hasPrefix("without ") ? $0 : "with \($0)" }
        return "The answer depends on the choice of values: p is on the other side of 0.05 "
            + choices.joined(separator: "; ") + "."
    }

    /// A table: the choice, the values, the participants, the contrast with its interval, and p.
    package static func rows(_ checks: [SensitivityCheck], _ quantity: Quantity) -> [[String]] {
        [["other choice of values", "values", "n", "mean", "95 % interval", "p"]]
            + checks.map { check in
                [
                    check.kind.words, "\(check.values)", "\(check.participants)",
                    check.contrast.map { signed($0.estimate, quantity.places) } ?? "–",
                    check.contrast.map { Statistics.words($0.interval, quantity.places) } ?? "–",
                    check.p.map(pText) ?? "–",
                ]
            }
    }

    var json: JSON {
        [
            "kind": .text(kind.rawValue), "values": .integer(values), "participants": .integer(participants),
            "p": .optional(p), "contrast": contrast?.json ?? .null, "turnsAnswer": .boolean(turnsAnswer),
        ]
    }
}

extension SensitivityCheck.Kind {
    /// The choice, in words for people.
    package var words: String {
        switch self {
        case .perProtocol: "completed sessions, no step left early"
        case .covered:
            "recordings with at least \(whole(100 * StudyResponse.fullCoverage)) % of their samples"
        case .later: "from \(whole(HeartRateResponse.settling + OutcomeValue.Later.delay)) s after the onset"
        case .withoutOutliers:
            "without values over \(oneDecimal(SensitivityCheck.farthest)) robust SD from their median"
        }
    }

    fileprivate func chosen(
        of values: [OutcomeValue], compared finding: OutcomeResult.Finding
    ) -> [OutcomeValue] {
        switch self {
        case .perProtocol: return values.filter(\.isPerProtocol)
        case .covered: return values.filter { ($0.coverage ?? 1) >= StudyResponse.fullCoverage }
        case .later:
            return values.compactMap { value in
                value.later.map { later in
                    var own = value
                    (own.value, own.baseline) = (later.value, later.baseline)
                    return own
                }
            }
        case .withoutOutliers:
            let groups = Dictionary(grouping: values, by: finding.group).mapValues { own in
                Spread(of: own.map(\.change))
            }
            return values.filter { groups[finding.group(of: $0)]?.holds($0.change) ?? true }
        }
    }
}

extension OutcomeResult.Finding {
    /// The group that a value is compared with; `nil` if all are in one group.
    fileprivate func group(of value: OutcomeValue) -> String? {
        switch self {
        case .arms: value.arm
        case .conditions(let contrasts): contrasts.factor.condition(of: value)
        case .change, .mean, .none: nil
        }
    }
}

/// The median of values, and how far they spread around it.
private struct Spread {
    let middle: Double
    /// The median distance from the median, scaled to a normal standard deviation.
    let deviation: Double

    init(of values: [Double]) {
        let middle = median(values) ?? 0
        self.middle = middle
        deviation = 1.4826 * (median(values.map { abs($0 - middle) }) ?? 0)
    }

    /// If most values are equal, none is an outlier.
    func holds(_ value: Double) -> Bool {
        deviation == 0 || abs(value - middle) <= SensitivityCheck.farthest * deviation
    }
}
