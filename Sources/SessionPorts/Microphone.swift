package import StudyModel

/// Records sound from an input that is open for the whole run.
package struct Microphone: Sendable {
    /// How loud its input is, dB below full scale, while it records: numbers of the signal `audio`.
    package var levels: any SampleSource
    /// Tells it that the run begins: `origin` of the run's clock on the machine's monotonic clock, nanoseconds.
    package var begin: @Sendable (RunInstant) -> Void
    /// Records into a file at the given path from a moment on. Reports go to the last parameter.
    package var record:
        @Sendable (
            String, RecorderConfiguration.SoundFormat, RunInstant, @escaping @Sendable (SoundReport) -> Void
        )
            -> Int
    /// Ends a recording, given by its number, at a moment.
    package var stop: @Sendable (Int, RunInstant) -> Void
    /// Tells it that the run is over.
    package var close: @Sendable () -> Void

    package init(
        levels: any SampleSource, begin: @escaping @Sendable (RunInstant) -> Void,
        record:
            @escaping @Sendable (
                String, RecorderConfiguration.SoundFormat, RunInstant,
                @escaping @Sendable (SoundReport) -> Void
            ) -> Int,
        stop: @escaping @Sendable (Int, RunInstant) -> Void, close: @escaping @Sendable () -> Void
    ) {
        self.levels = levels
        self.begin = begin
        self.record = record
        self.stop = stop
        self.close = close
    }
}

/// What a microphone reports about a recording.
package enum SoundReport: Hashable, Sendable {
    /// How much the file holds by now; `mean` is the root mean square of the whole file so far, 0...1 of full
    /// scale. The first `lacking` frames are silence in the place of what the microphone did not give.
    case written(frames: Int64, rate: Double, mean: Double, lacking: Int64 = 0)
    /// The file is complete, or could not be written, for this reason.
    case finished(problem: String?)
}
