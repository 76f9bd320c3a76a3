import Physiology
import Statistics
import StudyModel

/// How groups of participants differ. Each participant counts once.
package struct GroupContrasts: Sendable {
    /// The groups in order.
    package var groups: [Group]
    package var method: Method
    /// All pairs of groups.
    package var contrasts: [ConditionContrasts.Contrast]
    /// Whether any groups differ; `nil` for two groups, whose contrast already shows it.
    package var omnibus: Omnibus?

    /// One group.
    package struct Group: Sendable {
        package var name: String
        package var participants: Int
        package var mean: Double
        /// With count − 1; `nil` below two.
        package var deviation: Double?
    }

    /// How they are compared.
    package enum Method: String, Sendable {
        /// Welch's test: each group has a variance of its own.
        case welch
        /// The same for means that are adjusted for the baseline.
        case adjusted
    }

    package struct Omnibus: Sendable {
        package var f: Double
        package var numerator: Int
        package var denominator: Double
        package var p: Double
    }

    /// One participant.
    struct Member {
        var group: String
        var value: Double
        /// The baseline of the value.
        var baseline: Double?
    }

    /// - Returns: `nil` if a group has fewer than two participants, or nothing varies.
    init?(_ members: [Member]) {
        let names = Set(members.map(\.group)).sorted()
        let own = names.map { name in members.filter { $0.group == name } }
        guard names.count > 1, own.allSatisfy({ $0.count > 1 }) else { return nil }
        groups = zip(names, own).map { name, own in
            let values = own.map(\.value)
            return Group(
                name: name, participants: own.count, mean: values.mean, deviation: standardDeviation(values))
        }
        guard let means = ArmMeans(own) else { return nil }
        method = means.isAdjusted ? .adjusted : .welch
        if names.count > 2 {
            guard let test = means.test else { return nil }
            omnibus = test
        }
        contrasts = []
        for first in names.indices {
            for second in names.indices where second > first {
                guard let estimate = means.estimate(first, minus: second) else { continue }
                let pair = [groups[first], groups[second]]
                contrasts.append(
                    .init(
                        names[first], names[second], participants: pair.reduce(0) { $0 + $1.participants },
                        estimate,
                        deviation: Self.pooledDeviation(means.isAdjusted ? groups : pair)))
            }
        }
        guard !contrasts.isEmpty else { return nil }
        contrasts.correctAfterHolm()
    }

    /// How the groups differ in spread, if they do.
    package var unevenSpread: UnevenSpread? {
        UnevenSpread(
            groups.compactMap { group in group.deviation.map { .init(name: group.name, value: $0) } })
    }

    /// The pooled standard deviation of all participants within their groups.
    private static func pooledDeviation(_ groups: [Group]) -> Double {
        let squares = groups.reduce(0) {
            $0 + ($1.deviation ?? 0) * ($1.deviation ?? 0) * Double($1.participants - 1)
        }
        return (squares / Double(max(1, groups.reduce(0) { $0 + $1.participants - 1 }))).squareRoot()
    }
}
