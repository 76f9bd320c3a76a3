import StudyModel
import TextFormat

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
        "declined", .filledText, "Declined",
        "The last text that those who do not agree read; by default, in the program's words.",
        example: "Thank you for reading this. Nothing more is asked of you.")
}

extension Kind<LocalizedText> {
    /// Markdown, or the path of a Markdown file: one word that ends in `.md`.
    fileprivate static var document: Kind {
        Kind(schema: markdown.schema) { node, reading in
            guard let text = markdown.read(node, reading) else { return nil }
            if let own = reading.context.texts.indices.last { reading.context.texts[own].form = .document }
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
    /// Extensions of files in which people write documents.
    private static let endings = [
        "md", "markdown", "mdown", "mkd", "txt", "text", "pdf", "doc", "docx", "odt", "rtf", "html", "htm",
        "tex",
    ]

    /// Whether a document is only the name of one.
    private func isFileName(_ text: String) -> Bool {
        let name = text.trimmingSpaces
        guard name.count <= 120, !name.contains(where: \.isNewline), let dot = name.lastIndex(of: "."),
            dot > name.startIndex,
            Self.endings.contains(name[name.index(after: dot)...].lowercased())
        else { return false }
        return name.split(separator: " ").count <= 4
    }

    /// The existing file that was probably meant: with the extension `.md`, in small letters, or with `-` for a
    /// space.
    private func fileMeant(by text: String) -> String? {
        let name = text.trimmingSpaces
        let stem = String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
        let stems = [
            stem, stem.lowercased(), stem.replacing(" ", with: "-"),
            stem.lowercased().replacing(" ", with: "-"),
        ]
        return stems.map { $0 + ".md" }.first { path in
            guard !path.contains(" "), case .success = context.library.text(path) else { return false }
            return true
        }
    }

    fileprivate func document(_ text: String, at range: SourceRange) -> String? {
        guard text.isPathOfDocument else {
            guard isFileName(text) else { return text }
            let meant = fileMeant(by: text)
            report(
                .documentName, "participants would read this name, not the file", at: range,
                help: meant.map { .write($0, "write '\($0)', the file in Markdown") }
                    ?? "save the document in Markdown, under a name without spaces that ends in '.md', and write that name"
            )
            return nil
        }
        let node = Node(content: .scalar(text, .quoted), range: range)
        guard let path = Kind<String>.path.read(node, self),
            let (content, source) = context.text(of: path, at: range, self)
        else { return nil }
        guard content.allSatisfy(\.isWhitespace) else {
            let filled = [arm, row].compactMap(\.self).reduce(content) { $1.filled($0) }
            rememberReferences(in: filled, at: range, isFilled: true, isMarkdown: true)
            return filled
        }
        let end = source.range(from: 0, to: 1)
        add([source.diagnostic(.emptyFile, "the document is empty", at: end)])
        return nil
    }
}

extension String {
    /// Whether a document is given as the path of its file.
    var isPathOfDocument: Bool { hasSuffix(".md") && !contains(where: \.isWhitespace) }

    fileprivate var trimmingSpaces: String {
        let start = drop { $0.isWhitespace }
        return String(start.prefix(start.count - start.reversed().prefix { $0.isWhitespace }.count))
    }
}
