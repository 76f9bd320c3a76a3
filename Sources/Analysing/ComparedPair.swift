import StudyModel

/// The values of participants under two conditions, or in two arms: what a picture of one contrast shows.
package struct ComparedPair: Sendable {
    /// The two conditions, or what is measured and its baseline.
    package var names: [String]
    /// Each participant's mean under each of them; `nil` where there is no value.
    package var people: [[Double?]]

    fileprivate init?(_ names: [String], _ values: [(participant: String, name: String, value: Double)]) {
        self.names = names
        people = Dictionary(grouping: values, by: \.participant).sorted { $0.key < $1.key }.map { _, own in
            names.map { name in
                let values = own.filter { $0.name == name }.map(\.value)
                return values.isEmpty ? nil : values.mean
            }
        }
        guard names.count == 2, !people.isEmpty else { return nil }
    }
}

extension StudyResponse {
    /// What an outcome compares; `nil` if that is not a single pair.
    package func pair(of result: OutcomeResult) -> ComparedPair? {
        guard let values = visits.first(where: { $0.outcome == result.outcome })?.values else { return nil }
        switch result.finding {
        case .arms(let groups):
            return ComparedPair(
                groups.groups.map(\.name),
                values.compactMap { own in own.arm.map { (own.participant, $0, own.change) } })
        case .conditions(let contrasts) where contrasts.crossing.isEmpty:
            return ComparedPair(
                contrasts.conditions,
                values.compactMap { own in
                    contrasts.factor.condition(of: own).map { (own.participant, $0, own.change) }
                })
        case .change(_, .some(let contrast)):
            return ComparedPair(
                [contrast.first, contrast.second],
                values.flatMap { own in
                    [(own.participant, contrast.first, own.value)]
                        + (own.baseline.map { [(own.participant, contrast.second, $0)] } ?? [])
                })
        case .conditions, .change, .mean, .none: return nil
        }
    }

    /// The changes of the heart rate with two clips; `nil` if others are compared.
    package func pair(of contrasts: ConditionContrasts) -> ComparedPair? {
        guard contrasts.factor == .clip, contrasts.quantity == .heartRate else { return nil }
        return ComparedPair(contrasts.conditions, responses.map { ($0.participant, $0.clip, $0.change) })
    }
}
