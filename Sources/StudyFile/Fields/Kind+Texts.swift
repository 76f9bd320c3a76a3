import StudyModel
import TextFormat

/// The JSON types of a scalar that is read as text, whatever it looks like.
private let textTypes: JSON = ["string", "number", "boolean"]

extension Kind<String> {
    /// Words in one language, or words only for authors and programs.
    static func text(atMost maximum: Int = 10_000) -> Kind {
        Kind(["type": textTypes, "minLength": 1, "maxLength": .integer(maximum)]) { node, reading in
            guard let text = node.scalarText, !node.isNull else {
                reading.reportKind(
                    of: node, expected: "a text",
                    help: reading.helpForNoText(node))
                return nil
            }
            guard !text.isEmpty else {
                reading.report(
                    .missingValue, "the text is empty", at: node.range,
                    help: "write the text, or leave the key out")
                return nil
            }
            guard text.unicodeScalars.count <= maximum else {
                reading.report(
                    .outOfRange, "the text is longer than \(maximum) characters", at: node.range,
                    help: "shorten it")
                return nil
            }
            reading.rejectControlCharacters(in: text, at: node.range)
            return text
        }
    }

    /// Words that people read. Warns if YAML took the end of them for a comment.
    static var prose: Kind {
        let text = text()
        return Kind(schema: text.schema) { node, reading in
            if !node.isNull, let lost = reading.textLost(behind: node) {
                reading.warnOfLostText(lost, behind: node)
            }
            return text.read(node, reading)
        }
    }

    /// One of several words.
    ///
    /// - Parameter older: words that are still read, but neither listed nor suggested.
    static func word(_ words: [String], older: [String] = []) -> Kind {
        let today: JSON = ["type": "string", "enum": .texts(words)]
        let past: JSON = ["type": "string", "enum": .texts(older), "deprecated": true]
        return Kind(older.isEmpty ? today : ["anyOf": [today, past]]) { node, reading in
            let text = reading.text(
                of: node, expected: words.count == 1 ? "the word \(words[0])" : "a word",
                help: "write \(words.count == 1 ? "" : "one of: ")\(words.joined(separator: ", "))")
            guard let text else { return nil }
            if words.contains(text) || older.contains(text) { return text }
            reading.report(
                .unknownWord, "'\(text.prefix(40))' means nothing here", at: node.range,
                help: Help.nearest(to: text, among: words, all: "write one of"))
            return nil
        }
    }
}

extension Kind {
    /// One of several words, each with what it means.
    static func word(_ words: [(String, Value)], older: [(String, Value)] = []) -> Kind
    where Value: Sendable {
        let word = Kind<String>.word(words.map(\.0), older: older.map(\.0))
        return Kind(schema: word.schema) { node, reading in
            guard let text = word.read(node, reading) else { return nil }
            return (words + older).first { $0.0 == text }?.1
        }
    }
}

extension Kind<LocalizedText> {
    /// A text, or one for each language, that is the same in each run.
    static var localizedText: Kind { text(isFilled: false) }

    /// A text, or one for each language, whose placeholders are filled in during the run.
    static var filledText: Kind { text(isFilled: true) }

    /// Such a text in Markdown.
    static var markdown: Kind { text(isFilled: true, isMarkdown: true) }

    private static func text(isFilled: Bool, isMarkdown: Bool = false) -> Kind {
        let prose = Kind<String>.prose
        let plain = Kind<String>(schema: prose.schema) { node, reading in
            prose.read(node, reading).map { text in
                reading.rememberReferences(
                    in: text, at: node.range, isFilled: isFilled, isMarkdown: isMarkdown)
                return text
            }
        }
        return Kind(
            schema: { definitions in
                definitions.define("text") { definitions in
                    [
                        "description": "A text, or a map of languages such as {en: Hello, fr: Bonjour}.",
                        "anyOf": [
                            plain.schema(definitions),
                            [
                                "type": "object", "minProperties": 1,
                                "propertyNames": ["pattern": .text(LanguageTag.pattern)],
                                "additionalProperties": plain.schema(definitions),
                            ],
                        ],
                    ]
                }
            },
            read: { node, reading in
                guard case .mapping(let pairs) = node.content else {
                    guard let text = plain.read(node, reading) else { return nil }
                    reading.context.texts.append(
                        ReadText(languages: [], range: node.range, reading: reading, plain: text))
                    return LocalizedText.plain(text)
                }
                return reading.translations(pairs, plain, at: node.range)
            })
    }
}

extension Reading {
    /// - Parameter isMarkdown: whether stressed words are shown as such.
    func rememberReferences(
        in text: String, at range: SourceRange, isFilled: Bool, isMarkdown: Bool = false
    ) {
        warnOfRawParts(of: text, at: range, isMarkdown: isMarkdown)
        let found = TextReference.all(in: text)
        guard !isFilled, !found.isEmpty else {
            context.references += found.map { Located(value: $0, range: range) }
            return
        }
        report(
            .misplacedKey, "nothing is filled in here: this text is the same in each run", at: range,
            help:
                "only titles, texts and details, choices, spoken cues and consent documents are filled in")
    }

