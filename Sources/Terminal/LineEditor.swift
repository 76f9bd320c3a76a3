/// One line that is being typed.
struct LineEditor: Hashable, Sendable {
    private(set) var before: String
    private(set) var after = ""
    /// Whether the text was chosen and not typed, so that typing begins anew.
    private(set) var isChosen = false

    init(_ text: String = "") { before = text }

    /// Puts a chosen text in the place of the one that was typed.
    mutating func choose(_ text: String) { (before, after, isChosen) = (text, "", true) }

    /// Lets typing go on behind a chosen text.
    mutating func goOnTyping(after separator: String) {
        guard isChosen else { return }
        (before, isChosen) = (before.isEmpty ? "" : before + separator, false)
    }

    var text: String { before + after }

    /// - Returns: whether the key means something here.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .paste(let text): insert(text)
        case .backspace:
            if isChosen { choose("") } else if !before.isEmpty { before.removeLast() }
        case .delete:
            if isChosen { choose("") } else if !after.isEmpty { after.removeFirst() }
        case .left:
            if let last = before.popLast() { after = String(last) + after }
        case .right:
            if !after.isEmpty { before.append(after.removeFirst()) }
        case .home: (before, after) = ("", text)
        case .end: (before, after) = (text, "")
        case .control("u"): before = ""
        case .control, .alt, .return, .tab, .backTab, .escape, .up, .down, .pageUp, .pageDown: return false
        }
        return true
    }

    private mutating func insert(_ new: String) {
        if isChosen { choose("") }
        isChosen = false
        before += new
    }
}
