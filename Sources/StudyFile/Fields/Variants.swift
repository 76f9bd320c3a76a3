import StudyModel

/// Mappings that come in several types, told apart by the word at their key `type`.
struct Variants<Value>: Sendable {
    /// One of the types.
    struct Variant: Sendable {
        fileprivate let type: VariantType
        fileprivate let decode: @Sendable (Fields) -> Value?

        init(
            word: String, description: String, fields: [FieldDeclaration], rules: [ShapeRule] = [],
            decode: @escaping @Sendable (Fields) -> Value?
        ) {
            type = VariantType(word: word, description: description, fields: fields, rules: rules)
            self.decode = decode
        }
    }

    fileprivate let types: VariantTypes
    fileprivate let decoders: [String: @Sendable (Fields) -> Value?]
    fileprivate let fallback: @Sendable (Fields) -> Value?

    /// - Parameters:
    ///   - name: the name of the definition in the JSON Schema.
    ///   - noun: what one of them is called, such as `step`.
    ///   - common: the keys that every type has, `type` itself excepted.
    ///   - elsewhere: types that exist elsewhere; the diagnostic says why not here.
    ///   - notHere: keys that have a meaning elsewhere, with the reason why not here.
    ///   - fallback: what can be told of a mapping whose type is unknown.
    init(
        name: String, noun: String, common: [FieldDeclaration], variants: [Variant],
        elsewhere: [VariantTypes.Elsewhere] = [], notHere: [(key: String, reason: String)] = [],
        fallback: @escaping @Sendable (Fields) -> Value? = { _ in nil }
    ) {
        types = VariantTypes(
            name: name, noun: noun, common: common, types: variants.map(\.type), elsewhere: elsewhere,
            notHere: notHere)
        decoders = Dictionary(variants.map { ($0.type.word, $0.decode) }) { first, _ in first }
        self.fallback = fallback
    }
}

extension Kind {
    /// A mapping of one of several types.
    static func variants(_ variants: Variants<Value>) -> Kind {
        Kind(
            schema: { variants.types.schema($0) },
            read: { node, reading in
                guard let found = variants.types.read(node, reading) else { return nil }
                let decode = found.type.flatMap { variants.decoders[$0.word] } ?? variants.fallback
                let value = decode(found.fields)
                for rule in found.type?.rules ?? [] { rule.check(found.meant, at: node.range, reading) }
                return value
            })
    }
}

/// One type of a mapping, without the type of its value.
private struct VariantType {
    var word: String
    var description: String
    var fields: [FieldDeclaration]
    var rules: [ShapeRule]
    /// Every key of the type, those that all types have included.
    var known: [String] = []
    /// The keys that must be there, of the same.
    var required: [FieldDeclaration] = []
}

/// What is known of mappings of several types without the type of their value: compiled once, not once for each.
struct VariantTypes {
    /// A type that cannot stand here.
    struct Elsewhere {
        var word: String
        var code: DiagnosticCode
        var message: String
        var help: String
    }

    fileprivate var name: String
    fileprivate var noun: String
    fileprivate var common: [FieldDeclaration]
    fileprivate var types: [VariantType]
    fileprivate var elsewhere: [Elsewhere]
    fileprivate var notHere: [(key: String, reason: String)]
    /// What is known of a mapping whose type is not.
    private var untyped: VariantType

    fileprivate init(
        name: String, noun: String, common: [FieldDeclaration], types: [VariantType],
        elsewhere: [Elsewhere], notHere: [(key: String, reason: String)]
    ) {
        let whole = { (type: VariantType) in
            var type = type
            type.known = ["type"] + (common + type.fields).map(\.key)
            type.required = (common + type.fields).filter(\.isRequired)
            return type
        }
        (self.name, self.noun, self.common) = (name, noun, common)
        (self.elsewhere, self.notHere) = (elsewhere, notHere)
        self.types = types.map(whole)
        untyped = whole(VariantType(word: "", description: "", fields: [], rules: []))
    }

