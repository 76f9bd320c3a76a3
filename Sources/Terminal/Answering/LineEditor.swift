/// One line that is being typed.
struct LineEditor: Hashable, Sendable {
    private(set) var before: String
    private(set) var after = ""
    /// Whether the text was chosen rather than typed, so that typing starts again.
    private(set) var isChosen = false

    init(_ text: String = "") { before = text }

    /// Replaces the typed text with a chosen one.
    mutating func choose(_ text: String) { (before, after, isChosen) = (text, "", true) }

    /// Types a character, instead of all that is there or behind it.
    mutating func type(_ character: Character, replacing: Bool) {
        if replacing { choose("") }
        insert(String(character))
    }

    var text: String { before + after }

    // MARK: Several lines

    /// Whether typing continues in an empty last line.
    var isAtEmptyEnd: Bool { after.isEmpty && (before.isEmpty || before.hasSuffix("\n")) }

    /// Whether there is a line above or below.
    func canMove(_ key: Key) -> Bool { key == .up ? before.contains("\n") : after.contains("\n") }

    /// Moves up or down, or to the end of the line.
    mutating func moveInLines(_ key: Key) -> Bool {
        let start = before.lastIndex(of: "\n").map(before.index(after:)) ?? before.startIndex
        let column = before.distance(from: start, to: before.endIndex)
        let end = after.firstIndex(of: "\n") ?? after.endIndex
        switch key {
        case .home: (before, after) = (String(before[..<start]), String(before[start...]) + after)
        case .end: (before, after) = (before + after[..<end], String(after[end...]))
        case .up where canMove(.up):
            let above = before[..<before.index(before: start)]
            let first = above.lastIndex(of: "\n").map(above.index(after:)) ?? above.startIndex
            let place = above.index(first, offsetBy: column, limitedBy: above.endIndex) ?? above.endIndex
            (before, after) = (String(before[..<place]), String(before[place...]) + after)
        case .down where canMove(.down):
            let below = after[after.index(after: end)...]
            let last = below.firstIndex(of: "\n") ?? below.endIndex
            let place = below.index(below.startIndex, offsetBy: column, limitedBy: last) ?? last
            (before, after) = (before + after[..<place], String(after[place...]))
        case _: return false
        }
        return true
    }

    /// - Returns: whether the key has an effect here.
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
        case .control, .alt, .return, .tab, .backTab, .escape, .up, .down, .pageUp, .pageDown, .pointer,
            .wheel:
            return false
        }
        return true
    }

    /// Takes the word before the cursor away.
    mutating func eraseWord() {
        let words = before.trimmed
        before = words.lastIndex(of: " ").map { String(words[...$0]) } ?? ""
    }

    mutating func insert(_ new: String) {
        if isChosen { choose("") }
        isChosen = false
        before += new
    }
}
