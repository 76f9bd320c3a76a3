import StudyModel

extension TaskSteps {
    /// Most keyboards repeat a held key after this time at the latest.
    private static let held = Duration.milliseconds(700)

    /// Reports reactions that may come before a key that is still held from the step before can be told from one that is
    /// pressed.
    func checkForeperiods() {
        let places = drafts.flatMap { $0.withBlocks() }.filter { $0.step.inner.isEmpty }
        for (index, place) in places.enumerated() {
            guard let active = place.step.step?.active, let reaction = active.reaction else { continue }
            let foreperiod =
                active.stimulus.map { $0.onset + (reaction.target ?? $0.start) - $0.start } ?? .zero
            guard let key = heldKey(of: reaction, before: index, in: places, after: foreperiod) else {
                continue
            }
            reading.report(
                .shortForeperiod,
                "not every keyboard tells so soon whether '\(key)' is still held from the reaction before",
                at: place.step.range,
                help: "put steps of 700 ms or more between them, or begin what is heard later",
                severity: .warning)
        }
    }

    /// A key of a reaction that may still be held from an earlier one; `nil` if there is always time enough.
    ///
    /// - Parameters:
    ///   - index: the step before which to look, back to the reaction before it.
    ///   - time: how long it takes at least from the beginning of that step.
    private func heldKey(
        of reaction: Reaction, before index: Int, in places: [(step: StepDraft, blocks: [StepDraft])],
        after time: Duration, seen: Set<Int> = []
    ) -> String? {
        // In the next round, the last step of a block comes before the first one.
        let ends = places[index].blocks.filter { $0.firstStep?.range == places[index].step.range }
            .compactMap { block in places.firstIndex { $0.step.range == block.lastStep?.range } }
        for before in (index > 0 ? [index - 1] : []) + ends where !seen.contains(before) {
            guard let step = places[before].step.step else { continue }
            if let earlier = step.active?.reaction, earlier.endsStep,
                let key = reaction.keys.first(where: { earlier.keys.map(\.name).contains($0.name) })
            {
                if time + places[before].step.feedbackTime < Self.held { return key.name }
                continue
            }
            // What somebody confirms or answers takes longer.
            guard step.facts.end == .time, let timing = step.facts.timing, !timing.timer.startsOnConfirm,
                !timing.timer.waitsAtFinish
            else { continue }
            let least = timing.isOpen ? .zero : timing.drawnDuration?.limits.lowerBound ?? timing.duration
            guard time + least < Self.held,
                let key = heldKey(
                    of: reaction, before: before, in: places, after: time + least, seen: seen.union([before]))
            else { continue }
            return key
        }
        return nil
    }
}

extension StepDraft {
    fileprivate var firstStep: StepDraft? { inner.isEmpty ? self : inner.first?.firstStep }
    fileprivate var lastStep: StepDraft? { inner.isEmpty ? self : inner.last?.lastStep }

    /// How long words are shown after any reaction.
    fileprivate var feedbackTime: Duration {
        guard let feedback = step?.active?.reaction?.feedback, feedback.right != nil,
            feedback.wrong != nil || right.isEmpty
        else { return .zero }
        return feedback.duration
    }
}

extension TaskSteps {
    /// How long after its moment a sound is heard, and how soon after that somebody may react.
    private static let usualDelay = Duration.milliseconds(500)
    private static let lowDelay = Duration.milliseconds(60)
    private static let fastestReaction = Duration.milliseconds(100)

    /// Doubts reactions to sounds that are heard when their step is over, or as good as over.
    func checkDeadlines(isLatencyLow: Bool) {
        let delay = isLatencyLow ? Self.lowDelay : Self.usualDelay
        for draft in drafts.flatMap(\.withInner).flatMap({
            [$0] + $0.filled.flatMap(\.steps).flatMap(\.withInner)
        }) {
            guard let active = draft.step?.active, active.reaction != nil, let stimulus = active.stimulus,
                let timing = draft.step?.facts.timing,
                timing.longest - stimulus.onset < delay + Self.fastestReaction
            else { continue }
            let words = { (time: Duration) in "\(Int(time / .milliseconds(1))) ms" }
            reading.doubt(
                .outOfRange,
                "nobody can react in time: the clip is heard \(words(delay)) after its moment, and the step ends "
                    + "\(words(timing.longest - stimulus.onset)) after it",
                at: draft.range,
                help: Help(
                    "add \(words(delay)) to the duration"
                        + (isLatencyLow
                            ? "" : ", or write 'latency: low', with which clips are heard within about 60 ms")
                ))
        }
    }
}
