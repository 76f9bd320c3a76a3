import TextFormat

extension [Diagnostic] {
    /// All diagnostics, each followed by an empty line, and a closing line such as `2 errors, 1 warning`. Warnings that
    /// say the same of several places of a file are said once, at the first of them, with the lines of the others.
    ///
    /// Empty for no diagnostics. The text ends with a line feed.
    package func rendered(isColoured: Bool) -> String {
        guard !isEmpty else { return "" }
        let errors = count { $0.severity == .error }
        let warnings = count - errors
        var counts: [String] = []
        if errors > 0 { counts.append(errors == 1 ? "1 error" : "\(errors) errors") }
        if warnings > 0 { counts.append(warnings == 1 ? "1 warning" : "\(warnings) warnings") }
        let alike = Dictionary(grouping: filter { $0.severity == .warning }, by: Likeness.init)
        var isSaid: Set<Likeness> = []
        let texts = compactMap { finding -> String? in
            guard finding.severity == .warning else { return finding.rendered(isColoured: isColoured) }
            let likeness = Likeness(finding)
            guard isSaid.insert(likeness).inserted else { return nil }
            let others = (alike[likeness] ?? []).dropFirst().map(\.range.start.line)
            return finding.rendered(isColoured: isColoured, alsoIn: others)
        }
        return texts.map { $0 + "\n" }.joined() + counts.joined(separator: ", ") + "\n"
    }
}

/// In what warnings agree that say the same: their words, but for names and numbers.
private struct Likeness: Hashable {
    var code: DiagnosticCode
    var file: String
    var message: String
    var help: String

    init(_ warning: Diagnostic) {
        (code, file) = (warning.code, warning.file)
        (message, help) = (Self.words(of: warning.message), Self.words(of: warning.help ?? ""))
    }

    private static func words(of text: String) -> String {
        let parts = text.split(separator: "'", omittingEmptySubsequences: false).enumerated()
        return parts.filter { $0.offset % 2 == 0 }.map { $0.element.filter { !$0.isNumber } }
            .joined(separator: "'")
    }
}

extension Diagnostic {
    /// The diagnostic in the style of rustc, ending with a line feed.
    ///
    /// The study's text never reaches the terminal raw: control characters are written as escapes.
    ///
    /// - Parameter others: the lines of other places of which the same is to be said.
    package func rendered(isColoured: Bool, alsoIn others: [Int] = []) -> String {
        let paint = Paint(isColoured: isColoured)
        let tone: Paint.Tone = severity == .error ? .error : .warning
        var marks = [Mark(place: range, line: sourceLine, sign: "^", label: "", tone: tone)]
        if let note {
            marks.append(
                Mark(
                    place: note.range, line: note.sourceLine, sign: "-", label: " " + note.message,
                    tone: .frame))
        }
        marks.sort { $0.place.start < $1.place.start }
        let gutter = marks.map { String($0.place.start.line).count }.reduce(1, Swift.max)
        let margin = String(repeating: " ", count: gutter)

        var text = paint(tone, "\(severity.rawValue)[\(code.rawValue)]")
        text += paint(.strong, ": " + printable(message)) + "\n"
        let arrow = "\(margin)\(paint(.frame, "-->"))"
        text +=
            "\(arrow) \(printable(file)):\(range.start.line):\(range.start.column)\n"
        text += "\(margin) \(paint(.frame, "|"))\n"
        for (index, mark) in marks.enumerated() {
            let previous = index > 0 ? marks[index - 1] : nil
            if let previous { text += previous.separator(before: mark, paint) }
            let isRepeated = previous?.place.start.line == mark.place.start.line
            text += mark.rendered(gutter: gutter, isRepeated: isRepeated, paint)
        }
        if let help {
            let lines = printable(help, keepsLines: true)
                .split(separator: "\n", omittingEmptySubsequences: false)
            let hanging = "\n" + String(repeating: " ", count: gutter + 9)
            text += "\(margin) \(paint(.frame, "=")) \(paint(.strong, "help")): "
            text += lines.joined(separator: hanging) + "\n"
        }
        if !others.isEmpty {
            let shown = others.prefix(12).map(String.init).joined(separator: ", ")
            text +=
                "\(margin) \(paint(.frame, "=")) \(paint(.strong, "more")): \(others.count) of the same kind, in "
            text += "line\(others.count == 1 ? "" : "s") \(shown)\(others.count > 12 ? ", …" : "")\n"
        }
        return text
    }
}

