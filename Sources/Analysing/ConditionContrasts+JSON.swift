import Statistics
import TextFormat

extension ConditionContrasts {
    var json: JSON {
        [
            "measure": .text(quantity.name), "unit": quantity.symbol.isEmpty ? .null : .text(quantity.symbol),
            "factor": .text(factor.rawValue), "conditions": .texts(conditions), "crossing": .texts(crossing),
            "clips": .integer(responses), "means": .integer(means), "participants": .integer(participants),
            "incompleteParticipants": .integer(incompleteParticipants), "omnibus": omnibus.json,
            "unevenSpread": unevenSpread?.json ?? .null,
            "pairs": .list(contrasts.map(\.json)), "adjustments": .list(adjustments.map(\.json)),
            "participantDeviation": .real(participantDeviation),
            "residualDeviation": .real(residualDeviation), "singular": .boolean(isSingular),
            "outliers": .list(
                outliers.map {
                    [
                        "participant": .text($0.participant), "clip": .text($0.clip),
                        "residualDeviations": .real($0.distance),
                    ]
                }),
        ]
    }
}

extension ConditionContrasts.OmnibusTest {
    fileprivate var json: JSON {
        [
            "f": .real(f), "numerator": .integer(numerator), "denominator": .real(denominator),
            "epsilon": .real(epsilon), "p": .real(p), "flipsP": .real(flips.p),
            "flips": .integer(flips.count),
            "exact": .boolean(flips.isExact),
        ]
    }
}

extension ConditionContrasts.Contrast {
    var json: JSON {
        [
            "first": .text(first), "second": .text(second), "participants": .integer(participants),
            "estimate": .real(estimate), "error": .real(error), "degrees": .real(degrees), "t": .real(t),
            "p": .real(p), "holmP": .real(correctedP), "low": .real(interval.lowerBound),
            "high": .real(interval.upperBound), "size": .optional(size?.value),
            "sizeLow": .optional(size?.interval.lowerBound), "sizeHigh": .optional(size?.interval.upperBound),
        ]
    }
}

extension Adjustment {
    fileprivate var json: JSON {
        [
            "kind": .text(kind.rawValue), "kept": .integer(kept), "columns": .integer(columns),
            "tooCostly": .boolean(isTooCostly),
        ]
    }
}

extension NoContrasts {
    var json: JSON {
        [
            "measure": .text(quantity.name), "factor": .text(factor.rawValue),
            "reason": .text(reason.rawValue),
        ]
    }

    /// For people.
    package var line: String {
        "The \(factor.plural) are not compared\(quantity == .heartRate ? "" : " by \(quantity.singular)"): \(reason.rawValue)."
    }
}
