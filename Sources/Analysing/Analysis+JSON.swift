import Datasets
import Participants
import Physiology
import Results
import Statistics
package import TextFormat

extension Analysis {
    package func json(seed: UInt64) -> JSON {
        leftOut.json([
            "seed": .text("\(seed)"), "studies": .list(studies.map(\.json)),
            "registered": registered.map { registered in
                let claim = claim ?? RegistrationClaim(of: sessions, registered)
                return [
                    "stamped": registered.stamp.json,
                    "study": .text(registered.study), "date": .text(registered.date),
                    "sha256": .text(registered.sha256), "sessions": .integer(claim.sessions),
                    "earlier": .integer(claim.earlier), "unnamed": .integer(claim.unnamed),
                    "exploratory": .boolean(claim.isExploratory),
                    "logEntry": registered.logEntry.map { .integer($0) } ?? .null,
                ]
            } ?? .null,
            "deviations": .list(
                departed.map {
                    [
                        "participant": .text($0.participant), "session": .integer($0.session),
                        "run": .text($0.run),
                        "deviation": .text($0.deviation ?? ""),
                    ]
                }),
            "interrupted": .list(
                Self.interrupted(in: sessions).map {
                    [
                        "participant": .text($0.participant), "session": .integer($0.session),
                        "run": .text($0.run), "seconds": .real($0.interrupted ?? 0),
                    ]
                }),
            "poor": .list(
                Self.poor(in: sessions).map {
                    [
                        "participant": .text($0.participant), "session": .integer($0.session),
                        "run": .text($0.run),
                    ]
                }),
            "marks": .list(
                Self.marks(in: sessions).map { session, step, mark in
                    [
                        "participant": .text(session.participant), "session": .integer(session.session),
                        "run": .text(session.run), "step": .text(step), "offset": .real(mark.offset),
                        "kind": .text(mark.kind), "severity": mark.severity.map { .text($0) } ?? .null,
                        "control": mark.control.map { .text($0) } ?? .null,
                        "by": mark.author.map { .text($0) } ?? .null, "text": .text(mark.text),
                    ]
                }),
        ])
    }
}

extension StudyResponse {
    fileprivate var json: JSON {
        [
            "study": .text(study), "texts": .list(texts.map(\.json)),
            "origins": .members(
                Dictionary(uniqueKeysWithValues: origins.map { ($0.key.rawValue, .integer($0.value)) })),
            "participants": .integer(participants), "sessions": .integer(sessions),
            "statuses": .members(statuses.mapValues { .integer($0) }),
            "clips": .integer(responses.count), "unit": "1/min",
            "heartRates": originWords.map { .text($0) } ?? .null,
            "exclusionCounts": .members(
                exclusions.counts(of: \.reason.rawValue).mapValues { .integer($0) }),
            "remarks": .texts(remarks),
            "exclusions": .list(
                exclusions.map {
                    [
                        "participant": .text($0.participant), "run": .text($0.run), "clip": .text($0.clip),
                        "reason": .text($0.reason.rawValue),
                    ]
                }),
            "withoutResponse": .texts(withoutResponse),
            "ended": .members(ended.mapValues { .texts($0) }),
            "incomplete": .list(incomplete.map(\.json)),
            "responses": .list(responses.map(\.json)), "groups": .list(groups.map(\.json)),
            "contrasts": .list(contrasts.map(\.json)),
            "withoutContrasts": .list(withoutContrasts.map(\.json)),
            "outcomes": .list(outcomes.map(\.json)), "outcomesKnown": .boolean(hasKnownOutcomes),
            "characteristics": .list(characteristics.map(\.json)), "ratings": .list(ratings.map(\.json)),
            "askedOnce": .texts(askedOnce), "together": .list(together.map(\.json)),
        ]
    }
}

extension ClipResponse {
    fileprivate var json: JSON {
        [
            "participant": .text(participant), "run": .text(run), "session": .integer(session),
            "place": .integer(place), "clip": .text(clip),
            "mood": mood.map { .text($0) } ?? .null, "tempo": .optional(tempo),
            "before": before.map { .text($0.name) } ?? .null,
            "beforeMood": before?.mood.map { .text($0) } ?? .null,
            "baseline": .real(heartRate.baseline), "change": .real(change),
            "from": .text(heartRate.origin.rawValue),
            "intervalChange": .optional(heartRate.changeByIntervals),
            "notifiedChange": .optional(heartRate.notifiedChange),
            "notifiedBaseline": .optional(heartRate.notifiedBaseline),
            "shortBaseline": .boolean(heartRate.hasShortBaseline), "coverage": .optional(coverage),
            "rmssdChange": .optional(variability?.change),
            "rmssdBaseline": .optional(variability?.baseline),
            "rmssdValidity": variability.map { .text($0.validity.rawValue) } ?? .null,
        ]
    }
}

extension StudyResponse.Group {
    fileprivate var json: JSON {
        var members = difference.members
        members["kind"] = .text(kind.rawValue)
        members["name"] = .text(name)
        members["clips"] = .integer(clips)
        members["power"] = power?.json ?? .null
        members["rmssd"] = variability?.json ?? .null
        if !course.isEmpty { members["course"] = .list(course.map(\.json)) }
        return .members(members)
    }
}

extension RatingCourse {
    fileprivate var json: JSON {
        [
            "rating": .text(name), "clip": .text(clip), "clips": .integer(clips),
            "course": .list(course.map(\.json)),
        ]
    }
}

extension HeartsTogether {
    fileprivate var json: JSON {
        [
            "kind": .text(isClip ? "clip" : "step"), "name": .text(name), "runs": .integer(runs),
            "pairs": .integer(pairs), "r": .real(together), "low": .optional(interval?.lowerBound),
            "high": .optional(interval?.upperBound), "pairsApart": .integer(pairsApart),
            "rApart": .optional(apart), "p": .optional(difference?.p),
        ]
    }
}

extension MeanOfSecond {
    fileprivate var json: JSON {
        [
            "second": .integer(second), "participants": .integer(participants), "mean": .real(mean),
            "low": .optional(interval?.lowerBound), "high": .optional(interval?.upperBound),
        ]
    }
}

extension StudyResponse.Variability {
    fileprivate var json: JSON {
        var members = difference.members
        members["clips"] = .integer(clips)
        members["ultraShort"] = .integer(ultraShort)
        members["unit"] = "ms"
        return .members(members)
    }
}

extension PowerEstimate {
    fileprivate var json: JSON {
        [
            "participantsFor80": participantsFor80.map { .integer($0) } ?? .null,
            "participantsFor90": participantsFor90.map { .integer($0) } ?? .null,
            "detectable": .real(detectable),
        ]
    }
}

extension PairedDifference {
    var members: [String: JSON] {
        [
            "participants": .integer(count), "mean": .real(mean), "deviation": .optional(deviation),
            "low": .optional(interval?.lowerBound), "high": .optional(interval?.upperBound),
            "dz": .optional(effectSize), "p": .real(p), "flips": .integer(flips), "exact": .boolean(isExact),
        ]
    }
}

extension JSON {
    static func optional(_ value: Double?) -> JSON { value.map { .real($0) } ?? .null }
}

extension RegisteredAnalysis.Stamp {
    /// The verified time; `false` if the time stamp is not verified, and `null` if there is none.
    fileprivate var json: JSON {
        switch self {
        case .none: .null
        case .unverified: false
        case .verified(let time, _): .text(time)
        }
    }
}
