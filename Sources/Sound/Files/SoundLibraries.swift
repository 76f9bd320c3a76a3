/// Libraries without which some sounds cannot be made or measured.
package enum SoundLibraries {
    static let stretching = "SoundTouch: sudo apt install libsoundtouch1"
    static let loudness = "libebur128: sudo apt install libebur128-1"

    /// What is lacking here, each with what it is for and what brings it.
    package static var missing: [String] {
        var words: [String] = []
        if !TempoStretcher.isThere {
            words.append("clips whose tempo changes need \(stretching)")
        }
        if !LoudnessMeter.isThere {
            words.append("clips whose loudness is measured need \(loudness)")
        }
        return words
    }
}
