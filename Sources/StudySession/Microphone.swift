package import StudyModel

/// What records sound from an input that is open for the whole run.
package struct Microphone: Sendable {
    /// How loud it hears, dB below full scale, while it records: numbers of the signal `audio`.
    package var levels: any SampleSource
    /// The run begins: `origin` of its clock on the machine's monotonic clock, nanoseconds.
    package var begin: @Sendable (RunInstant) -> Void
    /// Records into a file of the given path from a moment on; what comes of it goes to the last parameter.
    package var record:
        @Sendable (
            String, RecorderConfiguration.SoundFormat, RunInstant, @escaping @Sendable (SoundReport) -> Void
        )
            -> Int
    /// Ends a recording, by its number, at a moment.
    package var stop: @Sendable (Int, RunInstant) -> Void
    /// The run is over.
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

/// What a microphone says of a recording.
package enum SoundReport: Hashable, Sendable {
    /// So much is in the file by now; `mean` is the root of the mean square of the whole so far, 0...1 of full scale.
    case written(frames: Int64, rate: Double, mean: Double)
    /// The file is complete, or could not be written, for this reason.
    case finished(problem: String?)
}
