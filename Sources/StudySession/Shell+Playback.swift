import Results
import StudyModel

extension Shell {
    func play(_ played: PlayedStimulus, at instant: RunInstant, from position: Duration) -> [Chore] {
        let sound = Sound(
            .clip(played.drawn.stimulus), from: position, fade: played.fade, gain: played.gain,
            loops: played.loops, cut: runningEnd)
        return [.place(sound, at: instant, clip: played)]
    }

    /// Takes where the player placed a clip.
    mutating func placed(
        _ played: PlayedStimulus, as sound: Sound, at instant: RunInstant, _ placement: Placement
    ) -> [Chore] {
        let next = Playback(
            played: played, begin: instant, position: sound.position, cut: sound.cut, placement: placement)
        playback = next
        let stretch = Input.Stretch(ordinal: played.ordinal, begin: instant)
        return [.later(instant, .clipBegins(stretch))]
            + (next.naturalEnd.map { [.later($0, .clipEnds(stretch))] } ?? [])
    }

    mutating func stopPlaying(_ ordinal: Int, at instant: RunInstant) -> [Chore] {
        guard let current = playback, current.played.ordinal == ordinal else { return [] }
        let voice = current.placement.voice
        playback = nil
        circumstances.musicEnergy = nil
        let stop = Chore.stopSound(voice, at: instant)
        guard current.hasBegun, instant >= current.begin else { return [stop] }
        ending[voice] = current
        let heardEnd = max(instant.advanced(by: soundDelay), current.placement.onset)
        let ask =
            soundDelay > .zero
            ? Chore.later(heardEnd.advanced(by: .milliseconds(20)), .clipIsOver(voice))
            : .askOutcome(voice, at: instant)
        return [stop] + logPosition(of: current, at: instant) + [ask]
    }

    /// Takes what became of a sound that is heard no more.
    mutating func take(_ outcome: PlaybackOutcome, of voice: Int, at now: RunInstant) -> [Chore] {
        guard let current = ending.removeValue(forKey: voice) else { return [] }
        var report = current.report
        report.end = outcome.end
        report.underruns = outcome.underruns
        report.problem = outcome.problem
        return handle(.played(report), at: now)
    }

    mutating func clipBegins(_ stretch: Input.Stretch, at now: RunInstant) -> [Chore] {
        guard let current = playing(stretch) else { return [] }
        playback?.hasBegun = true
        circumstances.musicEnergy =
            current.played.drawn.stimulus.attributes["energy"].flatMap(Double.init) ?? 0.5
        return notePosition(stretch, at: now) + handle(.played(current.report), at: now)
    }

    mutating func clipEnds(_ stretch: Input.Stretch, at now: RunInstant) -> [Chore] {
        guard let current = playing(stretch) else { return [] }
        return stopPlaying(stretch.ordinal, at: current.naturalEnd ?? now)
    }

    /// Gives a cue at its planned moment: the player what it can play, the participant's device the rest.
    func give(_ signal: Cue.Signal, at instant: RunInstant) -> [Chore] {
        switch signal {
        case .bell: return [.update(.cue(signal))]
        case .sound(let tone):
            guard isAudible else { return [.update(.cue(signal))] }
            return [place(.tone(tone), at: instant)]
        case .say(let words):
            let speech = isAudible ? [place(.speech(words.text(in: language)), at: instant)] : []
            return speech + [.update(.cue(signal))]
        }
    }

    private func place(_ cue: Sound.Content, at instant: RunInstant) -> Chore {
        let clip = playback.flatMap { $0.isOver(at: instant) ? nil : $0 }
        return .place(Sound(cue, gain: clip?.cueGain ?? 0), at: instant, clip: nil)
    }

    /// Nothing is heard any more: a study that cannot do without sound ends, any other goes on and says so.
    mutating func soundIsLost(_ problem: String, at now: RunInstant) -> [Chore] {
        guard isAudioRequired else { return [.update(.source("audio", problem: SourceProblem(problem)))] }
        return handle(.failed("no sound any more: \(problem)"), at: now)
    }

    /// Notes the position in the clip, now and every second from now on.
    func notePosition(_ stretch: Input.Stretch, at now: RunInstant) -> [Chore] {
        guard let current = playing(stretch), !positionRecorders.isEmpty else { return [] }
        let second = (stretch.begin.duration(to: now) / .seconds(1)).rounded(.down) + 1
        let next = stretch.begin.advanced(by: .seconds(second))
        return logPosition(of: current, at: now) + [.later(next, .position(stretch))]
    }

    /// When the step on show is to end, while it runs.
    private var runningEnd: RunInstant? {
        guard case .running(_, let end)? = presentation?.phase else { return nil }
        return end
    }

    private func playing(_ stretch: Input.Stretch) -> Playback? {
        playback.flatMap { $0.played.ordinal == stretch.ordinal && $0.begin == stretch.begin ? $0 : nil }
    }

    private var positionRecorders: [RecorderKey] {
        recordings.values.filter { $0.configuration.signal == .stimulusPosition }.map(\.key)
            .sorted { ($0.ordinal, $0.segment) < ($1.ordinal, $1.segment) }
    }

    private func logPosition(of current: Playback, at now: RunInstant) -> [Chore] {
        let position = current.position + max(current.begin.duration(to: now), .zero)
        let clip = current.played.drawn.stimulus.identifier
        return positionRecorders.map {
            .write(.append($0, .position(stimulus: clip, position: position, at: now)))
        }
    }
}
