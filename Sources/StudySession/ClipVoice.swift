import StudyModel

/// A clip in the player's hands, from its beginning or a pause's end.
struct ClipVoice {
    /// Names it to the player.
    let number: Int
    let clip: Stimulus
    let sound: Sound
    let begin: RunInstant
    /// How long it lasts if nobody stops it; `nil` if that is not known.
    let length: Duration?
    /// What the player said of its beginning.
    let playback: Playback
    /// Whether the planned beginning has come.
    var hasBegun = false

    /// Whether the clip is over by then, by itself or by its step's end.
    func isOver(at instant: RunInstant) -> Bool {
        [naturalEnd, sound.cut].contains { end in end.map { $0 <= instant } == true }
    }

    /// What changes the level of a cue beside the clip, dB: it lies 6 LU below the clip's loudness, and is never
    /// louder than alone. The clip itself is what the study is about, and stays as it is.
    var cueGain: Double {
        let loudness = clip.loudness ?? Cue.loudness
        return min(0, loudness + sound.settings.gain - Cue.loudness - 6)
    }

    /// When the clip is over by itself, in planned time; `nil` if it goes on until stopped.
    var naturalEnd: RunInstant? { length.map { begin.advanced(by: $0) } }
}

extension Cue {
    /// What a cue is as loud as when nothing else is heard, and what a clip is taken for whose catalogue does not
    /// say: integrated loudness by EBU R 128, LUFS.
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
