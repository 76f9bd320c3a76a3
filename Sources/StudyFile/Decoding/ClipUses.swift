package import StudyModel

/// Where a study uses clips, for checks of their sound.
package struct ClipUses: Hashable, Sendable {
    /// Every clip that the study may play, once, with its place in the catalogue.
    package internal(set) var entries: [Entry] = []
    /// Silences and clicks among the clips, which have no file.
    package internal(set) var withoutFile: [Stimulus] = []
    var pools: [Pool] = []
    var plays: [Play] = []

    /// A clip's entry in its catalogue.
    package struct Entry: Hashable, Sendable {
        package var clip: Stimulus
        /// The place of the file's name.
        var file: TextPlace
        /// The place of the SHA-256, or of the file's name if there is none.
        var sum: TextPlace
        /// The place of the duration, or of the clip itself if there is none.
        var duration: TextPlace
    }

    /// A stimulus set.
    struct Pool: Hashable, Sendable {
        var clips: [Stimulus]
        var place: TextPlace
    }

    /// A step that plays one of these clips for a given time.
    struct Play: Hashable, Sendable {
        var clips: [Stimulus]
        /// From which position of its file.
        var start: Duration
        var span: Duration
        /// Whether it begins after the step.
        var isDelayed = false
        var loops: Bool
        /// Change of level, dB.
        var gain: Double
        /// The loudness to which they are brought, LUFS.
        var loudness: Double?
        var place: TextPlace
    }
}

extension Playback.Settings {
    /// How far the level may rise while a clip plays, dB; 0 if it never does.
    fileprivate var highestChange: Double {
        max(0, gainUnderPrompts) + max(0, following?.loudness?.points.map(\.gain).max() ?? 0)
    }
}

extension StudyContext {
    /// The clips of which one is played.
    func clips(of choice: Stimulus.Use.Choice) -> [Stimulus] {
        switch choice.clips {
        case .one(let clip): [clip]
        case .set(let set): sets.first { $0.identifier == set.text }?.pool ?? []
        }
    }

    /// Remembers that a step plays a clip.
    func rememberPlay(
        _ request: Stimulus.Use, for duration: Duration, at range: SourceRange, _ reading: Reading
    ) {
        clipUses.plays.append(
            ClipUses.Play(
                clips: clips(of: request.choice), start: request.start,
                span: max(.zero, duration - request.onset + request.settings.crossFade),
                isDelayed: request.onset > .zero, loops: request.settings.loops,
                gain: request.settings.gain + request.settings.highestChange,
                loudness: request.settings.loudness,
                place: TextPlace(range, reading.source)))
    }
}
