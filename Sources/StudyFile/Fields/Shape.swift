import StudyModel

/// A kind of mapping: its keys, the rules between them, and what becomes of it.
struct Shape<Value>: Sendable {
    fileprivate let keys: ShapeKeys
    let decode: @Sendable (Fields) -> Value?

    /// - Parameters:
    ///   - name: the name of the definition in the JSON Schema.
    ///   - allowsOtherScalars: whether other keys are welcome, with scalars as values.
    init(
        name: String, title: String, description: String, fields: [FieldDeclaration],
        rules: [ShapeRule] = [], allowsOtherScalars: Bool = false,
        decode: @escaping @Sendable (Fields) -> Value?
    ) {
        keys = ShapeKeys(
            name: name, title: title, description: description, fields: fields, rules: rules,
            allowsOtherScalars: allowsOtherScalars)
        self.decode = decode
    }
}

/// What is known of a kind of mapping without the type of its value: compiled once, not once for each.
private struct ShapeKeys {
    var name: String
    var title: String
    var description: String
    var fields: [FieldDeclaration]
    var rules: [ShapeRule]
    var allowsOtherScalars: Bool
    let known: [String]
    let required: [FieldDeclaration]

    init(
        name: String, title: String, description: String, fields: [FieldDeclaration], rules: [ShapeRule],
        allowsOtherScalars: Bool
    ) {
        (self.name, self.title, self.description) = (name, title, description)
        (self.fields, self.rules, self.allowsOtherScalars) = (fields, rules, allowsOtherScalars)
        known = fields.map(\.key)
        required = fields.filter(\.isRequired)
    }
}

extension Kind {
    /// A mapping of the given shape.
    static func mapping(_ shape: Shape<Value>) -> Kind {
        Kind(
            schema: { $0.mapping(shape.keys) },
            read: { node, reading in
                guard let pairs = reading.pairs(of: node, shape.keys) else { return nil }
                let value = shape.decode(Fields(pairs.given, at: node.range, reading))
                for rule in shape.keys.rules { rule.check(pairs.meant, at: node.range, reading) }
                return value
            })
    }
}

extension Reading {
    /// The pairs of a mapping, as they are given and with misspelt keys set right for the rules between them;
    /// reports unknown and missing keys, and `nil` where there is no mapping.
    fileprivate func pairs(
        of node: Node, _ keys: ShapeKeys
    ) -> (given: [Node.Pair], meant: [Node.Pair])? {
        let fields = keys.fields
        guard case .mapping(let pairs) = node.content else {
            let examples = fields.prefix(3).map(\.key).joined(separator: ", ")
            reportKind(
                of: node, expected: "a group of keys",
                help: fields.isEmpty ? "write {}" : "write its keys: \(examples) …")
            return nil
        }
        for pair in pairs.outside(keys.known) {
            guard !keys.allowsOtherScalars else {
                if pair.value.scalarText == nil {
                    reportKind(of: pair.value, expected: "a single value")
                }
                continue
            }
            reportUnknown(pair.key, among: keys.known)
        }
        let meant = keys.allowsOtherScalars ? pairs : pairs.withKeysMeant(keys.known)
        reportMissing(keys.required, in: meant, at: node.range)
        return (pairs, meant)
    }
}

extension SchemaDefinitions {
    fileprivate func mapping(_ keys: ShapeKeys) -> JSON {
        define(keys.name) { definitions in
            definitions.object(
                title: keys.title, description: keys.description, fields: keys.fields, rules: keys.rules,
                additional: keys.allowsOtherScalars ? ["type": ["string", "number", "boolean"]] : false)
        }
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

    /// Reports every key that is not there, of those that must be.
    func reportMissing(_ required: [FieldDeclaration], in pairs: [Node.Pair], at range: SourceRange) {
        for field in required where pairs.value(of: field.key) == nil {
            report(
                .missingKey, "'\(field.key)' is missing", at: range.firstCharacter,
                help: "add '\(field.key): \(field.example.yaml)'")
        }
    }
}
