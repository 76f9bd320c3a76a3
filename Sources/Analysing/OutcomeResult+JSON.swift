import Results
import Statistics
import StudyModel
import TextFormat

extension OutcomeResult {
    var json: JSON {
        var members: [String: JSON] = [
            "rank": .text(outcome.rank == .usual ? "exploratory" : outcome.rank.rawValue),
            "measure": .text(outcome.measure.rawValue), "of": .text(outcome.subject.name),
            "relativeTo": outcome.reference.map { .text($0.name) } ?? .null,
            "by": .texts(outcome.factors.map(\.text)),
            "design": .text(design.rawValue),
            "unit": quantity.symbol.isEmpty ? .null : .text(quantity.symbol), "values": .integer(values),
            "participants": .integer(participants), "censored": .integer(censored), "p": .optional(p),
            "holmP": .optional(correctedP),
            "exclusionCounts": .members(
                exclusions.counts(of: \.reason.rawValue).mapValues { .integer($0) }),
            "exclusions": .list(
                exclusions.map {
                    [
                        "participant": .text($0.participant), "run": .text($0.run),
                        "reason": .text($0.reason.rawValue),
                    ]
                }), "withoutValue": .texts(withoutValue),
            "remarks": .texts(remarks),
            "sensitivity": .list(sensitivity.map(\.json)),
            "armsByConditions": armsByConditions?.json ?? .null,
        ]
        members["calibration"] = calibration?.json
        switch finding {
        case .arms(let groups): members["arms"] = groups.json
        case .conditions(let contrasts): members["conditions"] = contrasts.json
        case .change(let difference, let contrast):
            members["change"] = .members(difference.members)
            members["test"] = contrast?.json ?? .null
        case .mean(let mean):
            members["mean"] = [
                "count": .integer(mean.count), "mean": .real(mean.mean),
                "deviation": .optional(mean.deviation), "low": .optional(mean.interval?.lowerBound),
                "high": .optional(mean.interval?.upperBound),
            ]
        case .none: break
        }
        return .members(members)
    }

    /// The design that decided the comparison.
    package var design: Design {
        switch finding {
        case .arms: .arms
        case .conditions(let contrasts): contrasts.factor == .session ? .sessions : .crossover
        case .change: .prePost
        case .mean: .oneGroup
        case .none: .none
        }
    }

    /// A design, by its name for programs.
    package enum Design: String, Sendable {
        case arms, sessions, crossover, prePost, oneGroup, none
    }
}

extension GroupContrasts {
    fileprivate var json: JSON {
        [
            "method": .text(method.rawValue), "unevenSpread": unevenSpread?.json ?? .null,
            "groups": .list(
                groups.map {
                    [
                        "name": .text($0.name), "participants": .integer($0.participants),
                        "mean": .real($0.mean), "deviation": .optional($0.deviation),
                    ]
                }), "pairs": .list(contrasts.map(\.json)),
            "omnibus": omnibus.map {
                [
                    "f": .real($0.f), "numerator": .integer($0.numerator),
                    "denominator": .real($0.denominator), "p": .real($0.p),
                ]
            } ?? .null,
        ]
    }
}

extension ArmsByConditions {
    fileprivate var json: JSON {
        let corrected = contrasts
        var place = 0
        let pairs = pairs.map { pair -> JSON in
            var arms = pair.arms
            for index in arms.contrasts.indices {
                arms.contrasts[index].correctedP = corrected[place].correctedP
                place += 1
            }
            return ["first": .text(pair.first), "second": .text(pair.second), "arms": arms.json]
        }
        return ["factor": .text(factor.rawValue), "pairs": .list(pairs)]
    }
}
