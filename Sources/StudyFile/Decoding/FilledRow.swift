import StudyModel

/// A clip or condition with its values, as the rounds of a block use them.
struct RoundRow {
    var identifier: Identifier
    /// Its values by name, as they are written.
    var cells: [String: Node]
    /// The reading of the file that the values are in; `nil` for clips, whose values have no place of their own.
    var reading: Reading?
}

/// A row whose values are filled into steps, with the place that each value was taken from.
struct FilledRow {
    struct Cell {
        var range: SourceRange
        var reading: Reading
    }

    /// Values, by the place of the `$name` that each replaces.
    var places: [SourceRange: Cell] = [:]
    /// The row, followed by those of the blocks around the block. A value that one lacks is taken from the next.
    private var rows: [RoundRow]
    private let context: StudyContext?

    /// - Parameters:
    ///   - outer: the row of the block around the block, whose values are already filled into its steps.
    ///   - context: knows the values that inner blocks have themselves; `nil` if the values are for inner blocks
    ///     too.
    init(_ row: RoundRow, within outer: FilledRow? = nil, _ context: StudyContext? = nil) {
        rows = [row] + (outer?.rows ?? [])
        self.context = context
        places = outer?.places ?? [:]
    }

    /// A step with the row's values: `$name` as a whole value, `{name}` within a text. Names of steps, and the
    /// targets of rules, are the same in all rounds.
    mutating func filled(_ node: Node) -> Node {
        var filled = node
        switch node.content {
        case .scalar(let text, let style):
            // Most texts contain nothing to fill in.
            guard text.utf8.contains(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "{") })
            else { return node }
            if style == .plain, let name = Self.name(text), let (cell, _) = cell(name) {
                filled.content = cell.content
                remember(Located(value: name, range: node.range))
            } else {
                filled.content = .scalar(self.filled(text), style)
            }
        case .sequence(let nodes): filled.content = .sequence(nodes.map { self.filled($0) })
        case .mapping(let pairs):
            var pairs = pairs
            // The table of an inner block decides which names are its own.
            if context?.namesOfRounds(pairs) != nil {
                for place in pairs.indices where pairs[place].key.value == "forEach" {
                    pairs[place].value = self.filled(pairs[place].value)
                }
            }
            let hidden = context?.namesOfRounds(pairs)
            filled.content = .mapping(
                pairs.map { pair in
                    let isFixed =
                        Self.fixedKeys.contains(pair.key.value)
                        || hidden != nil && Self.fixedKeysOfBlocks.contains(pair.key.value)
                    guard !isFixed else { return pair }
                    let value = hidden.map { self.filled(pair.value, hiding: $0) } ?? self.filled(pair.value)
                    return Node.Pair(key: pair.key, value: value)
                })
        }
        return filled
    }

    /// Fills in all values but those of these names, which an inner block has itself.
    private mutating func filled(_ node: Node, hiding names: Set<String>) -> Node {
        let all = rows
        for place in rows.indices { rows[place].cells = rows[place].cells.filter { !names.contains($0.key) } }
        defer { rows = all }
        return filled(node)
    }

    private func cell(_ name: String) -> (cell: Node, reading: Reading?)? {
        rows.lazy.compactMap { row in row.cells[name].map { ($0, row.reading) } }.first
    }

    /// Remembers where the value of a `$name` was taken from.
    mutating func remember(_ name: Located<String>) {
        // Whether a row was taken before is written nowhere.
        guard let found = cell(name.value), let reading = found.reading, found.cell.range != .nowhere
        else { return }
        places[name.range] = Cell(range: found.cell.range, reading: reading)
    }

    /// A value as it is written, with or without quotes; `nil` if there is none.
    func spelling(of name: String) -> String? {
        guard case .scalar(let text, let style)? = cell(name)?.cell.content else { return nil }
        return style == .plain ? text : "\"" + text
    }

    /// How many findings there are in the files that the values are in.
    var findings: Int { rows.reduce(0) { $0 + ($1.reading?.diagnostics.count ?? 0) } }

    /// The names of all values.
    var names: Set<String> { Set(rows.flatMap(\.cells.keys)) }

    /// A text of another file with the row's values filled in.
    func filled(_ text: String) -> String { Placeholder.filled(text) { cell($0)?.cell.scalarText } }

    /// The name in `$name`.
    static func name(_ text: String) -> String? {
        guard text.first == "$", Identifier(String(text.dropFirst())) != nil else { return nil }
        return String(text.dropFirst())
    }

    /// Keys whose values are the same in every round.
    private static let fixedKeys: Set = [
        "type", "identifier", "goTo", "target", "comment", "expect",
    ]
    /// Such keys of inner blocks.
    private static let fixedKeysOfBlocks: Set = ["forEach", "take", "seen", "order", "adapt"]
}

extension StudyContext {
    /// The names of the values that the rounds of a block have; `nil` if it is not a block.
    func namesOfRounds(_ block: [Node.Pair]) -> Set<String>? {
        guard block.value(of: "type")?.scalarText == "block" else { return nil }
        let set = block.value(of: "forEach")?.scalarText.flatMap { Identifier($0) }
        let seen = block.value(of: "seen") == nil ? [] : [Block.Take.name]
        return Set(set.flatMap { rows(of: $0) }?.flatMap(\.cells.keys) ?? []).union(seen)
    }
}

extension Node {
    /// Whether a text or a value in it uses one of these names.
    func uses(_ names: Set<String>, _ context: StudyContext? = nil) -> Bool {
        !places(context).isDisjoint(with: names) || valueNames(context).contains { names.contains($0.value) }
    }

    /// Every `$name` in it that could be a value of the round, with its place; those in inner blocks are left out.
    func valueNames(_ context: StudyContext? = nil) -> [Located<String>] {
        switch content {
        case .scalar(let text, .plain):
            return FilledRow.name(text).map { [Located(value: $0, range: range)] } ?? []
        case .scalar: return []
        case .sequence(let nodes): return nodes.flatMap { $0.valueNames(context) }
        case .mapping(let pairs):
            let hidden = context?.namesOfRounds(pairs) ?? []
            // Of a table that is not known, or that each row names, nobody knows here which names are its own.
            if hidden.isEmpty, context != nil, pairs.value(of: "type")?.scalarText == "block",
                let table = pairs.value(of: "forEach")
            {
                return table.valueNames()
            }
            return pairs.flatMap { $0.value.valueNames(context) }.filter { !hidden.contains($0.value) }
        }
    }

    /// The names in braces in its texts; those in inner blocks are left out.
    func places(_ context: StudyContext? = nil) -> Set<String> {
        switch content {
        case .scalar(let text, _):
            return Set(Placeholder.names(in: text))
        case .sequence(let nodes): return nodes.reduce(into: []) { $0.formUnion($1.places(context)) }
        case .mapping(let pairs):
            let places: Set<String> = pairs.reduce(into: []) { $0.formUnion($1.value.places(context)) }
            return places.subtracting(context?.namesOfRounds(pairs) ?? [])
        }
    }
}
