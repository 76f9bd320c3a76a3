import StudyModel
import TextFormat

/// Which of its clips or conditions a block takes, and which of them an earlier one took.
enum TakeShape {
    static let take = Field(
        "take", kind.located, "Take",
        "How many of the clips or conditions each pass takes, by a draw, or one of each kind; without this key, all of them.",
        example: 10)
    static let seen = Field(
        "seen", Kind<Identifier>.identifier.located, "Seen",
        "An earlier block that takes some of the same clips or conditions; each round then has the value 'seen': old or new.",
        example: "study")

    private static let kind = Kind<Block.Take>(
        schema: { ["anyOf": [Kind<Int>.count.schema($0), Kind.mapping(shape).schema($0)]] },
        read: { node, reading in
            if case .mapping = node.content { return Kind.mapping(shape).read(node, reading) }
            return Kind<Int>.count.read(node, reading).map { Block.Take($0) }
        })

    private static let shape = Shape<Block.Take>(
        name: "take", title: "Take", description: "How many clips or conditions are taken, and how.",
        fields: .of(count, each, draw), rules: [.exactlyOne(["count", "each"])]
    ) { fields in
        let (count, column, isRow) = (fields[count], fields[each], fields[draw])
        guard count != nil || column != nil else { return nil }
        return Block.Take(count ?? 0, isRow: isRow ?? false, each: column?.text)
    }

    private static let count = Field("count", .count, "Count", "How many.", example: 10)
    private static let each = Field(
        "each", Kind<Identifier>.identifier, "Each",
        "A column: one of the rows of each of its values is taken, so that each item comes once, in one of its conditions.",
        example: "sentence")
    private static let draw = Field(
        "draw", .word([("random", false), ("latinSquare", true)]), usual: "random", "Draw",
        "random: all are equally likely; latinSquare: by the participant's row, so that each is taken equally often over as many participants as the square has rows.",
        example: "latinSquare")

    /// How many rows one of each value of a column is; reports values with unequal numbers of rows.
    private static func count(of take: Located<Block.Take>, in pool: [Stimulus], _ reading: Reading) -> Int? {
        guard let column = take.value.each else { return take.value.count }
        let values = pool.places(by: column)
        let counts = Set(values.map(\.count))
        if counts.count == 1, values.joined().count == pool.count { return values.count }
        let lacking = pool.first { $0.attributes[column] == nil }
        let message =
            lacking.map { "'\($0.identifier)' has no value '\(column)'" }
            ?? "the values of '\(column)' have \(counts.min() ?? 0) to \(counts.max() ?? 0) rows"
        reading.report(
            .conflictingKeys, "\(message), and one of as many rows is taken for each value", at: take.range,
            help: "give every value as many rows, for example by 'cross'")
        return nil
    }

    /// Reports a number that leaves nothing out, clips that are listed twice, and orders that need all rounds.
    ///
    /// - Returns: with the number of rows that are taken.
    static func checked(
        _ take: Located<Block.Take>, of pool: [Stimulus]?, _ order: OrderShape.Draft?, _ fields: Fields
    ) -> Block.Take? {
        var counted = take
        if let pool {
            guard let count = count(of: take, in: pool, fields.reading) else { return nil }
            counted.value.count = count
        }
        check(counted, of: pool, order, fields)
        return counted.value
    }

    private static func check(
        _ take: Located<Block.Take>, of pool: [Stimulus]?, _ order: OrderShape.Draft?, _ fields: Fields
    ) {
        if let pool, take.value.count >= pool.count {
            fields.reading.report(
                .outOfRange, "there are \(pool.count) to take from, so nothing is left out", at: take.range,
                help: take.value.each == nil
                    ? "write a number below \(pool.count), or leave 'take' out"
                    : "name a column whose values have several rows each, or leave 'take' out")
        }
        if let pool, Set(pool.map(\.identifier)).count < pool.count {
            fields.reading.report(
                .conflictingKeys, "a clip that the pool lists twice could be taken and left out",
                at: take.range,
                help: "list each clip once")
        }
        switch order?.order {
        case nil, .fixed, .shuffle([]): break
        case .shuffle, .latinSquare, .williams, .sameAs:
            fields.reading.report(
                .conflictingKeys, "such an order is made for all rounds, and the block takes some of them",
                at: take.range, help: "write 'order: {draw: shuffle}' without a rule")
        }
        if take.value.isRow, case .mapping(let pairs) = fields.node(self.take)?.content,
            let method = pairs.value(of: "draw")
        {
            fields.reading.rememberSquare(method, ofOrder: true, nil)
        }
    }

    /// Gives the rows of a block the value `seen`; reports values of that name, and orders by several attributes, which
    /// some draws of old ones could rule out.
    static func look(
        back seen: Located<Identifier>, at set: inout StimulusSetDraft?, _ order: OrderShape.Draft?,
        _ reading: Reading
    ) {
        let name = Block.Take.name
        if let own = set?.pool?.first(where: { $0.attributes[name] != nil }) {
            reading.report(
                .conflictingKeys, "'\(own.identifier)' has a value '\(name)' of its own", at: seen.range,
                help: "give that column another name")
        }
        let attributes = Set((order?.attributes ?? []).map(\.value))
        if attributes.contains(name), attributes.count > 1 {
            reading.report(
                .conflictingKeys,
                "an order by '\(name)' and by something else may be impossible for some draws",
                at: seen.range, help: "name one of them in 'order'")
        }
        let old = set?.pool?.map { $0.seen(Block.Take.old) }
        set?.pool = old
    }
}

extension Kind<Int> {
    /// How many rounds are taken.
    fileprivate static var count: Kind { integer(1...10_000) }
}

extension [RoundRow] {
    /// The rows as old ones, followed by the rows as new ones.
    var seen: [RoundRow] {
        [Block.Take.old, Block.Take.new].flatMap { value in
            map { row in
                var row = row
                row.cells[Block.Take.name] = Node(content: .scalar(value, .plain), range: .nowhere)
                return row
            }
        }
    }
}

extension TaskSteps {
    /// Reports blocks that look back at a block that comes later, has other rounds or takes all of them.
    func checkTakes() {
        let steps = drafts.flatMap(\.withInner)
        for (place, draft) in steps.enumerated() {
            guard let name = draft.seen, let block = draft.step?.block else { continue }
            let before = steps[..<place].filter { $0.step.map { $0.block?.take != nil } ?? true }
            let other = before.first { $0.identifier?.value == name.value }
            guard let other else {
                reading.report(
                    .unknownStep, "no block '\(name.value)' with 'take' comes before this one",
                    at: name.range,
                    help: Help.nearest(
                        to: name.value.text, among: before.compactMap { $0.identifier?.value.text },
                        all: "such blocks are")
                        ?? "write 'take' into the block that goes through some of them")
                continue
            }
            guard let other = other.step?.block, let set = other.set else { continue }
            if set != block.set {
                reading.report(
                    .conflictingKeys, "'\(name.value)' takes of '\(set)'", at: name.range,
                    help: Help("write 'forEach: \(set)'"))
            } else if other.take?.isRow == true, [.latinSquare, .williams].contains(block.order) {
                reading.report(
                    .conflictingKeys, "the order of the rounds would follow from what was taken",
                    at: name.range, help: "write 'order: {draw: shuffle}'")
            }
        }
    }
}
