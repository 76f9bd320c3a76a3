import TextFormat

/// What the presence of one key requires of others. It is checked when a mapping is read, and part of the JSON
/// Schema.
enum ShapeRule: Sendable {
    case exactlyOne([String])
    case atLeastOne([String])
    case atMostOne([String])
    /// The first key needs all the others.
    case needs(String, [String])
    /// The first key needs one of the others.
    case needsOne(String, of: [String])
    /// A key has a meaning only if another key has one of these values.
    case needsWord(String, key: String, words: [String])
    /// The first key excludes another one with one of these values.
    case excludesWords(String, key: String, words: [String])
    /// If `key` has the value `word`, another key must be present.
    case wordNeeds(key: String, word: String, String)

    /// Reports if the rule is broken.
    func check(
        _ pairs: [Node.Pair], at range: SourceRange, _ declared: [FieldDeclaration], _ reading: Reading
    ) {
        let given = { (keys: [String]) in pairs.filter { keys.contains($0.key.value) } }
        let adding = { (key: String) in
            declared.first { $0.key == key }.map { reading.adding($0, to: range) } ?? "add '\(key): …'"
        }
        let require = { (owner: String, keys: [String]) in
            guard let pair = given([owner]).first, given(keys).isEmpty else { return }
            reading.report(
                .missingKey, "'\(owner)' needs \(Self.listed(keys, "or")) beside it", at: pair.key.range,
                help: adding(keys[0]))
        }
        switch self {
        case .exactlyOne(let keys):
            if given(keys).isEmpty { Self.requireOne(keys, at: range, adding(keys[0]), reading) }
            Self.rejectTwo(keys, pairs, reading)
        case .atLeastOne(let keys):
            if given(keys).isEmpty { Self.requireOne(keys, at: range, adding(keys[0]), reading) }
        case .atMostOne(let keys): Self.rejectTwo(keys, pairs, reading)
        case .needs(let owner, let keys): for key in keys { require(owner, [key]) }
        case .needsOne(let owner, let keys): require(owner, keys)
        case .needsWord(let owner, let key, let words):
            guard let pair = given([owner]).first else { return }
            let value = given([key]).first?.value
            if let text = value?.scalarText, words.contains(text) || reading.hasReported(at: value?.range) {
                return
            }
            reading.report(
                .conflictingKeys,
                "'\(owner)' has a meaning only with '\(key): \(words.joined(separator: " or "))'",
                at: pair.key.range,
                help: Help(
                    "\(value == nil ? "add" : "write") '\(key): \(words[0])', or leave '\(owner)' out"))
        case .excludesWords(let owner, let key, let words):
            guard !given([owner]).isEmpty, let pair = given([key]).first,
                let text = pair.value.scalarText, words.contains(text)
            else { return }
            reading.report(
                .conflictingKeys, "'\(key): \(text)' and '\(owner)' exclude each other", at: pair.key.range,
                help: Help("leave '\(key)' out, or '\(owner)'"))
        case .wordNeeds(let key, let word, let needed):
            guard given([key]).first?.value.scalarText == word, let pair = given([key]).first else { return }
            guard given([needed]).isEmpty else { return }
            reading.report(
                .missingKey, "'\(key): \(word)' needs '\(needed)' beside it", at: pair.value.range,
                help: adding(needed))
        }
    }

    /// The rule as a JSON Schema.
    var schema: JSON {
        switch self {
        case .exactlyOne(let keys): ["oneOf": Self.required(keys)]
        case .atLeastOne(let keys): ["anyOf": Self.required(keys)]
        case .atMostOne(let keys):
            ["oneOf": .list(Self.requiredList(keys) + [["not": ["anyOf": Self.required(keys)]]])]
        case .needs(let owner, let keys): ["dependencies": .members([.init(key: owner, value: .texts(keys))])]
        case .needsOne(let owner, let keys):
            ["dependencies": .members([.init(key: owner, value: ["anyOf": Self.required(keys)])])]
        case .needsWord(let owner, let key, let words):
            ["dependencies": .members([.init(key: owner, value: Self.word(key, words))])]
        case .excludesWords(let owner, let key, let words):
            ["not": ["allOf": [["required": .list([.text(owner)])], Self.word(key, words)]]]
        case .wordNeeds(let key, let word, let needed):
            ["if": Self.word(key, [word]), "then": ["required": [.text(needed)]]]
        }
    }

    private static func required(_ keys: [String]) -> JSON { .list(requiredList(keys)) }

    private static func requiredList(_ keys: [String]) -> [JSON] {
        keys.map { ["required": .list([.text($0)])] }
    }

    private static func word(_ key: String, _ words: [String]) -> JSON {
        [
            "properties": .members([.init(key: key, value: ["enum": .texts(words)])]),
            "required": .list([.text(key)]),
        ]
    }

    private static func requireOne(
        _ keys: [String], at range: SourceRange, _ help: Help, _ reading: Reading
    ) {
        reading.report(
            .missingKey, "\(listed(keys, "or")) is missing", at: range.firstCharacter, help: help)
    }

    private static func rejectTwo(_ keys: [String], _ pairs: [Node.Pair], _ reading: Reading) {
        let given = pairs.filter { keys.contains($0.key.value) }
        guard given.count > 1, let first = given.first else { return }
        for pair in given.dropFirst() {
            reading.report(
                .conflictingKeys, "'\(pair.key.value)' and '\(first.key.value)' exclude each other",
                at: pair.key.range,
                help: Help("keep one of \(listed(keys, "and"))"),
                first: first.key.range)
        }
    }

    private static func listed(_ keys: [String], _ conjunction: String) -> String {
        TextFormat.listed(keys.map { "'\($0)'" }, last: conjunction)
    }
}

extension SourceRange {
    /// The place to report something missing: the first character of what lacks it.
    var firstCharacter: SourceRange {
        SourceRange(start: start, end: SourcePlace(line: start.line, column: start.column + 1))
    }
}
