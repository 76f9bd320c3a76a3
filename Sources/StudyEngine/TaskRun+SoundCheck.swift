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
        settings.ceiling = memory.ceiling
        switch visit.entry.step.soundCheck?.purpose {
        case .volume: settings.gain += volumeToTry(in: visit)
        // It is measured at the level that the study gives.
        case .measured: settings.ceiling = nil
        case nil: settings.gain += memory.volume
        }
        return settings
    }

    /// The volume at which a sound check begins: what was chosen here last, or where the study begins.
    private func volumeToTry(in visit: Visit) -> Double {
        let step = visit.entry.step
        if let check = step.soundCheck, let volume = check.volume(memory.answer(to: step.identifier)) {
            return volume
        }
        guard case .question(.continuous(let scale), _) = step.kind else { return 0 }
        return scale.start ?? scale.from
    }
}
