import StudyModel

/// Explains in an author's words why libyaml failed, and where the mistake really is.
struct SyntaxProblem {
    private(set) var diagnostic: Diagnostic

    private let source: SourceText
    private let failure: YAMLFailure

    /// - Parameters:
    ///   - lastQuoted: the range of the last quoted text before the failure.
    ///   - openBracket: the position of the innermost bracket that is still open.
    init(_ failure: YAMLFailure, _ source: SourceText, lastQuoted: Range<Int>?, openBracket: Int?) {
        self.source = source
        var failure = failure
        failure.problemPosition = min(failure.problemPosition, source.scalars.count)
        failure.contextPosition = failure.contextPosition.map { min($0, source.scalars.count) }
        self.failure = failure
        let place = failure.problemPosition
        diagnostic = source.diagnostic(
            .yamlSyntax, failure.problem, at: source.range(from: place, to: place + 1))
        diagnostic =
            tabIndentation() ?? oddIndentation() ?? gluedDash() ?? unclosedQuote(lastQuoted)
            ?? unclosedBracket(openBracket) ?? valueNotAllowed()
            ?? unexpectedItem() ?? badIndentation(lastQuoted) ?? missingSpace() ?? other()
        diagnostic.fix = SyntaxRepair(
            source: source, failure: self.failure, lastQuoted: lastQuoted, openBracket: openBracket
        ).fix(for: diagnostic)
    }

    private var line: Int { source.place(at: failure.problemPosition).line }

    private func tabIndentation() -> Diagnostic? {
        let positions = source.positions(ofLine: line)
        guard let tab = positions.first(where: { source.scalars[$0] != " " }), source.scalars[tab] == "\t"
        else { return nil }
        return make(
            .tabIndentation, "a tab cannot indent a line", tab, length: source.firstInk(ofLine: line) - tab,
            help: "indent with spaces, two for each level")
    }

    /// Characters that word processors and web pages use instead of a space.
    private func oddIndentation() -> Diagnostic? {
        guard let odd = (1...line).first(where: { source.oddBlank(ofLine: $0) != nil }),
            let blank = source.oddBlank(ofLine: odd),
            let first = blank.first(where: { source.scalars[$0].isOddSpace })
        else { return nil }
        return make(
            .badIndentation, "\(ControlCharacter.name(of: source.scalars[first])) cannot indent a line",
            first,
            length: blank.upperBound - first,
            help: "write ordinary spaces: this one comes from a word processor or a web page")
    }

    /// `-type: active`
    private func gluedDash() -> Diagnostic? {
        for number in [line, lineBefore].compactMap(\.self) {
            let ink = source.firstInk(ofLine: number)
            let own = ink..<source.positions(ofLine: number).upperBound
            guard own.count > 2, source.scalars[ink] == "-", !source.beginsItem(ink),
                source.scalars[ink + 1].properties.isAlphabetic || source.scalars[ink + 1] == "{",
                source.scalars[own].contains(":")
            else { continue }
            return make(
                .yamlSyntax, "a space is missing after the '-'", ink, length: wordLength(at: ink),
                help: "write '- ' before each item of a list")
        }
        return nil
    }

    private func unclosedQuote(_ lastQuoted: Range<Int>?) -> Diagnostic? {
        var opening: Int?
        if failure.context?.hasSuffix("a quoted scalar") == true,
            failure.problem.hasPrefix("found unexpected")
        {
            opening = failure.contextPosition
        } else if let lastQuoted, isSuspicious(lastQuoted) {
            opening = lastQuoted.lowerBound
        }
        guard var opening else { return nil }
        while opening < source.scalars.count, !"\"'".unicodeScalars.contains(source.scalars[opening]) {
            opening += 1
        }
        let help: Help = "close it, or write the text as a block after '|' if it has quotes itself"
        return make(.unclosedQuote, "this quote is never closed", opening, help: help)
    }

    /// A quoted text that runs over several lines and ends exactly at the failure was probably closed by the
    /// opening quote of another.
    private func isSuspicious(_ quoted: Range<Int>) -> Bool {
        let first = source.place(at: quoted.lowerBound).line
        let last = source.place(at: quoted.upperBound).line
        return first < last && last == line && quoted.upperBound <= failure.problemPosition
    }

