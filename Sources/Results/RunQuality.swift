package import StudyModel
package import TextFormat

/// How good the recordings, the sound and the timing of a run were.
package struct RunQuality: Hashable, Sendable {
    /// The lowest share of a recording with samples, 0...1; `nil` without recordings.
    package let coverage: Double?
    /// The longest time without samples, s; `nil` without recordings.
    package let longestGap: Double?
    /// How often the participant paused.
    package let pauses: Int
    /// For how long the program stood still while a step was shown, s.
    package let stoodStill: Double
    /// The delay that all clips share, s: what the output device adds. It is the smallest delay of a clip's onset,
    /// and 0 if one was early; without clips, the smallest of a cue that was not placed early. `nil` without either.
    package let soundDelay: Double?
    /// The largest distance of anything from its planned moment, s, the clips' common delay aside; negative if it
    /// was too early.
    package let worstLateness: Double?
    /// How often the sound device ran out of sound.
    package let underruns: Int
    /// What went wrong with recorders, clips and programs.
    package let problems: Int

    package init(of visits: [ResultBundle.Visit]) {
        (soundDelay, worstLateness) = Self.timing(of: visits.flatMap(\.lateness))
        let recordings = visits.flatMap(\.recordings).filter { $0.end > $0.start }
        coverage = recordings.map(\.coverage).min()
        longestGap =
            recordings.isEmpty
            ? nil : recordings.flatMap(\.gaps).map(\.span.length).max() ?? 0
        pauses = visits.reduce(0) { $0 + $1.pauses.count }
        stoodStill = visits.compactMap(\.stoodStill).reduce(0, +)
        underruns = visits.compactMap(\.clip?.underruns).reduce(0, +)
        problems = visits.reduce(0) { $0 + $1.problems.count + ($1.clip?.problem == nil ? 0 : 1) }
    }

    /// The delay that all clips share, and the largest distance from a planned moment without it, s.
    static func timing(of moments: [ResultBundle.Lateness]) -> (soundDelay: Double?, worst: Double?) {
        let onsets = moments.filter(\.isOnset).map(\.seconds)
        // A tone that begins a step cannot be placed early; without clips, such tones say what they share.
        let lateCues = moments.filter { $0.isCue && $0.seconds > 0.01 }.map(\.seconds)
        let delay = (onsets.min() ?? lateCues.min()).map { max(0, $0) }
        let distances = moments.map { moment in
            let beyond = moment.seconds - (delay ?? 0)
            if moment.isOnset { return beyond }
            return moment.isCue && abs(beyond) < abs(moment.seconds) ? beyond : moment.seconds
        }
        return (delay, distances.max { abs($0) < abs($1) })
    }

    /// Which of the study's limits it misses, one phrase for each; empty if none.
    package func shortfalls(of limits: QualityLimits) -> [String] {
        var missed: [String] = []
        if let least = limits.coverage, let coverage, coverage < least {
            missed.append("\(percent(coverage)) % covered, at least \(percent(least)) % wanted")
        }
        if let most = limits.longestGap?.seconds, let longestGap, longestGap > most {
            missed.append("a gap of \(seconds(longestGap)), at most \(seconds(most)) wanted")
        }
        if let most = limits.pauses, pauses > most {
            missed.append("\(counted(pauses, "pause")), at most \(most) wanted")
        }
        if let most = limits.lateness?.seconds, let worstLateness, abs(worstLateness) > most {
            missed.append(
                "\(milliseconds(abs(worstLateness))) ms off, at most \(milliseconds(most)) ms wanted")
        }
        if let most = limits.lateness?.seconds, stoodStill > most {
            missed.append(
                "the program stood still for \(seconds(stoodStill)), at most \(milliseconds(most)) ms late wanted"
            )
        }
        if let most = limits.underruns, underruns > most {
            missed.append("\(counted(underruns, "underrun")), at most \(most) wanted")
        }
        return missed
    }

    /// What is worth saying about it, one phrase for each point.
    package var phrases: [String] {
        var said: [String] = []
        if let coverage { said.append("\(percent(coverage)) % covered") }
        if let longestGap, longestGap > 0 { said.append("longest gap \(seconds(longestGap))") }
        if pauses > 0 { said.append(counted(pauses, "pause")) }
        if stoodStill > 0 { said.append("the program stood still for \(seconds(stoodStill))") }
        if let worstLateness {
            let delay = soundDelay ?? 0
            said.append(
                "at most \(milliseconds(abs(worstLateness))) ms off"
                    + (delay > 0 ? " (the sound's delay of \(milliseconds(delay)) ms aside)" : ""))
        }
        if underruns > 0 { said.append(counted(underruns, "underrun")) }
        if problems > 0 { said.append(counted(problems, "problem")) }
        return said
    }

    /// For the JSON of a command.
    package var members: [String: JSON] {
        var members: [String: JSON] = [
            "pauses": .integer(pauses), "underruns": .integer(underruns), "problems": .integer(problems),
        ]
        members["coverage"] = coverage.map { .real($0) }
        members["longestGap"] = longestGap.map { .real($0) }
        members["stoodStill"] = stoodStill > 0 ? .real(stoodStill) : nil
        members["soundDelay"] = soundDelay.map { .real($0) }
        members["worstLateness"] = worstLateness.map { .real($0) }
        return members
    }

    /// Rounded down, so that a share just below a limit does not look like the limit.
    private func percent(_ share: Double) -> String { plainNumber((1000 * share + 1e-6).rounded(.down) / 10) }
}
