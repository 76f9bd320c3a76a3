/// A piece of a YAML file with its place: anchors followed, keys merged, scalars still text.
package struct Node: Sendable {
    package enum Content: Sendable {
        case scalar(String, Style)
        case sequence([Node])
        case mapping([Pair])
    }

    /// How a scalar is written.
    package enum Style: Sendable {
        case plain
        /// In single or double quotes.
        case quoted
        /// As a block, after `|` or `>`.
        case block
    }

    /// A key with its value.
    package struct Pair: Sendable {
        package var key: Located<String>
        package var value: Node

        package init(key: Located<String>, value: Node) { (self.key, self.value) = (key, value) }
    }

    package var content: Content
    package var range: SourceRange
    /// How many nodes this is, itself, keys and what aliases stand for included.
    package var count = 1
    /// How many levels this is deep: 1 for a scalar.
    package var depth = 1

    package init(content: Content, range: SourceRange) { (self.content, self.range) = (content, range) }
}

/// A value with the place where it was written.
package struct Located<Value> {
    package var value: Value
    package var range: SourceRange

    package init(value: Value, range: SourceRange) { (self.value, self.range) = (value, range) }
}

extension Located: Sendable where Value: Sendable {}

extension Node {
    /// Whether nothing is written here, or YAML's word for nothing.
    package var isNull: Bool {
        guard case .scalar(let text, .plain) = content else { return false }
        return switch text {
        case "", "~", "null", "Null", "NULL": true
        default: false
        }
    }

    /// The text of a scalar, however written; `nil` for lists and mappings.
    package var scalarText: String? {
        guard case .scalar(let text, _) = content else { return nil }
        return text
    }

    /// The text of a scalar as messages quote it, at most 40 characters; lists and mappings by their kind.
    package var quotedText: String { scalarText.map { String($0.prefix(40)) } ?? kindName }

    /// How many keys a mapping has; 0 for all else.
    package var mappingCount: Int {
        if case .mapping(let pairs) = content { pairs.count } else { 0 }
    }

    /// What this is, as an author would say it.
    package var kindName: String {
        switch content {
        case .scalar(_, .plain): isNull ? "nothing" : "a single value"
        case .scalar(_, .quoted), .scalar(_, .block): "text"
        case .sequence: "a list"
        case .mapping: "a group of keys"
        }
    }
}
