package import StudyModel

/// Whatever yields heart-rate samples during a run.
///
/// Laws, checked for every conformer by the contract test:
/// - `run` reports `live` before the first sample, and `lost` whenever samples stop for a known reason, or do
///   not even begin;
/// - samples come in order of arrival, and no sample arrives before it was measured;
/// - cancelled, it returns within one turn of its clock and reports nothing more;
/// - it returns by itself only where there is nothing more to come.
package protocol SampleSource: Sendable {
    /// Measures until cancelled, sending what it finds to `report`.
    ///
    /// - Parameters:
    ///   - clock: the run's clock; the only thing to wait on.
    ///   - circumstances: what the participant is doing now, for sources that pretend.
    ///   - report: takes what was found; never blocks.
    /// - Throws: `SourceFailure` where the source cannot work at all (a missing file, a missing device).
    func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant
}

/// What a source says.
package enum SourceReport: Hashable, Sendable {
    /// Samples will come.
    case live
    /// A sample.
    case sample(Timed<HeartRateSample>)
    /// What a camera sees, whether or not it is live.
    case pulse(CameraStatus)
    /// No samples for now, for this reason.
    case lost(String)
    /// What it knows of itself, whether or not it is live; what was told before stays.
    case told(SourceInformation)
}

/// What the participant is doing, as far as a pretending source needs to know.
package struct Circumstances: Hashable, Sendable {
    /// Physical effort, 0...1 of the heart-rate reserve.
    package var effort: Double
    /// Energy of the music being heard, 0...1; `nil` in silence.
    package var musicEnergy: Double?

    package init(effort: Double = 0, musicEnergy: Double? = nil) {
        self.effort = effort
        self.musicEnergy = musicEnergy
    }
}
