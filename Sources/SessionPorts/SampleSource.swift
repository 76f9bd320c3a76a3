package import StudyModel

/// Yields samples of signals during a run: a heart, a camera, a microphone's level, a script's numbers.
///
/// Laws, checked for every conformer by the contract test:
/// - `run` reports `live` before the first sample, and `lost` whenever samples stop, or do not begin, for a known
///   reason. Only pictures come whether or not a source is live, because a camera is live while a pulse is visible;
/// - samples come in order of arrival, and no sample arrives before it was measured;
/// - when cancelled, it returns within one turn of its clock and reports nothing more;
/// - it returns by itself only if there is nothing more to come.
package protocol SampleSource: Sendable {
    /// Measures until cancelled, and sends what it measures to `report`.
    ///
    /// - Parameters:
    ///   - clock: the run's clock; the only thing to wait on.
    ///   - circumstances: what the participant is doing now, for simulated sources.
    ///   - report: takes what was measured; never blocks.
    /// - Throws: `SourceFailure` if the source cannot work at all (a missing file, a missing device).
    func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant
}

package enum SourceReport: Hashable, Sendable {
    /// Samples will come.
    case live
    /// A sample of any of its signals.
    case measured(Timed<SignalValue>)
    /// A control was moved that moves the mark of a rating.
    case moved(Timed<ControlPosition>)
    /// The quality of its signal, whether or not it is live.
    case quality(SignalQuality)
    /// Since that moment, this many samples came faster than a run can process them, and were left out.
    case flooded(Int, since: RunInstant)
    /// No samples for now, for this reason.
    case lost(SourceProblem)
    /// What it knows about itself, whether or not it is live. Earlier information stays valid.
    case told(SourceInformation)
}

extension SourceReport {
    /// A sample of a heart.
    package static func sample(_ sample: Timed<HeartRateSample>) -> SourceReport {
        .measured(sample.map { .heart($0) })
    }

    /// What the report says about a heart, if anything.
    package var heart: Timed<HeartRateSample>? {
        guard case .measured(let sample) = self, let heart = sample.value.heart else { return nil }
        return sample.map { _ in heart }
    }
}

/// The quality of a source's signal.
package struct SignalQuality: Hashable, Sendable {
    /// 0...1.
    package var quality: Double
    /// Whether the quality suffices for a reading.
    package var isClear: Bool
    /// How many samples came too late since the last report, and were left out.
    package var dropped: Int
    /// The moment that the quality is about.
    package var instant: RunInstant

    package init(_ quality: Double, isClear: Bool, dropped: Int = 0, at instant: RunInstant) {
        self.quality = quality
        self.isClear = isClear
        self.dropped = dropped
        self.instant = instant
    }
}

/// What the participant is doing, as far as a simulated source needs to know.
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

extension HeartRateSample {
    /// Without news for this long, what a source said is no longer current.
    package static let freshness = Duration.seconds(5)
}
