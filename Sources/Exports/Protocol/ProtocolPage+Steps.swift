import StudyModel

extension ProtocolPage {
    /// Every step of every task, including those within blocks.
    var allSteps: [ProtocolStep] { tasks.flatMap { $0.steps.flatMap(\.withInner) } }

    /// Every recorder, of steps and of tasks.
    var allRecorders: [RecorderConfiguration] {
        allSteps.flatMap(\.recorders) + tasks.flatMap { $0.task.recorders.map(\.recorder) }
    }
}

extension Sequence {
    /// Only the first of all elements with the same key.
    func distinct<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}
