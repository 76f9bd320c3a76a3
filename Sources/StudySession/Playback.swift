import StudyModel

/// A stretch of a clip, from its beginning or a pause's end.
struct Playback {
    let played: PlayedStimulus
    /// When the stretch was to begin.
    let begin: RunInstant
    /// The position in the clip at `begin`.
    let position: Duration
    /// When the step cuts it, if that was known at `begin`.
    let cut: RunInstant?
    /// Where the player placed it.
    let placement: Placement
    /// Whether the planned beginning has come.
    var hasBegun = false

    /// Whether the clip is over by then, by itself or by its step's end.
    func isOver(at instant: RunInstant) -> Bool {
        [naturalEnd, cut].contains { end in end.map { $0 <= instant } == true }
    }

    /// What changes the level of a cue beside the clip, dB: it lies 6 LU below the clip's loudness, and is never
    /// louder than alone. The clip itself is what the study is about, and stays as it is.
    var cueGain: Double {
        let loudness = played.drawn.stimulus.loudness ?? Cue.loudness
        return min(0, loudness + played.gain - Cue.loudness - 6)
    }

    /// When the clip is over by itself, in planned time; `nil` where it goes on until stopped.
    var naturalEnd: RunInstant? { placement.length.map { begin.advanced(by: $0) } }

    /// What there is to say of the beginning.
    var report: PlaybackReport {
        PlaybackReport(
            ordinal: played.ordinal, onset: placement.onset, onsetFrame: placement.onsetFrame,
            sampleRate: placement.sampleRate, latency: placement.latency)
    }
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
