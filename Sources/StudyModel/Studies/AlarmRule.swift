import TextFormat

/// What experimenters are alerted to while a run goes on.
public enum AlarmRule: Hashable, Sendable {
    /// The heart rate has been above a limit, beats per minute, for so long.
    case above(Double, for: Duration)
    /// The heart rate has been below a limit, beats per minute, for so long.
    case below(Double, for: Duration)
    /// There was a heart rate, and for so long there has been none.
    case signalLost(for: Duration)
    /// A step records sound, and for so long the microphone has heard nothing.
    case microphoneSilent(for: Duration)
    /// The run gives no signs of life.
    case runDead

    /// The kinds of alarms; a run has at most one rule of each.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case above, below, signalLost, microphoneSilent, runDead
    }

    public var kind: Kind {
        switch self {
        case .above: .above
        case .below: .below
        case .signalLost: .signalLost
        case .microphoneSilent: .microphoneSilent
        case .runDead: .runDead
        }
    }

    /// The limit, beats per minute; only of rules on the heart rate.
    public var limit: Double? {
        switch self {
        case .above(let limit, _), .below(let limit, _): limit
        case .signalLost, .microphoneSilent, .runDead: nil
        }
    }

    /// How long it must last; `nil` if the monitor decides that.
    public var duration: Duration? {
        switch self {
        case .above(_, let duration), .below(_, let duration), .signalLost(let duration),
            .microphoneSilent(let duration):
            duration
        case .runDead: nil
        }
    }

    /// - Returns: `nil` if the limit or the duration is missing, or out of `limits` or `durations`.
    package init?(_ kind: Kind, limit: Double?, for duration: Duration?) {
        let duration = duration.flatMap { Self.durations.contains($0) ? $0 : nil }
        let limit = limit.flatMap { Self.limits.contains($0) ? $0 : nil }
        switch (kind, limit, duration) {
        case (.above, let limit?, let duration?): self = .above(limit, for: duration)
        case (.below, let limit?, let duration?): self = .below(limit, for: duration)
        case (.signalLost, _, let duration?): self = .signalLost(for: duration)
        case (.microphoneSilent, _, let duration?): self = .microphoneSilent(for: duration)
        case (.runDead, _, _): self = .runDead
        case (.above, _, _), (.below, _, _), (.signalLost, _, _), (.microphoneSilent, _, _): return nil
        }
    }

    /// Beats per minute that a limit may have.
    package static let limits = 20.0...300.0
    /// How long something may have to last.
    package static let durations = Duration.milliseconds(500)...Duration.seconds(3600)
    /// A microphone whose level is below this, dB below full scale, hears nothing.
    package static let silence = -60.0
}

extension AlarmRule {
    /// Such as `heart rate above 170 bpm for 10 s`.
    package var words: String {
        let time = duration.map { " for \(plainNumber($0.seconds)) s" } ?? ""
        switch self {
        case .above(let limit, _): return "heart rate above \(plainNumber(limit)) bpm\(time)"
        case .below(let limit, _): return "heart rate below \(plainNumber(limit)) bpm\(time)"
        case .signalLost: return "signal lost\(time)"
        case .microphoneSilent: return "microphone silent\(time)"
        case .runDead: return "run dead"
        }
    }

    /// Reads a rule in the form of `words`.
    package init?(words: String) {
        let parts = words.split(separator: " ").map(String.init)
        func seconds(_ rest: ArraySlice<String>) -> Duration? {
            guard rest.count == 3, rest.first == "for", rest.last == "s" else { return nil }
            return Self.number(rest[rest.startIndex + 1]).map { .seconds($0) }
        }
        let rule: AlarmRule?
        switch (parts.prefix(2).joined(separator: " "), parts.dropFirst(2).first) {
        case ("heart rate", "above"?), ("heart rate", "below"?):
            guard parts.count == 8, parts[4] == "bpm", let kind = Kind(rawValue: parts[2]) else { return nil }
            rule = AlarmRule(kind, limit: Self.number(parts[3]), for: seconds(parts[5...]))
        case ("signal lost", _): rule = AlarmRule(.signalLost, limit: nil, for: seconds(parts[2...]))
        case ("microphone silent", _):
            rule = AlarmRule(.microphoneSilent, limit: nil, for: seconds(parts[2...]))
        case ("run dead", nil): rule = .runDead
        default: rule = nil
        }
        guard let rule else { return nil }
        self = rule
    }

    private static func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else { return nil }
        return Double(text)
    }
}
