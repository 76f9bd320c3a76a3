package import StudyModel

/// A study with the translations of a PO file in it. Whatever else it says stays as it is written.
package struct TranslatedStudy: Sendable {
    /// The study file.
    package private(set) var text: [UInt8] = []
    /// Documents in the new language, by path relative to the study file.
    package private(set) var documents: [String: [UInt8]] = [:]
    /// How many texts were taken.
    package private(set) var count = 0
    /// What was not taken, and why. The study is whole without it.
    package private(set) var remarks: [String] = []
    /// Why the translations cannot be used, with lines of the PO file.
    package private(set) var problems: [String] = []
    /// The places of texts that have no translation.
    package private(set) var missing: [String] = []

    /// - Parameters:
    ///   - texts: those of the study.
    ///   - messages: the translations.
    ///   - source: the language of the texts that have none.
    ///   - language: the language of the translations.
    ///   - library: tells which documents exist.
    package init(
        _ texts: StudyTexts, with messages: MessageFile, from source: Language, to language: Language,
        library: Library
    ) {
        let known = Dictionary(texts.texts.map { ($0.context, $0) }) { first, _ in first }
        var taken: [String: String] = [:]
        for message in messages.messages where !message.isObsolete {
            guard let context = message.context, let text = known[context] else {
                remarks.append("\(message.line): the study no longer has this text: \(message.name)")
                continue
            }
            let (before, words, after) = StudyText.trimmed(
                text.words(in: source) ?? text.words.first?.text ?? "")
            if message.translation.isEmpty { continue }
            guard message.text == words else {
                remarks.append("\(message.line): the text has changed since: \(message.name)")
                continue
            }
            guard !message.isFuzzy else {
                remarks.append("\(message.line): marked as fuzzy, not taken: \(message.name)")
                continue
            }
            let found = Self.problems(of: message)
            problems += found.map { "\(message.line): \($0) (\(message.name))" }
            let own = StudyText.trimmed(message.translation).words
            taken[context] = found.isEmpty ? "\(before)\(own)\(after)" : nil
        }
        count = taken.count
        missing = texts.texts.filter { taken[$0.context] == nil && $0.words(in: language) == nil }.map(
            \.context)
        guard problems.isEmpty else { return }
        var edits: [TextEdit] = []
        for text in texts.texts {
            guard var words = taken[text.context], text.words(in: language) != words else { continue }
            if text.isDocument, let path = text.newDocument(in: language, besides: library, documents) {
                documents[path] = Array(words.utf8)
                words = path
            }
            edits += texts.source.edits(adding: words, in: language, to: text.site, from: source)
        }
        self.text = Array(texts.source.applying(edits).utf8)
    }

    /// Whether the new study gives exactly the translations, and otherwise says what it said before.
    ///
    /// - Parameters:
    ///   - study: the new study as it was read.
    ///   - old: the texts before.
    package func agrees(
        with study: StudyTexts, before old: StudyTexts, in language: Language, with messages: MessageFile
    ) -> Bool {
        guard study.texts.count == old.texts.count, study.skeleton == old.skeleton else { return false }
        var wanted: [String: String] = [:]
        for message in messages.messages where !message.isObsolete && !message.isFuzzy {
            if let context = message.context { wanted[context] = message.translation }
        }
        return zip(study.texts, old.texts).allSatisfy { new, old in
            let others = new.words.filter { $0.language != language }
            guard new.context == old.context, others == old.words.filter({ $0.language != language }) else {
                return false
            }
            let own = new.words(in: language)
            if own == old.words(in: language) { return true }
            return own.map { StudyText.trimmed($0).words }
                == wanted[new.context].map { StudyText.trimmed($0).words }
        }
    }

    private static func problems(of message: Message) -> [String] {
        var found: [String] = []
        let (wanted, given) = (
            Placeholder.names(in: message.text), Placeholder.names(in: message.translation)
        )
        for name in wanted where !given.contains(name) {
            found.append("the translation lacks {\(name)}")
        }
        for name in given where !wanted.contains(name) {
            found.append("the translation has {\(name)}, which the text has not")
        }
        if let bad = message.translation.unicodeScalars.first(where: ControlCharacter.isForbidden) {
            found.append("the translation has the control character \(ControlCharacter.name(of: bad))")
        }
        if message.translation.allSatisfy(\.isWhitespace) { found.append("the translation has no words") }
        return found
    }
}

extension Message {
    /// The words by which people find it.
    fileprivate var name: String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return "'\(words.prefix(50))\(words.count > 50 ? "…" : "")'" + (context.map { " at \($0)" } ?? "")
    }
}

extension StudyText {
    /// The path of a new document beside the one in the first language; `nil` if that is written in the study.
    fileprivate func newDocument(
        in language: Language, besides library: Library, _ taken: [String: [UInt8]]
    ) -> String? {
        guard let path = site.plain ?? site.pairs.first?.text, path.isPathOfDocument else { return nil }
        let stem = path.dropLast(3)
        let name = "\(stem).\(language.tag)"
        let names = ["\(name).md"] + (2...999).map { "\(name).\($0).md" }
        return names.first { name in
            if case .failure(.missing) = library.text(name) { return taken[name] == nil }
            return false
        }
    }
}
