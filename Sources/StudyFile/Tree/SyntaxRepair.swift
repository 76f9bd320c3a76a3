/// Finds the change that turns a file into valid YAML. It proposes corrections of common mistakes in turn, and
/// tries them.
struct SyntaxRepair {
    let source: SourceText
    let failure: YAMLFailure
    /// The last quoted text that was read.
    let lastQuoted: Range<Int>?
    let openBracket: Int?

    /// Longer files are left to their authors.
    private static let limit = 200_000

    /// The change for `mistake` with which the file can be read to the end, if it can say one thing only.
    func fix(for mistake: Diagnostic) -> [TextEdit] {
        guard source.scalars.count <= Self.limit else { return [] }
        let line = mistake.range.start.line
        let start = source.position(of: mistake.range.start)
        let proposals: [[[TextEdit]]] =
            if mistake.code == .tabIndentation {
                [[2, 4, 8, 1, 3, 6].map { withoutTabs($0) }]
            } else if mistake.code == .unclosedQuote {
                [closings(of: start, with: String(source.scalars[start]))]
            } else if mistake.code == .unclosedBracket {
                brackets(start)
            } else if mistake.code == .badIndentation {
                [[plainSpaces()], indents(line)]
            } else {
                []
            }
        let others = [
            spaces(behind: "-", line), spaces(behind: ":", line), plainSpaces(ofLine: line), separator(line),
        ]
        let comma = start < source.scalars.count && source.scalars[start] == "," ? without(start) : []
        let above =
            mistake.note == nil && line > 1
            ? [spaces(behind: "-", line - 1), spaces(behind: ":", line - 1)] : []
        let guesses = quotations(line) + [without(start), colon(line)] + indents(line) + above
        let readable = (proposals + [[comma] + others, [braces(line), itemBelow(line)], guesses]).lazy
            .map { $0.filter { !$0.isEmpty && isReadable(after: $0) } }.first { !$0.isEmpty }
        return readable.flatMap(certain) ?? []
    }

    /// The first of several changes, if all of them make the file say the same.
    private func certain(_ changes: [[TextEdit]]) -> [TextEdit]? {
        let meanings = Set(changes.map { StudyMeaning(of: source.applying($0), files: [:]).lines })
        return meanings.count == 1 ? changes.first : nil
    }

    private func isReadable(after edits: [TextEdit]) -> Bool {
        var events = YAMLEvents(source.applying(edits))
        while true {
            guard let event = try? events.next() else { return false }
            if case .streamEnd = event.kind { return true }
        }
    }

    // MARK: What is proposed

    private func withoutTabs(_ width: Int) -> [TextEdit] {
        (1...source.place(at: source.scalars.count).line).compactMap { line in
            let blank = source.positions(ofLine: line).lowerBound..<source.firstInk(ofLine: line)
            guard source.scalars[blank].contains("\t") else { return nil }
            let columns = source.scalars[blank].reduce(0) { $0 + ($1 == "\t" ? width : 1) }
            return edit(blank, String(repeating: " ", count: columns))
        }
    }

    private func plainSpaces() -> [TextEdit] {
        (1...source.place(at: source.scalars.count).line).compactMap { line in
            source.oddBlank(ofLine: line).map { edit($0, String(repeating: " ", count: $0.count)) }
        }
    }

    private func plainSpaces(ofLine line: Int) -> [TextEdit] {
        source.positions(ofLine: line).filter { source.scalars[$0].isOddSpace }.map {
            edit($0..<($0 + 1), " ")
        }
    }

    /// Places where a quote could end: at the end of the line, before the next key, and before closing brackets.
    private func closings(of opening: Int, with quote: String) -> [[TextEdit]] {
        let line = source.positions(ofLine: source.place(at: opening).line)
        let ink = line.clamped(to: opening..<line.upperBound)
        var ends = [line.upperBound]
        ends += ink.filter { source.scalars[$0] == "," && source.hasKey(behind: $0) }
        ends += ink.filter { ",}]".unicodeScalars.contains(source.scalars[$0]) }.reversed()
        return ends.map { [edit($0..<$0, quote)] }
    }

    private func brackets(_ place: Int) -> [[[TextEdit]]] {
        guard let opening = openBracket ?? failure.contextPosition, opening < source.scalars.count else {
            return []
        }
        let closing = source.scalars[opening] == "[" ? "]" : "}"
        let first = source.place(at: opening).line
        let numbers = first...max(first, source.place(at: failure.problemPosition).line)
        let lines = numbers.map { source.endOfInk(ofLine: $0) }
        let comma = source.scalars[..<place].lastIndex { $0 != " " && $0 != "\n" }.map {
            [edit(($0 + 1)..<($0 + 1), ",")]
        }
        // What a comment has swallowed may be more than the bracket.
        let isSwallowed = zip(numbers, lines).contains { number, end in
            source.scalars[end..<source.positions(ofLine: number).upperBound].contains {
                closing.unicodeScalars.contains($0)
            }
        }
        if isSwallowed { return [] }
        let inside = closings(of: opening, with: closing)
        let ends = lines.map { [edit($0..<$0, closing)] }
        return [[commaBefore(place)], ends, [comma ?? []], inside]
    }

