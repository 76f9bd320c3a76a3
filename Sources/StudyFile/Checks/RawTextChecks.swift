import StudyModel
import TextFormat

extension Reading {
    /// Warns of parts that participants would read as they are written: names in braces that nothing fills in, and what
    /// other programs fill in or lay out.
    func warnOfRawParts(of text: String, at range: SourceRange, isMarkdown: Bool) {
        if let foreign = ForeignMarkup.first(in: text, isMarkdown) {
            report(
                .foreignMarkup, "participants read '\(foreign.part.prefix(40))' as it is written", at: range,
                help: foreign.help, severity: .warning)
        }
        // Behind a digit it is inches, or seconds of an angle.
        if text.last == "\"", text.count(where: { $0 == "\"" }) == 1, text.dropLast().last?.isNumber == false
        {
            report(
                .foreignMarkup, "participants read the quote at this text's end, and none begins it",
                at: range,
                help: "put quotes at both ends of the text, or leave this one out", severity: .warning)
        }
        let known = [row, arm].compactMap { $0?.names }.reduce(into: Set()) { $0.formUnion($1) }
        for name in Placeholder.names(in: text) where TextReference(name) == nil {
            let others = known.isEmpty ? Set(context.tables.flatMap(\.names)) : known
            let isElsewhere = others.contains(name)
            let meant = isElsewhere ? nil : Suggestion.nearest(to: name, among: others.sorted())
            report(
                .unknownPlace,
                "participants read '{\(name.prefix(40))}' as it is written: nothing fills it in",
                at: range,
                help: Help(
                    meant.map { "did you mean '{\($0)}'?" }
                        ?? (isElsewhere
                            ? "'\(name)' is a value of rounds: put the step into a block with 'forEach'"
                            : "write the name of a value of the round, or a place such as '{answer.QUESTION}'; or leave the braces out")
                ), severity: .warning)
        }
    }
}

extension ConditionTable {
    fileprivate var names: Set<String> { Set((rows ?? []).flatMap(\.cells.keys)) }
}

/// What other programs lay out or fill in, and this one shows as it is written.
private struct ForeignMarkup {
    var part: Substring
    var help: Help

    /// Words of HTML that people write into texts.
    private static let tags: Set = [
        "a", "b", "big", "br", "center", "div", "em", "font", "h1", "h2", "h3", "h4", "hr", "i", "img", "li",
        "ol", "p", "small", "span", "strong", "sub", "sup", "table", "td", "tr", "u", "ul",
    ]
    /// Names of keys, which people write in brackets, too.
    private static let keys: Set = [
        "alt", "backspace", "ctrl", "delete", "down", "enter", "esc", "escape", "left", "return", "right",
        "shift", "space", "tab", "up",
    ]

    static func first(in text: String, _ isMarkdown: Bool) -> ForeignMarkup? {
        let bytes = text.utf8
        guard bytes.contains(where: { "<[$\\*&%".utf8.contains($0) }) else { return nil }
        for start in text.indices {
            let rest = text[start...]
            switch text[start] {
            case "$" where rest.hasPrefix("${"):
                guard let end = rest.firstIndex(of: "}") else { continue }
                return .init(
                    part: rest[...end],
                    help: "write '{NAME}' for a value of the round, or '{answer.QUESTION}' for an answer")
            case "$" where rest.dropFirst().first?.isLetter == true:
                let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                guard name.contains(where: \.isLowercase) else { continue }
                return .init(
                    part: rest.prefix(name.count + 1),
                    help: "within a text, write '{NAME}' for a value of the round")
            case "*" where rest.hasPrefix("**") && !isMarkdown:
                let inner = rest.dropFirst(2).prefix { $0 != "*" }
                guard inner.contains(where: \.isLetter), rest.dropFirst(2 + inner.count).hasPrefix("**")
                else { continue }
                return .init(
                    part: rest.prefix(inner.count + 4), help: "leave the asterisks out: texts have no markup")
            case "&":
                let name = rest.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#") }
                guard name.count > 1, rest.dropFirst(name.count + 1).first == ";" else { continue }
                return .init(
                    part: rest.prefix(name.count + 2),
                    help: "write the character itself: texts have no markup")
            case "%" where ["%s", "%d", "%i", "%("].contains(rest.prefix(2)):
                let next = rest.dropFirst(2).first
                guard rest.prefix(2) == "%(" ? rest.contains(")") : next?.isLetter != true else { continue }
                return .init(
                    part: rest.prefix(2),
                    help: "write '{NAME}' for a value of the round, or '{answer.QUESTION}' for an answer")
            case "<":
                guard let end = rest.firstIndex(of: ">") else { continue }
                let name = rest.dropFirst().drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
                guard tags.contains(name.lowercased()) else { continue }
                return .init(part: rest[...end], help: "leave the tag out: texts have no markup")
            case "[":
                guard let end = rest.firstIndex(of: "]") else { continue }
                let name = rest[..<end].dropFirst()
                guard name.count > 2, name.first?.isLowercase == true, !keys.contains(String(name)),
                    name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
                else { continue }
                return .init(
                    part: rest[...end],
                    help:
                        "write '{NAME}' for a value of the round, or '{answer.QUESTION}' for an answer; if the brackets are meant, say so with 'expect: {foreign-markup: REASON}'"
                )
            case "\\" where rest.hasPrefix("\\n"):
                return .init(
                    part: rest.prefix(2),
                    help: "begin a new line in a text that follows '|', or put the text into double quotes")
            default: continue
            }
        }
        return nil
    }
}
