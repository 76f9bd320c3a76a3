import StudyModel

/// A clip or condition with its values, as the rounds of a block use them.
struct RoundRow {
    var identifier: Identifier
    /// Its values as they are written, by name.
    var cells: [String: Node]
    /// Of the file that the values stand in; `nil` for clips, whose values have no place of their own.
    var reading: Reading?
}

/// A row whose values stand in steps: where each was taken from.
struct FilledRow {
    struct Cell {
        var range: SourceRange
        var reading: Reading
    }

    /// By the place of the `$name` that the value stands for.
    var places: [SourceRange: Cell] = [:]
    private let row: RoundRow

    init(_ row: RoundRow) { self.row = row }

    /// A step with the row's values: `$name` as a whole value, `{name}` within a text. Names of steps, and where rules
    /// lead, are the same in all rounds.
    mutating func filled(_ node: Node) -> Node {
        var filled = node
        switch node.content {
        case .scalar(let text, let style):
            if style == .plain, let name = Self.name(text), let cell = row.cells[name] {
                filled.content = cell.content
                if let reading = row.reading {
                    places[node.range] = Cell(range: cell.range, reading: reading)
                }
            } else {
                filled.content = .scalar(Placeholder.filled(text) { row.cells[$0]?.scalarText }, style)
            }
        case .sequence(let nodes): filled.content = .sequence(nodes.map { self.filled($0) })
        case .mapping(let pairs):
            filled.content = .mapping(
                pairs.map { pair in
                    guard !Self.fixedKeys.contains(pair.key.value) else { return pair }
                    return Node.Pair(key: pair.key, value: self.filled(pair.value))
                })
        }
        return filled
    }

    /// The name in `$name`.
    static func name(_ text: String) -> String? {
        guard text.first == "$", Identifier(String(text.dropFirst())) != nil else { return nil }
        return String(text.dropFirst())
    }

    /// Keys whose values are the same in every round.
    static let fixedKeys: Set = ["type", "identifier", "goTo", "target", "correct", "recorders", "comment"]
}

extension Node {
    /// Every `$name` in it that could be a value of the round, with its place.
    var valueNames: [Located<String>] {
        switch content {
        case .scalar(let text, .plain):
            FilledRow.name(text).map { [Located(value: $0, range: range)] } ?? []
        case .scalar: []
        case .sequence(let nodes): nodes.flatMap(\.valueNames)
        case .mapping(let pairs): pairs.flatMap(\.value.valueNames)
        }
    }

    /// Whether a text in it has one of these names in braces.
    func hasPlace(for names: Set<String>) -> Bool {
        switch content {
        case .scalar(let text, _):
            var isThere = false
            _ = Placeholder.filled(text) { name in
                isThere = isThere || names.contains(name)
                return nil
            }
            return isThere
        case .sequence(let nodes): return nodes.contains { $0.hasPlace(for: names) }
        case .mapping(let pairs): return pairs.contains { $0.value.hasPlace(for: names) }
        }
    }
}