    /// A comma before the key whose colon is at a place: `{at: start sound: tone}`.
    private func commaBefore(_ colon: Int) -> [TextEdit] {
        guard colon < source.scalars.count, source.scalars[colon] == ":" else { return [] }
        let line = source.positions(ofLine: source.place(at: colon).line).lowerBound
        guard let space = source.scalars[line..<colon].lastIndex(of: " "), space > line,
            source.scalars[space - 1] != ","
        else {
            return []
        }
        // A comma within a sentence would cut it in two: what stands before is one word, a quantity, or closed.
        let value = source.scalars[line..<space].lastIndex { ":{,".unicodeScalars.contains($0) } ?? line
        let words = source.scalars[(value + 1)..<space].split(separator: " ")
        let isQuantity =
            words.count == 2 && words[0].allSatisfy { "0123456789.-".unicodeScalars.contains($0) }
        let key = source.scalars[line..<value].reversed().prefix { $0.properties.isAlphabetic }.reversed()
        let isText = ["title", "text", "detail", "say"].contains { $0.unicodeScalars.elementsEqual(key) }
        guard
            !isText && (words.count == 1 || isQuantity)
                || "\"']}".unicodeScalars.contains(source.scalars[space - 1])
        else {
            return []
        }
        return [edit(space..<space, ",")]
    }

    /// Several keys in the line of another key, with the missing braces.
    private func braces(_ line: Int) -> [TextEdit] {
        let whole = source.ink(ofLine: line)
        let isGroup = whole.contains { source.scalars[$0] == "," && source.hasKey(behind: $0) }
        let words = whole.filter { source.scalars[$0] == ":" }
        let start = source.beginsItem(whole.lowerBound) ? whole.lowerBound : words.first
        guard isGroup, let start,
            let first = (start + 1..<whole.upperBound).first(where: { source.scalars[$0] != " " }),
            source.scalars[first] != "{"
        else { return [] }
        return [edit(first..<first, "{"), edit(whole.upperBound..<whole.upperBound, "}")]
    }

    /// The line at the columns that the lines above leave open, together with what belongs to it.
    private func indents(_ line: Int) -> [[TextEdit]] {
        let own = source.indent(ofLine: line)
        let items = source.openColumns(above: line, ofItems: true)
        let keys = source.openColumns(above: line, ofItems: false)
        let columns = source.beginsItem(source.firstInk(ofLine: line)) ? items + keys : keys + items
        let last = source.place(at: source.scalars.count).line
        let below = ((line + 1)..<(last + 1)).prefix {
            source.indent(ofLine: $0) > own
                || source.endOfInk(ofLine: $0) == source.positions(ofLine: $0).lowerBound
        }
        let shifts = columns.map { $0.column - 1 - own }.sorted { (abs($0), $0) < (abs($1), $1) }
        return shifts.flatMap { (shift: Int) -> [[TextEdit]] in
            let one = shifted(line, by: shift)
            return [[one], [one] + below.map { shifted($0, by: shift) }]
        }
    }

    private func shifted(_ line: Int, by columns: Int) -> TextEdit {
        let start = source.positions(ofLine: line).lowerBound
        let indent = source.indent(ofLine: line)
        return edit(start..<(start + indent), String(repeating: " ", count: max(0, indent + columns)))
    }

    private func spaces(behind sign: Unicode.Scalar, _ line: Int) -> [TextEdit] {
        let ink = source.firstInk(ofLine: line)
        let whole = ink..<source.positions(ofLine: line).upperBound
        let end = sign == "-" ? min(ink + 1, whole.upperBound) : whole.upperBound
        guard let place = (ink..<end).first(where: { source.scalars[$0] == sign }),
            place + 1 < whole.upperBound,
            source.scalars[place + 1] != " "
        else { return [] }
        return [edit((place + 1)..<(place + 1), " ")]
    }

    /// `=` or a full-width colon instead of `: `.
    private func separator(_ line: Int) -> [TextEdit] {
        let whole = source.firstInk(ofLine: line)..<source.positions(ofLine: line).upperBound
        guard let place = whole.first(where: { "=：;".unicodeScalars.contains(source.scalars[$0]) }) else {
            return []
        }
        var range = place..<(place + 1)
        while range.upperBound < whole.upperBound, source.scalars[range.upperBound] == " " {
            range = range.lowerBound..<(range.upperBound + 1)
        }
        while range.lowerBound > whole.lowerBound, source.scalars[range.lowerBound - 1] == " " {
            range = (range.lowerBound - 1)..<range.upperBound
        }
        return [edit(range, ": ")]
    }

