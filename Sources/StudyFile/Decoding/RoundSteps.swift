import StudyModel

/// The steps of a round, with the places of the row's values in them.
struct FilledSteps {
    var steps: [StepDraft]
    var row: FilledRow
}

/// The steps of a block, read once for each clip or condition where they use its values.
enum RoundSteps {
    /// - Parameter rows: the clips or conditions of the block; none where there are none, or they are not known.
    /// - Returns: the steps with the values of the first row, and for each row where its values are used.
    static func read(
        _ node: Node?, _ kind: Kind<[StepDraft]>, for rows: [RoundRow], _ reading: Reading
    ) -> (first: [StepDraft], filled: [FilledSteps])? {
        guard let node else { return nil }
        guard let first = rows.first, case .sequence(let nodes) = node.content else {
            return kind.read(node, reading).map { ($0, []) }
        }
        let names = Set(rows.flatMap(\.cells.keys))
        reportUnknown(node, names, isTable: first.reading != nil, reading)
        let isFilled = nodes.map { node in
            node.hasPlace(for: names) || node.valueNames.contains { names.contains($0.value) }
        }
        guard isFilled.contains(true) else { return kind.read(node, reading).map { ($0, []) } }
        var filled: [FilledSteps] = []
        defer { reading.row = nil }
        for (number, row) in rows.enumerated() {
            var places = FilledRow(row)
            if number == 0 {
                var all = node
                all.content = .sequence(nodes.map { places.filled($0) })
                reading.row = places
                guard let steps = kind.read(all, reading), steps.count == nodes.count else { return nil }
                filled.append(FilledSteps(steps: steps, row: places))
                continue
            }
            var steps = filled[0].steps
            let own = zip(nodes, isFilled).map { $1 ? places.filled($0) : nil }
            reading.row = places
            for (place, node) in own.enumerated() {
                guard let node else { continue }
                guard let step = StepVariants.blockStep.read(node, reading) else { return (steps, []) }
                steps[place] = step
            }
            filled.append(FilledSteps(steps: steps, row: places))
        }
        return (filled[0].steps, filled)
    }

    /// A clip's values may be few, and a `$` in its steps may be money.
    private static func reportUnknown(_ node: Node, _ names: Set<String>, isTable: Bool, _ reading: Reading) {
        guard isTable else { return }
        for name in node.valueNames where !names.contains(name.value) {
            reading.report(
                .unknownAttribute, "the conditions have no value '\(name.value)'", at: name.range,
                help: Help.nearest(to: name.value, among: names.sorted(), all: "the values are"))
            reading.unknownValues.insert(name.range)
        }
    }
}
