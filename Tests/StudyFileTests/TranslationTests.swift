import StudyModel
import StudyTesting
import Testing

@testable import StudyFile

/// Texts go out to translators and come back.
@Suite struct TranslationTests {
    private static let english = Language("en")
    private static let italian = Language("it")
    /// Texts in every way in which YAML can write them.
    private static let studies = [
        """
        entrain: 1
        # A study in one language.
        study: {identifier: s, title: "A title: with a colon"}   # kept
        tasks:
          - identifier: t
            steps:
              - {type: question, identifier: mood, title: 'It''s a "mood"', answer: {choice: [Calm, "Not calm, at all"]}}
              - type: instruction
                identifier: one
                title: Plain, with [brackets] and more   # a comment behind it
                text: |
                  Two lines,
                    one further in.

                  And {answer.mood}.

                detail: >-
                  folded
                  words
              # Between two steps.
              - type: question
                identifier: walk
                title: "How
                  far?"
                answer:
                  choice:
                    - On foot
                    - {value: bus, text: By bus}
              - type: matrix
                identifier: grid
                title: Rate
                answer: {scale: {from: 1, to: 3, fromLabel: low, toLabel: high, labels: {2: middle}}}
                items: [{identifier: a, title: A thing}, {identifier: b, title: "{answer.mood}"}]
              - type: consent
                identifier: agree
                document: consent.md
              - {type: completion, identifier: end, title: Thank you}
        """,
        """
        entrain: 1
        study: {identifier: s, title: {en: Title, de: Titel}}
        tasks:
          - identifier: t
            title:
              en: Task
              de: "Aufgabe"   # checked
            steps:
              - type: instruction
                identifier: one
                title: &same {en: "Again", de: 'Nochmal'}
                text:
                  en: |
                    Line one.
                    Line two.
                  de: >
                    Gefaltet.

              - {type: instruction, identifier: two, title: *same, text: {en: &w Word, de: *w}}
              - type: active
                identifier: rest
                duration: 5 s
                cues: [{at: 1 s, say: {
                  en: Half,
                  de: Halb,
                }}]
              - type: consent
                identifier: agree
                document: {en: consent.md, de: "Ich nehme teil."}
              - type: completion
                identifier: end
                title:
                  en: Bye
                  de: Tschüs
        """,
    ]

    private static let words = [
        "Ciao", "è", "مرحبا", "שלום", "a: b", "#1", "{", "'", "\"", "\\", "- x", "|", "日本", "*x", "&y", "\t",
        " ", "  ",
        "\n", "\n\n", "%", "!", "@", "?", "yes", "0.5", "…",
    ]

    private func read(_ text: [UInt8], _ documents: [String: [UInt8]] = [:]) -> (ParsedStudy, StudyTexts) {
        var library = Library.sample
        library.text = { path in documents[path].map { .success($0) } ?? Library.sample.text(path) }
        let parsed = ParsedStudy(text, named: "study.yaml", library: library)
        return (parsed, StudyTexts(of: parsed, text, named: "study.yaml", in: Self.english))
    }

    private func extract(_ texts: StudyTexts, keeping old: MessageFile? = nil) -> MessageFile {
        MessageFile(
            of: texts, from: Self.english, to: Self.italian, keeping: old,
            header: [("Project-Id-Version", "s 1")])
    }

    private func random(_ text: String, _ numbers: inout SeededRandom) -> String {
        let places = Placeholder.names(in: text).map { "{\($0)}" }
        let count = Int.random(in: 1...6, using: &numbers)
        let words = (0..<count).map { _ in Self.words.randomElement(using: &numbers) ?? "" }
        return "W" + (words + places).shuffled(using: &numbers).joined() + "z"
    }

