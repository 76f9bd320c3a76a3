package import StudyModel

/// Whatever makes sounds heard at planned moments of a run.
///
/// Laws, checked for every conformer by the contract test:
/// - no call waits for a sound;
/// - everything is heard `delay` after its planned moment, to one frame; only what was placed too late is
///   heard later still, and the placement says when;
/// - a sound is over at its own end, or where it is stopped, whichever comes first, and the outcome says so;
/// - a sound that is stopped before it begins is never heard.
package protocol StimulusPlayer: Sendable {
    /// How much later than planned everything is heard: one for the whole run.
    var delay: Duration { get }
    /// What plays, in a word for the result: `none`, `file` or `device`.
    var name: String { get }

    /// The run begins at this moment of its clock.
    func begin<C: Clock>(on clock: C) where C.Instant == RunInstant
    /// Plans a sound.
    ///
    /// - Parameter instant: the planned moment of its first sample, `delay` not included.
    func place(_ sound: Sound, at instant: RunInstant) -> Placement
    /// Ends a sound.
    ///
    /// - Parameter instant: the planned moment from which it is silent, `delay` not included.
    func stop(_ voice: Int, at instant: RunInstant)
    /// What became of a sound; asked once, when it is over.
    func outcome(of voice: Int) -> PlaybackOutcome
    /// The reasons why nothing is heard any more, as they come to be known.
    func losses() -> AsyncStream<String>
    /// The run is over at this moment.
    ///
    /// - Returns: what could not be done, if anything.
    func finish(at instant: RunInstant) async -> String?
}

/// Something to be heard.
package struct Sound: Hashable, Sendable {
    /// What is heard.
    package var content: Content
    /// Where in it to begin.
    package var position: Duration
    /// How long it takes to fade in, and to fade out towards its end.
    package var fade: Duration
    /// Change of level, dB.
    package var gain: Double
    /// Whether it begins again at its end.
    package var loops: Bool
    /// The planned moment at which it is cut, where that is known beforehand.
    package var cut: RunInstant?

    /// What is heard.
    package enum Content: Hashable, Sendable {
        /// A clip of the study.
        case clip(Stimulus)
        /// A tone of the program.
        case tone(Identifier)
        /// Spoken words.
        case speech(String)
    }

    package init(
        _ content: Content, from position: Duration = .zero, fade: Duration = .zero, gain: Double = 0,
        loops: Bool = false, cut: RunInstant? = nil
    ) {
        self.content = content
        self.position = position
        self.fade = fade
        self.gain = gain
        self.loops = loops
        self.cut = cut
    }
}

/// Where a sound was placed in time.
package struct Placement: Hashable, Sendable {
    /// Names the sound to the player.
    package var voice: Int
    /// When its first sample is heard.
    package var onset: RunInstant
    /// How long it lasts if nobody stops it; `nil` where it loops, or where that is not known.
    package var length: Duration?
    /// Frame of the output at which it begins; `nil` where nothing is heard.
    package var onsetFrame: Int64?
    /// Frames per second of the output; `nil` where nothing is heard.
    package var sampleRate: Double?
    /// The latency that the device reports; `nil` without one.
    package var latency: Duration?

    package init(
        voice: Int, onset: RunInstant, length: Duration?, onsetFrame: Int64? = nil, sampleRate: Double? = nil,
        latency: Duration? = nil
    ) {
        self.voice = voice
        self.onset = onset
        self.length = length
        self.onsetFrame = onsetFrame
        self.sampleRate = sampleRate
        self.latency = latency
    }
}

/// What became of a sound.
package struct PlaybackOutcome: Hashable, Sendable {
    /// When its last sample was heard.
    package var end: RunInstant
    /// Times the device ran dry while it was heard; `nil` without a device.
    package var underruns: Int?
    /// Why it was not heard as planned, if so.
    package var problem: String?

    package init(end: RunInstant, underruns: Int? = nil, problem: String? = nil) {
        self.end = end
        self.underruns = underruns
        self.problem = problem
    }
}

extension StimulusPlayer {
    /// Whether anything is heard at all.
    package var isAudible: Bool { name != "none" }
}
