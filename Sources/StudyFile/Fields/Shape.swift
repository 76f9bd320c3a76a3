import StudyModel
import TextFormat

/// A kind of mapping: its keys, the rules between them, and the value that it yields.
struct Shape<Value>: Sendable {
    let rules: [ShapeRule]
    let decode: @Sendable (Fields) -> Value?
    private let name: String
    private let title: String
    private let description: String
    private let fields: [FieldDeclaration]
    private let allowsOtherScalars: Bool
    private let known: [String]
    private let offered: [String]
    private let required: [FieldDeclaration]

    /// - Parameters:
    ///   - name: the name of the definition in the JSON Schema.
    ///   - allowsOtherScalars: whether other keys with scalar values are allowed.
    init(
        name: String, title: String, description: String, fields: [FieldDeclaration],
        rules: [ShapeRule] = [], allowsOtherScalars: Bool = false,
        decode: @escaping @Sendable (Fields) -> Value?
    ) {
        (self.name, self.title, self.description) = (name, title, description)
        (self.fields, self.rules, self.allowsOtherScalars) = (fields, rules, allowsOtherScalars)
        self.decode = decode
        known = fields.map(\.key)
        offered = fields.filter { !$0.isOlder }.map(\.key)
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
                reading.reportUnknown(pair.key, among: offered, in: pairs)
            } else if pair.value.scalarText == nil {
                reading.reportKind(
                    of: pair.value, expected: "a single value", help: reading.helpWithoutBrackets(pair.value))
            }
        }
        let meant = allowsOtherScalars ? pairs : pairs.withKeysMeant(known)
        return reading.value(
            of: Fields(pairs, at: node.range, reading), meant, requiring: required, rules, among: fields,
            decode)
    }
}

extension Reading {
    /// The value of a mapping; reports missing keys first, and broken rules last.
    ///
    /// - Parameter meant: the mapping's pairs with misspelt keys corrected.
    func value<Value>(
        of fields: Fields, _ meant: [Node.Pair], requiring required: [FieldDeclaration], _ rules: [ShapeRule],
        among declared: [FieldDeclaration], _ decode: (Fields) -> Value?
    ) -> Value? {
        for field in required where meant.value(of: field.key) == nil {
            report(
                .missingKey, "'\(field.key)' is missing", at: fields.range.firstCharacter,
                help: adding(field, to: fields.range))
        }
        let value = decode(fields)
        for rule in rules { rule.check(meant, at: fields.range, declared, self) }
        return value
    }
}

/// What other programs call the keys. Which one is meant, only the author knows.
private let otherWords = [
    "body": ["text"], "content": ["text"], "id": ["identifier"], "label": ["title", "text"],
    "message": ["text"],
    "name": ["identifier", "title"], "random": ["order", "draw"], "randomise": ["order"],
    "randomize": ["order"], "randomize_order": ["order"], "randomizeOrder": ["order"],
    "fadein": ["fade"], "fadeIn": ["fade"], "offset": ["onset", "start"], "score": ["answer"],
    "skip": ["skipIf"],
    "startAt": ["onset", "start"], "timeout": ["timeLimit", "duration"],
]

/// Keys that the format reserves and this version does not support.
private let futureKeys = ["interruption", "saveForLater"]

extension Reading {
    /// Reports a key that has no meaning, or none yet.
    func reportUnknown(_ key: Located<String>, among known: [String], in pairs: [Node.Pair]) {
        guard !futureKeys.contains(key.value) else {
            report(
                .notYetSupported, "'\(key.value)' is not yet supported", at: key.range,
                help: "leave it out; this version cannot run a study that needs it")
            return
        }
        report(
            .unknownKey, "'\(key.value.prefix(64))' means nothing here", at: key.range,
            help: helpWithTornNumber(at: key, in: pairs) ?? helpWithOtherWord(for: key.value, among: known)
                ?? Help.nearest(to: key.value, among: known, all: "leave it out; the keys here are"))
    }

    private func helpWithOtherWord(for key: String, among known: [String]) -> Help? {
        let meant = (otherWords[key] ?? []).filter(known.contains)
        return meant.isEmpty
            ? nil : Help("did you mean \(meant.map { "'\($0)'" }.joined(separator: " or "))?")
    }

    /// The suggestion for the rest of a number that a comma cut off within braces: `{value: 0,9}`.
    private func helpWithTornNumber(at key: Located<String>, in pairs: [Node.Pair]) -> Help? {
        guard let index = pairs.firstIndex(where: { $0.key.range == key.range }), index > 0,
            pairs[index].value.isNull, key.value.first?.isNumber == true,
            key.value.drop(while: \.isNumber).allSatisfy({ $0 == " " || $0 == "%" || $0.isLetter }),
            let before = pairs[index - 1].value.scalarText, DecimalText.number(before) != nil
        else { return nil }
        return Help(
            "within braces a comma ends a value: write '\(before).\(key.value)' with a point if one number is meant, or leave "
                + "'\(key.value)' out")
    }

    /// The suggestion to add a key with a possible value.
    func adding(_ field: FieldDeclaration, to group: SourceRange) -> Help {
        var example = field.example.yaml
        if field.key == "identifier" { example = source.unusedName(like: example) }
        let pair = "\(field.key): \(example)"
        return Help("add the key with its value, such as '\(pair)'")
    }
}