    private func unclosedBracket(_ openBracket: Int?) -> Diagnostic? {
        guard let context = failure.context, context.hasPrefix("while parsing a flow") else { return nil }
        let isAtEnd = failure.problemPosition == source.scalars.count
        let lacksValue = failure.problem.hasPrefix("did not find expected node content")
        guard let opening = lacksValue ? openBracket : failure.contextPosition, isAtEnd || !lacksValue,
            opening < source.scalars.count
        else { return nil }
        let isList = source.scalars[opening] == "["
        let (bracket, closing) = isList ? ("[", "]") : ("{", "}")
        guard source.place(at: opening).line == line, failure.problemPosition < source.scalars.count else {
            let help = "write '\(closing)' where it ends"
            return make(
                .unclosedBracket, "this '\(bracket)' is never closed", opening,
                help: source.losesText(behind: opening)
                    ? "\(help); everything after ' #' is a comment, so put quotes around a text that has it"
                    : Help(help))
        }
        return make(
            .unclosedBracket, "a ',' or '\(closing)' is missing before this", failure.problemPosition,
            help: "put quotes around a text that has ',', ':' or brackets")
    }

    private func valueNotAllowed() -> Diagnostic? {
        guard failure.problem.hasPrefix("mapping values are not allowed") else { return nil }
        let start = source.firstInk(ofLine: line)
        let own = source.positions(ofLine: line)
        if source.scalars[own.lowerBound..<min(failure.problemPosition, own.upperBound)].containsSeparator {
            return make(
                .yamlSyntax, "a second ': ' in one line", failure.problemPosition,
                help: "put quotes around a text that has ': '")
        }
        guard let before = lineBefore else {
            return make(.badIndentation, "this line belongs to nothing above it", start)
        }
        let text = source.scalars[source.positions(ofLine: before)]
        if !text.containsSeparator, text.last != ":",
            source.indent(ofLine: before) <= source.indent(ofLine: line)
        {
            let ink = source.firstInk(ofLine: before)
            let end = source.positions(ofLine: before).upperBound
            let hint: Help =
                text.contains(":")
                ? "write a space after the ':'" : "write 'key: value', or indent the line as part of a text"
            return make(
                .yamlSyntax, "this line has no key followed by ': '", ink, length: end - ink, help: hint)
        }
        return make(
            .badIndentation, "this line is indented deeper than the key above it allows", start,
            length: failure.problemPosition - start,
            help: "begin it in the same column as the keys beside it, or put the text above in quotes")
    }

    private func unexpectedItem() -> Diagnostic? {
        guard failure.problem.hasPrefix("block sequence entries are not allowed") else { return nil }
        return make(
            .yamlSyntax, "a list cannot begin on the line of its key", failure.problemPosition,
            help: "begin each '- ' on a line of its own")
    }

    private func badIndentation(_ lastQuoted: Range<Int>?) -> Diagnostic? {
        let isMapping = failure.problem == "did not find expected key"
        guard isMapping || failure.problem == "did not find expected '-' indicator" else { return nil }
        let start = source.firstInk(ofLine: line)
        guard failure.problemPosition == start else {
            return textAfterQuote(lastQuoted)
        }
        return make(
            .badIndentation, "the indentation of this line fits nothing above it", start,
            length: wordLength(at: start), help: columnsHelp(forItem: source.beginsItem(start)))
    }

    private func textAfterQuote(_ lastQuoted: Range<Int>?) -> Diagnostic {
        let place = failure.problemPosition
        guard let lastQuoted, lastQuoted.upperBound <= place,
            source.place(at: lastQuoted.upperBound).line == line
        else {
            return make(
                .yamlSyntax, "nothing is expected here", place, help: "put quotes around the whole text")
        }
        let isDouble = source.scalars[lastQuoted.lowerBound] == "\""
        return make(
            .yamlSyntax, "the text in quotes ended before this", place,
            help: isDouble
                ? #"put double quotes around the whole text, and write \" for a quotation mark within it"#
                : "put double quotes around the whole text")
    }

    /// The columns nearest to the line's own at which the line could begin.
    private func columnsHelp(forItem isItem: Bool) -> Help {
        let own = source.indent(ofLine: line)
        let columns = source.openColumns(above: line, ofItems: isItem)
            .sorted { abs($0.column - 1 - own) < abs($1.column - 1 - own) }
            .prefix(2).map { "\($0.column) as in line \($0.line)" }
        let rule =
            isItem
            ? "begin each '- ' of a list in the same column" : "keys of one group begin in the same column"
        return columns.isEmpty ? Help(rule) : "\(rule): \(columns.joined(separator: ", or "))"
    }

    /// YAML does not read `title:Rest` as a key.
    private func missingSpace() -> Diagnostic? {
        guard failure.problem.hasPrefix("could not find expected ':'"), let start = failure.contextPosition
        else { return nil }
        let end = source.positions(ofLine: source.place(at: start).line).upperBound
        guard start < end, let colon = source.scalars[start..<end].firstIndex(of: ":"), colon + 1 < end else {
            return nil
        }
        return make(
            .yamlSyntax, "a space is missing behind the ':'", start, length: colon + 1 - start,
            help: "write 'key: value'")
    }

