import StudyModel

/// The steps of a round, with the places of the row's values in them.
struct FilledSteps {
    var steps: [StepDraft]
    var row: FilledRow
}

/// The steps of a block. If they use values of the clips or conditions, they are read once for each.
struct RoundSteps {
    var list: Kind<[StepDraft]>
    var element: Kind<StepDraft>

    /// - Parameter rows: the clips or conditions of the block; empty if there are none, or if they are not known.
    /// - Returns: the steps with the values of the first row; and the steps for each row, if its values are used.
    func read(
        _ node: Node?, for rows: [RoundRow], _ reading: Reading
    ) -> (first: [StepDraft], filled: [FilledSteps])? {
        guard let node else { return nil }
        guard let first = rows.first, case .sequence(let nodes) = node.content else {
            return list.read(node, reading).map { ($0, []) }
        }
        let names = Set(rows.flatMap(\.cells.keys))
        let context = reading.context
        Self.reportUnknown(node, names, isTable: first.reading != nil, reading)
        var uses = nodes.map { RowUse($0, names, context) }
        guard uses.contains(where: \.isFilled) else { return list.read(node, reading).map { ($0, []) } }
        var filled: [FilledSteps] = []
        let outer = reading.row
        defer { reading.row = outer }
        for (number, row) in rows.enumerated() {
            var places = FilledRow(row, within: outer, context)
            if number == 0 {
                var all = node
                all.content = .sequence(nodes.map { places.filled($0) })
                reading.row = places
                guard let steps = list.read(all, reading), steps.count == nodes.count else { return nil }
                filled.append(FilledSteps(steps: steps, row: places))
                continue
            }
            var steps = filled[0].steps
            for place in nodes.indices where uses[place].isFilled {
                guard let step = uses[place].step(nodes[place], element, &places, reading) else {
                    return (steps, [])
                }
                steps[place] = step
            }
            filled.append(FilledSteps(steps: steps, row: places))
        }
        return (filled[0].steps, filled)
    }

    /// The values of the rows that a step uses, and the step as read with them: once for all rows with the same
    /// values.
    private struct RowUse {
        /// The names that the step uses as whole values, with their places.
        private let values: [Located<String>]
        /// All names that it uses, including those in texts.
        private let names: [String]
        let isFilled: Bool
        /// Whether it is neither a block, which has rows of its own, nor a consent, whose document has placeholders
        /// of its own.
        private let isPlain: Bool
        private var known: [[String?]: StepDraft] = [:]

        init(_ node: Node, _ names: Set<String>, _ context: StudyContext) {
            values = node.valueNames(context)
            let used = node.places(context).union(values.map(\.value))
            isFilled = !used.isDisjoint(with: names)
            self.names = used.sorted()
            isPlain =
                if case .mapping(let pairs) = node.content, let type = pairs.value(of: "type")?.scalarText {
                    !["block", "consent"].contains(type)
                } else { false }
        }

        mutating func step(
            _ node: Node, _ element: Kind<StepDraft>, _ row: inout FilledRow, _ reading: Reading
        ) -> StepDraft? {
            let key = names.map(row.spelling)
            if let step = known[key] {
                for value in values { row.remember(value) }
                return step
            }
            let before = reading.diagnostics.count + row.findings
            let filled = row.filled(node)
            reading.row = row
            let step = element.read(filled, reading)
            if isPlain, reading.diagnostics.count + row.findings == before { known[key] = step }
            return step
        }
    }

    /// Only conditions are checked: clips may have few values, and a `$` in their steps may stand for money.
    private static func reportUnknown(_ node: Node, _ names: Set<String>, isTable: Bool, _ reading: Reading) {
        guard isTable else { return }
        for name in node.valueNames(reading.context) where !names.contains(name.value) {
            reading.report(
                .unknownAttribute, "the conditions have no value '\(name.value)'", at: name.range,
                help: Help.nearest(to: name.value, among: names.sorted(), all: "the values are"))
            reading.unknownValues.insert(name.range)
        }
    }
}
