import ArgumentParser
import BundleReplay
import Console
import Platform
import Results
import SessionPorts
import StudyFile
import StudyModel
import TextFormat

package struct Translate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "translate",
        abstract: "Takes the texts of a study out for translators, and puts translations into it.",
        discussion: """
            'extract' writes all texts that participants read into a PO file, which Poedit and other programs of translators \
            open. 'merge' writes the study again with the translations in it.

            To try layouts before anything is translated, give 'entrain run' or 'entrain rehearse' the language qps-ploc: \
            every text is then longer by two fifths, has accents and stands in brackets.
            """,
        subcommands: [TranslateExtract.self, TranslateMerge.self])

    /// A PO file; prints what is wrong in it.
    static func messages(_ path: String) throws -> MessageFile {
        let bytes: [UInt8]
        switch FileContents.read(path, limit: MessageFile.limit) {
        case .success(let content): bytes = content
        case .failure(.tooLarge):
            throw StudyFailure("'\(path)' has more than \(MessageFile.limit >> 20) MiB", .badStudy)
        case .failure(.system(let code)):
            throw StudyFailure("cannot read '\(path)': \(systemMessage(code))", .missing)
        }
        do throws(MessageProblems) { return try MessageFile(parsing: bytes) } catch {
            for problem in error.all { Output.complain("\(path):\(problem.description)") }
            throw ExitCode.badData
        }
    }

    /// The language that is translated: as given, or as the PO file says, or the first of the study.
    static func source(_ tag: String?, of study: Study, _ messages: MessageFile?) throws -> Language {
        let given = tag.map { Language($0) } ?? messages?.sourceLanguage
        guard let language = given ?? study.languages.first else {
            throw StudyFailure(
                "the study does not say in which language its texts are; say it, such as --from en", .usage)
        }
        guard study.languages.isEmpty ? LanguageTag.isKnown(language.tag) : study.languages.contains(language)
        else {
            let offered = study.languages.map(\.tag).joined(separator: ", ")
            throw StudyFailure(
                study.languages.isEmpty
                    ? "'\(language)' is not a language"
                    : "the study has no texts in '\(language)'; its languages: \(offered)", .usage)
        }
        return language
    }
}

struct TranslateExtract: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract", abstract: "Writes the texts of a study into a PO file.",
        discussion: """
            Each text has its place in the study (msgctxt) and its line. Translations that the study has are in the file. With \
            --update, the translations of an earlier file stay: those of texts that have changed since are marked as fuzzy, \
            with the earlier text beside them, and those of texts that are gone stay at the end as obsolete.
            """)

    @Argument(help: "The study file.", completion: .file(extensions: ["yaml", "yml"]))
    var study: String

    @Option(help: "The language of the translation, such as it.")
    var language: String

    @Option(name: [.customLong("from")], help: "The language that is translated; default: the study's first.")
    var source: String?

    @Option(help: "An earlier PO file whose translations stay.", completion: .file(extensions: ["po"]))
    var update: String?

    @Option(
        name: [.customShort("o"), .customLong("out")], help: "The new PO file.",
        completion: .file(extensions: ["po"]))
    var file: String

    func run() throws {
        try reporting {
            let checked = try CheckedStudy(reading: study)
            let model = try checked.study()
            let target = try wanted()
            let earlier = try update.map { try Translate.messages($0) }
            let source = try Translate.source(source, of: model, earlier)
            guard source != target else {
                throw StudyFailure("the study is in '\(target)' already: give another --language", .usage)
            }
            let texts = StudyTexts(of: checked.parsed, checked.text, named: study, in: source)
            let messages = MessageFile(
                of: texts, from: source, to: target, keeping: earlier, header: Self.header(of: model))
            try NewFile.write(messages.encoded, to: file)
            report(on: messages, texts)
        }
    }

    private func wanted() throws -> Language {
        if Language(language) == .pseudo {
            throw StudyFailure(
                "no file is needed for \(language): give it to 'entrain run' or 'entrain rehearse'", .usage)
        }
        guard LanguageTag.isKnown(language) else {
            let hint = LanguageTag.suggestion(for: language).map { "; did you mean '\($0)'?" } ?? ""
            throw StudyFailure("'\(language)' is not a language\(hint)", .usage)
        }
        return Language(language)
    }

    private func report(on messages: MessageFile, _ texts: StudyTexts) {
        let current = messages.messages.filter { !$0.isObsolete }
        let fuzzy = current.filter(\.isFuzzy).count
        let done = current.filter { !$0.isFuzzy && !$0.translation.isEmpty }.count
        let obsolete = messages.messages.count - current.count
        Output.say(
            """
            \(printable(file)): \(counted(current.count, "text")), \(done) translated, \(fuzzy) to look at again, \
            \(obsolete) obsolete
            """)
        guard !texts.fixed.isEmpty else { return }
        Output.remark(
            "Values of rounds and of clips are the same in every language, and are not in the file: \(texts.fixed.joined(separator: ", "))."
        )
    }

    private static func header(of study: Study) -> [(String, String)] {
        let now = WallClock.now().date(of: .start)
        let date = "\(now.prefix(10)) \(now.dropFirst(11).prefix(5))\(now.suffix(5))"
        return [
            ("Project-Id-Version", "\(study.identifier) \(study.revision)"), ("POT-Creation-Date", date),
            ("PO-Revision-Date", date), ("Last-Translator", ""), ("Language-Team", ""), ("Language", ""),
            ("MIME-Version", "1.0"), ("Content-Type", "text/plain; charset=UTF-8"),
            ("Content-Transfer-Encoding", "8bit"), ("X-Generator", "Entrain \(programVersion)"),
        ]
    }
}

