import StudyModel

/// How a language is written beside others.
extension SourceText {
    /// The changes that give a text in one more language, or in another way in a language that it has.
    func edits(
        adding words: String, in language: Language, to site: StudyText.Site, from source: Language
    ) -> [TextEdit] {
        if site.plain != nil { return [translated(site, adding: words, in: language, from: source)] }
        if let pair = site.pairs.first(where: { $0.language == language.tag }) {
            let whole = withoutBlanks(pair.value)
            let mustFit = isBracketed(site) || isFollowed(position(of: whole.end))
            let written = value(words, at: pair.key.start.column, isInBrackets: mustFit)
            let start = endOfAnchor(position(of: whole.start))
            return [TextEdit(range: range(from: start, to: position(of: whole.end)), text: written)]
        }
        guard let last = site.pairs.last else { return [] }
        let end = position(of: withoutBlanks(last.value).end)
        guard !isBracketed(site) else {
            return [TextEdit(range: range(from: end, to: end), text: ", \(language.tag): \(words.inQuotes)")]
        }
        let line = positions(ofLine: place(at: max(end - 1, 0)).line).upperBound
        let column = site.pairs[0].key.start.column
        let margin = String(repeating: " ", count: column - 1)
        let text = "\n\(margin)\(language.tag): " + value(words, at: column, isInBrackets: false)
        return [TextEdit(range: range(from: line, to: line), text: text)]
    }

    private func isBracketed(_ site: StudyText.Site) -> Bool {
        let start = endOfAnchor(position(of: site.range.start))
        return site.isInBrackets || scalars.indices.contains(start) && scalars[start] == "{"
    }

    /// A text in one language in two: `Hello` becomes `{en: Hello, it: "Ciao"}`, or two lines if that is long.
    private func translated(
        _ site: StudyText.Site, adding words: String, in language: Language, from source: Language
    ) -> TextEdit {
        let range = withoutBlanks(site.range)
        let start = endOfAnchor(position(of: range.start))
        let end = position(of: range.end)
        let raw = String(String.UnicodeScalarView(scalars[start..<max(start, end)]))
        let isLong = raw.contains("\n") || words.contains("\n") || raw.count + words.count > 90
        if let column = site.column, !site.isInBrackets, isLong, site.form != .choice {
            var before = start
            while before > 0, scalars[before - 1] == " " { before -= 1 }
            let margin = "\n" + String(repeating: " ", count: column + 1)
            // What goes on in further lines goes further in.
            let moved = raw.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                .map {
                    $0.offset == 0 || $0.element.allSatisfy(\.isWhitespace) ? $0.element : "  " + $0.element
                }
                .joined(separator: "\n")
            let text =
                "\(margin)\(source.tag): \(moved)\(margin)\(language.tag): "
                + value(words, at: column + 2, isInBrackets: isFollowed(end))
            return TextEdit(range: self.range(from: before, to: end), text: text)
        }
        let isPlain = !raw.hasPrefix("\"") && !raw.hasPrefix("'")
        let isSafe = site.isInBrackets || !isPlain || !raw.contains { ",[]{}|>:#?\n".contains($0) }
        let own = isSafe && site.form != .choice ? raw : (site.plain ?? "").inQuotes
        let pairs = "\(source.tag): \(own), \(language.tag): \(words.inQuotes)"
        return TextEdit(
            range: self.range(from: start, to: end), text: site.form.written(pairs, of: site.plain ?? ""))
    }

    /// Whether something stands behind a place in its line, such as a comment. It would become part of a block.
    private func isFollowed(_ position: Int) -> Bool {
        scalars[position...].prefix { $0 != "\n" && $0 != "\r" }.contains { $0 != " " && $0 != "\t" }
    }

    /// A text as a value: in quotes, or as a block if it has several lines.
    private func value(_ words: String, at column: Int, isInBrackets: Bool) -> String {
        let body = words.hasSuffix("\n") ? words.dropLast() : words[...]
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        let isBlock =
            !isInBrackets && lines.count > 1 && lines.first?.first?.isWhitespace == false
            && lines.last?.isEmpty == false
            && !lines.contains { !$0.isEmpty && $0.allSatisfy(\.isWhitespace) }
            && !words.unicodeScalars.contains {
                "\r\u{85}\u{2028}\u{2029}\u{FEFF}".unicodeScalars.contains($0)
            }
        guard isBlock else { return words.inQuotes }
        let margin = String(repeating: " ", count: column + 1)
        return (words.hasSuffix("\n") ? "|" : "|-")
            + lines.map { $0.isEmpty ? "\n" : "\n\(margin)\($0)" }.joined()
    }

    /// A range without the blanks and line breaks at its end, which the value of a block has.
    private func withoutBlanks(_ range: SourceRange) -> SourceRange {
        let start = position(of: range.start)
        var end = position(of: range.end)
        while end > start, " \t\r\n".unicodeScalars.contains(scalars[end - 1]) { end -= 1 }
        return self.range(from: start, to: end)
    }
}
