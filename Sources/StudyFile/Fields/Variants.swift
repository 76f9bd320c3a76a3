import StudyModel

/// Mappings that come in several types, told apart by the word at their key `type`.
struct Variants<Value>: Sendable {
    /// One of the types.
    struct Variant: Sendable {
        var word: String
        var description: String
        var fields: [FieldDeclaration]
        var rules: [ShapeRule] = []
        var decode: @Sendable (Fields) -> Value?
    }

    /// What one of them is called, such as `step`; also the name of the definition in the JSON Schema.
    var name: String
    var noun: String
    /// The keys that every type has, `type` itself excepted.
    var common: [FieldDeclaration]
    var variants: [Variant]
    /// Types that exist elsewhere; the diagnostic says why not here.
    var elsewhere: [Elsewhere] = []
    /// Keys that have a meaning elsewhere, with the reason why not here.
    var notHere: [(key: String, reason: String)] = []
    /// What can be told of a mapping whose type is unknown.
    var fallback: @Sendable (Fields) -> Value? = { _ in nil }

    /// A type that cannot stand here.
    struct Elsewhere: Sendable {
        var word: String
        var code: DiagnosticCode
        var message: String
        var help: String
    }
}

extension Kind {
    /// A mapping of one of several types.
    static func variants(_ variants: Variants<Value>) -> Kind {
        Kind(
            schema: { definitions in definitions.define(variants.name) { variants.schema($0) } },
            read: { node, reading in
                guard case .mapping(let pairs) = node.content else {
                    reading.reportKind(
                        of: node, expected: "a \(variants.noun)",
                        help: "write its keys: type, \(variants.common.first?.key ?? "…") …")
                    return nil
                }
                return variants.read(pairs, at: node.range, reading)
            })
    }
}

extension Variants {
    fileprivate func read(_ pairs: [Node.Pair], at range: SourceRange, _ reading: Reading) -> Value? {
        let fields = Fields(pairs, at: range, reading)
        let variant = variant(of: pairs, at: range, reading)
        for pair in pairs where pair.key.value != "type" { check(pair.key, variant, reading) }
        let own = common + (variant?.fields ?? [])
        let meant = pairs.withKeysMeant(["type"] + own.map(\.key))
        reading.reportMissing(own, in: meant, at: range)
        let value = variant.map { $0.decode(fields) } ?? fallback(fields)
        for rule in variant?.rules ?? [] { rule.check(meant, at: range, reading) }
        return value
    }

    private func variant(of pairs: [Node.Pair], at range: SourceRange, _ reading: Reading) -> Variant? {
        guard let value = pairs.first(where: { $0.key.value == "type" })?.value else {
            let known = ["type"] + common.map(\.key) + variants.flatMap { $0.fields.map(\.key) }
            guard !pairs.withKeysMeant(known).contains(where: { $0.key.value == "type" }) else { return nil }
            reading.report(
                .missingKey, "'type' is missing", at: range.firstCharacter,
                help: "the types are: \(variants.map(\.word).joined(separator: ", "))")
            return nil
        }
        guard let word = value.scalarText, !value.isNull else {
            reading.reportKind(
                of: value, expected: "the type of the \(noun)",
                help: "the types are: \(variants.map(\.word).joined(separator: ", "))")
            return nil
        }
        if let variant = variants.first(where: { $0.word == word }) { return variant }
        if let other = elsewhere.first(where: { $0.word == word }) {
            reading.report(other.code, other.message, at: value.range, help: other.help)
        } else {
            reading.report(
                .unknownType, "there are no \(noun)s of type '\(word.prefix(40))'", at: value.range,
                help: Suggestion.help(for: word, among: variants.map(\.word), all: "the types are"))
        }
        return nil
    }

    /// Every key must belong to the type; where the type is unknown, to any.
    private func check(_ key: Located<String>, _ variant: Variant?, _ reading: Reading) {
        let isKey = { (field: FieldDeclaration) in field.key == key.value }
        if common.contains(where: isKey) || variant?.fields.contains(where: isKey) == true { return }
        let commonKeys = common.map(\.key)
        let owners = variants.filter { $0.fields.contains(where: isKey) }
        if let reason = notHere.first(where: { $0.key == key.value })?.reason {
            reading.report(
                .misplacedKey, "'\(key.value)' cannot stand here: \(reason)", at: key.range,
                help: "leave it out")
            return
        }
        guard let variant else {
            if owners.isEmpty {
                reading.reportUnknown(
                    key, among: ["type"] + commonKeys + variants.flatMap { $0.fields.map(\.key) })
            }
            return
        }
        guard !owners.isEmpty else {
            let own = ["type"] + variant.fields.map(\.key) + commonKeys
            reading.reportUnknown(key, among: own)
            return
        }
        let words = owners.map { "'\($0.word)'" }.joined(separator: ", ")
        reading.report(
            .misplacedKey, "'\(key.value)' belongs to \(noun)s of type \(words), this is '\(variant.word)'",
            at: key.range, help: "leave it out, or change the type")
    }

    fileprivate func schema(_ definitions: SchemaDefinitions) -> JSON {
        let description =
            "What kind of \(noun) it is: "
            + variants.map { "\($0.word) (\($0.description))" }.joined(separator: ", ") + "."
        let type = { (words: [String]) in
            FieldDeclaration(
                key: "type", isRequired: true, title: "Type", description: description,
                example: .string(words[0]),
                usual: nil, schema: { _ in ["enum": JSON(words)] })
        }
        let branches: [JSON] = variants.map { variant in
            let whole = definitions.define(name + "-" + variant.word) { definitions in
                definitions.object(
                    title: "\(variant.word) (\(noun))", description: variant.description,
                    fields: [type([variant.word])] + common + variant.fields, rules: variant.rules,
                    additional: false)
            }
            return [
                "if": ["properties": ["type": ["const": .string(variant.word)]], "required": ["type"]],
                "then": whole,
            ]
        }
        return [
            "type": "object", "required": ["type"],
            "properties": ["type": definitions.property(type(variants.map(\.word)))],
            "allOf": .array(branches),
        ]
    }
}
