/// Whether arms differ in the effects of conditions or sessions. Each participant counts with the difference
/// between two of them.
package struct ArmsByConditions: Sendable {
    /// What differs within participants.
    package let factor: ConditionFactor
    package let pairs: [Pair]

    /// Two conditions.
    package struct Pair: Sendable {
        package var first: String
        package var second: String
        /// The arms, by each participant's mean in the first condition minus that in the second.
        package var arms: GroupContrasts
    }

    /// More conditions than this have more pairs than anybody would read.
    static let mostConditions = 6

    /// - Returns: `nil` if an arm has fewer than two participants with two conditions, if nothing varies, or if
    ///   there are too many conditions.
    init?(_ values: [OutcomeValue], _ factor: ConditionFactor) {
        self.factor = factor
        let people = Dictionary(grouping: values, by: \.participant).sorted { $0.key < $1.key }.compactMap {
            _, own in
            own.first?.arm.map { arm in
                (
                    arm: arm,
                    means: Dictionary(grouping: own) { factor.condition(of: $0) }.mapValues(\.meanChange)
                )
            }
        }
        let conditions = Set(values.compactMap { factor.condition(of: $0) }).sorted()
        guard conditions.count <= Self.mostConditions else { return nil }
        pairs = conditions.indices.flatMap { first in
            conditions[(first + 1)...].compactMap { second -> Pair? in
                let members = people.compactMap { person -> GroupContrasts.Member? in
                    guard let one = person.means[conditions[first]], let other = person.means[second] else {
                        return nil
                    }
                    return .init(group: person.arm, value: one - other)
                }
                return GroupContrasts(members).map {
                    Pair(first: conditions[first], second: second, arms: $0)
                }
            }
        }
        guard !pairs.isEmpty else { return nil }
    }

    /// Every pair of arms in every pair of conditions, corrected for multiple comparisons.
    package var contrasts: [ConditionContrasts.Contrast] {
        var contrasts = pairs.flatMap { pair in
            pair.arms.contrasts.map { contrast in
                var contrast = contrast
                contrast.first = "(\(pair.first) - \(pair.second)) in \(contrast.first)"
                contrast.second = "in \(contrast.second)"
                return contrast
            }
        }
        contrasts.correctAfterHolm()
        return contrasts
    }

    /// What the table shows.
    package var note: String {
        "Whether the arms differ in what the \(factor.plural) do: each participant counts with the difference between two of "
            + "them, and the arms are compared by these differences. Holm's p is corrected for all contrasts of this table."
    }
}

extension [OutcomeValue] {
    fileprivate var meanChange: Double { reduce(0) { $0 + $1.change } / Double(count) }
}