    fileprivate func translations(
        _ pairs: [Node.Pair], _ plain: Kind<String>, at range: SourceRange
    ) -> LocalizedText? {
        if pairs.isEmpty {
            report(
                .missingValue, "a text is missing here", at: range,
                help: "write the text, or one for each language: {en: Hello, fr: Bonjour}")
        }
        var translations: [LocalizedText.Translation] = []
        var tags: [Located<String>] = []
        for (place, pair) in pairs.enumerated() {
            if reportTorn(pair, behind: place > 0 ? pairs[place - 1] : nil, &tags) { continue }
            tags.append(pair.key)
            guard let text = plain.read(pair.value, self), LanguageTag.isKnown(pair.key.value) else {
                continue
            }
            translations.append(.init(language: Language(pair.key.value), text: text))
        }
        context.texts.append(ReadText(languages: tags, range: range, reading: self))
        return .translated(translations)
    }

    /// Reports the rest of a text that a comma cut off, `{en: Rest, please}`, or a tag without a space,
    /// `{en:Rest}`.
    private func reportTorn(
        _ pair: Node.Pair, behind before: Node.Pair?, _ tags: inout [Located<String>]
    ) -> Bool {
        let end = source.position(of: pair.key.range.end)
        guard pair.value.isNull, source.scalars.indices.contains(end),
            ",}".unicodeScalars.contains(source.scalars[end])
        else { return false }
        let parts = pair.key.value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, LanguageTag.isKnown(String(parts[0])) {
            report(
                .yamlSyntax, "a space is missing after the ':'", at: pair.key.range,
                help: .write("\(parts[0]): \(parts[1])", "write '\(parts[0]): \(parts[1])'"))
            tags.append(Located(value: String(parts[0]), range: pair.key.range))
            return true
        }
        guard let before else { return false }
        let whole = SourceRange(start: before.value.range.start, end: pair.key.range.end)
        let text = source.text(whole)
        report(
            .yamlSyntax, "a comma ends the text before this", at: pair.key.range,
            help: Help(
                "put quotes around the whole text: \(text.inQuotes)",
                edits: [TextEdit(range: whole, text: text.inQuotes)]))
        return true
    }

    /// The range of a comment that comes right after a plain value and looks like the rest of it.
    fileprivate func textLost(behind node: Node) -> Range<Int>? {
        guard case .scalar(_, .plain) = node.content else { return nil }
        let line = source.positions(ofLine: node.range.end.line)
        let end = source.position(of: node.range.end)
        guard end < line.upperBound,
            let start = source.scalars[end..<line.upperBound].firstIndex(where: { $0 != " " && $0 != "\t" }),
            source.isLostText(at: start)
        else { return nil }
        let last = source.scalars[start..<line.upperBound].lastIndex { $0 != " " && $0 != "\t" } ?? start
        return start..<(last + 1)
    }

    /// The suggestion to write the only member of a list on its own.
    func helpWithoutBrackets(_ node: Node) -> Help? {
        guard case .sequence(let items) = node.content, items.count == 1, let text = items[0].scalarText
        else { return nil }
        return .write(text.asValue, "write \(text.asValue), without brackets")
    }

    fileprivate func helpForNoText(_ node: Node) -> Help {
        if let help = helpWithoutBrackets(node) { return help }
        guard let lost = textLost(behind: node) else { return "write words, in quotes if in doubt" }
        let range = source.range(from: lost.lowerBound, to: lost.upperBound)
        return Help(
            "put quotes around a text that begins with '#'",
            edits: [TextEdit(range: range, text: source.text(range).inQuotes)])
    }

    fileprivate func warnOfLostText(_ lost: Range<Int>, behind node: Node) {
        var rest = String.UnicodeScalarView()
        rest.append(contentsOf: source.scalars[lost.prefix(40)])
        add([
            source.diagnostic(
                .lostText, "YAML reads '\(String(rest))' as a comment: it is not part of the text",
                at: source.range(from: lost.lowerBound, to: lost.upperBound),
                help: "put quotes around the whole text, or a space after '#' if a comment is meant",
                severity: .warning)
        ])
    }

    /// Control characters could control a terminal, and directional marks could hide words.
    func rejectControlCharacters(in text: String, at range: SourceRange) {
        guard let bad = text.unicodeScalars.first(where: ControlCharacter.isForbidden) else { return }
        let start = source.position(of: range.start)
        let end = min(max(start, source.position(of: range.end)), source.scalars.count)
        var place = range
        if let raw = source.scalars[start..<end].firstIndex(of: bad) {
            place = source.range(from: raw, to: raw + 1)
        }
        report(
            .controlCharacter, "the text contains the control character \(ControlCharacter.name(of: bad))",
            at: place, help: "leave it out")
    }
}
