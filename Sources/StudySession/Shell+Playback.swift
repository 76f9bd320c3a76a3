import Results
import SessionPorts
import StudyEngine
import StudyModel

extension Shell {
    /// Takes the player's report on where it placed a sound.
    mutating func placed(
        _ sound: Sound, as number: Int, at instant: RunInstant, _ playback: Playback, length: Duration?
    ) -> [Chore] {
        guard case .clip(let clip) = sound.content else {
            guard let key = self.sound.soundedCue(number) else { return [] }
            let heard = playback.onsetFrame == nil ? nil : playback.onset
            return handle(.cueGiven(key, heard: heard), at: instant)
        }
        let next = ClipVoice(
            number: number, clip: clip, sound: sound, begin: instant, length: length, playback: playback)
        self.sound.hold(next)
        return [.later(instant, .sound(.begins(number)))]
            + (next.naturalEnd.map { [.later($0, .sound(.ends(number)))] } ?? [])
            + goOn(next) + duck(at: instant)
    }

    mutating func stopPlaying(_ ordinal: Int, at instant: RunInstant) -> [Chore] {
        guard let current = sound.voice, current.sound.ordinal == ordinal else { return [] }
        // Into a pause, or the end of the run, nothing fades.
        let fade = run.hasGoneOn(from: ordinal) ? current.sound.settings.crossFade : .zero
        let instant = instant.advanced(by: fade)
        sound.release(current, at: instant)
        circumstances.musicEnergy = nil
        let stop = Chore.stopSound(current.number, at: instant, fading: fade)
        guard current.hasBegun, instant >= current.begin else { return [stop] }
        following.remember(current.begin.duration(to: instant), of: ordinal)
        sound.awaitOutcome(of: current.number)
        let heardEnd = max(instant.advanced(by: sound.delay), current.playback.onset)
        let wait = sound.delay > .zero ? Duration.milliseconds(20) : .zero
        let ask =
            sound.delay + fade > .zero
            ? Chore.later(heardEnd.advanced(by: wait), .sound(.isOver(current.number)))
            : .askOutcome(current.number, at: instant)
        return [stop, .update(.clip(isHeard: nil))] + logPosition(of: current, at: instant) + [ask]
    }

    /// Takes the player's report on a sound that is over.
    mutating func take(_ playback: Playback, of voice: Int, at now: RunInstant) -> [Chore] {
        sound.hasOutcome(voice) ? handle(.played(playback), at: now) : []
    }

    mutating func clipBegins(_ number: Int, at now: RunInstant) -> [Chore] {
        guard let current = sound.playing(number) else { return [] }
        sound.voice?.hasBegun = true
        circumstances.musicEnergy =
            current.clip.isSilent ? 0 : current.clip.attributes["energy"].flatMap(Double.init) ?? 0.5
        return [.update(.clip(isHeard: sound.isAudible))] + recordPosition(number, at: now)
            + handle(.played(current.playback), at: now) + beginFollowing(current)
    }

    mutating func clipEnds(_ number: Int, at now: RunInstant) -> [Chore] {
        // A clip whose tempo changed ends at another moment.
        guard let current = sound.playing(number), let end = current.naturalEnd, end <= now else { return [] }
        return stopPlaying(current.sound.ordinal, at: end)
    }

    /// Nothing can be heard any more. A study that requires sound ends; any other goes on and says so.
    mutating func soundIsLost(_ problem: String, at now: RunInstant) -> [Chore] {
        guard sound.isRequired else {
            let clip = sound.voice?.hasBegun == true ? [Chore.update(.clip(isHeard: false))] : []
            return [.update(.source("audio", problem: SourceProblem(problem)))] + clip
        }
        return handle(.failed("the sound has stopped: \(problem)"), at: now)
    }

    /// Records the position in the clip, now and then every second.
    func recordPosition(_ number: Int, at now: RunInstant) -> [Chore] {
        guard let current = sound.playing(number), !recordings.positions.isEmpty else { return [] }
        let second = (current.begin.duration(to: now) / .seconds(1)).rounded(.down) + 1
        let next = current.begin.advanced(by: .seconds(second))
        return logPosition(of: current, at: now) + [.later(next, .sound(.position(number)))]
    }

    /// When the step on show will end, while it runs.
    var runningEnd: RunInstant? {
        guard case .running(_, let end)? = presentation?.phase else { return nil }
        return end
    }

    private func logPosition(of current: ClipVoice, at now: RunInstant) -> [Chore] {
        let position = current.position(at: now, delay: sound.delay)
        return recordings.positions.map {
            .write(.append($0, .position(stimulus: current.clip.identifier, position: position, at: now)))
        }
    }
}
