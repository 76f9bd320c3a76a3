import SessionPorts
import StudyModel

/// Every sound that a run may play, prepared before it begins: clips are ready to be decoded, and words are
/// samples.
struct Sounds: Sendable {
    /// Frames per second of the output.
    let rate: Int
    private let clips: [String: ClipFile]
    private let measured: [String: ClipMeasurement]
    /// Spoken words: interleaved stereo at `rate`.
    private let speech: [String: [Float]]
    /// Tones by name, in the same form.
    private let tones: [Identifier: [Float]]

    init(_ score: Score, rate: Int) {
        self.rate = rate
        clips = score.clips
        measured = score.measured
        speech = score.speech.mapValues { $0.stereo(at: rate) }
        tones = Tone.all.mapValues { $0.samples(rate: rate) }
    }

    /// What to read for a sound; `nil` for words that no voice can speak here.
    func material(of sound: Sound) -> SoundFeed.Material? {
        switch sound.content {
        case .clip(let clip) where clip.isSilent: length(of: sound).map { .silence($0) } ?? .silence(.max)
        case .clip(let clip) where clip.tone != nil:
            clip.tone.map { .samples($0.samples(rate: rate), loops: sound.settings.loops) }
        case .clip(let clip) where clip.isClicks:
            ClickTrack(of: clip, rate: rate).map {
                .clicks($0, position: sound.position, loops: sound.settings.loops)
            }
        case .clip(let clip):
            clips[clip.path].map { .file($0, position: sound.position, loops: sound.settings.loops) }
        case .tone(let name): tones[name].map { .samples($0, loops: false) }
        case .speech(let words): speech[words].map { .samples($0, loops: false) }
        }
    }

    /// The place of the sound among the output's frames.
    ///
    /// - Parameters:
    ///   - start: the frame of the first sample.
    ///   - cut: the frame from which it is silent, if that is known.
    func envelope(of sound: Sound, at start: Int64, cut: Int64?) -> Envelope {
        let softness = softness(of: .zero)
        let cross = sound.settings.crossFade
        let fade = max(sound.settings.fade, cross).frames(at: rate)
        let end = length(of: sound).map { start + $0 }
        let isCut = cut.map { cut in end.map { cut < $0 } ?? true } ?? false
        return Envelope(
            start: start, end: isCut ? cut : end, gain: gain(of: sound),
            fadeIn: sound.position > .zero ? max(fade, softness) : fade,
            fadeOut: isCut ? max(fade, softness) : fade,
            keepsPower: cross > .zero && sound.settings.crossFadeLaw == .power)
    }

    /// The course of a sound's tempo, if it may change.
    func course(of sound: Sound) -> SharedCourse? {
        guard case .clip(let clip) = sound.content, !clip.isSilent,
            sound.settings.following?.changesTempo == true
        else { return nil }
        return SharedCourse(length: length(of: sound))
    }

    /// Changes the tempo and the level of a sound that begins at a frame.
    ///
    /// - Parameters:
    ///   - onset: its first frame.
    ///   - frame: the frame of the change.
    ///   - cut: the frame from which the sound is silent in any case.
    /// - Returns: the change, where the sound ends now, and how long it lasts in all; `nil` if it is over by then.
    func change(
        _ sound: Sound, _ course: SharedCourse?, from onset: Int64, tempo: Double, gain: Double,
        at frame: Int64, cut: Int64?, instant: (Int64) -> RunInstant
    ) -> (change: Playback.Change, end: Int64?, length: Duration?)? {
        var (place, position, end) = (frame - onset, Double(frame - onset), length(of: sound))
        if let course {
            guard let turn = course.change(to: tempo, at: place) else { return nil }
            (place, position, end) = turn
        }
        guard cut.map({ onset + place < $0 }) != false, end.map({ place < $0 }) != false else { return nil }
        // Nothing that happens meanwhile passes the ceiling.
        let gain = min(gain, room(for: sound) ?? gain)
        let change = Playback.Change(
            at: instant(onset + place), frame: onset + place,
            position: sound.position + .frames(Int64(position.rounded()), at: rate),
            tempo: course == nil ? 1 : tempo, gain: gain)
        let last = [end.map { onset + $0 }, cut].compactMap(\.self).min()
        return (change, last, end.map { .frames($0, at: rate) })
    }

    /// How many frames a sound takes to become silent when it is stopped.
    func softness(of fade: Duration) -> Int64 {
        max(fade.frames(at: rate), Int64(Envelope.softness * Double(rate)))
    }

    /// How many frames a level takes to change.
    var ramp: Int64 { Playback.Change.ramp.frames(at: rate) }

    /// The change of level of a sound, dB, to a hundredth; as loud as is asked for, or as the ceiling allows.
    func gain(of sound: Sound) -> Double {
        let asked = askedGain(of: sound)
        guard let ceiling = sound.settings.ceiling else { return asked }
        return min(asked, ((ceiling - loudness(of: sound)) * 100).rounded(.down) / 100)
    }

    /// How much louder a sound may still become, dB; `nil` if nothing limits it.
    private func room(for sound: Sound) -> Double? {
        sound.settings.ceiling.map { max(0, $0 - loudness(of: sound) - gain(of: sound)) }
    }

    /// The loudness of a sound without any change of level, LUFS: what was measured in a clip, and that of the
    /// program's own tones for everything else.
    private func loudness(of sound: Sound) -> Double {
        guard case .clip(let clip) = sound.content else { return ReferenceTone.loudness }
        return measured[clip.path]?.loudness ?? ReferenceTone.loudness
    }

    private func askedGain(of sound: Sound) -> Double {
        let settings = sound.settings
        guard case .clip(let clip) = sound.content else { return settings.gain }
        let own = settings.gain + clip.gain
        guard let target = settings.loudness, let measured = measured[clip.path],
            let loudness = measured.loudness
        else { return own }
        let whole = min(own + target - loudness, Playback.highestPeak - measured.peak)
        return (whole * 100).rounded(.down) / 100
    }

    /// What the result says about the level of a sound, and by how much less it was raised than was asked for; `nil` for
    /// silence and for what is no clip.
    func reportedGain(of sound: Sound) -> (gain: Double?, loweredBy: Double?) {
        guard case .clip(let clip) = sound.content, !clip.isSilent else { return (nil, nil) }
        let less = askedGain(of: sound) - gain(of: sound)
        return (gain(of: sound), less > 0 ? (less * 100).rounded() / 100 : nil)
    }

    /// Frames of the output from the sound's position to its end; `nil` if it loops.
    func length(of sound: Sound) -> Int64? {
        switch sound.content {
        case .clip(let clip) where !clip.hasFile:
            let left = max(.zero, (clip.duration ?? .zero) - sound.position)
            return sound.settings.loops ? nil : left.frames(at: rate)
        case .clip(let clip):
            guard !sound.settings.loops, let file = clips[clip.path] else {
                return sound.settings.loops ? nil : 0
            }
            let left = max(0, file.length - sound.position.frames(at: file.rate))
            return (left * Int64(rate) + Int64(file.rate) - 1) / Int64(file.rate)
        case .tone(let name): return tones[name].map { Int64($0.count / 2) } ?? 0
        case .speech(let words): return speech[words].map { Int64($0.count / 2) } ?? 0
        }
    }
}
