import StudyModel
import TextFormat

/// Steps that are repeated.
struct BlockShape {
    let fields: [FieldDeclaration]
    private let element: Kind<StepDraft>
    private let steps: Field<[StepDraft]>
    private let stimulus: Field<Stimulus.Use>

    /// - Parameters:
    ///   - element: the kind of the block's steps.
    ///   - stimulus: the shape of the block's clip.
    init(of element: Kind<StepDraft>, _ stimulus: Shape<Stimulus.Use>) {
        self.element = element
        self.stimulus = Field(
            "stimulus", .mapping(stimulus), "Stimulus",
            "The clip that goes on through all rounds; then no step in the block plays a clip of its own.",
            example: ["play": "chill_preview_3"])
        steps = Field(
            "steps", .list(element, atLeast: 1, noun: "step"), isRequired: true, "Steps",
            "The steps of one round.",
            example: [["type": "active", "identifier": "rest", "duration": "60 s"]])
        fields = .of(
            Self.repetitions, Self.forEach, TakeShape.take, TakeShape.seen, Self.order, Self.adapt,
            Self.insert,
            self.stimulus, steps)
    }

    /// What was read of a block.
    struct Parts {
        /// The block without its steps; `nil` if it cannot be used.
        var block: Block?
        var inner: [StepDraft] = []
        var inserted: [StepDraft] = []
        /// The staircase, with its places in the file.
        var adapt: AdaptShape.Draft?
        /// The earlier block that takes what is old in this one.
        var seen: Located<Identifier>?
        /// The steps of each row, if rows differ.
        var filled: [FilledSteps] = []
    }

    static let rules: [ShapeRule] = [
        .atLeastOne(["repeat", "forEach"]), .needs("order", ["forEach"]), .needs("adapt", ["forEach"]),
        .needs("take", ["forEach"]), .needs("seen", ["forEach"]), .atMostOne(["adapt", "take"]),
        .atMostOne(["adapt", "seen"]), .atMostOne(["adapt", "order"]), .atMostOne(["adapt", "repeat"]),
        .atMostOne(["adapt", "insert"]),
    ]

    func read(_ fields: Fields) -> Parts {
        var parts = readSteps(fields)
        // Only now: what the clip needs from answers belongs to the block, and `from` means a round around it.
        parts.block?.stimulus = fields[stimulus]
        if fields.node(stimulus) != nil { Self.checkClip(beside: parts, fields.reading) }
        return parts
    }

    /// Reports steps that would play a clip at the same time, and a rule that would leave out the step with which the
    /// block's clip begins.
    private static func checkClip(beside parts: Parts, _ reading: Reading) {
        for draft in (parts.inner + parts.inserted).flatMap(\.withInner) where draft.playsClip {
            reading.report(
                .musicOverlap, "the block around this step plays a clip of its own at the same time",
                at: draft.range, help: "take the 'stimulus' out of the step or out of the block")
        }
        let first = [parts.inner.first].compactMap(\.self) + parts.inserted
        if let skipped = first.first(where: { !$0.skipIf.isEmpty }) {
            reading.report(
                .musicOverlap,
                "the block's clip begins with its first step, and a rule can leave that step out",
                at: skipped.range,
                help: "put a step before it that is always there, or take the clip out of the block")
        }
    }

    private func readSteps(_ fields: Fields) -> Parts {
        let context = fields.reading.context
        let (count, name, order) = (fields[Self.repetitions], fields[Self.forEach], fields[Self.order])
        let (insertion, adapt) = (fields[Self.insert], fields[Self.adapt])
        let (written, seen) = (fields[TakeShape.take], fields[TakeShape.seen])
        var set = name.flatMap { fields.reading.rounds($0) }
        let take = written.flatMap { TakeShape.checked($0, of: set?.pool, order, fields) }
        if let seen { TakeShape.look(back: seen, at: &set, order, fields.reading) }
        if let node = fields.node(Self.order) {
            Self.rememberSquare(node, of: name?.value.text, fields.reading)
        }
        let constraints = order.map { Self.resolved($0, in: set, fields.reading) }
        context.enclosingBlocks.append(
            EnclosingBlock(
                set: name?.value.text, isSetKnown: set != nil || !fields.seemsGiven(Self.forEach)))
        defer { context.enclosingBlocks.removeLast() }
        var rows = name.flatMap { context.rows(of: $0.value) } ?? []
        if fields.node(Self.forEach) != nil, rows.isEmpty, let node = fields.node(self.steps) {
            fields.reading.unknownValues.formUnion(node.valueNames(context).map(\.range))
        }
        if seen != nil { rows = rows.seen }
        let steps = RoundSteps(list: steps.kind, element: element)
        guard let (inner, filled) = steps.read(fields.node(self.steps), for: rows, fields.reading) else {
            return Parts()
        }
        guard take != nil || fields.node(TakeShape.take) == nil else {
            return Parts(inner: inner, adapt: adapt, seen: seen, filled: filled)
        }
        var block = Block(repetitions: count ?? 1, set: name?.value, order: constraints ?? .fixed, steps: [])
        (block.take, block.seenIn) = (take, seen?.value)
        if let adapt, let pool = set?.pool {
            guard let staircase = AdaptShape.staircase(adapt, over: pool, fields.reading) else {
                return Parts(inner: inner, adapt: adapt, filled: filled)
            }
            block.staircase = staircase
        }
        if let insertion {
            block.insertion = Block.Insertion([], isAnywhere: insertion.isAnywhere)
            let rounds = block.mostRounds(of: name == nil ? 1 : set?.pool?.count ?? 2)
            if rounds < 2, !insertion.isAnywhere {
                fields.reading.report(
                    .outOfRange, "the block has one round: there is no place between rounds",
                    at: insertion.place, help: "write 'place: anywhere', or give the block more rounds")
            }
        }
        return Parts(
            block: block, inner: inner, inserted: insertion?.steps ?? [], adapt: adapt, seen: seen,
            filled: filled)
    }

