public import StudyModel

/// Who or what made a run: a participant and sensors, or programs in their place.
public struct Provenance: Hashable, Sendable {
    /// Whether a program answered in the participant's place.
    public var isParticipantSimulated: Bool
    /// The kind of each source, by the name that recorders use: a `SourceConfiguration.Kind`, or what a later
    /// program calls it.
    public var sources: [Identifier: String]

    public init(isParticipantSimulated: Bool, sources: [Identifier: String]) {
        self.isParticipantSimulated = isParticipantSimulated
        self.sources = sources
    }
}

/// Whether a run's data come from a participant, in real time.
public enum RunOrigin: String, CaseIterable, Hashable, Sendable {
    /// A participant answered in real time, and every source was live.
    case recorded
    /// A recording stood in for a source.
    case replayed
    /// A program answered or made up a signal, or the run was not in real time.
    case simulated
    /// The run was in real time, but the program that made it did not say who answered.
    case unknown

    /// Whether analyses leave the run out unless they are asked to include it.
    package var isInvented: Bool { self == .replayed || self == .simulated }
}

extension SourceConfiguration.Kind {
    /// What the readings of such a source make of a run.
    package var origin: RunOrigin { self == .simulated ? .simulated : isLive ? .recorded : .replayed }
}

extension RunDescription {
    /// Whether the data come from a participant. A source whose kind is not known to be live counts as simulated.
    public var origin: RunOrigin {
        guard speed == 1 else { return .simulated }
        guard let provenance else { return .unknown }
        let origins = provenance.sources.values.map {
            SourceConfiguration.Kind(rawValue: $0)?.origin ?? .simulated
        }
        if provenance.isParticipantSimulated || origins.contains(.simulated) { return .simulated }
        return origins.contains(.replayed) ? .replayed : .recorded
    }

    /// The origin with its reasons, such as `simulated (answers by a program, heartRate: simulated)`.
    package var originText: String {
        var reasons: [String] = []
        if provenance?.isParticipantSimulated == true { reasons.append("answers by a program") }
        reasons += sourceTexts
        if speed == nil { reasons.append("without waiting") }
        if let speed, speed != 1 { reasons.append("at speed \(speed)") }
        return origin.rawValue + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))")
    }

    /// `heartRate: bluetooth` for each source, by name.
    package var sourceTexts: [String] {
        (provenance?.sources ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    }
}
