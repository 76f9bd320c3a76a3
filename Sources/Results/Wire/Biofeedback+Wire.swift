import StudyModel
import TextFormat

extension Biofeedback {
    /// The same form in results and in the journal.
    var wire: JSON {
        var members: [String: JSON] = ["display": .text(name)]
        switch self {
        case .heartRate: break
        case .variability(_, let window): members["over"] = .seconds(window)
        case .pacer(let pacer):
            for phase in BreathingPacer.Phase.allCases {
                members[phase.rawValue] = .seconds(pacer.length(of: phase))
            }
            members["sound"] = .boolean(pacer.isSounded)
        }
        return .members(members)
    }

    init(wire: JSON) throws {
        let display = try wire.field("display")
        switch try display.asText() {
        case "heartRate": self = .heartRate
        case "pacer": self = .pacer(try BreathingPacer(wire: wire))
        case let name:
            let measure = try display.expect(Measure(rawValue: name), "a display")
            self = .variability(measure, over: try wire.field("over").asLength())
        }
    }
}

extension BreathingPacer {
    fileprivate init(wire: JSON) throws {
        let length = { (phase: Phase, shortest: Duration) in
            let member = try wire.field(phase.rawValue)
            let length = try member.asLength()
            return try member.expect(
                (shortest...Self.lengths.upperBound).contains(length) ? length : nil, "a part of a breath")
        }
        self.init(
            inhalation: try length(.in, Self.lengths.lowerBound), hold: try length(.hold, .zero),
            exhalation: try length(.out, Self.lengths.lowerBound), holdOut: try length(.holdOut, .zero),
            isSounded: try wire.field("sound").asBoolean())
    }
}

extension Biofeedback.Shown {
    /// - Parameter value: the number, if it is one.
    init(wire: JSON, value: JSON?) throws {
        let number = try value.map { try $0.asNumber(in: BundleLimits.number) }
        self = try wire.expect(Self(named: wire.asText(), value: number), "what a display shows")
    }
}

extension JSON {
    /// Seconds as a length of time, to the nanosecond.
    fileprivate func asLength() throws -> Duration {
        .nanoseconds(Int64((try asNumber(in: 0...86_400) * 1e9).rounded()))
    }
}
