import Results
import SessionPorts
import StudyEngine
import StudyModel

/// What is heard of a clip: which position at which moment.
struct HeardClip {
    let ordinal: Int
    let clip: Stimulus
    let loops: Bool
    /// When its sound from `position` on is heard.
    let onset: RunInstant
    let position: Duration
    /// When it is no longer heard, once that is known.
    var end: RunInstant?
    /// How its tempo changed, in order.
    var changes: [Playback.Change] = []

    /// The position in the file at a moment; behind its end if the clip was over. A clip that starts again at its end
    /// does so here only if the catalogue gives its length.
    func position(at instant: RunInstant) -> Duration {
        let passed = changes.position(at: instant, onset: onset, from: position)
        guard loops, let length = clip.duration, length > .zero, passed >= length else { return passed }
        return passed - length * Int((passed / length).rounded(.down))
    }

    /// Seconds of the clip in a second, at a moment.
    func tempo(at instant: RunInstant) -> Double { changes.last { $0.instant <= instant }?.tempo ?? 1 }

    /// When a position in the file is heard, for the first time.
    func instant(of place: Duration) -> RunInstant {
        guard let change = changes.last(where: { $0.tempo > 0 && $0.position <= place }) else {
            return onset.advanced(by: place - position)
        }
        return change.instant.advanced(by: (place - change.position) / change.tempo)
    }

    /// When the next beat at or after a moment is heard.
    func beat(after instant: RunInstant) -> RunInstant? {
        let (position, tempo) = (position(at: instant), tempo(at: instant))
        guard tempo > 0, let next = clip.beats?.next(from: position, end: clip.duration) else { return nil }
        let beat = instant.advanced(by: (next - position) / tempo)
        return end.map { beat < $0 } == false ? nil : beat
    }
}

extension Shell {
    /// Takes a tap, also shortly after the recording's end if the key was pressed before it.
    mutating func take(_ tapped: Tapped, at now: RunInstant) -> [Chore] {
        let open = recordings.recording(by: tapped.recorder, in: tapped.ordinal, at: tapped.instant)
        return open.map { [keep(tapped.key, in: $0.key, at: tapped.instant, now: now)] } ?? []
    }

    private func keep(
        _ key: String, in recorder: RecorderKey, at instant: RunInstant, now: RunInstant
    ) -> Chore {
        var tap = Tap(key: key)
        if let clip = sound.clip(at: instant, in: presentation?.ordinal) {
            let position = clip.position(at: instant)
            let end = clip.loops ? nil : clip.clip.duration
            // While nothing of the clip is heard, there is no beat.
            let tempo = clip.tempo(at: instant)
            tap.beat = tempo > 0 ? clip.clip.beats?.beat(near: position, end: end) : nil
            tap.beat?.asynchrony /= tempo
            // Before its first sound, a clip has no position; its first beat may have been anticipated.
            tap.position = position < .zero || end.map { position >= $0 } == true ? nil : position
        }
        let sample = Timed(SignalValue.tap(tap), at: instant, arrival: max(now, instant))
        return .write(.append(recorder, .sample(sample)))
    }

    /// The simulated participant taps, and plans its next tap.
    mutating func tapDue(_ key: RecorderKey, isTap: Bool, at now: RunInstant) -> [Chore] {
        guard let recording = recordings.running(key),
            let name = recording.configuration.tapping?.keys.first
        else { return [] }
        let tap = isTap ? [keep(name, in: key, at: now, now: now)] : []
        let beat = sound.clip(at: now, in: presentation?.ordinal)?.beat(
            after: now.advanced(by: .milliseconds(150)))
        guard let next = autopilot?.tap(after: now, beat: beat) else { return tap }
        return tap + [.later(next.instant, .recorder(key, .tapDue(isTap: next.isTap)))]
    }
}
