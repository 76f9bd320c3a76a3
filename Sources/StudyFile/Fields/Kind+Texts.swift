import StudyModel

/// The JSON types of a scalar that is read as text whatever it looks like.
private let textTypes: JSON = ["string", "number", "boolean"]

extension Kind<String> {
    /// Words in one language, or for authors and programs only.
    static func text(atMost maximum: Int = 10_000) -> Kind {
        Kind(["type": textTypes, "minLength": 1, "maxLength": .number("\(maximum)")]) { node, reading in
            guard let text = node.scalarText, !node.isNull else {
                reading.reportKind(
                    of: node, expected: "a text",
                    help: reading.textLost(behind: node) == nil
                        ? "write words, in quotes where in doubt"
                        : "put quotes around a text that begins with '#'")
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

    /// Words that people read; a warning tells where YAML took the end of them for a comment.
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
    static func word(_ words: [String]) -> Kind {
        Kind(["type": "string", "enum": JSON(words)]) { node, reading in
            let text = reading.text(
                of: node, expected: words.count == 1 ? "the word \(words[0])" : "a word",
                help: "write \(words.count == 1 ? "" : "one of: ")\(words.joined(separator: ", "))")
            guard let text else { return nil }
            if words.contains(text) { return text }
            reading.report(
                .unknownWord, "'\(text.prefix(40))' means nothing here", at: node.range,
                help: Suggestion.help(for: text, among: words, all: "write one of"))
            return nil
        }
    }
}

extension Kind {
    /// One of several words, each with what it means.
    static func word(_ words: [(String, Value)]) -> Kind where Value: Sendable {
        let word = Kind<String>.word(words.map(\.0))
        return Kind(schema: word.schema) { node, reading in
            guard let text = word.read(node, reading) else { return nil }
            return words.first { $0.0 == text }?.1
        }
    }
}

extension Kind<LocalizedText> {
    /// A text, or one for each language, that says the same in each run.
    static var localizedText: Kind { text(isFilled: false) }

    /// A text, or one for each language, in which places are filled in during the run.
    static var filledText: Kind { text(isFilled: true) }

    private static func text(isFilled: Bool) -> Kind {
        let prose = Kind<String>.prose
        let plain = Kind<String>(schema: prose.schema) { node, reading in
            prose.read(node, reading).map { text in
                reading.noteReferences(in: text, at: node.range, isFilled: isFilled)
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
                                "propertyNames": ["pattern": .string(LanguageTag.pattern)],
                                "additionalProperties": plain.schema(definitions),
                            ],
                        ],
                    ]
                }
            },
            read: { node, reading in
                guard case .mapping(let pairs) = node.content else {
                    return plain.read(node, reading).map(LocalizedText.plain)
                }
                return reading.translations(pairs, plain, at: node.range)
            })
    }
}

extension Reading {
    fileprivate func noteReferences(in text: String, at range: SourceRange, isFilled: Bool) {
        let found = TextReference.all(in: text)
        guard !isFilled, !found.isEmpty else {
            context.references += found.map { Located(value: $0, range: range) }
            return
        }
        report(
            .misplacedKey, "nothing is filled in here: this text is the same in each run", at: range,
            help:
                "only the title, text and detail of steps, and the title and text of questions are filled in")
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
        for pair in pairs {
            let tag = pair.key.value
            let isKnown = LanguageTag.isKnown(tag)
            if !isKnown {
                report(
                    .unknownLanguage, "'\(tag.prefix(40))' is not a language", at: pair.key.range,
                    help: LanguageTag.suggestion(for: tag).map { "did you mean '\($0)'?" }
                        ?? "write the tag of ISO 639-1, such as en, fr or pt-BR")
            }
            guard let text = plain.read(pair.value, self), isKnown else { continue }
            translations.append(.init(language: Language(tag), text: text))
        }
        let given = pairs.map(\.key.value).filter(LanguageTag.isKnown).map(Language.init)
        context.translatedTexts.append(TranslatedText(languages: given, range: range, reading: self))
        return .translated(translations)
    }

    /// Where a comment begins right behind a plain value and looks like the rest of it.
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

    fileprivate func warnOfLostText(_ lost: Range<Int>, behind node: Node) {
        var rest = String.UnicodeScalarView()
        rest.append(contentsOf: source.scalars[lost.prefix(40)])
        add([
            source.diagnostic(
                .lostText, "YAML takes '\(String(rest))' for a comment: it is not part of the text",
                at: source.range(from: lost.lowerBound, to: lost.upperBound),
                help: "put quotes around the whole text, or a space behind '#' where a comment is meant",
                severity: .warning)
        ])
    }

    /// Control characters could steer a terminal, directional marks could hide words.
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
