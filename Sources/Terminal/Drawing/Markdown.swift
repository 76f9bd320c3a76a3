import TextFormat

/// The part of Markdown that consent documents are written in: headings, paragraphs, lists, quotations and tables;
/// bold and emphasised words, and links.
enum Markdown {
    /// Headings, paragraphs, items of lists and tables, in order.
    static func blocks(of document: String) -> [Block] {
        var blocks: [Block] = []
        var isOpen = false
        // Whether the line before belongs to a list item.
        var isList = false
        for line in document.safe(keepsLines: true).split(separator: "\n", omittingEmptySubsequences: false) {
            let text = String(line).trimmed
            let indent = line.prefix { $0 == " " }.count
            if text.isEmpty {
                (isOpen, isList) = (false, false)
            } else if var block = Block(opening: text, indent: indent) {
                block.isTight = isList && block.isItem
                blocks.append(block)
                (isOpen, isList) = (block.takesLines, block.isItem)
            } else if text.hasPrefix("|") {
                if isOpen, blocks.last?.kind == .table {
                    blocks[blocks.count - 1].rows.append(text)
                } else {
                    blocks.append(Block(.table, text))
                    isOpen = true
                }
            } else if isOpen, let last = blocks.indices.last, blocks[last].kind != .table {
                blocks[last].rows[0] += " " + text
            } else {
                blocks.append(Block(.paragraph, text))
                isOpen = true
            }
        }
        return blocks
    }

