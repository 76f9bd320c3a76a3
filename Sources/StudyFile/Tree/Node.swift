/// A part of a YAML file with its place. Anchors are resolved, keys are merged, and scalars are still text.
struct Node: Sendable {
    enum Content: Sendable {
        case scalar(String, Style)
        case sequence([Node])
        case mapping([Pair])
    }

    /// How a scalar is written.
    enum Style: Sendable {
        case plain
        /// In single or double quotes.
        case quoted
        /// As a block, after `|` or `>`.
        case block
    }

    /// A key with its value.
    struct Pair: Sendable {
        var key: Located<String>
        var value: Node
    }

    var content: Content
    var range: SourceRange
    /// The number of nodes in it, including itself, keys and the targets of aliases.
    var count = 1
    /// The number of levels in it; 1 for a scalar.
    var depth = 1
}

/// A value with its place in the file.
struct Located<Value> {
    var value: Value
    var range: SourceRange
}

extension Located: Sendable where Value: Sendable {}

extension Node {
    /// Whether nothing is written here, or YAML's word for nothing.
    var isNull: Bool {
        guard case .scalar(let text, .plain) = content else { return false }
        return switch text {
        case "", "~", "null", "Null", "NULL": true
        default: false
        }
    }

    /// The text of a scalar, however written; `nil` for lists and mappings.
    var scalarText: String? {
        guard case .scalar(let text, _) = content else { return nil }
        return text
    }

    /// The text of a scalar as messages quote it, at most 40 characters; lists and mappings by their kind.
    var quotedText: String { scalarText.map { String($0.prefix(40)) } ?? kindName }

    /// The number of a mapping's keys; 0 for anything else.
    var mappingCount: Int {
        if case .mapping(let pairs) = content { pairs.count } else { 0 }
    }

    /// The word for this kind of node in messages to authors.
    var kindName: String {
        switch content {
        case .scalar(_, .plain): isNull ? "nothing" : "a single value"
        case .scalar(_, .quoted), .scalar(_, .block): "text"
        case .sequence: "a list"
        case .mapping: "a group of keys"
        }
    }
}
