package import StudyModel

/// A text that participants read, in all its languages, with the place where the study gives it.
package struct StudyText: Hashable, Sendable {
    /// The keys that lead to it, with steps and choices by their names, such as `tasks.rest.steps.sit.title`. No two
    /// texts of a study have the same.
    package var context: String
    /// The file, relative to the study's folder; the study's own has no path, so it is its name.
    package var file: String
    /// The line in the file, from 1.
    package var line: Int
    /// Whether it is a document in Markdown.
    package var isDocument: Bool
    /// The words by language, in the order of the study; those without a language have the study's own.
    package var words: [LocalizedText.Translation]
    let site: Site

    /// How the study writes a text that has only one language.
    package enum Form: Hashable, Sendable {
        /// The words.
        case words
        /// A choice that is the value in the result, too.
        case choice
        /// Markdown, or the path of a Markdown file.
        case document
    }

    /// Where a text was read.
    struct Place: Hashable, Sendable {
        var file: String
        var range: SourceRange
        var form: Form
        /// Whether it is a value of rounds, which is the same in every language.
        var isValue = false
    }

    /// What must be known to write another language beside it.
    struct Site: Hashable, Sendable {
        var form: Form
        var range: SourceRange
        /// The words as they stand there, if there is only one language.
        var plain: String?
        /// The languages, in their order.
        var pairs: [Pair]
        /// Whether it stands within brackets.
        var isInBrackets: Bool
        /// The column of its key; `nil` if it is an item of a list.
        var column: Int?

        struct Pair: Hashable, Sendable {
            var language: String
            var key: SourceRange
            var value: SourceRange
            var text: String
        }
    }

    /// The words in a language; `nil` if there are none.
    package func words(in language: Language) -> String? { words.first { $0.language == language }?.text }

    /// Whether the blank lines around the words are those of the file, not of the words.
    static func trimmed(_ text: String) -> (before: Substring, words: Substring, after: Substring) {
        let start = text.firstIndex { $0 != "\n" } ?? text.endIndex
        let end = text.lastIndex { $0 != "\n" }.map(text.index(after:)) ?? text.endIndex
        return (text[..<start], text[start..<max(start, end)], text[max(start, end)...])
    }
}

extension ReadText {
    /// The place of the text; for a value of a round, that of the value.
    var place: StudyText.Place {
        guard let origin else { return StudyText.Place(file: reading.source.file, range: range, form: form) }
        return StudyText.Place(file: origin.file, range: origin.range, form: form, isValue: true)
    }
}

/// Every text of a study that participants read.
package struct StudyTexts: Sendable {
    /// In the order of the study file.
    package private(set) var texts: [StudyText] = []
    /// Texts that can be given in one language only, because they are values of rounds: file and line.
    package private(set) var fixed: [String] = []
    let source: SourceText
    /// What the study says besides these texts.
    let skeleton: [String]

    /// - Parameters:
    ///   - study: a study without errors.
    ///   - text: its file.
    ///   - file: the name of the file under which the study was read.
    ///   - language: the language of texts that have none.
    package init(of study: ParsedStudy, _ text: [UInt8], named file: String, in language: Language) {
        let decoded = CheckedText(text, file: file)
        source = decoded.source
        guard let decoded = decoded.text, let root = TreeBuilder(decoded, source).root else {
            skeleton = []
            return
        }
        let forms = Dictionary(
            study.textPlaces.filter { !$0.isValue }.map { ($0.range, $0.form) },
            uniquingKeysWith: { first, _ in first })
        let name = file.split(separator: "/").last.map(String.init) ?? file
        var walk = Walk(forms: forms, source: source)
        walk.enter(root, named: "", column: nil, isInBrackets: false)
        skeleton = walk.skeleton
        var others = Set(
            study.textPlaces.filter(\.isValue).map { FixedPlace(file: $0.file, line: $0.range.start.line) })
        for (context, site) in walk.sites {
            guard site.plain?.hasWords ?? true else { continue }
            let line = site.range.start.line
            if let plain = site.plain, FilledRow.name(plain) != nil {
                others.insert(FixedPlace(file: file, line: line))
                continue
            }
            var text = StudyText(
                context: context, file: name, line: line, isDocument: site.form == .document,
                words: site.plain.map { [.init(language: language, text: $0)] }
                    ?? site.pairs.map { .init(language: Language($0.language), text: $0.text) },
                site: site)
            if text.isDocument { text.readDocuments(study.files) }
            texts.append(text)
        }
        fixed = others.sorted().map { "\($0.file):\($0.line)" }
    }

    private struct FixedPlace: Hashable, Comparable {
        var file: String
        var line: Int
        static func < (left: Self, right: Self) -> Bool { (left.file, left.line) < (right.file, right.line) }
    }
}

