import StudyModel

/// How loud a run is.
extension TaskRun {
    /// The volume of everything that is played from now on, dB: what the participant set.
    package var volume: Double { memory.volume }
    /// The loudness above which nothing may be played, LUFS; `nil` if nothing limits it.
    package var ceiling: Double? { memory.ceiling }

    /// How the clip of a visit is played, with the volume that was set and the limit that was measured.
    func leveled(_ settings: Playback.Settings, in visit: Visit) -> Playback.Settings {
        var settings = settings
        // What is measured has the level that the study gives.
        if case .measured? = visit.entry.step.soundCheck?.purpose { return settings }
        settings.ceiling = memory.ceiling
        settings.gain += memory.volume
        return settings
    }

    /// A sound check begins with what was chosen there last, or where the study wants it to begin. Who skips it keeps that.
    mutating func beginSoundCheck(_ step: Step) {
        guard let check = step.soundCheck, check.purpose == .volume,
            case .question(.continuous(let scale), _) = step.kind
        else { return }
        memory.volume = check.volume(memory.answer(to: step.identifier)) ?? scale.start ?? scale.from
    }
}
