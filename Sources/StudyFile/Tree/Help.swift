import StudyModel
import TextFormat

/// A change of a file's text: a part of it, and its replacement.
package struct TextEdit: Hashable, Sendable {
    package var range: SourceRange
    package var text: String
}

/// What to do about a mistake: words for the author and, if the words leave nothing open, the change itself.
///
/// The change does exactly what the words say. It is there only if the changed text means what the author can only have
/// meant: where there are two readings, the words name both.
struct Help: Hashable, Sendable {
    var text: String
    var change = Change.none

    enum Change: Hashable, Sendable {
        /// Only the author can know.
        case none
        /// Replace what the finding is about with this text.
        case replace(String)
        case edits([TextEdit])
    }

    init(_ text: String, _ change: Change = .none) {
        self.text = text
        self.change = change
    }

    init(_ text: String, edits: [TextEdit]) { self.init(text, edits.isEmpty ? .none : .edits(edits)) }
}

extension Help: ExpressibleByStringInterpolation {
    init(stringLiteral text: String) { self.init(text) }
}

extension Help {
    /// The suggestion to write this instead.
    ///
    /// - Parameter words: the words for the author; by default, to write the text.
    static func write(_ text: String, _ words: String? = nil) -> Help {
        Help(words ?? "write '\(text)'", .replace(text))
    }

    /// "did you mean 'x'?", or the list of candidates if none is near.
    static func nearest(to word: String, among candidates: some Collection<String>, all: String) -> Help? {
        if let meant = Suggestion.nearest(to: word, among: candidates) {
            let words = "did you mean '\(meant)'?"
            return Suggestion.isCertain(meant, for: word, among: candidates)
                ? .write(meant, words) : Help(words)
        }
        return Suggestion.help(for: word, among: candidates, all: all).map { Help($0) }
    }

    /// The change as edits of the text; `range` is what the finding is about.
    func edits(at range: SourceRange) -> [TextEdit] {
        switch change {
        case .none: []
        case .replace(let text): [TextEdit(range: range, text: text)]
        case .edits(let edits): edits
        }
    }
}

extension SourceText {
    /// Adds a key to the group of keys that begins at a place.
    func insertion(of pair: String, at group: SourceRange) -> [TextEdit] {
        let start = position(of: group.start)
        guard scalars.indices.contains(start) else { return [] }
        guard scalars[start] == "{" else {
            let indent = String(repeating: " ", count: group.start.column - 1)
            return [TextEdit(range: range(from: start, to: start), text: "\(pair)\n\(indent)")]
        }
        let isEmpty = scalars[(start + 1)...].first { $0 != " " } == "}"
        return [TextEdit(range: range(from: start + 1, to: start + 1), text: isEmpty ? pair : "\(pair), ")]
    }

    /// Removes a pair from a group that has others; `nil` if a comment would go, too.
    ///
    /// - Parameter next: where the next key of the group begins; `nil` for the last pair.
    func removal(of pair: Node.Pair, before next: SourcePlace?) -> TextEdit? {
        let (start, end) = (position(of: pair.key.range.start), position(of: pair.value.range.end))
        if let next {
            guard !scalars[end..<max(end, position(of: next))].contains("#") else { return nil }
            return TextEdit(range: range(from: start, to: position(of: next)), text: "")
        }
        // Before the last pair is a comma within braces, else the end of a line.
        let isFlow = scalars[end...].first { $0 != " " && $0 != "\n" } == "}"
        let before = scalars[..<start].lastIndex { $0 != " " && !(isFlow && $0 == "\n") }
        guard let before, scalars[before] == (isFlow ? "," : "\n") else { return nil }
        return TextEdit(range: range(from: before, to: end), text: "")
    }

    /// The text in a range.
    func text(_ range: SourceRange) -> String {
        var text = String.UnicodeScalarView()
        text.append(
            contentsOf: scalars[
                position(of: range.start)..<max(position(of: range.start), position(of: range.end))])
        return String(text)
    }

}

extension String {
    /// The text as a YAML value in one line, in double quotes.
    var inQuotes: String { JSON.text(self).document() }

    /// The text as a YAML value in one line, in quotes if it needs them.
    var asValue: String { JSON.text(self).yaml }
}