struct TranslateMerge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Writes a study with the translations of a PO file in it.",
        discussion: """
            Only texts are added: comments, order and spelling of the file stay. The new study is read again before it is \
            written. Documents get a file of their own, such as consent.it.md. Write it into the folder of the study, \
            because its paths are relative.

            A translation that lacks a place such as {answer.age}, or has another, is refused, and nothing is written. \
            What is marked as fuzzy or has changed since is not taken, and is named.
            """)

    @Argument(help: "The study file.", completion: .file(extensions: ["yaml", "yml"]))
    var study: String

    @Argument(help: "The PO file.", completion: .file(extensions: ["po"]))
    var file: String

    @Option(
        name: [.customLong("from")], help: "The language that is translated; default: as the PO file says.")
    var source: String?

    @Flag(help: "Write the study although texts have no translation; 'entrain check' names them.")
    var partial = false

    @Option(
        name: [.customShort("o"), .customLong("out")], help: "The new study file.",
        completion: .file(extensions: ["yaml", "yml"]))
    var output: String

    func run() throws {
        try reporting {
            try NewFile.mustBeNew(output)
            let checked = try CheckedStudy(reading: study)
            let model = try checked.study()
            let messages = try Translate.messages(file)
            guard let language = messages.language else {
                throw StudyFailure("\(file): the header names no language, such as 'Language: it'", .badStudy)
            }
            let source = try Translate.source(source, of: model, messages)
            guard source != language else {
                throw StudyFailure("\(file): the language is that of the study, '\(language)'", .badStudy)
            }
            let texts = StudyTexts(of: checked.parsed, checked.text, named: study, in: source)
            let library = Library.beside(study: output)
            let translated = TranslatedStudy(
                texts, with: messages, from: source, to: language, library: library)
            try report(on: translated)
            try check(translated, texts, in: (source, language), messages, library)
            let folder = FilePath.prefix(of: output)
            for path in translated.documents.keys.sorted() { try NewFile.mustBeNew(folder + path) }
            for (path, bytes) in translated.documents.sorted(by: { $0.key < $1.key }) {
                try NewFile.write(bytes, to: folder + path)
            }
            try NewFile.write(translated.text, to: output)
            let documents = translated.documents.keys.sorted().map { printable(folder + $0) }
            Output.say(
                "\(([printable(output)] + documents).joined(separator: ", ")): \(counted(translated.count, "text")) in \(language)"
            )
        }
    }

    /// Says what is not taken; refuses what must not be written.
    private func report(on translated: TranslatedStudy) throws {
        for problem in translated.problems { Output.complain("\(file):\(problem)") }
        for remark in translated.remarks { Output.remark("\(file):\(remark)") }
        guard translated.problems.isEmpty else { throw ExitCode.badData }
        guard translated.missing.isEmpty || partial else {
            let missing = translated.missing
            let more = missing.count > 10 ? " and \(missing.count - 10) more" : ""
            throw StudyFailure(
                "\(counted(missing.count, "text")) would have no translation: \(missing.prefix(10).joined(separator: ", "))\(more); "
                    + "translate them, or write the study with --partial", .badStudy)
        }
    }

    /// Reads the new study before it is written.
    private func check(
        _ translated: TranslatedStudy, _ texts: StudyTexts, in languages: (source: Language, own: Language),
        _ messages: MessageFile, _ library: Library
    ) throws {
        var reading = library
        reading.text = { path in
            translated.documents[FilePath.normal(path)].map { .success($0) } ?? library.text(path)
        }
        let new = CheckedStudy(translated.text, path: output, library: reading)
        let errors = new.diagnostics.filter {
            $0.severity == .error && !(partial && $0.code == .missingTranslation)
        }
        guard errors.isEmpty else {
            Output.emit(.coloured(errors.rendered(isColoured: Terminals.isColoured)))
            throw StudyFailure("the study would have errors, so it is not written", .badStudy)
        }
        let read = StudyTexts(of: new.parsed, translated.text, named: output, in: languages.source)
        guard translated.agrees(with: read, before: texts, in: languages.own, with: messages) else {
            throw StudyFailure(
                "the study cannot be written with these translations without changing something else: write its texts "
                    + "in a simpler way, such as in double quotes and without anchors", .badStudy)
        }
    }
}
