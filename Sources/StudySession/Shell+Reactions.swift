import SessionPorts
import StudyEngine
import StudyModel

extension Shell {
    /// Takes a key of a reaction, with the moment from which its time is measured. A key for a visit that is over has
    /// no effect.
    mutating func take(_ reacted: Reacted, at now: RunInstant) -> [Chore] {
        guard let presentation, presentation.ordinal == reacted.ordinal,
            let onset = reactionOnset(in: presentation, at: reacted.instant)
        else { return [] }
        var answer = GivenAnswer(question: run.entry(for: presentation).step.identifier, answer: nil)
        var press = ReactionResult.Press(
            key: reacted.key, at: reacted.instant, onset: onset.instant, reference: onset.reference)
        press.isRepetition = reacted.isRepetition
        answer.reaction = ReactionResult(press: press)
        return handle(.answered([answer]), at: now)
    }

    /// The moment from which a reaction is measured: of the last one that was heard before the key, or else of the
    /// next one.
    ///
    /// - Returns: `nil` if the step on show waits for no reaction.
    private func reactionOnset(
        in presentation: Presentation, at instant: RunInstant
    ) -> (instant: RunInstant, reference: ReactionResult.Reference)? {
        guard case .running(let start, _) = presentation.phase,
            let active = run.entry(for: presentation).step.active, let reaction = active.reaction
        else { return nil }
        let own = sound.heard.filter { $0.ordinal == presentation.ordinal }
        guard let clip = own.last(where: { $0.onset <= instant }) ?? own.first else {
            // Without a sound to be heard, the plan says when it would have begun.
            let target = active.stimulus.map { $0.onset + (reaction.target ?? $0.start) - $0.start }
            return target.map { (start.advanced(by: $0), .plannedSound) } ?? (start, .step)
        }
        let onset = clip.instant(of: reaction.target ?? clip.position)
        return (onset, sound.isAudible ? .sound : .plannedSound)
    }

    /// The simulated participant decides about a reaction, or presses the key.
    ///
    /// - Parameter key: the key; `nil` if it has not decided yet.
    mutating func reactionDue(_ key: String?, at now: RunInstant) -> [Chore] {
        guard let shown = presentation, run.awaitsReaction(in: shown) else { return [] }
        if let key { return take(Reacted(ordinal: shown.ordinal, key: key, at: now), at: now) }
        guard let onset = reactionOnset(in: shown, at: now),
            let response = autopilot?.reaction(in: run.entry(for: shown))
        else { return [] }
        let press = max(now, onset.instant).advanced(by: response.time)
        return [.later(press, .automatic(.reaction(key: response.key), for: shown))]
    }
}
