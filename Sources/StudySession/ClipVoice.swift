import SessionPorts
import StudyModel

/// A clip that the player holds, from its beginning or from the end of a pause.
struct ClipVoice {
    /// The number by which the player knows it.
    let number: Int
    let clip: Stimulus
    let sound: Sound
    let begin: RunInstant
    /// How long it lasts if nobody stops it; `nil` if that is not known.
    var length: Duration?
    /// What the player said about its beginning.
    let playback: Playback
    /// Whether the planned beginning has come.
    var hasBegun = false
    /// How its tempo and level changed, in order.
    var changes: [Playback.Change] = []
    /// The tempo and the level that were last asked for: by the heart, and under a prompt.
    var tempo = 1.0
    var followedGain = 0.0
    var promptGain = 0.0
    /// How much louder than at its beginning the participant has turned it, dB.
    var turnedGain = 0.0
    /// The change of level besides that of the whole clip, dB.
    var changedGain: Double { followedGain + promptGain + turnedGain }

    /// Whether the clip is over at a moment, by itself or because its step ended.
    func isOver(at instant: RunInstant) -> Bool {
        [naturalEnd, sound.cut].contains { end in end.map { $0 <= instant } == true }
    }

    /// The change in level of a cue beside the clip, dB. The cue is 6 LU quieter than the clip, and never louder
    /// than it would be alone. The clip itself stays as it is, because the study is about it.
    ///
    /// - Parameter volume: the volume of the run, dB.
    func cueGain(at volume: Double) -> Double {
        let loudness = sound.settings.loudness ?? clip.loudness ?? Cue.loudness
        return min(volume, loudness + clip.gain + sound.settings.gain + changedGain - Cue.loudness - 6)
    }

    /// The position in the file at a planned moment.
    ///
    /// - Parameter delay: how much later than planned it is heard.
    func position(at instant: RunInstant, delay: Duration) -> Duration {
        guard !changes.isEmpty else { return sound.position + max(begin.duration(to: instant), .zero) }
        return changes.position(
            at: max(instant.advanced(by: delay), playback.onset), onset: playback.onset,
            from: sound.position)
    }

    /// When the clip ends by itself, in planned time; `nil` if it goes on until it is stopped.
    var naturalEnd: RunInstant? { length.map { begin.advanced(by: $0) } }
}

extension Cue {
    /// The loudness of a cue when nothing else is heard, and the assumed loudness of a clip whose catalogue gives
    /// none: integrated loudness by EBU R 128, LUFS.
    fileprivate static var loudness: Double { -18 }
}

extension Stimulus {
    /// The loudness that the catalogue states, LUFS.
    fileprivate var loudness: Double? {
        attributes["loudness"]?.split(separator: " ").first.flatMap { Double($0) }.flatMap {
            (-70...0).contains($0) ? $0 : nil
        }
    }
}