    private func other() -> Diagnostic {
        let place = failure.problemPosition
        let character = place < source.scalars.count ? String(source.scalars[place]) : ""
        let known: [(prefix: String, message: String, help: Help?)] = [
            (
                "found character that cannot start any token", "a text cannot begin with '\(character)'",
                "put quotes around the text"
            ),
            (
                "found unknown escape character", "this escape means nothing",
                #"write \\ for a backslash within double quotes"#
            ),
            ("did not find expected hexdecimal number", "hexadecimal digits are missing here", nil),
            ("found invalid Unicode character escape code", "this is not a Unicode character", nil),
            (
                "did not find expected alphabetic or numeric character", "a name must follow '&' or '*'",
                "put quotes around a text that begins with '&' or '*'"
            ),
            (
                "did not find expected node content", "a value is missing before this",
                "write it, or put quotes around a text that has ',', ':' or brackets"
            ),
            (
                "found undefined tag handle", "tags mean nothing here",
                "put quotes around a text that begins with '!'"
            ),
            (
                "did not find expected <document start>", "nothing may follow the end of the study",
                "keep one group of keys per file"
            ),
            ("could not find expected ':'", "a ':' is missing after this", "write 'key: value'"),
            (
                "did not find expected comment or line break", "the text of a block begins on the next line",
                "write nothing but a comment after '|' or '>'"
            ),
            ("found incompatible YAML document", "only YAML 1.1 and 1.2 are understood", nil),
        ]
        for entry in known where failure.problem.hasPrefix(entry.prefix) {
            let isAboutContext = failure.problem.hasPrefix("could not find")
            let start = isAboutContext ? failure.contextPosition ?? place : place
            let length = isAboutContext ? wordLength(at: start) : 1
            return make(.yamlSyntax, entry.message, start, length: length, help: entry.help)
        }
        return make(.yamlSyntax, "this is not YAML: \(failure.problem)", place)
    }

    /// The nearest line above the failure that contains more than blanks and comments.
    private var lineBefore: Int? {
        (1..<line).last { number in
            let ink = source.firstInk(ofLine: number)
            return ink < source.positions(ofLine: number).upperBound && source.scalars[ink] != "#"
        }
    }

    private func wordLength(at start: Int) -> Int {
        let end = source.positions(ofLine: source.place(at: start).line).upperBound
        let stop = source.scalars[start..<max(start, end)].firstIndex { $0 == ":" || $0 == " " } ?? end
        return stop - start
    }

    private func make(
        _ code: DiagnosticCode, _ message: String, _ start: Int, length: Int = 1, help: Help? = nil
    ) -> Diagnostic {
        source.diagnostic(
            code, message, at: source.range(from: start, to: start + max(1, length)), help: help)
    }
}

extension SourceText {
    /// Whether what looks like text cuts off the rest of a line.
    fileprivate func losesText(behind position: Int) -> Bool {
        (position..<positions(ofLine: place(at: position).line).upperBound).contains(where: isLostText)
    }

    func indent(ofLine number: Int) -> Int {
        firstInk(ofLine: number) - positions(ofLine: number).lowerBound
    }

    /// Whether an item of a list begins at a position.
    func beginsItem(_ position: Int) -> Bool {
        guard scalars.indices.contains(position), scalars[position] == "-" else { return false }
        return !scalars.indices.contains(position + 1) || scalars[position + 1].properties.isWhitespace
    }

    /// The columns of the lists, or else of the groups of keys, that are still open after the lines above.
    func openColumns(above number: Int, ofItems: Bool) -> [(column: Int, line: Int)] {
        var found: [(column: Int, line: Int)] = []
        let remember = { (position: Int, line: Int) in
            let column = self.place(at: position).column
            if found.last?.column != column { found.append((column, line)) }
        }
        var least = Int.max
        for line in (1..<number).reversed() {
            let (start, end) = (positions(ofLine: line).lowerBound, positions(ofLine: line).upperBound)
            var ink = firstInk(ofLine: line)
            guard ink < end, scalars[ink] != "#", ink - start < least else { continue }
            least = ink - start
            if beginsItem(ink) {
                if ofItems { remember(ink, line) }
                ink = scalars[(ink + 1)..<end].firstIndex { $0 != " " } ?? end
            }
            if !ofItems, scalars[ink..<end].contains(":") { remember(ink, line) }
        }
        return found
    }
}

extension ArraySlice<Unicode.Scalar> {
    /// Whether a key could end here: a colon before a space.
    fileprivate var containsSeparator: Bool {
        indices.dropLast().contains { self[$0] == ":" && self[$0 + 1] == " " }
    }
}
