package import Results
package import StudyModel

/// What a run reports to observers.
package enum RunUpdate: Hashable, Sendable {
    /// Something happened, and the run wanted this done about it.
    case happened(Event, at: RunInstant, [Effect])
    case measured(Identifier, Timed<HeartRateSample>)
    /// The battery of a source's sensor may not last.
    case batteryLow(Identifier, percent: Int, at: RunInstant)
    /// How loud the microphone of a recording is, dB below full scale; `nil` when no step records sound any more.
    case soundLevel(Double?, at: RunInstant)
    /// What a source said of itself.
    case told(Identifier, SourceInformation, at: RunInstant)
    /// A number of a source's samples were left out: they came faster than a run can process them.
    case flooded(Identifier, Int, at: RunInstant)
    /// The run is sealed; how good it was, and whether it misses a limit of its study, `nil` without limits.
    case judged(RunQuality, isPoor: Bool?)
}