/// A source line with part of it underlined.
private struct Mark {
    var place: SourceRange
    var line: SourceLine
    var sign: Character
    var label: String
    var tone: Paint.Tone

    func separator(before next: Mark, _ paint: Paint) -> String {
        next.place.start.line <= place.start.line + 1 ? "" : paint(.frame, "...") + "\n"
    }

    /// - Parameter isRepeated: whether the source line was already shown above.
    func rendered(gutter: Int, isRepeated: Bool, _ paint: Paint) -> String {
        let number = String(place.start.line)
        let margin = String(repeating: " ", count: gutter)
        let padding = String(repeating: " ", count: gutter - number.count)
        let excerpt = Excerpt(of: line, place: place)
        let under = String(repeating: " ", count: excerpt.indent)
        let carets = String(repeating: sign, count: excerpt.width)
        let source = excerpt.text.isEmpty ? "" : " " + excerpt.text
        let above = "\(paint(.frame, padding + number)) \(paint(.frame, "|"))\(source)\n"
        return (isRepeated ? "" : above)
            + "\(margin) \(paint(.frame, "|")) \(under)\(paint(tone, carets + label))\n"
    }
}

/// The visible part of a line, and the place of its underline in columns of the terminal.
private struct Excerpt {
    var text = ""
    var indent = 0
    var width = 0

    /// Longer lines are cut to a window around the place.
    private static let limit = 120

    init(of line: SourceLine, place: SourceRange) {
        let cells = line.text.unicodeScalars.map(Self.cell)
        let start = min(max(0, place.start.column - line.column), cells.count)
        let last = place.end.line == place.start.line ? place.end.column - line.column : cells.count
        let end = min(max(last, start), cells.count)
        let window = Self.window(cells.map(\.width), around: start)
        if window.lowerBound > 0 || line.column > 1 { text = "…" }
        indent = text.count + cells[window.lowerBound..<start].reduce(0) { $0 + $1.width }
        text += cells[window].map(\.text).joined()
        if window.upperBound < cells.count || line.goesOn { text += "…" }
        let marked = cells[start..<min(max(end, start), window.upperBound)]
        width = max(1, marked.reduce(0) { $0 + $1.width })
        while text.last == " ", text.count > indent + width { text.removeLast() }
    }

    /// The replacement for one character, and its number of columns: four spaces for a tab, and a visible escape
    /// such as `\u{1b}` for unsafe or invisible characters.
    private static func cell(_ scalar: Unicode.Scalar) -> (text: String, width: Int) {
        if scalar == "\t" { return ("    ", 4) }
        let text = printable(String(scalar))
        return (text, scalar.properties.isEmojiModifier ? 0 : text.columns)
    }

    private static func window(_ widths: [Int], around start: Int) -> Range<Int> {
        var left = limit
        var low = start
        while low > 0, left > (widths.count > limit ? limit / 2 : 0) {
            low -= 1
            left -= widths[low]
        }
        var high = start
        while high < widths.count, left > 0 {
            left -= widths[high]
            high += 1
        }
        while low > 0, left > 0 {
            low -= 1
            left -= widths[low]
        }
        return low..<high
    }
}

/// The colours of a terminal, or none.
private struct Paint {
    enum Tone: String {
        case error = "1;31"
        case warning = "1;33"
        case frame = "1;34"
        case strong = "1"
    }

    var isColoured: Bool

    func callAsFunction(_ tone: Tone, _ text: String) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
    }
}
