import StudyModel
import TextFormat

/// Mappings of several types, which the value of their key `type` distinguishes.
struct Variants<Value>: Sendable {
    struct Variant: Sendable {
        let word: String
        let description: String
        let fields: [FieldDeclaration]
        var rules: [ShapeRule] = []
        let decode: @Sendable (Fields) -> Value?
    }

    /// A type that is not possible here.
    struct Elsewhere {
        var word: String
        var code: DiagnosticCode
        var message: String
        var help: Help
    }

    /// The keys of a type, including those that all types have.
    private struct Keys {
        var known: [String]
        var required: [FieldDeclaration]

        init(_ fields: [FieldDeclaration]) {
            known = ["type"] + fields.map(\.key)
            required = fields.filter(\.isRequired)
        }
    }

    private let name: String
    private let noun: String
    private let common: [FieldDeclaration]
    private let variants: [Variant]
    private let elsewhere: [Elsewhere]
    private let notHere: [(key: String, reason: String)]
    private let fallback: @Sendable (Fields) -> Value?
    private let keys: [String: Keys]
    private let commonKeys: Keys

    /// - Parameters:
    ///   - name: the name of the definition in the JSON Schema.
    ///   - noun: the word for one of them, such as `step`.
    ///   - common: the keys that every type has, except `type` itself.
    ///   - elsewhere: types that exist elsewhere; the diagnostic says why they are not possible here.
    ///   - notHere: keys that have a meaning elsewhere, with the reason why they have none here.
    ///   - fallback: the value of a mapping whose type is unknown.
    init(
        name: String, noun: String, common: [FieldDeclaration], variants: [Variant],
        elsewhere: [Elsewhere] = [], notHere: [(key: String, reason: String)] = [],
        fallback: @escaping @Sendable (Fields) -> Value? = { _ in nil }
    ) {
        (self.name, self.noun, self.common, self.variants) = (name, noun, common, variants)
        (self.elsewhere, self.notHere, self.fallback) = (elsewhere, notHere, fallback)
        keys = Dictionary(variants.map { ($0.word, Keys(common + $0.fields)) }) { first, _ in first }
        commonKeys = Keys(common)
    }
}

extension Kind {
    /// A mapping of one of several types.
    static func variants(_ variants: Variants<Value>) -> Kind {
        Kind(schema: variants.schema, read: variants.read)
    }
}

extension Variants {
    private var words: [String] { variants.map(\.word) }

    @Sendable fileprivate func read(_ node: Node, _ reading: Reading) -> Value? {
        guard case .mapping(let pairs) = node.content else {
            reading.reportKind(
                of: node, expected: "a \(noun)", help: "write its keys: type, \(common.first?.key ?? "…") …")
            return nil
        }
        let variant = variant(of: pairs, at: node.range, reading)
        let own = variant.flatMap { keys[$0.word] } ?? commonKeys
        let word = pairs.value(of: "type")?.scalarText
        if !elsewhere.contains(where: { $0.word == word }) {
            for pair in pairs.outside(own.known) { report(pair.key, variant, in: pairs, reading) }
        }
        return reading.value(
            of: Fields(pairs, at: node.range, reading), pairs.withKeysMeant(own.known),
            requiring: own.required, variant?.rules ?? [], among: common + (variant?.fields ?? []),
            variant?.decode ?? fallback)
    }

    private func variant(of pairs: [Node.Pair], at range: SourceRange, _ reading: Reading) -> Variant? {
        guard let value = pairs.value(of: "type") else {
            let known = commonKeys.known + variants.flatMap { $0.fields.map(\.key) }
            guard pairs.withKeysMeant(known).value(of: "type") == nil else { return nil }
            reading.report(
                .missingKey, "'type' is missing", at: range.firstCharacter,
                help: adding(typeLike: pairs, at: range, reading))
            return nil
        }
        guard let word = value.scalarText, !value.isNull else {
            reading.reportKind(
                of: value, expected: "the type of the \(noun)",
                help: "the types are: \(words.joined(separator: ", "))")
            return nil
        }
        if let variant = variants.first(where: { $0.word == word }) { return variant }
        if let other = elsewhere.first(where: { $0.word == word }) {
            reading.report(other.code, other.message, at: value.range, help: other.help)
        } else {
            reading.report(
                .unknownType, "there are no \(noun)s of type '\(word.prefix(40))'", at: value.range,
                help: meant(by: word, pairs))
        }
        return nil
    }

    /// The types that have these keys.
    private func fitting(_ pairs: [Node.Pair]) -> [Variant] {
        let given = pairs.map(\.key.value).filter { $0 != "type" }
        return variants.filter { variant in
            let own = variant.fields.map(\.key)
            return given.contains(where: own.contains)
                && variant.fields.allSatisfy { !$0.isRequired || given.contains($0.key) }
                && given.allSatisfy { key in
                    !variants.contains { $0.fields.contains { $0.key == key } } || own.contains(key)
                }
        }
    }