    struct Block: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case heading
            case paragraph
            case quotation
            /// A list item, with `mark` before it.
            case item(mark: String, indent: Int)
            case rule
            case table
        }

        let kind: Kind
        /// One text, or the lines of a table as they were written.
        fileprivate(set) var rows: [String]
        /// Whether it is a list item without space before it.
        fileprivate(set) var isTight = false

        fileprivate var isItem: Bool { if case .item = kind { true } else { false } }

        fileprivate init(_ kind: Kind, _ text: String) {
            self.kind = kind
            rows = [text]
        }

        /// A block that its first characters introduce; `nil` for paragraphs and tables.
        fileprivate init?(opening text: String, indent: Int) {
            if text.hasPrefix("#") {
                self.init(.heading, String(text.drop { $0 == "#" }).trimmed)
            } else if text.hasPrefix(">") {
                self.init(.quotation, String(text.dropFirst()).trimmed)
            } else if text.count >= 3,
                ["-", "*", "_"].contains(where: { mark in text.allSatisfy { "\($0)" == mark } })
            {
                self.init(.rule, "")
            } else if ["- ", "* ", "+ "].contains(where: text.hasPrefix) {
                self.init(.item(mark: "-", indent: indent), String(text.dropFirst(2)).trimmed)
            } else if let number = text.firstIndex(where: { !$0.isNumber }), number > text.startIndex,
                text[number] == "." || text[number] == ")", text[number...].dropFirst().first == " "
            {
                self.init(
                    .item(mark: String(text[...number]), indent: indent),
                    String(text[number...].dropFirst()).trimmed)
            } else {
                return nil
            }
        }

        fileprivate var takesLines: Bool {
            switch kind {
            case .paragraph, .quotation, .item: true
            case .heading, .rule, .table: false
            }
        }

        /// The block as lines of at most `width` columns.
        func lines(to width: Int) -> [StyledLine] {
            switch kind {
            case .heading: return Markdown.spans(in: rows[0], .heading).wrapped(to: width)
            case .paragraph: return Markdown.spans(in: rows[0]).wrapped(to: width)
            case .quotation:
                return Markdown.spans(in: rows[0]).wrapped(to: width - 2).map { $0.indented(by: 2) }
            case .rule:
                return [StyledLine(Span(String(repeating: "─", count: max(0, min(width, 40))), .quiet))]
            case .table: return table(to: width)
            case .item(let mark, let indent):
                let start = String(repeating: " ", count: min(indent, width / 4)) + mark + " "
                let lines = Markdown.spans(in: rows[0]).wrapped(to: max(1, width - start.columns))
                return lines.enumerated().map { row, line in
                    row == 0 ? StyledLine(Span(start)) + line : line.indented(by: start.columns)
                }
            }
        }

        /// The block without marks, for lines that are read aloud; the lines of a table stay separate.
        var text: String {
            switch kind {
            case .table: cells.map { $0.joined(separator: ", ") }.joined(separator: "\n")
            case .item(let mark, _): mark + " " + Markdown.spans(in: rows[0]).map(\.text).joined()
            case .heading, .paragraph, .quotation: Markdown.spans(in: rows[0]).map(\.text).joined()
            case .rule: ""
            }
        }

        /// The cells of a table, without the line below its header.
        private var cells: [[String]] {
            rows.map { row in
                let inner = row.dropFirst().hasSuffix("|") ? row.dropFirst().dropLast() : row.dropFirst()
                return inner.split(separator: "|", omittingEmptySubsequences: false).map {
                    String($0).trimmed
                }
            }
            .filter { cells in !cells.allSatisfy { !$0.isEmpty && $0.allSatisfy { "-: ".contains($0) } } }
            .map { $0.map { Markdown.spans(in: $0).map(\.text).joined() } }
        }

        /// In columns if these fit, and otherwise line by line.
        private func table(to width: Int) -> [StyledLine] {
            let cells = cells
            let columns = (0..<(cells.map(\.count).max() ?? 0)).map { column in
                cells.map { $0.indices.contains(column) ? $0[column].columns : 0 }.max() ?? 0
            }
            guard columns.reduce(0, +) + 3 * max(0, columns.count - 1) <= width else {
                return cells.flatMap { $0.joined(separator: ": ").lines(to: width) }
            }
            return cells.enumerated().map { row, cells in
                let padded = zip(cells, columns).map { $0 + String(repeating: " ", count: $1 - $0.columns) }
                return StyledLine(
                    Span(padded.joined(separator: "   ").trimmedAtEnd, row == 0 ? .strong : .plain))
            }
        }
    }

    /// A text with its bold and emphasised words; a link is followed by its address.
    static func spans(in text: String, _ style: Style = .plain) -> [Span] {
        var spans: [Span] = []
        var plain = ""
        var rest = text[...]
        while let first = rest.first {
            if first == "\\", let next = rest.dropFirst().first, next.isPunctuation || next.isSymbol {
                plain.append(next)
                rest = rest.dropFirst(2)
            } else if let (inner, kind, after) = marked(rest, before: plain.last) {
                if !plain.isEmpty { spans.append(Span(plain, style)) }
                plain = ""
                spans += Self.spans(in: inner, style == .heading ? .heading : kind)
                rest = after
            } else if let (words, address, after) = link(rest) {
                plain += words == address ? words : "\(words) (\(address))"
                rest = after
            } else {
                plain.append(first)
                rest = rest.dropFirst()
            }
        }
        return plain.isEmpty ? spans : spans + [Span(plain, style)]
    }

    /// The marked words at the beginning of a text, if there are any.
    private static func marked(_ text: Substring, before: Character?) -> (String, Style, Substring)? {
        for (mark, style) in [("**", Style.strong), ("__", .strong), ("*", .emphasis), ("_", .emphasis)]
        where text.hasPrefix(mark) {
            // Within a word an underscore is only itself.
            if mark.hasPrefix("_"), before?.isLetter == true || before?.isNumber == true { return nil }
            let inner = text.dropFirst(mark.count)
            guard let end = inner.firstRange(of: mark), end.lowerBound > inner.startIndex,
                inner.first?.isWhitespace == false
            else { continue }
            return (String(inner[..<end.lowerBound]), style, inner[end.upperBound...])
        }
        return nil
    }

    private static func link(_ text: Substring) -> (String, String, Substring)? {
        guard text.hasPrefix("["), let middle = text.firstRange(of: "]("),
            let end = text[middle.upperBound...].firstIndex(of: ")")
        else { return nil }
        let words = text[text.index(after: text.startIndex)..<middle.lowerBound]
        return (String(words), String(text[middle.upperBound..<end]), text[text.index(after: end)...])
    }
}

extension [Span] {
    /// The words in lines of at most `width` columns, each in its style.
    func wrapped(to width: Int) -> [StyledLine] {
        let text = map(\.text).joined()
        var characters = flatMap { span in span.text.map { (character: $0, style: span.style) } }[...]
        return text.wrapped(to: width).map { line in
            var result = StyledLine.empty
            var run = ""
            var style = Style.plain
            // Spaces at which the text was wrapped are dropped.
            while let next = characters.first, next.character == " ", line.first != " " {
                characters.removeFirst()
            }
            for shown in line {
                let next = characters.popFirst()?.style ?? .plain
                if next != style {
                    result = result + StyledLine(Span(run, style))
                    (run, style) = ("", next)
                }
                run.append(shown)
            }
            return result + StyledLine(Span(run, style))
        }
    }
}

extension String {
    fileprivate var trimmedAtEnd: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }
}
