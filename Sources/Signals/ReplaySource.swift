package import Recordings
package import StudyModel
package import StudySession

/// A recording played again with its own timing, from the moment the run begins to listen.
package struct ReplaySource: SampleSource {
    private let recording: HeartRateRecording

    package init(_ recording: HeartRateRecording) { self.recording = recording }

    /// Returns when the recording has ended.
    package func run<C: Clock>(
        on clock: C, circumstances: @Sendable () -> Circumstances, report: @Sendable (SourceReport) -> Void
    ) async throws(SourceFailure) where C.Instant == RunInstant {
        let origin = clock.now
        guard !Task.isCancelled else { return }
        report(.live)
        for entry in recording.entries {
            let instant = origin.advanced(by: .nanoseconds(Int64((entry.time * 1e9).rounded())))
            guard let arrival = await clock.wait(until: instant) else { return }
            report(.sample(Timed(entry.sample, at: instant, arrival: arrival)))
        }
        report(.lost("the recording has ended"))
    }
}

extension Clock where Instant == RunInstant {
    /// Sleeps, and returns the time after that, never earlier than `instant`; `nil` if the task was cancelled.
    func wait(until instant: RunInstant) async -> RunInstant? {
        do { try await sleep(until: instant, tolerance: nil) } catch { return nil }
        return Task.isCancelled ? nil : max(now, instant)
    }
}