extension StudyText {
    /// Replaces paths of documents with what the documents say.
    fileprivate mutating func readDocuments(_ files: [String: String]) {
        for place in words.indices where words[place].text.isPathOfDocument {
            let path = FilePath.normal(words[place].text)
            if place == 0 { (file, line) = (path, 1) }
            words[place].text = files[path] ?? ""
        }
    }
}

/// Goes through the tree of a study file and finds the texts by their places.
private struct Walk {
    let forms: [SourceRange: StudyText.Form]
    let source: SourceText
    var sites: [(String, StudyText.Site)] = []
    /// Everything besides the texts, a line for each value.
    private(set) var skeleton: [String] = []
    private var found: Set<SourceRange> = []
    private var names: [String: Int] = [:]

    init(forms: [SourceRange: StudyText.Form], source: SourceText) {
        (self.forms, self.source) = (forms, source)
    }

    mutating func enter(_ node: Node, named name: String, column: Int?, isInBrackets: Bool) {
        if let form = forms[node.range], add(node, form, named: name, column, isInBrackets) { return }
        let isFlow = isInBrackets || source.isBracketed(node)
        switch node.content {
        case .scalar(let text, _): skeleton.append("\(name) = \(text.inQuotes)")
        case .sequence(let items):
            skeleton.append("\(name) [\(items.count)]")
            for (index, item) in items.enumerated() {
                let own = item.nameOfItem ?? "\(index + 1)"
                enter(item, named: "\(name).\(own)", column: nil, isInBrackets: isFlow)
            }
        case .mapping(let pairs):
            skeleton.append("\(name) {\(pairs.count)}")
            for pair in pairs {
                let key = pair.key.value
                enter(
                    pair.value, named: name.isEmpty ? key : "\(name).\(key)",
                    column: pair.key.range.start.column, isInBrackets: isFlow)
            }
        }
    }

    /// - Returns: whether it is a text. An alias repeats the text of its anchor, which is found once.
    private mutating func add(
        _ node: Node, _ form: StudyText.Form, named name: String, _ column: Int?, _ isInBrackets: Bool
    ) -> Bool {
        if form == .choice, let text = node.scalarText {
            let name = "\(name.withoutLastPart).\(text)"
            skeleton += ["\(name) {2}", "\(name).value = \(text.inQuotes)", "\(name).text: text"]
        } else {
            skeleton.append("\(name): text")
        }
        guard !found.contains(node.range) else { return true }
        var site = StudyText.Site(
            form: form, range: node.range, plain: nil, pairs: [], isInBrackets: isInBrackets, column: column)
        switch node.content {
        case .scalar(let text, _): site.plain = text
        case .mapping(let pairs):
            site.pairs = pairs.compactMap { pair in
                pair.value.scalarText.map {
                    .init(
                        language: pair.key.value, key: pair.key.range, value: source.written(pair), text: $0)
                }
            }
        case .sequence: return false
        }
        found.insert(node.range)
        let plain = form == .choice ? site.plain : nil
        let whole = plain.map { "\(name.withoutLastPart).\($0).text" } ?? name
        names[whole, default: 0] += 1
        let count = names[whole] ?? 1
        sites.append((count == 1 ? whole : "\(whole) (\(count))", site))
        return true
    }
}

extension Node {
    /// The name of an item of a list: of a step, an arm or a row, or the value of a choice.
    fileprivate var nameOfItem: String? {
        guard case .mapping(let pairs) = content else { return nil }
        return (pairs.value(of: "identifier") ?? pairs.value(of: "value"))?.scalarText
    }
}

extension String {
    fileprivate var withoutLastPart: Substring { lastIndex(of: ".").map { self[..<$0] } ?? self[...] }
}

extension SourceText {
    /// The end of an anchor such as `&rest ` that begins at a position; the position itself if there is none.
    func endOfAnchor(_ start: Int) -> Int {
        guard scalars.indices.contains(start), scalars[start] == "&" else { return start }
        let name = scalars[start...].firstIndex { " \t\r\n".unicodeScalars.contains($0) } ?? scalars.count
        return scalars[name...].firstIndex { !" \t\r\n".unicodeScalars.contains($0) } ?? scalars.count
    }

    /// Whether a list or a group stands in brackets.
    fileprivate func isBracketed(_ node: Node) -> Bool {
        let start = endOfAnchor(position(of: node.range.start))
        guard node.depth > 1 || node.scalarText == nil, scalars.indices.contains(start) else { return false }
        return scalars[start] == "{" || scalars[start] == "["
    }

    /// Where the value of a key is written: for an alias the alias, not what it stands for.
    fileprivate func written(_ pair: Node.Pair) -> SourceRange {
        let key = position(of: pair.key.range.end)
        guard pair.value.range.start < pair.key.range.end else { return pair.value.range }
        let start = scalars[key...].firstIndex { $0 == "*" } ?? key
        let end = scalars[start...].firstIndex { " ,}\r\n".unicodeScalars.contains($0) } ?? scalars.count
        return range(from: start, to: end)
    }
}
