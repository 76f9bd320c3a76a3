import StudyModel

extension PlanDrawing {
    /// The clip of each round of a pass through a block; `nil` where the block goes through no set.
    mutating func rounds(
        of block: Block, named name: Identifier, pass: Int, _ streamSeed: (String) -> UInt64
    ) throws(PlanProblem) -> [DrawnStimulus?] {
        guard let setName = block.set else { return Array(repeating: nil, count: max(1, block.repetitions)) }
        let set = try self.set(setName)
        let stream = "order/\(task.identifier)/\(name)/\(pass)"
        switch block.order {
        case .fixed:
            let items = block.items(of: set)
            let order = items.indices.map { set.clip($0 % set.pool.count, method: "fixed", stream: stream) }
            record(order, stream, "fixed", from: items)
            return order
        case .shuffle(let constraints):
            return try shuffled(block, named: name, constraints, set: set, stream: stream, streamSeed)
        case .latinSquare:
            return try rows(of: .latin, in: block, set: set, method: "latinSquare", streamSeed)
        case .williams:
            return try rows(of: .williams, in: block, set: set, method: "williams", streamSeed)
        }
    }

    private mutating func shuffled(
        _ block: Block, named name: Identifier, _ constraints: [OrderConstraint], set: StimulusSet,
        stream: String, _ streamSeed: (String) -> UInt64
    ) throws(PlanProblem) -> [DrawnStimulus] {
        let items = block.items(of: set)
        var random = generator(stream, streamSeed)
        var order = Array(items.indices)
        if constraints.isEmpty {
            random.shuffle(&order)
        } else {
            order = try orders(of: name, items, constraints).draw(using: &random)
        }
        let clips = order.map { set.clip($0 % set.pool.count, method: "shuffle", stream: stream) }
        record(clips, stream, "shuffle", from: items) { draw in
            guard !constraints.isEmpty else { return }
            draw.constraints = constraints
            draw.categories = set.categories(for: constraints)
        }
        return clips
    }

    private mutating func rows(
        of square: Square, in block: Block, set: StimulusSet, method: String, _ streamSeed: (String) -> UInt64
    ) throws(PlanProblem) -> [DrawnStimulus] {
        let (clips, row) = try self.row(of: square, from: set, method: method, streamSeed)
        let order = Array(repeatElement(clips, count: max(1, block.repetitions)).joined())
        recordSquare(order, row: row, method: method, from: set)
        return order
    }
}

extension StimulusSet {
    /// Attribute → clip → value, for what `constraints` name besides the clip's own identifier.
    fileprivate func categories(for constraints: [OrderConstraint]) -> [String: [String: String]] {
        var categories: [String: [String: String]] = [:]
        for attribute in constraints.compactMap(\.attribute) where attribute != Stimulus.identity {
            for clip in pool {
                categories[attribute, default: [:]][clip.identifier.text] = clip.attributes[attribute]
            }
        }
        return categories
    }
}
