import Results
import SessionPorts
import StudyEngine
import StudyModel

/// Cues: the player sounds what it can, early enough that it is heard at its moment; the participant's device gives the
/// rest.
extension Shell {
    /// A cue is due at a moment. If the player needs time until it is heard, it is placed before.
    func expectCue(_ wake: Wake, at instant: RunInstant, now: RunInstant) -> [Chore] {
        guard sound.isAudible, sound.delay > .zero, let signal = run.awaits(wake), content(of: signal) != nil
        else { return [] }
        return [
            .later(max(now, instant.advanced(by: .zero - sound.delay)), .sound(.cue(wake, heardAt: instant)))
        ]
    }

    mutating func placeEarly(_ wake: Wake, heardAt instant: RunInstant, now: RunInstant) -> [Chore] {
        guard case .cue(let cue) = wake.moment, let content = run.awaits(wake).flatMap({ content(of: $0) })
        else { return [] }
        let key = CueKey(ordinal: wake.ordinal, cue: cue)
        return [place(content, key, isEarly: true, at: max(now, instant.advanced(by: .zero - sound.delay)))]
    }

    /// Gives a cue at its planned moment, unless it is heard by now.
    mutating func give(_ signal: Cue.Signal, _ key: CueKey, at instant: RunInstant) -> [Chore] {
        let wasEarly = sound.isGiven(key)
        guard let content = content(of: signal) else {
            return [.update(.cue(shown(signal)))] + handle(.cueGiven(key, heard: nil), at: instant)
        }
        let placed = wasEarly ? [] : [place(content, key, isEarly: false, at: instant)]
        if case .say = signal { return placed + [.update(.cue(signal))] }
        return placed + [.update(.sounded(signal))]
    }

    /// A step that is paused or over gives no more cues.
    mutating func takeBackCues(for presentation: Presentation, at instant: RunInstant) -> [Chore] {
        var isRunning = false
        if case .running = presentation.phase { isRunning = true }
        return sound.takeBackCues(except: isRunning ? presentation.ordinal : nil).map {
            .stopSound($0, at: instant.advanced(by: .zero - sound.delay), fading: .zero)
        }
    }

    /// A tone that belongs to no cue, at a planned moment.
    mutating func give(_ tone: Identifier, at instant: RunInstant) -> [Chore] {
        [place(.tone(tone), nil, isEarly: false, at: instant)]
    }

    /// What the player can sound of a cue. Text that is filled in during the run is shown, because it could not be spoken
    /// in advance.
    private func content(of signal: Cue.Signal) -> Sound.Content? {
        guard sound.isAudible else { return nil }
        switch signal {
        case .bell: return nil
        case .sound(let tone): return .tone(tone)
        case .say(let text): return shown(signal) == signal ? .speech(text.text(in: setting.language)) : nil
        }
    }

    /// A cue with its texts filled in.
    private func shown(_ signal: Cue.Signal) -> Cue.Signal {
        guard case .say(let text) = signal, let presentation else { return signal }
        let words = run.words(text, for: presentation, in: setting.language)
        return words == text.text(in: setting.language) ? signal : .say(.plain(words))
    }

    private mutating func place(
        _ content: Sound.Content, _ key: CueKey?, isEarly: Bool, at instant: RunInstant
    ) -> Chore {
        let clip = sound.voice.flatMap { $0.isOver(at: instant) ? nil : $0 }
        var settings = Playback.Settings(gain: clip?.cueGain(at: run.volume) ?? run.volume)
        settings.ceiling = run.ceiling
        return sound.place(Sound(content, settings), for: key, isEarly: isEarly, at: instant)
    }
}
