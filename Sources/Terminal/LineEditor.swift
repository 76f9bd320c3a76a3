/// One line that is being typed.
struct LineEditor: Hashable, Sendable {
    private(set) var before = ""
    private(set) var after = ""
    /// The most characters that fit, if there is a limit.
    var limit: Int?
    /// Which characters are accepted.
    var alphabet: Alphabet
    /// Whether the text was chosen and not typed, so that typing begins anew.
    private var isChosen = false

    enum Alphabet: Hashable, Sendable {
        case anything
        case only(String)
    }

    init(limit: Int? = nil, alphabet: Alphabet = .anything) {
        self.limit = limit
        self.alphabet = alphabet
    }

    /// Puts a chosen text in the place of the one that was typed.
    mutating func choose(_ text: String) {
        (before, after, isChosen) = (text, "", true)
    }

    var text: String { before + after }

    enum Outcome: Hashable, Sendable {
        /// The key means nothing here.
        case ignored
        case edited
        /// The text is as long as it may be.
        case full
    }

    mutating func handle(_ key: Key) -> Outcome {
        switch key {
        case .character(let character): return insert(String(character))
        case .paste(let text): return insert(text)
        case .backspace:
            isChosen = false
            if !before.isEmpty { before.removeLast() }
        case .delete:
            if !after.isEmpty { after.removeFirst() }
        case .left:
            if let last = before.popLast() { after = String(last) + after }
        case .right:
            if !after.isEmpty { before.append(after.removeFirst()) }
        case .home: (before, after) = ("", text)
        case .end: (before, after) = (text, "")
        case .control("u"): before = ""
        case .control, .return, .tab, .backTab, .escape, .up, .down, .pageUp, .pageDown: return .ignored
        }
        return .edited
    }

    /// Takes as much of `new` as fits.
    private mutating func insert(_ new: String) -> Outcome {
        if case .only(let allowed) = alphabet, !new.allSatisfy(allowed.contains) { return .ignored }
        if isChosen { (before, isChosen) = ("", false) }
        guard let limit else {
            before += new
            return .edited
        }
        for character in new {
            let longer = before + String(character)
            guard (longer + after).count <= limit else { return .full }
            before = longer
        }
        return .edited
    }
}