    /// The only type that fits these keys; if no type has any of them as its own, the type that requires no key.
    private func type(like pairs: [Node.Pair]) -> String? {
        let fitting = fitting(pairs)
        if fitting.count == 1 { return fitting[0].word }
        let given = pairs.map(\.key.value).filter { $0 != "type" }
        let hasOwn = variants.contains { $0.fields.contains { given.contains($0.key) } }
        return hasOwn ? nil : variants.first { !$0.fields.contains(where: \.isRequired) }?.word
    }

    private func adding(typeLike pairs: [Node.Pair], at range: SourceRange, _ reading: Reading) -> Help {
        let all = "the types are: \(words.joined(separator: ", "))"
        guard let word = type(like: pairs) else { return Help(all) }
        return Help(
            "with these keys, add 'type: \(word)'; \(all)",
            edits: fitting(pairs).count == 1 ? reading.source.insertion(of: "type: \(word)", at: range) : [])
    }

    private func meant(by word: String, _ pairs: [Node.Pair]) -> Help? {
        let help = Help.nearest(to: word, among: words, all: "the types are")
        // Keys that belong to no type say nothing of the type that is meant.
        let known = variants.flatMap { $0.fields.map(\.key) }
        guard help?.change == Help.Change.none, pairs.contains(where: { known.contains($0.key.value) }),
            let like = type(like: pairs)
        else { return help }
        let words = "with these keys, write '\(like)'; \(help?.text ?? "")"
        return fitting(pairs).count == 1 ? .write(like, words) : Help(words)
    }

    /// Reports a key that does not belong to the type, or to any type if the type is unknown.
    private func report(
        _ key: Located<String>, _ variant: Variant?, in pairs: [Node.Pair], _ reading: Reading
    ) {
        if let reason = notHere.first(where: { $0.key == key.value })?.reason {
            reading.report(
                .misplacedKey, "'\(key.value)' cannot be given here: \(reason)", at: key.range,
                help: "leave it out")
            return
        }
        let owners = variants.filter { $0.fields.contains { $0.key == key.value } }
        switch (variant, owners.isEmpty) {
        case (nil, true):
            reading.reportUnknown(
                key, among: commonKeys.known + variants.flatMap { $0.fields.map(\.key) }, in: pairs)
        case (nil, false): break
        case (let variant?, true):
            reading.reportUnknown(
                key, among: ["type"] + variant.fields.map(\.key) + common.map(\.key), in: pairs)
        // A required key is missing, and this one is spelt nearly like it.
        case (let variant?, false) where isMeant(key.value, by: variant, in: pairs):
            reading.reportUnknown(key, among: variant.fields.map(\.key), in: pairs)
        case (let variant?, false):
            let words = owners.map { "'\($0.word)'" }.joined(separator: ", ")
            reading.report(
                .misplacedKey,
                "'\(key.value)' belongs to \(noun)s of type \(words), but this is '\(variant.word)'",
                at: key.range, help: "leave it out, or change the type")
        }
    }

    private func isMeant(_ word: String, by variant: Variant, in pairs: [Node.Pair]) -> Bool {
        let given = Set(pairs.map(\.key.value))
        let missing = variant.fields.filter { $0.isRequired && !given.contains($0.key) }.map(\.key)
        return Suggestion.nearest(to: word, among: missing) != nil
    }

    @Sendable fileprivate func schema(_ definitions: SchemaDefinitions) -> JSON {
        definitions.define(name) { definitions in
            let branches: [JSON] = variants.map { variant in
                let whole = definitions.define(name + "-" + variant.word) { definitions in
                    definitions.object(
                        title: "\(variant.word) (\(noun))", description: variant.description,
                        fields: [typeKey([variant.word])] + common + variant.fields, rules: variant.rules,
                        additional: false)
                }
                return [
                    "if": ["properties": ["type": ["const": .text(variant.word)]], "required": ["type"]],
                    "then": whole,
                ]
            }
            return [
                "type": "object", "required": ["type"],
                "properties": ["type": definitions.property(typeKey(words))],
                "allOf": .list(branches),
            ]
        }
    }

    private func typeKey(_ words: [String]) -> FieldDeclaration {
        FieldDeclaration(
            key: "type", isRequired: true, title: "Type",
            description: "What kind of \(noun) it is: "
                + variants.map { "\($0.word) (\($0.description))" }.joined(separator: ", ") + ".",
            example: .text(words[0]), usual: nil, schema: { _ in ["enum": .texts(words)] })
    }
}
