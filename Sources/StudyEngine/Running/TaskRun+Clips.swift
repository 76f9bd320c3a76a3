import StudyModel

/// Clips that are decided on when their step begins.
extension TaskRun {
    /// The clip of a visit.
    mutating func deal(to visit: Visit, at now: RunInstant) -> DrawnStimulus? {
        switch visit.entry.stimulus {
        case nil: return nil
        case .clip(let clip): return clip
        case .next(let deck):
            let clips = plan.decks[deck].clips
            guard !clips.isEmpty else { return nil }
            defer { dealt[deck] += 1 }
            return clips[dealt[deck] % clips.count]
        case .answered(let question, let set, let otherwise):
            guard case .choice(let name, _)? = memory.answer(to: question),
                let index = set.pool.firstIndex(where: { $0.identifier.text == name })
            else { return otherwise }
            return set.clip(index, method: "answer", stream: nil)
        case .nearest(let nearest, let set, let otherwise):
            return choose(nearest, from: set, for: visit, at: now) ?? otherwise
        }
    }

    /// - Returns: `nil` if something is not known that the clip is to be near.
    private mutating func choose(
        _ nearest: NearestClip, from set: StimulusSet, for visit: Visit, at now: RunInstant
    ) -> DrawnStimulus? {
        let share = plan.shareOfRounds(at: visit.position)
        var aims: [String: Double] = [:]
        for aim in nearest.aims {
            let values = aim.goal.values.map { memory.value($0, at: now) }
            guard let from = values[0], let to = values[values.count - 1] else { return nil }
            // A millionth is less than any attribute or answer tells apart, and is read without a tail of digits.
            aims[aim.attribute] = ((from + (to - from) * share) * 1e6).rounded() / 1e6
        }
        let before = chosen[set.identifier] ?? []
        guard let place = nearest.place(in: set.pool, to: aims, besides: before) else { return nil }
        chosen[set.identifier] = before.count < set.pool.count ? before.union([place]) : [place]
        var clip = set.clip(place, method: "nearest", stream: nil)
        clip.aims = aims
        return clip
    }
}

extension RunPlan {
    /// Progress through the rounds of the innermost block around a place: 0 in the first round, 1 in the last; 0 if there
    /// are fewer than two.
    fileprivate func shareOfRounds(at position: Visit.Position) -> Double {
        let entries = sections[position.section].passes[position.pass]
        guard let block = entries[position.entry].blocks.last, let round = block.round else { return 0 }
        let others = entries.compactMap { entry in
            entry.blocks.first { $0.path == block.path && $0.pass == block.pass }?.round
        }
        guard let last = others.max(), last > 1 else { return 0 }
        return Double(round - 1) / Double(last - 1)
    }
}