extension SourceText {
    /// Turns a single value into a list.
    func asList(_ node: Node) -> [TextEdit] {
        let (start, end) = (position(of: node.range.start), position(of: node.range.end))
        guard !node.isNull, start < end else { return [] }
        guard case .mapping = node.content, scalars[start] != "{" else {
            return [
                TextEdit(range: range(from: start, to: start), text: "["),
                TextEdit(range: range(from: end, to: end), text: "]"),
            ]
        }
        let lines = (node.range.start.line + 1)...max(node.range.start.line + 1, place(at: end).line)
        return [TextEdit(range: range(from: start, to: start), text: "- ")]
            + lines.filter { $0 <= place(at: end - 1).line }.map { line in
                let start = positions(ofLine: line).lowerBound
                return TextEdit(range: range(from: start, to: start), text: "  ")
            }
    }

    /// A name that is not in the file.
    func unusedName(like name: String) -> String {
        let words = Set(
            String(String.UnicodeScalarView(scalars)).split {
                !$0.isLetter && !$0.isNumber && !"._-".contains($0)
            })
        if !words.contains(name[...]) { return name }
        return (2...).lazy.map { "\(name)\($0)" }.first { !words.contains($0[...]) } ?? name
    }

    /// The suggestion for a tag, or for a text that begins like one.
    func help(forTag start: Int) -> Help {
        let line = positions(ofLine: place(at: start).line)
        let rest = scalars[start..<max(start, line.upperBound)]
        guard rest.starts(with: "!!".unicodeScalars), let space = rest.firstIndex(of: " ") else {
            let end = rest.firstIndex { ",}]".unicodeScalars.contains($0) } ?? line.upperBound
            let text = String(String.UnicodeScalarView(scalars[start..<end]))
            return Help(
                "put quotes around a text that begins with '!': \(text.inQuotes)",
                edits: [TextEdit(range: range(from: start, to: end), text: text.inQuotes)])
        }
        return Help(
            "leave the tag out: the key decides how its value is read",
            edits: [TextEdit(range: range(from: start, to: space + 1), text: "")])
    }

    /// The suggestion for an alias without an anchor: to mark what is meant, if a step with that name comes before.
    func help(forAlias name: String, at alias: Int) -> Help {
        guard let line = (1..<place(at: alias).line).first(where: { names($0, name) }) else {
            return helpForLost(alias: name, at: alias)
        }
        let ink = firstInk(ofLine: line)
        let own = positions(ofLine: line)
        var number = line
        while number > 0, scalars[firstInk(ofLine: number)] != "-" || !isItem(number, around: ink) {
            number -= 1
        }
        guard number > 0 else { return "mark what it repeats with '&\(name)'" }
        let dash = firstInk(ofLine: number)
        let content = scalars[(dash + 1)..<own.upperBound].firstIndex { $0 != " " } ?? dash + 1
        let isFlow = scalars[content] == "{"
        let indent = String(repeating: " ", count: place(at: content).column - 1)
        return Help(
            "mark the one that it repeats, in line \(number): '- &\(name)'",
            edits: [
                TextEdit(
                    range: range(from: content, to: content),
                    text: "&\(name)" + (isFlow ? " " : "\n\(indent)"))
            ])
    }

    private func helpForLost(alias name: String, at alias: Int) -> Help {
        let line = positions(ofLine: place(at: alias).line)
        let before = String(String.UnicodeScalarView(scalars[line.lowerBound..<alias]))
        guard before.drop(while: { $0 == " " }).hasSuffix("<<: ") else {
            return Help("put quotes around a text that begins with '*'", .replace("*\(name)".inQuotes))
        }
        return Help("leave '<<' out, or mark what it repeats with '&\(name)'")
    }

    private func isItem(_ line: Int, around ink: Int) -> Bool {
        firstInk(ofLine: line) - positions(ofLine: line).lowerBound
            < max(1, place(at: ink).column - 1) || firstInk(ofLine: line) == ink
    }

    /// Whether a line contains this name.
    private func names(_ line: Int, _ name: String) -> Bool {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[positions(ofLine: line)])
        let words = String(text).split { $0 == " " || $0 == "," || $0 == "{" || $0 == "}" }
        return zip(words, words.dropFirst()).contains { $0 == "identifier:" && $1 == name }
    }
}
