import StudyModel
import TextFormat

/// One key of a mapping, declared once: `Fields` reads it, and the JSON Schema describes it.
struct Field<Value>: Sendable {
    private(set) var declaration: FieldDeclaration
    let kind: Kind<Value>

    init(
        _ key: String, _ kind: Kind<Value>, isRequired: Bool = false, usual: JSON? = nil, _ title: String,
        _ description: String, example: JSON
    ) {
        self.kind = kind
        declaration = FieldDeclaration(
            key: key, isRequired: isRequired, title: title, description: description, example: example,
            usual: usual, schema: kind.schema)
    }

    /// The same key, which is still read, but neither listed nor suggested: today's words say it in another way.
    var older: Field {
        var field = self
        field.declaration.isOlder = true
        return field
    }
}

/// What is known about a key, apart from the type of its value.
struct FieldDeclaration: Sendable {
    let key: String
    var isRequired: Bool
    let title: String
    let description: String
    let example: JSON
    /// The value if the key is absent.
    let usual: JSON?
    let schema: @Sendable (SchemaDefinitions) -> JSON
    /// Whether today's words say it in another way.
    var isOlder = false

    /// The same key, but required.
    var required: FieldDeclaration {
        var declaration = self
        declaration.isRequired = true
        return declaration
    }
}

extension [FieldDeclaration] {
    /// The declarations of keys whose values have different types.
    static func of<each Value>(_ field: repeat Field<each Value>) -> [FieldDeclaration] {
        var declarations: [FieldDeclaration] = []
        repeat declarations.append((each field).declaration)
        return declarations
    }
}

extension Field<String> {
    /// A note for authors.
    static let comment = Field(
        "comment", .text(), "Comment", "For authors; the program ignores it.", example: "Piloted in May.")
}

/// A mapping with its keys checked: unknown keys, missing keys and forbidden combinations have been reported.
struct Fields {
    let reading: Reading
    /// The place of the mapping.
    let range: SourceRange
    private let pairs: [Node.Pair]

    init(_ pairs: [Node.Pair], at range: SourceRange, _ reading: Reading) {
        self.pairs = pairs
        self.range = range
        self.reading = reading
    }

    /// The value of a key; `nil` if it is absent, or if it cannot be read, which has been reported.
    subscript<Value>(field: Field<Value>) -> Value? {
        guard let node = node(field) else { return nil }
        let value = field.kind.read(node, reading)
        if value == nil, node.isNull || node.scalarText == "" { helpWithNothing(at: node, of: field) }
        return value
    }

    /// The suggestion for a missing value: to write one, or to remove the key.
    private func helpWithNothing<Value>(at node: Node, of field: Field<Value>) {
        guard field.declaration.isRequired else {
            reading.mend(at: node.range, .missingValue, "write a value, or leave the key out")
            return
        }
        reading.mend(
            at: node.range, .missingValue, Help("write a value, such as \(field.declaration.example.yaml)"))
    }

    /// The value of a key with its place.
    func located<Value>(_ field: Field<Value>) -> Located<Value>? {
        guard let node = node(field), let value = field.kind.read(node, reading) else { return nil }
        return Located(value: value, range: node.range)
    }

    /// The same keys with changed values.
    func map(_ transform: (Node) -> Node) -> Fields {
        Fields(pairs.map { Node.Pair(key: $0.key, value: transform($0.value)) }, at: range, reading)
    }

    /// The pairs whose keys are not among these.
    func pairs(besides known: [String]) -> [Node.Pair] { pairs.outside(known) }

    /// Whether a key is present.
    func isGiven(_ key: String) -> Bool { pairs.value(of: key) != nil }

    /// The node that is at a key, unread.
    func node<Value>(_ field: Field<Value>) -> Node? { pairs.value(of: field.declaration.key) }

    /// Whether a key is present, even if it is misspelt.
    func seemsGiven<Value>(_ field: Field<Value>) -> Bool {
        let key = field.declaration.key
        return pairs.withKeysMeant([key]).value(of: key) != nil
    }

    /// The place of a key's value; if the key is absent, the beginning of the mapping.
    func place<Value>(of field: Field<Value>) -> SourceRange { node(field)?.range ?? range }

    /// The scalar values, by key; the identifier also as `id`.
    var scalarNodes: [String: Node] {
        var nodes: [String: Node] = [:]
        for pair in pairs where pair.value.scalarText != nil && !pair.value.isNull {
            nodes[pair.key.value == "identifier" ? Stimulus.identity : pair.key.value] = pair.value
        }
        return nodes
    }

    /// Warns of a key that today's words do without, where it is read from the study itself.
    ///
    /// - Parameters:
    ///   - today: where today's words say the same.
    ///   - edits: further changes that go with leaving it out.
    func reportOlder<Value>(
        _ field: Field<Value>, _ message: String, _ today: String, _ edits: [TextEdit] = []
    ) {
        let key = field.declaration.key
        guard let pair = pairs.first(where: { $0.key.value == key }) else { return }
        let next = pairs.map(\.key.range.start).filter { $0 > pair.key.range.start }.min()
        let removal = reading.source.removal(of: pair, before: next)
        reading.doubt(
            .olderWords, message, at: pair.key.range,
            help: Help(today, edits: removal.map { edits + [$0] } ?? []))
    }

    /// Every key whose value is a scalar, with its text.
    var scalars: [(key: String, text: String)] {
        pairs.compactMap { pair in
            guard let text = pair.value.scalarText, !pair.value.isNull else { return nil }
            return (pair.key.value, text)
        }
    }
}
