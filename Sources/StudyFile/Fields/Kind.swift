import StudyModel
import TextFormat

/// How one kind of value is read, and what a JSON Schema says about it.
struct Kind<Value>: Sendable {
    /// The schema. It may add to the given definitions.
    let schema: @Sendable (SchemaDefinitions) -> JSON
    /// Reads the value, or reports why not and returns `nil`.
    let read: @Sendable (Node, Reading) -> Value?

    init(
        schema: @escaping @Sendable (SchemaDefinitions) -> JSON,
        read: @escaping @Sendable (Node, Reading) -> Value?
    ) {
        self.schema = schema
        self.read = read
    }

    init(_ schema: JSON, read: @escaping @Sendable (Node, Reading) -> Value?) {
        self.init(schema: { _ in schema }, read: read)
    }
}

extension Kind {
    /// The same value, with its place.
    var located: Kind<Located<Value>> {
        Kind<Located<Value>>(schema: schema) { node, reading in
            read(node, reading).map { Located(value: $0, range: node.range) }
        }
    }

    /// The same kind, which people know by these words.
    func called(_ words: String) -> Kind {
        Kind(schema: { ["$comment": .text(words), "allOf": [schema($0)]] }, read: read)
    }

    /// The same kind, with its values transformed.
    func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Kind<Other> {
        Kind<Other>(schema: schema) { node, reading in read(node, reading).map(transform) }
    }

    /// A list of such values; values that cannot be read are left out.
    ///
    /// - Parameters:
    ///   - noun: the word for one of them, such as `step`.
    ///   - code: the code for a list of fewer than `minimum`.
    static func list<Element>(
        _ element: Kind<Element>, atLeast minimum: Int = 0, noun: String,
        whenShort code: DiagnosticCode = .emptyList
    ) -> Kind where Value == [Element] {
        Kind(
            schema: { $0.list(of: element.schema($0), atLeast: minimum, noun: noun) },
            read: { node, reading in
                reading.items(of: node, atLeast: minimum, noun: noun, whenShort: code)?
                    .compactMap { element.read($0, reading) }
            })
    }

    /// One such value, or a list of them.
    static func oneOrMore<Element>(_ element: Kind<Element>, noun: String) -> Kind where Value == [Element] {
        let list = Kind<[Element]>.list(element, noun: noun)
        return Kind(
            schema: { ["anyOf": [element.schema($0), list.schema($0)]] },
            read: { node, reading in
                if case .sequence = node.content { return list.read(node, reading) }
                return element.read(node, reading).map { [$0] }
            })
    }

    /// A mapping of such values by identifier, in file order.
    static func map<Element>(_ element: Kind<Element>, noun: String) -> Kind where Value == [Entry<Element>] {
        Kind(
            schema: { definitions in
                [
                    "$comment": .text("mapping: identifier → \(noun)"),
                    "type": "object", "propertyNames": ["pattern": .text(IdentifierText.pattern)],
                    "additionalProperties": element.schema(definitions),
                ]
            },
            read: { node, reading in
                reading.pairs(of: node, noun: noun)?.compactMap { pair in
                    let identifier = IdentifierText.read(pair.key.value, at: pair.key.range, reading)
                    let value = element.read(pair.value, reading)
                    guard let identifier, let value else { return nil }
                    return Entry(key: Located(value: identifier, range: pair.key.range), value: value)
                }
            })
    }
}

extension SchemaDefinitions {
    fileprivate func list(of element: JSON, atLeast minimum: Int, noun: String) -> JSON {
        var members: [JSON.Object.Member] = [
            .init(key: "$comment", value: .text("list of \(noun)s")),
            .init(key: "type", value: "array"), .init(key: "items", value: element),
        ]
        if minimum > 0 { members.append(.init(key: "minItems", value: .integer(minimum))) }
        return .members(members)
    }
}

extension Reading {
    /// The items of a list; reports if it is not a list, or if it is too short.
    fileprivate func items(
        of node: Node, atLeast minimum: Int, noun: String, whenShort code: DiagnosticCode
    ) -> [Node]? {
        if case .mapping(let pairs) = node.content, let key = pairs.first?.key, key.value.hasPrefix("-"),
            key.value.count > 1
        {
            report(
                .yamlSyntax, "a space is missing after the '-'", at: key.range,
                help: .write("- \(key.value.dropFirst())", "write '- ' before each item of a list"))
            return nil
        }
        guard case .sequence(let nodes) = node.content else {
            reportKind(
                of: node, expected: "a list",
                help: Help("write a list: put a '-' in front, or '[ ]' around it", edits: source.asList(node))
            )
            return nil
        }
        if nodes.count < minimum {
            report(
                code, minimum == 1 ? "the list is empty" : "the list is too short", at: node.range,
                help: "write at least \(minimum == 1 ? "one \(noun)" : "\(minimum) \(noun)s")")
        }
        return nodes
    }

    /// The pairs of a mapping from names; reports if it is not a mapping.
    fileprivate func pairs(of node: Node, noun: String) -> [Node.Pair]? {
        guard case .mapping(let pairs) = node.content else {
            reportKind(
                of: node, expected: "a group of keys", help: "write '\(noun): …', with its name as key")
            return nil
        }
        return pairs
    }

    /// Reports that a value is of the wrong kind, or missing.
    func reportKind(of node: Node, expected: String, help: Help? = nil) {
        if node.isNull {
            report(
                .missingValue, "a value is missing here: \(expected)", at: node.range,
                help: help ?? "write the value, or leave the key out")
        } else {
            report(
                .wrongType, "\(expected) is expected here, not \(description(of: node))", at: node.range,
                help: help)
        }
    }

    /// The text of a single value; reports if it is not one.
    func text(of node: Node, expected: String, help: Help?) -> String? {
        if let text = node.scalarText, !node.isNull { return text }
        reportKind(of: node, expected: expected, help: help)
        return nil
    }

    private func description(of node: Node) -> String {
        switch node.content {
        case .scalar(let text, .plain): "'\(text.prefix(40))'"
        case .scalar(let text, .quoted), .scalar(let text, .block): "the text '\(text.prefix(40))'"
        case .sequence, .mapping: node.kindName
        }
    }
}

/// A value under its identifier.
struct Entry<Value> {
    var key: Located<Identifier>
    var value: Value
}
