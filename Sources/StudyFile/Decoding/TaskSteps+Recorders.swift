import StudyModel

extension TaskSteps {
    /// Reports a rule that looks at a signal that no recorder records during its step.
    func checkRecorder(_ signal: Signal, of step: Located<Identifier>) {
        guard
            let position = drafts.firstIndex(where: {
                $0.withInner.contains { $0.identifier?.value == step.value }
            })
        else { return }
        let named = drafts[position].withBlocks().filter { $0.step.identifier?.value == step.value }
        let concerned = named.flatMap { $0.blocks + $0.step.withInner }
        let recorders = concerned.flatMap { $0.step?.recorders ?? [] } + spanning(position)
        let isRead = concerned.allSatisfy { $0.step != nil && $0.hasReadRecorders }
        let isKept = recorders.contains { $0.signal == signal && $0.sourceName ?? "heartRate" == "heartRate" }
        guard isRead, !isKept else { return }
        let other = recorders.first { $0.signal == signal }?.source
        reading.report(
            .noRecorder,
            "nothing records the \(signal.quantity) during the step '\(step.value)'",
            at: step.range,
            help: other.map {
                "rules look at the source 'heartRate', and its recorder listens to '\($0)': call that source heartRate"
            }
                ?? "add to that step 'recorders: [{type: \(signal.name), identifier: \(signal.name)}]'")
    }

    /// Reports a rule that looks at a signal that nothing in the whole task records.
    func checkAnyRecorder(_ signal: Signal, at range: SourceRange) {
        let all = drafts.flatMap(\.withInner)
        let recorders = all.flatMap { $0.step?.recorders ?? [] } + spans.map(\.recorder)
        let isRead = all.allSatisfy { $0.step != nil && $0.hasReadRecorders }
        let isKept = recorders.contains { $0.signal == signal && $0.sourceName ?? "heartRate" == "heartRate" }
        guard isRead, !isKept else { return }
        reading.report(
            .noRecorder, "nothing records the \(signal.quantity) in this task", at: range,
            help:
                "add to a step before the rule 'recorders: [{type: \(signal.name), identifier: \(signal.name)}]'"
        )
    }

    /// The task's recorders that run during a step of its own list.
    private func spanning(_ position: Int) -> [RecorderConfiguration] {
        spans.filter { span in
            let first = span.from.flatMap { positions[$0.value] }
            let last = span.to.flatMap { positions[$0.value] }
            guard let first, let last else { return true }
            return first <= position && position <= last
        }.map(\.recorder)
    }
}
