import MonitorInterface
import Physiology
package import Results
import SessionPorts
package import StudyModel
import TextFormat

extension MonitorMessage {
    /// The first message of a run: who does what, and which heart rates are expected.
    ///
    /// - Parameters:
    ///   - identifier: the run's UUID.
    ///   - start: seconds since 1970.
    ///   - speed: how many times faster than real time the run goes; `nil` if it does not wait at all.
    ///   - origin: whether it is of a participant.
    ///   - secret: what all further messages about the run come with.
    package static func run(
        _ plan: RunPlan, title: String, identifier: String, start: Double, speed: Double?, origin: RunOrigin,
        language: Language?, secret: String
    ) -> MonitorMessage {
        var steps: [JSON] = []
        var known: Set<Identifier> = []
        for entry in plan.sections.flatMap(\.passes).joined()
        where known.insert(entry.step.identifier).inserted {
            guard steps.count < MonitorLimits.steps else { break }
            steps.append(entry.step.told(in: language))
        }
        var object = JSON.Object([
            "id": .text(identifier), "kind": .text(SeriesKind.run.rawValue),
            "startedAt": .real(start), "secret": .text(secret),
            "study": .text(plan.study.text),
            "task": .text(plan.task.identifier.text), "participant": .text(plan.participant),
            "session": .integer(plan.session), "steps": .list(steps),
        ])
        if !title.isEmpty { object["title"] = .text(title.limited(to: MonitorLimits.titleBytes)) }
        object["limits"] = plan.heartRateLimits
        object["alarms"] = plan.task.alarms.map { .list($0.map(\.json)) }
        if speed != 1 { object["speed"] = .real(speed ?? MonitorLimits.speeds.upperBound) }
        if origin.isInvented { object["origin"] = .text(origin.rawValue) }
        return MonitorMessage(.series, .object(object))
    }
}

extension RunPlan {
    /// Low below the resting rate, high from 60 % of the heart-rate reserve (vigorous effort, ACSM), if the study
    /// gives the expected rates of the participant's heart.
    fileprivate var heartRateLimits: JSON? {
        for entry in sections.flatMap(\.passes).joined() {
            guard case .exercise(_, let resting, let maximum)? = entry.step.active?.expected?.curve
            else { continue }
            return ["low": .real(resting), "high": .real(resting + 0.6 * (maximum - resting))]
        }
        return nil
    }
}

extension Step {
    fileprivate func told(in language: Language?) -> JSON {
        var object = JSON.Object(["identifier": .text(identifier.text)])
        if let title = title?.text(in: language), !title.isEmpty {
            object["title"] = .text(title.limited(to: MonitorLimits.titleBytes))
        }
        guard let active else { return .object(object) }
        object["duration"] = .real(active.duration.seconds)
        if let expected = active.expected { object["expected"] = expected.told(over: active.duration) }
        return .object(object)
    }
}

extension ExpectedHeartRate {
    /// About every second, at most 1000 points: `[seconds, rate, low, high]`.
    fileprivate func told(over duration: Duration) -> JSON? {
        guard let expected = ExpectedRate(self) else { return nil }
        let seconds = duration.seconds
        let count = min(max(Int(seconds.rounded(.up)), 1), 1000)
        return .list(
            (0...count).map { index in
                let time = seconds * Double(index) / Double(count)
                let (rate, range) = expected.expected(at: time)
                return .list(
                    [time, rate, max(range.lowerBound, 0), range.upperBound].map {
                        .real(($0 * 1000).rounded() / 1000)
                    })
            })
    }
}
