package import SessionPorts
package import StudyModel

/// A microphone's sound level as a source: numbers of the signal `audio`, dB below full scale.
package struct SoundLevels: SampleSource {
    private let levels: @Sendable () -> AsyncStream<Double>

    /// - Parameter levels: makes the stream of levels from now on, which ends with the microphone.
    package init(_ levels: @escaping @Sendable () -> AsyncStream<Double>) { self.levels = levels }

    /// Returns when the microphone is closed.
    package func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant {
        guard !Task.isCancelled else { return }
        report(.live)
        for await level in levels() {
            guard !Task.isCancelled else { return }
            let now = clock.now
            report(.measured(Timed(.number(level, of: .audio), at: now, arrival: now)))
        }
        if !Task.isCancelled { report(.lost("the microphone is closed")) }
    }
}