    @Test(arguments: studies, 0..<60 as Range<UInt64>)
    func `translations come back exactly, and nothing else changes`(study: String, seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let (first, texts) = read(Array(study.utf8))
        #expect(first.study != nil && texts.texts.count > 5)
        var messages = extract(texts)
        for place in messages.messages.indices {
            messages.messages[place].translation = random(messages.messages[place].text, &numbers)
        }
        let sent = try MessageFile(parsing: messages.encoded)
        let translated = TranslatedStudy(
            texts, with: sent, from: Self.english, to: Self.italian, library: .sample)
        #expect(translated.problems == [] && translated.remarks == [] && translated.missing == [])
        let (second, after) = read(translated.text, translated.documents)
        #expect(
            second.diagnostics.filter { $0.severity == .error } == [],
            "\(String(decoding: translated.text, as: UTF8.self))")
        #expect(translated.agrees(with: after, before: texts, in: Self.italian, with: sent))
        let wanted = Dictionary(
            uniqueKeysWithValues: sent.messages.map { ($0.context ?? "", $0.translation) })
        for text in after.texts {
            #expect(StudyText.trimmed(text.words(in: Self.italian) ?? "").words == wanted[text.context]?[...])
        }
        // Asked again, the study gives the same file, and taking that changes nothing.
        let again = extract(after)
        #expect(again.messages.map(\.translation) == sent.messages.map(\.translation))
        #expect(again.messages.map(\.context) == sent.messages.map(\.context))
        let twice = TranslatedStudy(
            after, with: again, from: Self.english, to: Self.italian, library: .sample)
        #expect(twice.text == translated.text)
        // Other words replace the first ones.
        for place in messages.messages.indices {
            messages.messages[place].translation = random(messages.messages[place].text, &numbers)
        }
        let other = TranslatedStudy(
            after, with: messages, from: Self.english, to: Self.italian, library: .sample)
        let (_, last) = read(other.text, translated.documents.merging(other.documents) { $1 })
        #expect(other.agrees(with: last, before: after, in: Self.italian, with: messages))
    }

    @Test func `comments and order stay, and short texts stay in their line`() throws {
        let (_, texts) = read(Array(Self.studies[0].utf8))
        var messages = extract(texts)
        for place in messages.messages.indices {
            messages.messages[place].translation =
                "X" + Placeholder.names(in: messages.messages[place].text).map { "{\($0)}" }.joined()
        }
        let new = TranslatedStudy(
            texts, with: messages, from: Self.english, to: Self.italian, library: .sample)
        let lines = String(decoding: new.text, as: UTF8.self).split(separator: "\n").map(String.init)
        for line in [
            "# A study in one language.",
            #"study: {identifier: s, title: {en: "A title: with a colon", it: "X"}}   # kept"#,
            #"        title: {en: "Plain, with [brackets] and more", it: "X"}   # a comment behind it"#,
            "        text:", "          en: |", "            Two lines,",
            #"          it: "X{answer.mood}\n""#,
            "      # Between two steps.",
            #"            - {value: On foot, text: {en: "On foot", it: "X"}}"#,
            #"            - {value: bus, text: {en: By bus, it: "X"}}"#,
            #"        document: {en: consent.md, it: "consent.it.md"}"#,
        ] { #expect(lines.contains(line), "\(line)") }
        #expect(new.documents.keys.sorted() == ["consent.it.md"])
    }

    @Test func `what changed since is marked, and what is gone becomes obsolete`() throws {
        let study = Self.studies[0]
        var messages = extract(read(Array(study.utf8)).1)
        for place in messages.messages.indices { messages.messages[place].translation = "X" }
        messages.messages[0].notes = ["Ask Anna."]
        let changed = study.replacing("title: Rate\n", with: "title: Please rate\n")
            .replacing("title: A thing", with: "title: A thing too").replacing(
                "detail: >-", with: "comment: >-"
            )
            .replacing("identifier: end, title", with: "identifier: last, title")
        let after = extract(read(Array(changed.utf8)).1, keeping: try MessageFile(parsing: messages.encoded))
        let fuzzy = after.messages.filter(\.isFuzzy)
        #expect(fuzzy.map(\.previousText) == ["Rate", "A thing", "Thank you"])
        #expect(fuzzy.map(\.previousContext) == [nil, nil, "tasks.t.steps.end.title"])
        #expect(after.messages.filter(\.isObsolete).map(\.text) == ["folded words"])
        #expect(after.messages[0].notes == ["Ask Anna."])
        #expect(try MessageFile(parsing: after.encoded).encoded == after.encoded)
        // Nothing fuzzy is taken.
        let (_, texts) = read(Array(changed.utf8))
        var whole = after
        for place in whole.messages.indices where whole.messages[place].text.contains("{") {
            whole.messages[place].translation = "{answer.mood}"
        }
        let new = TranslatedStudy(texts, with: whole, from: Self.english, to: Self.italian, library: .sample)
        #expect(new.missing.count == 3 && new.remarks.count == 3)
        // Back as it was, the translation counts again where nobody touched it.
        let back = extract(read(Array(study.utf8)).1, keeping: after)
        #expect(back.messages.filter(\.isObsolete).isEmpty)
    }

    @Test(arguments: [
        ("msgid \"A\"", "2: the message in line 1 has no 'msgstr'"),
        ("", "1: the header is missing"),
        (header + "msgid \"A\"\nmsgstr \"B", "7: the closing quote is missing in this line"),
        (header + "msgid \"A\" B\nmsgstr \"B\"", "6: there is something after the closing quote"),
        (header + "msgid \"A\\q\"\nmsgstr \"B\"", "6: '\\q' means nothing here"),
        (header + "msgid \"A\\", "6: '\\' means nothing here"),
        (
            header + "msgid \"A\"\nmsgstr \"\"\n\nmsgid \"A\"\nmsgstr \"\"",
            "9: this message is the same as the one in line 6"
        ),
        (
            header + "msgid \"A\"\nmsgid_plural \"As\"\nmsgstr[0] \"\"",
            "7: texts of a study have no plural forms"
        ),
        (header + "msgstr \"B\"", "6: there is no 'msgid' before 'msgstr'"),
        (header + "\"B\"", "6: this text has no keyword before it"),
        (header + "msgid \"A\"\nmsgctxt \"c\"\nmsgstr \"B\"", "7: this keyword comes twice, or too late"),
        (header + "msgid \"A\"\n#~ msgstr \"B\"", "7: one part of the message is obsolete"),
        (header + "msgid A\nmsgstr \"B\"", "6: a text in double quotes is missing after 'msgid'"),
        (header + "hello", "6: 'hello' means nothing here"),
        (header + "msgid \"\"\nmsgstr \"X: y\\n\"", "6: the header must come first"),
        (header.replacing("UTF-8", with: "ISO-8859-1"), "1: the header says charset=iso-8859-1"),
        (header.replacing("; charset=UTF-8", with: ""), "1: the header does not say"),
        (header.replacing("Language: ", with: "Language "), "1: a field of the header has no ':'"),
    ])
    func `a file that is not clear is refused, with its line`(text: String, problem: String) {
        let found = #expect(throws: MessageProblems.self) { try MessageFile(parsing: Array(text.utf8)) }
        #expect(found?.all.first?.description.hasPrefix(problem) == true, "\(found?.all ?? [])")
    }

    private static let header = """
        msgid ""
        msgstr ""
        "Language: it\\n"
        "Content-Type: text/plain; charset=UTF-8\\n"


        """

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `no bytes whatever stop the reader`(seed: UInt64) {
        var numbers = SeededRandom(seed: seed)
        let whole = extract(read(Array(Self.studies[1].utf8)).1).encoded
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0...Int.random(in: 0...6, using: &numbers) {
                let place = Int.random(in: bytes.indices, using: &numbers)
                switch Int.random(in: 0...2, using: &numbers) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
                case 1: bytes.removeSubrange(place..<min(bytes.count - 1, place + 30))
                default: bytes.insert(contentsOf: bytes.suffix(20), at: place)
                }
            }
            do throws(MessageProblems) { _ = try MessageFile(parsing: bytes) } catch {
                #expect(!error.all.isEmpty && error.all.allSatisfy { $0.line > 0 })
            }
        }
    }

    @Test(arguments: [
        ("Hello {answer.age} lacks it", ["{answer.age}"], true), ("Nothing", ["{x}"], false),
        ("{a} and {b}", ["{b}", "{a}"], true), ("{a}", ["{a}", "{A}"], false),
    ])
    func `places must stay`(text: String, given: [String], fits: Bool) throws {
        let study = """
            entrain: 1
            study: {identifier: s, title: {en: T, de: T}}
            tasks: [{identifier: t, steps: [{type: instruction, identifier: i, title: {en: "\(text)", de: x}}]}]
            """
        let (_, texts) = read(Array(study.utf8))
        var messages = extract(texts)
        messages.messages[1].translation = given.joined(separator: " ")
        let new = TranslatedStudy(
            texts, with: messages, from: Self.english, to: Self.italian, library: .sample)
        #expect(new.problems.isEmpty == fits, "\(new.problems)")
    }

    @Test(arguments: [
        ("Please rest.", "[Þ"), ("", ""), ("12", "12"), ("{answer.age}", "{answer.age}"),
        ("%1 {x}: 3", "%1 {x}: 3"),
    ])
    func `a text for trying layouts is longer, and keeps its places`(text: String, start: String) {
        let longer = PseudoText.of(text)
        #expect(start.hasPrefix("[") ? longer.hasPrefix("[") : longer == start)
        let long = PseudoText.of("# Please sit down, {answer.name}, %1.\n\nYou have 2 min.")
        #expect(
            long.hasPrefix("# [") && long.contains("{answer.name}") && long.contains("%1")
                && long.contains("\n\n["))
        #expect(long.count >= 70)
    }
}