    /// The keys of a mapping, its type where that is known, and its pairs with misspelt keys set right.
    fileprivate func read(
        _ node: Node, _ reading: Reading
    ) -> (fields: Fields, type: VariantType?, meant: [Node.Pair])? {
        guard case .mapping(let pairs) = node.content else {
            reading.reportKind(
                of: node, expected: "a \(noun)", help: "write its keys: type, \(common.first?.key ?? "…") …")
            return nil
        }
        let type = type(of: pairs, at: node.range, reading)
        let word = pairs.value(of: "type")?.scalarText
        let own = type ?? untyped
        if !elsewhere.contains(where: { $0.word == word }) {
            for pair in pairs.outside(own.known) { report(pair.key, type, reading) }
        }
        let meant = pairs.withKeysMeant(own.known)
        reading.reportMissing(own.required, in: meant, at: node.range)
        return (Fields(pairs, at: node.range, reading), type, meant)
    }

    private func type(of pairs: [Node.Pair], at range: SourceRange, _ reading: Reading) -> VariantType? {
        guard let value = pairs.value(of: "type") else {
            let known = ["type"] + common.map(\.key) + types.flatMap { $0.fields.map(\.key) }
            guard pairs.withKeysMeant(known).value(of: "type") == nil else { return nil }
            reading.report(
                .missingKey, "'type' is missing", at: range.firstCharacter,
                help: "the types are: \(types.map(\.word).joined(separator: ", "))")
            return nil
        }
        guard let word = value.scalarText, !value.isNull else {
            reading.reportKind(
                of: value, expected: "the type of the \(noun)",
                help: "the types are: \(types.map(\.word).joined(separator: ", "))")
            return nil
        }
        if let type = types.first(where: { $0.word == word }) { return type }
        if let other = elsewhere.first(where: { $0.word == word }) {
            reading.report(other.code, other.message, at: value.range, help: other.help)
        } else {
            reading.report(
                .unknownType, "there are no \(noun)s of type '\(word.prefix(40))'", at: value.range,
                help: Suggestion.help(for: word, among: types.map(\.word), all: "the types are"))
        }
        return nil
    }

    /// Reports a key that does not belong to the type; where the type is unknown, to none.
    private func report(_ key: Located<String>, _ type: VariantType?, _ reading: Reading) {
        let isKey = { (field: FieldDeclaration) in field.key == key.value }
        let commonKeys = common.map(\.key)
        let owners = types.filter { $0.fields.contains(where: isKey) }
        if let reason = notHere.first(where: { $0.key == key.value })?.reason {
            reading.report(
                .misplacedKey, "'\(key.value)' cannot stand here: \(reason)", at: key.range,
                help: "leave it out")
            return
        }
        guard let type else {
            if owners.isEmpty {
                reading.reportUnknown(
                    key, among: ["type"] + commonKeys + types.flatMap { $0.fields.map(\.key) })
            }
            return
        }
        guard !owners.isEmpty else {
            let own = ["type"] + type.fields.map(\.key) + commonKeys
            reading.reportUnknown(key, among: own)
            return
        }
        let words = owners.map { "'\($0.word)'" }.joined(separator: ", ")
        reading.report(
            .misplacedKey, "'\(key.value)' belongs to \(noun)s of type \(words), this is '\(type.word)'",
            at: key.range, help: "leave it out, or change the type")
    }

    fileprivate func schema(_ definitions: SchemaDefinitions) -> JSON {
        definitions.define(name) { definitions in
            let branches: [JSON] = types.map { type in
                let whole = definitions.define(name + "-" + type.word) { definitions in
                    definitions.object(
                        title: "\(type.word) (\(noun))", description: type.description,
                        fields: [typeKey([type.word])] + common + type.fields, rules: type.rules,
                        additional: false)
                }
                return [
                    "if": ["properties": ["type": ["const": .string(type.word)]], "required": ["type"]],
                    "then": whole,
                ]
            }
            return [
                "type": "object", "required": ["type"],
                "properties": ["type": definitions.property(typeKey(types.map(\.word)))],
                "allOf": .array(branches),
            ]
        }
    }

    private func typeKey(_ words: [String]) -> FieldDeclaration {
        FieldDeclaration(
            key: "type", isRequired: true, title: "Type",
            description: "What kind of \(noun) it is: "
                + types.map { "\($0.word) (\($0.description))" }.joined(separator: ", ") + ".",
            example: .string(words[0]), usual: nil, schema: { _ in ["enum": JSON(words)] })
    }
}
