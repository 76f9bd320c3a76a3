import SessionPorts
import StudyEngine
import StudyModel

/// A clip that answers the participant: its tempo and level follow the heart, and it is softer under prompts.
extension Shell {
    /// A change of tempo is decided on this long before it is heard, in addition to the delay of all sounds, because the
    /// player has that much sound ready.
    private static let lead = Duration.milliseconds(300)

    /// Restores the tempo of a clip that goes on after a pause.
    mutating func goOn(_ placed: ClipVoice) -> [Chore] {
        guard let tempo = following.tempi[placed.sound.ordinal] else { return [] }
        sound.voice?.tempo = tempo
        return change(from: placed, at: placed.begin)
    }

    /// A clip begins as the heart already is, for its first sample is not rendered yet; further adjustments are planned.
    mutating func beginFollowing(_ voice: ClipVoice) -> [Chore] {
        guard let following = voice.sound.settings.following else { return [] }
        if let step = following.yokedTo { return beginYoked(voice, to: step) }
        return Following.Part.allCases.flatMap { follow($0, with: voice.number, count: 0) }
    }

    /// Adjusts a part of the clip to the mean heart rate, and plans the next time. Without a heart rate it stays.
    mutating func follow(_ part: Following.Part, with number: Int, count: Int) -> [Chore] {
        guard let current = sound.playing(number), let following = current.sound.settings.following,
            let pace = following.pace(of: part)
        else { return [] }
        let due = current.begin.advanced(by: pace.interval * count)
        let next = due.advanced(by: pace.interval)
        let again = Chore.later(next, .sound(.following(number, part, count: count + 1)))
        var adjusted = current
        guard
            self.following.adjust(part, of: &adjusted, as: following, over: pace.smoothing, at: due)
        else { return [again] }
        sound.voice = adjusted
        let moment = part == .tempo && count > 0 ? due.advanced(by: Self.lead) : due
        return change(from: current, at: moment) + [again]
    }

    /// Plans what another participant's clip did.
    private mutating func beginYoked(_ voice: ClipVoice, to step: Identifier) -> [Chore] {
        following.turns(of: voice, as: step).flatMap { turn, moment in
            guard moment > voice.begin else {
                return takeCourse(of: voice.number, tempo: turn.tempo, gain: turn.gain, at: moment)
            }
            let decided = max(voice.begin, moment.advanced(by: .zero - Self.lead))
            return [
                .later(decided, .sound(.yoke(voice.number, tempo: turn.tempo, gain: turn.gain, at: moment)))
            ]
        }
    }

    mutating func takeCourse(
        of number: Int, tempo: Double, gain: Double, at instant: RunInstant
    ) -> [Chore] {
        guard let current = sound.playing(number) else { return [] }
        sound.voice?.tempo = tempo
        sound.voice?.followedGain = gain
        return change(from: current, at: instant)
    }

    /// Makes the clip softer while a prompt is asked, if the study wants that.
    mutating func duck(at instant: RunInstant) -> [Chore] {
        guard let current = sound.voice, current.sound.settings.gainUnderPrompts != 0 else { return [] }
        sound.voice?.promptGain = presentation?.prompt == nil ? 0 : current.sound.settings.gainUnderPrompts
        return change(from: current, at: max(instant, current.begin))
    }

    /// Lets the participant hear the volume that they have chosen and not yet confirmed.
    mutating func turn(to draft: DraftedAnswer, at now: RunInstant) -> [Chore] {
        guard let current = sound.voice, let presentation, current.sound.ordinal == presentation.ordinal,
            let check = run.entry(for: presentation).step.soundCheck,
            let volume = check.volume(draft.answer)
        else { return [] }
        let begun = current.sound.settings.gain - check.use.settings.gain
        sound.voice?.turnedGain = volume - begun
        return change(from: current, at: max(now, current.begin))
    }

    /// Asks the player for what has changed since then.
    private func change(from old: ClipVoice, at instant: RunInstant) -> [Chore] {
        guard let voice = sound.voice else { return [] }
        guard voice.tempo != old.tempo || voice.changedGain != old.changedGain else { return [] }
        return [.changeSound(voice.number, tempo: voice.tempo, gain: voice.changedGain, at: instant)]
    }

    /// Takes the player's report on a change.
    mutating func changed(
        _ number: Int, _ change: Playback.Change, length: Duration?, at now: RunInstant
    ) -> [Chore] {
        guard let current = sound.playing(number) else { return [] }
        return changed(clipOf: current.sound.ordinal, [change], length: length, at: now)
    }

    /// Takes how the clip of a visit is heard otherwise than was said.
    mutating func changed(
        clipOf ordinal: Int, _ changes: [Playback.Change], length: Duration?, at now: RunInstant
    ) -> [Chore] {
        let end = sound.take(changes, of: ordinal, length: length)
        return changes.flatMap { handle(.adjusted(ordinal: ordinal, $0), at: now) } + end
    }
}