    /// The set for which the block has a round for each clip.
    static func set(of fields: Fields) -> Located<Identifier>? {
        guard let text = fields.node(forEach)?.scalarText, let name = Identifier(text),
            fields.reading.context.pool(of: text) != nil
        else { return nil }
        return Located(value: name, range: fields.place(of: forEach))
    }

    /// The block with which this block shares its order.
    static func sharedOrder(of fields: Fields) -> Located<Identifier>? {
        guard case .mapping(let pairs) = fields.node(order)?.content,
            let node = pairs.value(of: OrderShape.sameAs.declaration.key), let text = node.scalarText
        else { return nil }
        return Identifier(text).map { Located(value: $0, range: node.range) }
    }

    /// Remembers the order's place in the file, for problems that only the engine finds.
    static func rememberOrder(of block: Identifier, _ fields: Fields) {
        guard let node = fields.node(order) else { return }
        let orders = fields.reading.context.orders
        guard !orders.contains(where: { $0.block == block && $0.range == node.range }) else { return }
        fields.reading.context.orders.append((block, node.range))
    }

    private static let repetitions = Field(
        "repeat", .integer(1...1000), "Repeat",
        "How often the steps are repeated; with forEach, how many rounds each clip or condition has.",
        example: 3)
    private static let forEach = Field(
        "forEach", Kind<Identifier>.identifier.orValue.located, "For each",
        "The stimulus set with one round per clip, or the table with one round per condition.",
        example: "clips")
    private static let order = Field(
        "order", .mapping(OrderShape.shape), "Order",
        "How the rounds are ordered; without this key, as in the pool.",
        example: ["draw": "williams"])
    private static let adapt = Field(
        "adapt", .mapping(AdaptShape.shape), "Adapt",
        "The answers decide which row comes next: the rows are a ladder, from the easiest to the hardest.",
        example: ["answer": "which", "value": "difference", "reversals": 8, "atMost": 60])
    private static let insert = Field(
        "insert", .mapping(InsertionShape.shape), "Insert",
        "Steps that come once in each pass, at a drawn place among the rounds.",
        example: ["steps": [["type": "active", "identifier": "silence", "duration": "2 min"]]])

    private static func rememberSquare(_ node: Node, of set: String?, _ reading: Reading) {
        guard case .mapping(let pairs) = node.content, let method = pairs.value(of: "draw") else { return }
        reading.rememberSquare(method, ofOrder: true, set)
    }

    private static func resolved(
        _ draft: OrderShape.Draft, in set: StimulusSetDraft?, _ reading: Reading
    ) -> Block.Order {
        for attribute in draft.attributes { check(attribute, in: set?.pool ?? [], reading) }
        if let pool = set?.pool {
            for (attribute, only) in draft.values {
                let known =
                    attribute == Block.Take.name
                    ? [Block.Take.old, Block.Take.new] : Set(pool.compactMap { $0.value(of: attribute) })
                guard !known.isEmpty, !known.contains(only.value) else { continue }
                reading.report(
                    .unknownAttribute, "nothing has the value '\(only.value)' for '\(attribute)'",
                    at: only.range,
                    help: Help.nearest(to: only.value, among: known.sorted(), all: "the values are"))
            }
            for end in draft.ends where !pool.contains(where: { $0.identifier == end.value }) {
                reading.reportUnknownClip(end, among: pool.map(\.identifier.text))
            }
        }
        return draft.order
    }

    /// Every clip of the pool must have the attribute that a constraint names.
    static func check(_ attribute: Located<String>, in pool: [Stimulus], _ reading: Reading) {
        guard attribute.value != Stimulus.identity else { return }
        guard let lacking = pool.first(where: { $0.attributes[attribute.value] == nil }) else { return }
        let common = pool.map { Set($0.attributes.keys) }.reduce(Set(lacking.attributes.keys)) {
            $0.intersection($1)
        }
        let useful = common.subtracting(["file", "sha256", "identifier"]).sorted()
        reading.report(
            .unknownAttribute,
            "the \(lacking.isCondition ? "condition" : "clip") '\(lacking.identifier)' has no '\(attribute.value.prefix(64))'",
            at: attribute.range,
            help: Help.nearest(to: attribute.value, among: ["id"] + useful, all: "all have"))
    }
}
