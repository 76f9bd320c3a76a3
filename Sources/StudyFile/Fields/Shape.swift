import StudyModel

/// A kind of mapping: its keys, the rules between them, and what becomes of it.
struct Shape<Value>: Sendable {
    /// The name of the definition in the JSON Schema.
    var name: String
    var title: String
    var description: String
    var fields: [FieldDeclaration]
    var rules: [ShapeRule] = []
    /// Whether other keys are welcome, with scalars as values.
    var allowsOtherScalars = false
    var decode: @Sendable (Fields) -> Value?
}

extension Kind {
    /// A mapping of the given shape.
    static func mapping(_ shape: Shape<Value>) -> Kind {
        Kind(
            schema: { definitions in definitions.define(shape.name) { shape.schema($0) } },
            read: { node, reading in
                guard case .mapping(let pairs) = node.content else {
                    let keys = shape.fields.prefix(3).map(\.key).joined(separator: ", ")
                    reading.reportKind(
                        of: node, expected: "a group of keys",
                        help: shape.fields.isEmpty ? "write {}" : "write its keys: \(keys) …")
                    return nil
                }
                let meant = shape.checkKeys(pairs, at: node.range, reading)
                let value = shape.decode(Fields(pairs, at: node.range, reading))
                for rule in shape.rules { rule.check(meant, at: node.range, reading) }
                return value
            })
    }
}

extension Shape {
    /// Reports unknown and missing keys.
    ///
    /// - Returns: the pairs with misspelt keys set right, for the rules between them.
    fileprivate func checkKeys(
        _ pairs: [Node.Pair], at range: SourceRange, _ reading: Reading
    ) -> [Node.Pair] {
        for pair in pairs where !fields.contains(where: { $0.key == pair.key.value }) {
            guard !allowsOtherScalars else {
                if pair.value.scalarText == nil {
                    reading.reportKind(of: pair.value, expected: "a single value")
                }
                continue
            }
            reading.reportUnknown(pair.key, among: fields.map(\.key))
        }
        let meant = allowsOtherScalars ? pairs : pairs.withKeysMeant(fields.map(\.key))
        reading.reportMissing(fields, in: meant, at: range)
        return meant
    }

    fileprivate func schema(_ definitions: SchemaDefinitions) -> JSON {
        definitions.object(
            title: title, description: description, fields: fields, rules: rules,
            additional: allowsOtherScalars ? ["type": ["string", "number", "boolean"]] : false)
    }
}

extension [Node.Pair] {
    /// The pairs with misspelt keys set right, so that nothing is called missing that stands there misspelt.
    func withKeysMeant(_ known: [String]) -> [Node.Pair] {
        var given = Set(map(\.key.value))
        return map { pair in
            guard !known.contains(pair.key.value),
                let meant = Suggestion.nearest(to: pair.key.value, among: known),
                given.insert(meant).inserted
            else { return pair }
            return Node.Pair(key: Located(value: meant, range: pair.key.range), value: pair.value)
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

    /// Reports every required key that is not there.
    func reportMissing(_ fields: [FieldDeclaration], in pairs: [Node.Pair], at range: SourceRange) {
        for field in fields where field.isRequired && !pairs.contains(where: { $0.key.value == field.key }) {
            report(
                .missingKey, "'\(field.key)' is missing", at: range.firstCharacter,
                help: "add '\(field.key): \(field.example.yaml)'")
        }
    }
}