    /// The values of the line in quotes: all the rest after a key, or the part up to the next key or a closing
    /// bracket.
    private func quotations(_ line: Int) -> [[TextEdit]] {
        let whole = source.ink(ofLine: line)
        var starts = whole.filter {
            source.scalars[$0] == ":" && $0 + 1 < whole.upperBound && source.scalars[$0 + 1] == " "
        }
        if source.beginsItem(whole.lowerBound) { starts.insert(whole.lowerBound, at: 0) }
        var found: [[TextEdit]] = []
        for start in starts {
            guard let first = (start + 1..<whole.upperBound).first(where: { source.scalars[$0] != " " }),
                !"{[".unicodeScalars.contains(source.scalars[first])
            else { continue }
            var ends = [whole.upperBound]
            ends += (first..<whole.upperBound).filter {
                source.scalars[$0] == "," && source.hasKey(behind: $0)
            }
            ends += (first..<whole.upperBound).filter { "}],".unicodeScalars.contains(source.scalars[$0]) }
                .reversed()
            found += ends.filter { $0 > first }.map { [edit(first..<$0, quoted(first..<$0))] }
        }
        return found
    }

    private func quoted(_ range: Range<Int>) -> String {
        var text = String(String.UnicodeScalarView(source.scalars[range]))
        if let first = text.first, "\"'".contains(first) {
            text.removeFirst()
            if text.last == first { text.removeLast() }
            if first == "'" { text = text.replacing("''", with: "'") }
        }
        return text.inQuotes
    }

    /// The line without a surplus character, such as a second comma.
    private func without(_ place: Int) -> [TextEdit] {
        guard place < source.scalars.count, ",]}\"'".unicodeScalars.contains(source.scalars[place]) else {
            return []
        }
        return [edit(place..<(place + 1), "")]
    }

    /// `title Rest` with the missing colon.
    private func colon(_ line: Int) -> [TextEdit] {
        let whole = source.ink(ofLine: line)
        var start = whole.lowerBound
        if source.beginsItem(start) {
            start = (start + 1..<whole.upperBound).first { source.scalars[$0] != " " } ?? start
        }
        let end = (start..<whole.upperBound).first { source.scalars[$0] == " " } ?? whole.upperBound
        return start < end ? [edit(end..<end, ":")] : []
    }

    /// A list that begins in the line of its key.
    private func itemBelow(_ line: Int) -> [TextEdit] {
        let whole = source.firstInk(ofLine: line)..<source.positions(ofLine: line).upperBound
        guard
            let dash = whole.dropFirst().first(where: {
                source.beginsItem($0) && source.scalars[$0 - 1] == " "
            })
        else {
            return []
        }
        let indent = String(repeating: " ", count: source.indent(ofLine: line) + 2)
        return [edit((dash - 1)..<dash, "\n\(indent)")]
    }

    private func edit(_ range: Range<Int>, _ text: String) -> TextEdit {
        TextEdit(range: source.range(from: range.lowerBound, to: range.upperBound), text: text)
    }
}

extension Unicode.Scalar {
    /// Whether it looks like a space, but is not one to YAML.
    var isOddSpace: Bool {
        switch value {
        case 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
        case _: false
        }
    }
}

extension SourceText {
    /// The text after the changes, which must not overlap.
    func applying(_ edits: [TextEdit]) -> String {
        var text = String.UnicodeScalarView()
        var position = 0
        for edit in edits.sorted(by: { $0.range.start < $1.range.start }) {
            let (start, end) = (self.position(of: edit.range.start), self.position(of: edit.range.end))
            guard start >= position else { continue }
            text.append(contentsOf: scalars[position..<start])
            text.append(contentsOf: edit.text.unicodeScalars)
            position = max(start, end)
        }
        text.append(contentsOf: scalars[position...])
        return String(text)
    }

    /// The blanks at the beginning of a line, if one of them is not a space to YAML.
    func oddBlank(ofLine line: Int) -> Range<Int>? {
        let own = positions(ofLine: line)
        let ink = own.first { scalars[$0] != " " && !scalars[$0].isOddSpace } ?? own.upperBound
        let blank = own.lowerBound..<ink
        return ink < own.upperBound && scalars[blank].contains(where: \.isOddSpace) ? blank : nil
    }

    /// The end of a line's text, without blanks and a comment.
    fileprivate func endOfInk(ofLine line: Int) -> Int {
        let own = positions(ofLine: line)
        var end = own.dropFirst().first { scalars[$0] == "#" && scalars[$0 - 1] == " " } ?? own.upperBound
        while end > own.lowerBound, scalars[end - 1] == " " || scalars[end - 1] == "\t" { end -= 1 }
        return end
    }

    /// The text of a line; empty if the line contains only blanks and a comment.
    fileprivate func ink(ofLine line: Int) -> Range<Int> {
        let first = firstInk(ofLine: line)
        return first..<max(first, endOfInk(ofLine: line))
    }

    /// Whether a word and a colon follow a comma.
    fileprivate func hasKey(behind comma: Int) -> Bool {
        let rest = scalars[(comma + 1)...].drop { $0 == " " }
        let word = rest.prefix { $0.properties.isAlphabetic }
        return !word.isEmpty && rest.dropFirst(word.count).first == ":"
    }
}
