package import StudyModel

/// Plays sounds at planned moments of a run.
///
/// Laws, checked for every conformer by the contract test:
/// - no call waits for a sound;
/// - everything is heard `delay` after its planned moment, accurate to one frame. Only a sound that was placed too
///   late is heard later, and its playback says when;
/// - a sound is over at its own end, or when it is stopped, whichever comes first, and the outcome says so;
/// - a sound that is stopped before it begins is never heard;
/// - a clip's changes are in order, and each says which part of the clip is heard when.
package protocol StimulusPlayer: Sendable {
    /// The delay between the planned moment and hearing a sound; the same for the whole run.
    var delay: Duration { get }
    /// What plays the sounds, in a word for the result: `none`, `file` or `device`.
    var name: String { get }

    func begin<C: Clock>(on clock: C) where C.Instant == RunInstant
    /// Plans a sound.
    ///
    /// - Parameters:
    ///   - voice: a number that names the sound from now on; each is higher than the one before.
    ///   - instant: the planned moment of its first sample, `delay` not included.
    /// - Returns: its beginning, and how long it lasts if nobody stops it (`nil` if that is not known).
    func place(
        _ sound: Sound, as voice: Int, at instant: RunInstant
    ) -> (playback: Playback, length: Duration?)
    /// Ends a sound.
    ///
    /// - Parameters:
    ///   - instant: the planned moment from which it is silent, `delay` not included.
    ///   - fade: how long it takes to become silent; at least as long as a cut needs so that it does not click.
    func stop(_ voice: Int, at instant: RunInstant, fading fade: Duration)
    /// Changes the tempo and the level of a clip from a planned moment on, or as soon as it can: what is heard before
    /// does not change. The tempo of a clip that does not follow stays 1.
    ///
    /// - Parameters:
    ///   - tempo: seconds of the clip in a second.
    ///   - gain: dB, besides that of the whole clip.
    ///   - instant: the planned moment, `delay` not included.
    /// - Returns: what is heard when, and how long the clip lasts in all if nobody stops it (`nil` if that is not
    ///   known); `nil` if it is over by then.
    func change(
        _ voice: Int, tempo: Double, gain: Double, at instant: RunInstant
    ) -> (change: Playback.Change, length: Duration?)?
    /// The outcome of a sound; asked for once, when the sound is over.
    func outcome(of voice: Int) -> Playback
    /// What happens to the sound that nobody asked for, as it becomes known.
    func news() -> AsyncStream<PlayerNews>
    /// The run is over at this moment.
    ///
    /// - Returns: what could not be done, if anything.
    func finish(at instant: RunInstant) async -> String?
}

/// What happens to the sound that nobody asked for.
package enum PlayerNews: Hashable, Sendable {
    /// Nothing can be heard any more, for this reason.
    case lost(String)
    /// The device stood still, so that the clip of a visit is heard otherwise than was said: how, and how long it lasts in
    /// all if nobody stops it (`nil` if that is not known).
    case stoodStill(ordinal: Int, [Playback.Change], length: Duration?)
}

/// Something to be heard.
package struct Sound: Hashable, Sendable {
    /// What is heard.
    package var content: Content
    /// The position in it at which playing begins.
    package var position: Duration
    package var settings: Playback.Settings
    /// The visit in which it is heard.
    package var ordinal: Int
    /// The planned moment at which it is cut off, if that is known in advance.
    package var cut: RunInstant?

    /// What is heard.
    package enum Content: Hashable, Sendable {
        case clip(Stimulus)
        case tone(Identifier)
        /// Spoken words.
        case speech(String)
    }

    package init(
        _ content: Content, from position: Duration = .zero,
        _ settings: Playback.Settings = Playback.Settings(), in ordinal: Int = 0, cut: RunInstant? = nil
    ) {
        self.content = content
        self.position = position
        self.settings = settings
        self.ordinal = ordinal
        self.cut = cut
    }
}

extension StimulusPlayer {
    /// Whether anything can be heard at all.
    package var isAudible: Bool { name != "none" }

    /// Ends a sound at once.
    package func stop(_ voice: Int, at instant: RunInstant) { stop(voice, at: instant, fading: .zero) }
}
