import Statistics

extension StudyResponse {
    /// Compares conditions with each other: the clips, and also moods and bands of tempo unless these coincide with
    /// the clips.
    mutating func addContrasts(_ drawnFlips: Int, _ random: inout some RandomNumberGenerator) {
        let factors = factors
        for measure in ConditionContrasts.Measure.allCases {
            guard responses.contains(where: { measure.value(of: $0) != nil }) else { continue }
            for factor in factors {
                do throws(NoContrasts) {
                    contrasts.append(
                        try ConditionContrasts(
                            measure.rows(of: responses, factor), measure.quantity, factor,
                            drawnFlips: min(drawnFlips, SignFlips.drawn),
                            using: &random))
                } catch {
                    withoutContrasts.append(error)
                }
            }
        }
    }

    private var factors: [ConditionFactor] {
        let clips = Set(responses.map(\.heard))
        var seen: Set<Set<Set<String>>> = []
        return ConditionFactor.allCases.filter { factor in
            var conditions: [String: Set<String>] = [:]
            for clip in clips {
                if let condition = factor.condition(of: clip) {
                    conditions[condition, default: []].insert(clip.name)
                }
            }
            return conditions.count > 1 && seen.insert(Set(conditions.values)).inserted
        }
    }

    /// How many p values compare clips with rest.
    var testsAgainstRest: Int { groups.count + groups.count { $0.variability != nil } }

    /// The main result in sentences: whether conditions differ from each other, never whether they differ from
    /// rest.
    package var answer: [String] {
        guard !groups.isEmpty else { return [] }
        guard !contrasts.isEmpty else {
            return [
                "No conditions could be compared with each other. Against rest, a heart that settles looks like an effect "
                    + "of the clips."
            ]
        }
        let sentences = contrasts.filter { $0.quantity == .heartRate }.flatMap { $0.answer() }
        return sentences + [multiplicity]
    }

    /// How many tests there are, and how they are corrected.
    private var multiplicity: String {
        let pairs = contrasts.reduce(0) { $0 + $1.contrasts.count }
        let tests =
            contrasts.count == 1
            ? "There is 1 omnibus test (F)"
            : "There are \(contrasts.count) omnibus tests (F), not corrected for each other"
        let corrected =
            contrasts.count == 1 ? "for their number" : "for those of the same measure and conditions"
        return
            "\(tests), and \(pairs == 1 ? "1 contrast" : "\(pairs) contrasts, corrected after Holm \(corrected)")."
    }
}
