package import MonitorInterface
import Results
package import StudyModel
package import TextFormat

/// What a run or an import says about itself before its samples arrive.
package struct SessionDescription: Hashable, Sendable {
    /// The run's UUID, or another unique name.
    package var identifier: String
    /// Where the samples come from.
    package var kind: SeriesKind
    /// Seconds since 1970 at the session's start.
    package var start: Double
    /// The study's identifier.
    package var study: String?
    /// The study's title, in the participant's language.
    package var title: String?
    /// The task's identifier.
    package var task: String?
    /// The participant's code.
    package var participant: String?
    /// The sender: the name of a run's token, which is that of its room; or the name of a sender of readings.
    package var source: String?
    /// How many times faster than real time the run goes; `nil` for real time.
    package var speed: Double?
    /// Whether anyone but a participant made it: `simulated` or `replayed`; `nil` for a participant.
    package var origin: String?
    /// Which of the participant's sessions it is, from 1.
    package var number: Int?
    /// The limits of low and high heart rates.
    package var limits: HeartRateLimits?
    /// What experimenters are alerted to; `nil` if the study does not say it.
    package var alarms: [AlarmRule]?
    /// The steps in the order of the plan.
    package var steps: [Step]
    /// All later messages about the run must carry this secret; `nil` if anybody may send them. It is never shown.
    package var secret: String?

    package struct Step: Hashable, Sendable {
        /// The step's identifier.
        package var identifier: String
        /// The title that the participant reads.
        package var title: String?
        /// Planned length, s.
        package var duration: Double?
        /// The expected heart rate; empty if the study gives none.
        package var expected: [ExpectedPoint]
    }

    /// A point of an expected curve, beats per minute.
    package struct ExpectedPoint: Hashable, Sendable {
        /// Seconds since the step's start.
        package var time: Double
        package var rate: Double
        package var low: Double
        package var high: Double
    }

    package init(identifier: String, kind: SeriesKind, start: Double) {
        self.identifier = identifier
        self.kind = kind
        self.start = start
        steps = []
    }
}

/// The limits below which a heart rate is low and above which it is high, beats per minute.
package struct HeartRateLimits: Hashable, Sendable {
    package var low: Double
    package var high: Double

    /// The usual range of an adult at rest, 60 to 100, which applies if neither study nor participant says more.
    package static let adultAtRest = HeartRateLimits(low: 60, high: 100)
}

extension SessionDescription {
    /// Reads the body of `POST /api/sessions`.
    ///
    /// - Parameter now: seconds since 1970, for a session that does not say when it began.
    package init(json: JSON, now: Double) throws(Refusal) {
        var fields = try Fields(json, "a session")
        identifier = try fields.identifier("id")
        guard !Route.reservedSessions.contains(identifier) else {
            throw .unprocessable("a session cannot be called '\(identifier)'")
        }
        let kindName = try fields.optionalText("kind", limit: 16) ?? SeriesKind.run.rawValue
        guard let kind = SeriesKind(rawValue: kindName), kind != .readings else {
            throw .unprocessable("'kind' should be run or import")
        }
        self.kind = kind
        start = try fields.optionalNumber("startedAt", in: MonitorLimits.times) ?? now
        study = try fields.optionalIdentifier("study")
        title = try fields.optionalText("title", limit: MonitorLimits.titleBytes)
        task = try fields.optionalIdentifier("task")
        participant = try fields.optionalParticipant("participant")
        number = try fields.optionalInteger("session", in: 1...1_000_000)
        origin = try fields.optionalText("origin", limit: 16)
        guard origin.map({ MonitorLimits.origins.contains($0) }) ?? true else {
            throw .unprocessable(
                "'origin' should be \(MonitorLimits.origins.joined(separator: " or ")), or be left out")
        }
        speed = try fields.optionalNumber("speed", in: MonitorLimits.speeds)
        limits = try fields.member("limits").map { (json) throws(Refusal) in try HeartRateLimits(json: json) }
        alarms = try Self.alarms(fields.member("alarms"))
        secret = try fields.optionalText("secret", limit: 200)
        steps = []
        for step in try fields.list("steps", limit: MonitorLimits.steps) {
            steps.append(try Step(json: step))
        }
        try fields.rejectUnknown()
    }

    private static func alarms(_ json: JSON?) throws(Refusal) -> [AlarmRule]? {
        guard let json else { return nil }
        let rules = json.list?.map { AlarmRule(json: $0) } ?? [nil]
        let known = rules.compactMap(\.self)
        guard known.count == rules.count, Set(known.map(\.kind)).count == known.count else {
            throw .unprocessable(
                """
                'alarms' should be a list of rules such as {"kind": "above", "limit": 170, "for": 10}, one of each kind: \
                \(AlarmRule.Kind.allCases.map(\.rawValue).joined(separator: ", "))
                """)
        }
        return known
    }

    /// The form in which the API shows it and the store keeps it.
    package var json: JSON {
        var object = JSON.Object([
            "id": .text(identifier), "kind": .text(kind.rawValue), "startedAt": .real(start),
            "steps": .list(steps.map(\.json)),
        ])
        object["study"] = study.map(JSON.text)
        object["title"] = title.map(JSON.text)
        object["task"] = task.map(JSON.text)
        object["participant"] = participant.map(JSON.text)
        object["source"] = source.map(JSON.text)
        object["origin"] = origin.map(JSON.text)
        object["speed"] = speed.map(JSON.real)
        object["session"] = number.map(JSON.integer)
        object["limits"] = limits?.json
        object["alarms"] = alarms.map { .list($0.map(\.json)) }
        return .object(object)
    }
}

extension HeartRateLimits {
    init(json: JSON) throws(Refusal) {
        var fields = try Fields(json, "'limits'")
        low = try fields.number("low")
        high = try fields.number("high")
        try fields.rejectUnknown()
        guard 0 < low, low < high, high <= MonitorLimits.heartRates.upperBound else {
            throw .unprocessable("'limits' should have 0 < low < high <= MonitorLimits.heartRates.upperBound")
        }
    }

    var json: JSON { ["low": .real(low), "high": .real(high)] }
}

extension SessionDescription.Step {
    init(json: JSON) throws(Refusal) {
        var fields = try Fields(json, "a step")
        identifier = try fields.identifier("identifier")
        title = try fields.optionalText("title", limit: MonitorLimits.titleBytes)
        duration = try fields.optionalNumber("duration", in: 0...86_400)
        expected = []
        for point in try fields.list("expected", limit: 2000) {
            guard let numbers = point.list?.compactMap(\.number), numbers.count == 4,
                numbers.allSatisfy({ (0...86_400).contains($0) })
            else { throw .unprocessable("a point of 'expected' should be [seconds, rate, low, high]") }
            expected.append(
                .init(time: numbers[0], rate: numbers[1], low: numbers[2], high: numbers[3]))
        }
        try fields.rejectUnknown()
    }

    var json: JSON {
        var object = JSON.Object(["identifier": .text(identifier)])
        object["title"] = title.map(JSON.text)
        object["duration"] = duration.map(JSON.real)
        if !expected.isEmpty {
            object["expected"] = .list(
                expected.map { [.real($0.time), .real($0.rate), .real($0.low), .real($0.high)] })
        }
        return .object(object)
    }
}
