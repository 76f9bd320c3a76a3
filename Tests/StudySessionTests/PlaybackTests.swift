import SessionPorts
import StudyModel
import Testing

@testable import StudySession

@Suite struct PlaybackTests {
    private func playback(
        loudness: String? = nil, gain: Double = 0, length: Duration? = .seconds(4), cut: RunInstant? = nil
    ) -> ClipVoice {
        let clip = Stimulus(
            identifier: "tune", file: "tune.ogg", path: "tune.ogg",
            attributes: loudness.map { ["loudness": $0] } ?? [:])
        return ClipVoice(
            number: 1, clip: clip, sound: Sound(.clip(clip), Playback.Settings(gain: gain), in: 1, cut: cut),
            begin: .seconds(10), length: length, playback: Playback(ordinal: 1, onset: .seconds(10)))
    }

    @Test(
        arguments: [
            (nil, 0, -6), ("-18.0 LUFS", 0, -6), ("-24 LUFS", 0, -12), ("-18", -3, -9), ("-10 LUFS", 0, 0),
            ("loud", 0, -6), ("nan LUFS", 0, -6), ("", 0, -6), ("12 LUFS", 0, -6),
        ] as [(String?, Double, Double)])
    func `a cue lies 6 LU below the clip, and is never louder than alone`(
        loudness: String?, gain: Double, wanted: Double
    ) {
        #expect(abs(playback(loudness: loudness, gain: gain).cueGain(at: 0) - wanted) < 1e-9)
        // With a volume, the clip's own gain has it, too.
        let softer = playback(loudness: loudness, gain: gain - 20).cueGain(at: -20)
        #expect(abs(softer - wanted + 20) < 1e-9)
    }

    @Test func `a clip is over at its own end or its step's, whichever comes first`() {
        #expect(!playback().isOver(at: .seconds(13.9)) && playback().isOver(at: .seconds(14)))
        let cut = playback(cut: .seconds(12))
        #expect(!cut.isOver(at: .seconds(11.9)) && cut.isOver(at: .seconds(12)))
        #expect(!playback(length: nil).isOver(at: .seconds(1000)))
    }
}
