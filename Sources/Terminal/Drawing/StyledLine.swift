import TextFormat

/// How words stand out. Style is never the only sign of what they mean.
package enum Style: Hashable, Sendable {
    case plain
    /// A page's title, and where the person is.
    case accent
    case heading
    /// Bold words of a document.
    case strong
    /// Emphasised words of a document.
    case emphasis
    case quiet
    case chosen
    case problem
    /// What is waited for.
    case warning
    case good
}

/// A run of characters in one style.
///
/// Whatever it was made from, its text cannot command a terminal.
package struct Span: Hashable, Sendable {
    package let text: String
    package let style: Style

    package init(_ text: String, _ style: Style = .plain) {
        self.text = text.safe()
        self.style = style
    }
}

extension Span {
    /// Stands before what takes the keys, and blanks before everything else.
    static func marker(_ isFocused: Bool) -> Span { isFocused ? Span("› ", .accent) : Span("  ") }

    /// A character of a span, which is safe already.
    fileprivate init(cell: Character, _ style: Style) { (text, self.style) = (String(cell), style) }

    fileprivate init(joining first: Span, _ second: Span) {
        (text, style) = (first.text + second.text, first.style)
    }
}

/// One line of the screen.
package struct StyledLine: Hashable, Sendable {
    package private(set) var spans: [Span]

    package init(_ spans: Span...) { self.spans = spans.filter { !$0.text.isEmpty } }

    package static let empty = StyledLine()

    /// The words without their styles.
    package var text: String { spans.map(\.text).joined() }
    /// The columns that the line takes.
    package var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

    package static func + (left: StyledLine, right: StyledLine) -> StyledLine {
        var line = left
        line.spans += right.spans
        return line
    }

    /// Its characters one by one.
    var cells: [Span] { spans.flatMap { span in span.text.map { Span(cell: $0, span.style) } } }

    /// A line of cells, in as few spans as possible.
    init(joining cells: some Collection<Span>) {
        spans = cells.reduce(into: []) { spans, cell in
            if let last = spans.last, last.style == cell.style {
                spans[spans.count - 1] = Span(joining: last, cell)
            } else {
                spans.append(cell)
            }
        }
    }

    /// A line to move a mark on.
    static func track(_ length: Int, mark: Int?, _ sign: Character = "●") -> StyledLine {
        let line = { (count: Int) in Span(String(repeating: "─", count: count)) }
        guard let mark else { return StyledLine(line(length)) }
        return StyledLine(line(mark), Span(String(sign), .accent), line(length - mark - 1))
    }

    /// The line with this many blank columns before it; empty if the line is empty.
    func indented(by columns: Int) -> StyledLine {
        spans.isEmpty ? self : StyledLine(Span(String(repeating: " ", count: columns))) + self
    }

    /// The line without what exceeds `width` columns.
    func clipped(to width: Int) -> StyledLine {
        guard columns > width else { return self }
        var line = StyledLine.empty
        var left = width
        for span in spans {
            let text = span.text.prefix(columns: left)
            left -= text.columns
            line.spans.append(Span(text, span.style))
            if text.utf8.count < span.text.utf8.count { break }
        }
        return line
    }
}

extension String {
    /// The text as lines of at most `width` columns in one style; none for an empty text.
    func lines(to width: Int, _ style: Style = .plain) -> [StyledLine] {
        isEmpty ? [] : wrapped(to: width).map { StyledLine(Span($0, style)) }
    }
}
