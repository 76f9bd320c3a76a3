import StudyModel

/// A kind of mapping: its keys, the rules between them, and what becomes of it.
struct Shape<Value>: Sendable {
    let rules: [ShapeRule]
    let decode: @Sendable (Fields) -> Value?
    private let name: String
    private let title: String
    private let description: String
    private let fields: [FieldDeclaration]
    private let allowsOtherScalars: Bool
    private let known: [String]
    private let required: [FieldDeclaration]

    /// - Parameters:
    ///   - name: the name of the definition in the JSON Schema.
    ///   - allowsOtherScalars: whether other keys are welcome, with scalars as values.
    init(
        name: String, title: String, description: String, fields: [FieldDeclaration],
        rules: [ShapeRule] = [], allowsOtherScalars: Bool = false,
        decode: @escaping @Sendable (Fields) -> Value?
    ) {
        (self.name, self.title, self.description) = (name, title, description)
        (self.fields, self.rules, self.allowsOtherScalars) = (fields, rules, allowsOtherScalars)
        self.decode = decode
        known = fields.map(\.key)
        required = fields.filter(\.isRequired)
    }
}

extension Kind {
    static func mapping(_ shape: Shape<Value>) -> Kind {
        Kind(schema: shape.schema, read: shape.read)
    }
}

extension Shape {
    @Sendable fileprivate func schema(_ definitions: SchemaDefinitions) -> JSON {
        definitions.define(name) { definitions in
            definitions.object(
                title: title, description: description, fields: fields, rules: rules,
                additional: allowsOtherScalars ? ["type": ["string", "number", "boolean"]] : false)
        }
    }

    /// Reads a mapping; reports unknown and missing keys, and broken rules between them.
    @Sendable fileprivate func read(_ node: Node, _ reading: Reading) -> Value? {
        guard case .mapping(let pairs) = node.content else {
            let examples = fields.prefix(3).map(\.key).joined(separator: ", ")
            reading.reportKind(
                of: node, expected: "a group of keys",
                help: fields.isEmpty ? "write {}" : "write its keys: \(examples) …")
            return nil
        }
        for pair in pairs.outside(known) {
            if !allowsOtherScalars {
                reading.reportUnknown(pair.key, among: known)
            } else if pair.value.scalarText == nil {
                reading.reportKind(of: pair.value, expected: "a single value")
            }
        }
        let meant = allowsOtherScalars ? pairs : pairs.withKeysMeant(known)
        return reading.value(
            of: Fields(pairs, at: node.range, reading), meant, requiring: required, rules, decode)
    }
}

extension Reading {
    /// What becomes of a mapping; reports missing keys first, and broken rules last.
    ///
    /// - Parameter meant: the mapping's pairs with misspelt keys set right.
    func value<Value>(
        of fields: Fields, _ meant: [Node.Pair], requiring required: [FieldDeclaration], _ rules: [ShapeRule],
        _ decode: (Fields) -> Value?
    ) -> Value? {
        for field in required where meant.value(of: field.key) == nil {
            report(
                .missingKey, "'\(field.key)' is missing", at: fields.range.firstCharacter,
                help: "add '\(field.key): \(field.example.yaml)'")
        }
        let value = decode(fields)
        for rule in rules { rule.check(meant, at: fields.range, self) }
        return value
    }
}

/// Keys that the format names and this version does not understand.
private let futureKeys = ["allocation", "arm", "arms", "interruption", "saveForLater"]

extension Reading {
    /// Reports a key that means nothing, or nothing yet.
    func reportUnknown(_ key: Located<String>, among known: [String]) {
        guard !futureKeys.contains(key.value) else {
            report(
                .notYetSupported, "'\(key.value)' is not yet supported", at: key.range,
                help: "leave it out; a study that needs it cannot be run by this version")
            return
        }
        report(
            .unknownKey, "'\(key.value.prefix(64))' means nothing here", at: key.range,
            help: Suggestion.help(for: key.value, among: known, all: "the keys here are"))
    }
}
