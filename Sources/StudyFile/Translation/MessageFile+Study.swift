package import StudyModel

extension MessageFile {
    /// The tag of a language as gettext writes it, such as `pt_BR`.
    package static func tag(_ language: Language) -> String { language.tag.replacing("-", with: "_") }

    /// The language of the translations; `nil` if the header names none that the program knows.
    package var language: Language? { Self.language(self["Language"]) }

    /// The language that is translated; `nil` if the header names none that the program knows.
    package var sourceLanguage: Language? { Self.language(self["X-Source-Language"]) }

    private static func language(_ field: String?) -> Language? {
        guard let tag = field?.replacing("_", with: "-"), LanguageTag.isKnown(tag) else { return nil }
        return Language(tag)
    }

    /// The texts of a study for a translator.
    ///
    /// - Parameters:
    ///   - texts: those of the study.
    ///   - source: the language that is translated.
    ///   - language: the language of the translations. Those that the study has are taken.
    ///   - earlier: an earlier file, whose translations, notes and header stay. A translation of words that have
    ///     changed since is marked as fuzzy, and what the study no longer has becomes obsolete.
    ///   - header: the fields of a new header.
    package init(
        of texts: StudyTexts, from source: Language, to language: Language, keeping earlier: MessageFile?,
        header: [(String, String)]
    ) {
        self.init()
        fields = earlier?.fields ?? header.map { Field(name: $0.0, value: $0.1) }
        notes = earlier?.notes ?? []
        self["Language"] = Self.tag(language)
        self["Content-Type"] = "text/plain; charset=UTF-8"
        self["X-Source-Language"] = Self.tag(source)
        var old = Earlier(earlier?.messages ?? [], contexts: Set(texts.texts.map(\.context)))
        for text in texts.texts {
            let words = StudyText.trimmed(text.words(in: source) ?? text.words.first?.text ?? "").words
            let own = StudyText.trimmed(text.words(in: language) ?? "").words
            var message = Message(text: String(words), translation: String(own), context: text.context)
            old.fill(&message)
            message.remarks = text.remarks(on: message.text)
            message.places = [text.place]
            messages.append(message)
        }
        messages += old.obsolete
    }

    /// The messages of an earlier file.
    private struct Earlier {
        private var messages: [Message]
        private var exact: [Key: Int] = [:]
        private var byContext: [String: Int] = [:]
        /// By text, those that stood where the study has nothing now.
        private var moved: [String: Int] = [:]
        private var taken: Set<Int> = []

        struct Key: Hashable {
            var context: String?
            var text: String
        }

        init(_ messages: [Message], contexts: Set<String>) {
            self.messages = messages
            for (place, message) in messages.enumerated() {
                let key = Key(context: message.context, text: message.text)
                // What is in use counts more than what is obsolete.
                if exact[key].map({ messages[$0].isObsolete }) ?? true { exact[key] = place }
                guard let context = message.context else { continue }
                if !message.isObsolete { byContext[context] = place }
                if !contexts.contains(context), !message.translation.isEmpty { moved[message.text] = place }
            }
        }

        /// Takes the translation and the notes of the earlier message.
        mutating func fill(_ message: inout Message) {
            if let place = exact[Key(context: message.context, text: message.text)] {
                let old = messages[place]
                taken.insert(place)
                (message.notes, message.flags) = (old.notes, old.flags)
                if !old.translation.isEmpty { message.translation = old.translation }
                (message.previousContext, message.previousText) = (old.previousContext, old.previousText)
                return
            }
            guard let place = message.context.flatMap({ byContext[$0] }) ?? moved[message.text] else {
                return
            }
            let old = messages[place]
            taken.insert(place)
            message.notes = old.notes
            guard !old.translation.isEmpty else { return }
            message.translation = old.translation
            message.flags = old.flags
            message.isFuzzy = true
            message.previousText = old.isFuzzy ? old.previousText ?? old.text : old.text
            message.previousContext = old.context == message.context ? nil : old.context
        }

        /// Translations that the study no longer needs, without their places.
        var obsolete: [Message] {
            messages.indices.filter { !taken.contains($0) && !messages[$0].translation.isEmpty }.map {
                place in
                var message = messages[place]
                (message.isObsolete, message.places, message.remarks) = (true, [], [])
                return message
            }
        }
    }
}

extension StudyText {
    /// Where it stands, as gettext writes it: names with blanks are within marks of direction.
    fileprivate var place: String {
        file.contains(" ") ? "\u{2068}\(file)\u{2069}:\(line)" : "\(file):\(line)"
    }

    fileprivate func remarks(on words: String) -> [String] {
        let places = Placeholder.names(in: words)
        let kept = places.isEmpty ? nil : "Keep: " + places.map { "{\($0)}" }.joined(separator: ", ")
        return [isDocument ? "A document in Markdown." : nil, kept].compactMap(\.self)
    }
}
