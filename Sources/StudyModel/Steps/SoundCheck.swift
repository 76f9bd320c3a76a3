/// What a step does about how loud a run is.
public struct SoundCheck: Hashable, Sendable {
    public enum Purpose: Hashable, Sendable {
        /// The answer is the volume, dB, with which everything is played from then on.
        case volume
        /// The answer is the level of the steady tone at the ear, dB(A), as a meter shows it. With a limit, dB(A), no
        /// sound is louder at the ear from then on.
        case measured(limit: Double?)
    }

    public var purpose: Purpose
    /// What is heard while the step is on the screen.
    public var use: Stimulus.Use

    public init(_ purpose: Purpose, hearing use: Stimulus.Use) { (self.purpose, self.use) = (purpose, use) }

    /// The volume, dB, that an answer sets; `nil` if it sets none.
    package func volume(_ answer: Answer?) -> Double? {
        guard purpose == .volume, case .continuous(let volume)? = answer else { return nil }
        return volume
    }

    /// The loudness above which nothing may be played, LUFS, by what was measured; `nil` if nothing limits it.
    package func ceiling(_ answer: Answer?) -> Double? {
        guard case .measured(let limit?) = purpose, case .number(let measured)? = answer else { return nil }
        let heard = ReferenceTone.loudness + use.settings.gain
        return limit - (measured - heard)
    }
}

/// A tone of 1 kHz by which a volume is set or measured, without a file. On both sides its loudness is -18 LUFS, and its
/// level is the same in dB(A) as without a weighting.
public enum ReferenceTone: String, Hashable, Sendable, CaseIterable {
    /// One beep on the left, two on the right, three on both sides, and again.
    case sides
    /// On both sides, without an end.
    case steady

    /// LUFS.
    package static let loudness = -18.0

    /// How long it lasts until it starts again.
    package var period: Duration { self == .sides ? .seconds(6) : .seconds(1) }

    /// The tone as something to play.
    package var clip: Stimulus {
        var clip = Stimulus(identifier: Identifier(rawValue) ?? "tone", file: "", path: "", duration: period)
        clip.tone = self
        return clip
    }
}
