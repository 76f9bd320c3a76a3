import StudyModel

/// Steps that are repeated.
enum BlockShape {
    static let fields: [FieldDeclaration] = .of(repetitions, forEach, order, steps)
    static let rules: [ShapeRule] = [.atLeastOne(["repeat", "forEach"]), .needs("order", ["forEach"])]

    /// The block without its steps, the steps, and the steps of each row where rows differ.
    static func read(_ fields: Fields) -> (block: Block?, inner: [StepDraft], filled: [FilledSteps]) {
        let context = fields.reading.context
        let (count, name, order) = (fields[repetitions], fields[forEach], fields[order])
        let set = name.flatMap { fields.reading.rounds($0) }
        if let node = fields.node(Self.order) { noteSquare(node, of: name?.value.text, fields.reading) }
        let constraints = order.map { resolved($0, in: set, fields.reading) }
        context.enclosingBlock = EnclosingBlock(
            set: name?.value.text, isSetKnown: set != nil || !fields.seemsGiven(forEach))
        defer { context.enclosingBlock = nil }
        let rows = name.flatMap { context.rows(of: $0.value) } ?? []
        guard let (inner, filled) = RoundSteps.read(fields.node(steps), steps.kind, for: rows, fields.reading)
        else {
            return (nil, [], [])
        }
        let block = Block(repetitions: count ?? 1, set: name?.value, order: constraints ?? .fixed, steps: [])
        return (block, inner, filled)
    }

    /// The set that the block has a round for each clip of.
    static func set(of fields: Fields) -> Located<Identifier>? {
        guard let text = fields.node(forEach)?.scalarText, let name = Identifier(text),
            fields.reading.context.pool(of: text) != nil
        else { return nil }
        return Located(value: name, range: fields.place(of: forEach))
    }

    /// Remembers where the order stands, for what the engine may find out about it.
    static func noteOrder(of block: Identifier, _ fields: Fields) {
        guard let node = fields.node(order) else { return }
        fields.reading.context.orders.append((block, node.range))
    }

    private static let repetitions = Field(
        "repeat", .integer(1...1000), "Repeat",
        "How often the steps are repeated; with forEach, how many rounds each clip has.", example: 3)
    private static let forEach = Field(
        "forEach", Kind<Identifier>.identifier.located, "For each",
        "The stimulus set with one round per clip, or the table with one round per condition.",
        example: "clips")
    private static let order = Field(
        "order", .mapping(OrderShape.shape), "Order",
        "How the rounds are ordered; without this key, as in the pool.",
        example: ["draw": "williams"])
    private static let steps = Field(
        "steps", .list(.variants(StepVariants.ofBlock), atLeast: 1, noun: "step"), isRequired: true, "Steps",
        "The steps of one round.", example: [["type": "active", "identifier": "rest", "duration": "60 s"]])

    private static func noteSquare(_ node: Node, of set: String?, _ reading: Reading) {
        guard case .mapping(let pairs) = node.content, let method = pairs.value(of: "draw") else { return }
        reading.noteSquare(method, ofOrder: true, set)
    }

    private static func resolved(
        _ draft: OrderShape.Draft, in set: StimulusSetDraft?, _ reading: Reading
    ) -> Block.Order {
        for attribute in draft.attributes { check(attribute, in: set?.pool ?? [], reading) }
        if let pool = set?.pool {
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
