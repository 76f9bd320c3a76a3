import SessionPorts
import StudyEngine
import StudyModel

/// A clip that answers the participant: its tempo and level follow the heart, and it is softer under prompts.
extension Shell {
    /// So much earlier a change of tempo is decided on than it is heard, besides the delay of all sounds: what the
    /// player has ready does not change any more.
    private static let lead = Duration.milliseconds(300)
    /// For so long heart rates are remembered.
    private static let memory = Duration.seconds(600)

    /// A heart rate came.
    mutating func remember(_ rate: Double, at now: RunInstant) {
        rates.removeAll { $0.instant < now.advanced(by: .zero - Self.memory) }
        rates.append((rate, now))
    }

    /// A clip that goes on after a pause has the tempo that it had before.
    mutating func goOn(_ placed: ClipVoice) -> [Chore] {
        guard let tempo = tempi[placed.sound.ordinal] else { return [] }
        voice?.tempo = tempo
        return change(from: placed, at: placed.begin)
    }

    /// A clip begins, and its first adjustments are due.
    mutating func beginFollowing(_ voice: ClipVoice) -> [Chore] {
        guard let following = voice.sound.settings.following else { return [] }
        if let step = following.yokedTo { return beginYoked(voice, to: step) }
        return Following.Part.allCases.filter { following.pace(of: $0) != nil }.map {
            .later(voice.begin, .followingIsDue(voice.number, $0, count: 0))
        }
    }

    /// Adjusts a part of the clip to the mean heart rate, and plans the next time. Without a heart rate it stays.
    mutating func follow(_ part: Following.Part, with number: Int, count: Int) -> [Chore] {
        guard let current = playing(number), let following = current.sound.settings.following,
            let pace = following.pace(of: part)
        else { return [] }
        let due = current.begin.advanced(by: pace.interval * count)
        let next = due.advanced(by: pace.interval)
        let again = Chore.later(next, .followingIsDue(number, part, count: count + 1))
        let first = due.advanced(by: .zero - pace.smoothing)
        let recent = rates.filter { $0.instant > first && $0.instant <= due }.map(\.rate)
        guard !recent.isEmpty else { return [again] }
        let rate = recent.reduce(0, +) / Double(recent.count)
        switch part {
        case .tempo:
            guard let tempo = following.tempo, let own = current.clip.tempo else { return [again] }
            let beats =
                beatsPerHeartbeat[current.sound.ordinal] ?? tempo.perHeartbeat(at: rate, of: own)
            beatsPerHeartbeat[current.sound.ordinal] = beats
            voice?.tempo = tempo.factor(for: rate, of: own, perHeartbeat: beats)
            tempi[current.sound.ordinal] = voice?.tempo
        case .loudness: voice?.followedGain = following.loudness?.gain(at: rate) ?? 0
        }
        let moment = part == .tempo ? due.advanced(by: Self.lead) : due
        return change(from: current, at: moment) + [again]
    }

    /// Plans what another participant's clip did: each visit does what the same visit of the other run did, and further
    /// ones what the last did.
    private mutating func beginYoked(_ voice: ClipVoice, to step: Identifier) -> [Chore] {
        guard let courses = yoke?.courses[step], let last = courses.last else { return [] }
        let ordinal = voice.sound.ordinal
        if yoked[step]?.contains(ordinal) != true { yoked[step, default: []].append(ordinal) }
        let place = yoked[step]?.firstIndex(of: ordinal) ?? 0
        let course = place < courses.count ? courses[place] : last
        let heard = heardFor[ordinal] ?? .zero
        // What it was before a pause, it is again.
        let turns = [course.last { $0.time <= heard }].compactMap(\.self) + course.filter { $0.time > heard }
        return turns.map { turn in
            let moment = voice.begin.advanced(by: max(.zero, turn.time - heard))
            return .later(
                max(voice.begin, moment.advanced(by: .zero - Self.lead)),
                .yokeIsDue(voice.number, tempo: turn.tempo, gain: turn.gain, at: moment))
        }
    }

    mutating func takeCourse(
        of number: Int, tempo: Double, gain: Double, at instant: RunInstant
    ) -> [Chore] {
        guard let current = playing(number) else { return [] }
        voice?.tempo = tempo
        voice?.followedGain = gain
        return change(from: current, at: instant)
    }

    /// Makes the clip softer while a prompt is asked, if the study wants that.
    mutating func duck(at instant: RunInstant) -> [Chore] {
        guard let current = voice, current.sound.settings.gainUnderPrompts != 0 else { return [] }
        voice?.promptGain = presentation?.prompt == nil ? 0 : current.sound.settings.gainUnderPrompts
        return change(from: current, at: max(instant, current.begin))
    }

    /// Lets the participant hear the volume that they have chosen and not yet confirmed.
    mutating func turn(to draft: DraftedAnswer, at now: RunInstant) -> [Chore] {
        guard let current = voice, let presentation, current.sound.ordinal == presentation.ordinal,
            let check = run.entry(for: presentation).step.soundCheck,
            let volume = check.volume(draft.answer)
        else { return [] }
        let begun = current.sound.settings.gain - check.use.settings.gain
        voice?.turnedGain = volume - begun
        return change(from: current, at: max(now, current.begin))
    }

    /// Asks the player for what has changed since then.
    private func change(from old: ClipVoice, at instant: RunInstant) -> [Chore] {
        guard let voice else { return [] }
        guard voice.tempo != old.tempo || voice.changedGain != old.changedGain else { return [] }
        return [.changeSound(voice.number, tempo: voice.tempo, gain: voice.changedGain, at: instant)]
    }

    /// Takes the player's report on a change.
    mutating func changed(
        _ number: Int, _ change: Playback.Change, length: Duration?, at now: RunInstant
    ) -> [Chore] {
        guard let current = playing(number) else { return [] }
        voice?.changes.append(change)
        voice?.length = length
        let ordinal = current.sound.ordinal
        if let last = heard.lastIndex(where: { $0.ordinal == ordinal && $0.end == nil }) {
            heard[last].changes.append(change)
        }
        let end = voice?.naturalEnd.map { [Chore.later($0, .clipEnds(number))] } ?? []
        return handle(.adjusted(ordinal: ordinal, change), at: now) + end
    }
}
