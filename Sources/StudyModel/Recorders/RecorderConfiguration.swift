/// What to record while a step lasts, as data.
public struct RecorderConfiguration: Hashable, Sendable {
    /// The recorder's name, unique in its step; the results of its files bear the same name.
    public var identifier: Identifier
    /// What is recorded.
    public var signal: Signal
    /// The source's name; `nil` leaves the choice to `sourceName`.
    public var source: Identifier?
    /// For how long after the end of the recording samples that belong to it are still accepted.
    public var lateSampleGrace: Duration
    /// Whether the step may only begin if the source is live.
    public var isRequired: Bool
    /// How a microphone's sound is kept.
    public var soundFormat: SoundFormat
    /// What is rated, if the signal is a rating.
    public var rating: RatingScale?
    /// Which keys count, if the signal is taps.
    public var tapping: Tapping?
    /// What is shown, if the signal is a display.
    public var biofeedback: Biofeedback?
    /// The channels of a waveform that are kept, in this order; all of them if it is empty.
    public var channels: [String] = []
    /// Whether the heart rates and the intervals of its steps come from the beats in this recording.
    public var givesBeats = false

    /// How sound is stored; both formats are lossless.
    public enum SoundFormat: String, Hashable, Sendable, CaseIterable {
        /// About half the size.
        case flac
        /// Every program can read it.
        case wav
    }

    /// A longer time without a sample than this is a gap.
    package var longestSilence: Duration { rating?.longestSilence ?? signal.longestSilence }

    /// The name of the source that this recorder listens to; `nil` for recorders that listen to the run itself.
    public var sourceName: Identifier? {
        if let biofeedback { return biofeedback.isOfHeart ? source ?? "heartRate" : nil }
        if rating != nil { return source }
        return signal.usualSource.map { source ?? $0 }
    }

    /// Whether it records what a source says of a body, whether or not anything is asked or shown.
    package var isOfBody: Bool { sourceName != nil && rating == nil && biofeedback == nil }

    /// What its source must give.
    package var needed: Signal { biofeedback == nil ? signal : .heartRate }

    public init(
        identifier: Identifier, signal: Signal, source: Identifier? = nil,
        lateSampleGrace: Duration = .seconds(2),
        isRequired: Bool = false, soundFormat: SoundFormat = .flac, rating: RatingScale? = nil,
        tapping: Tapping? = nil
    ) {
        self.identifier = identifier
        self.signal = signal
        self.source = source
        self.lateSampleGrace = lateSampleGrace
        self.isRequired = isRequired
        self.soundFormat = soundFormat
        self.rating = rating
        self.tapping = tapping
    }
}

/// A recorder that runs from the start of one step to the end of another.
public struct SpanningRecorder: Hashable, Sendable {
    public var recorder: RecorderConfiguration
    /// The step (of the task's own list) whose start begins the recording.
    public var from: Identifier
    /// The step (of the task's own list) whose end ends the recording; its result holds the file.
    public var to: Identifier

    public init(recorder: RecorderConfiguration, from: Identifier, to: Identifier) {
        self.recorder = recorder
        self.from = from
        self.to = to
    }
}
