import StudyModel

/// A document to agree to.
enum ConsentShape {
    static let fields: [FieldDeclaration] = .of(document, signature, declined)

    static func read(_ fields: Fields) -> Consent? {
        let (text, isTyped, declined) = (fields[document], fields[signature], fields[declined])
        return text.map { Consent(document: $0, isSignatureTyped: isTyped ?? false, declined: declined) }
    }

    private static let document = Field(
        "document", .document, isRequired: true, "Document",
        "The document in Markdown, or the path of a file that ends in .md; or one for each language.",
        example: "consent.md")
    private static let signature = Field(
        "signature", .word([("none", false), ("typed", true)]), usual: "none", "Signature",
        "Whether participants type their name.", example: "typed")
    private static let declined = Field(
        "declined", .localizedText, "Declined", "What those read last who do not agree.",
        example: "Thank you for reading this. Nothing more is asked of you.")
}

extension Kind<LocalizedText> {
    /// Markdown, or the path of a file with it: one word that ends in `.md`.
    fileprivate static var document: Kind {
        Kind(schema: localizedText.schema) { node, reading in
            guard let text = localizedText.read(node, reading) else { return nil }
            switch text {
            case .plain(let text): return reading.document(text, at: node.range).map { .plain($0) }
            case .translated(let translations):
                guard case .mapping(let pairs) = node.content else { return nil }
                let loaded = translations.compactMap { translation -> LocalizedText.Translation? in
                    let pair = pairs.first { $0.key.value == translation.language.tag }
                    let text = reading.document(translation.text, at: pair?.value.range ?? node.range)
                    return text.map { .init(language: translation.language, text: $0) }
                }
                return .translated(loaded)
            }
        }
    }
}

extension Reading {
    fileprivate func document(_ text: String, at range: SourceRange) -> String? {
        guard text.hasSuffix(".md"), !text.contains(where: \.isWhitespace) else { return text }
        let node = Node(content: .scalar(text, .quoted), range: range)
        guard let path = Kind<String>.path.read(node, self),
            let (content, source) = context.text(of: path, at: range, self)
        else { return nil }
        guard content.allSatisfy(\.isWhitespace) else { return content }
        let end = source.range(from: 0, to: 1)
        add([source.diagnostic(.emptyFile, "the document is empty", at: end)])
        return nil
    }
}
