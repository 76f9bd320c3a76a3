import StudyModel

extension TaskSteps {
    /// Reports blocks that want the order of a block that comes later or has other rounds.
    func checkSharedOrders() {
        let steps = drafts.flatMap(\.withInner)
        for (place, draft) in steps.enumerated() {
            guard let name = draft.sharedOrder, let block = draft.step?.block else { continue }
            let before = steps[..<place].filter { $0.identifier != nil && $0.hasRounds }
            guard let first = before.first(where: { $0.identifier?.value == name.value }) else {
                reading.report(
                    .unknownStep, "no block '\(name.value)' with 'forEach' comes before this one",
                    at: name.range,
                    help: Help.nearest(
                        to: name.value.text, among: before.compactMap { $0.identifier?.value.text },
                        all: "such blocks are"))
                continue
            }
            guard let other = first.step?.block,
                (other.set, other.repetitions) != (block.set, block.repetitions) || other.take != nil
            else { continue }
            guard other.take == nil else {
                reading.report(
                    .conflictingKeys, "'\(name.value)' takes some rounds, and this block has all of them",
                    at: name.range, help: "give this block an order of its own")
                continue
            }
            let times = other.repetitions == 1 ? "" : " and 'repeat: \(other.repetitions)'"
            reading.report(
                .conflictingKeys, "'\(name.value)' has other rounds than this block",
                at: name.range,
                help: Help(
                    "write 'forEach: \(other.set?.text ?? "")'\(times), as '\(name.value)' does, or an order of its own"
                ))
        }
    }

    /// Reports nested blocks with more steps than can be planned.
    func checkSizes() {
        for draft in drafts
        where draft.withInner.dropFirst().contains(where: { !$0.inner.isEmpty })
            || draft.step?.block?.staircase != nil
        {
            let size = draft.size(reading.context)
            guard size > Self.mostSteps else { continue }
            reading.report(
                .outOfRange, "all rounds of this block together have \(size) steps", at: draft.range,
                help: "at most \(Self.mostSteps) are possible: give it, or the blocks in it, fewer rounds")
        }
    }

    private static let mostSteps = 100_000
}

extension StepDraft {
    /// Whether the step is a block with a round for each clip or condition, or may have been meant as one.
    fileprivate var hasRounds: Bool {
        step.map { $0.block?.set != nil && $0.block?.staircase == nil } ?? true
    }

    /// The number of steps in one pass, up to about a billion.
    fileprivate func size(_ context: StudyContext) -> Int {
        guard let block = step?.block else { return 1 }
        let clips = block.set.map { context.rounds(of: $0)?.pool?.count ?? 1 } ?? 1
        let steps = inner.map { $0.size(context) }.reduce(0, +)
        // A staircase is planned with every rung in each of its rounds.
        let rounds = block.mostRounds(of: clips) * (block.staircase?.values.count ?? 1)
        return min(1_000_000_000, rounds * steps) + inserted.count
    }
}
