import SessionPorts
import StudyModel

/// What stands in the field of a question: of a list, what was chosen, and apart from it what was typed since.
struct Entry: Hashable, Sendable {
    var line = LineEditor()
    /// What was chosen from a list.
    var chosen = Picks()

    /// Whether words follow, so that Space is one of their characters.
    private(set) var isTyping = false
    /// What was typed, where `line` parts its numbers, in case it becomes words; `nil` if both are the same.
    private var unparted: String?

    /// After this time a digit begins a new number.
    static let pause = Duration.seconds(1)

    init(line: LineEditor = LineEditor(), chosen: Picks = Picks()) {
        (self.line, self.chosen) = (line, chosen)
    }

    /// What `Draft.text` said.
    init(_ text: String, _ control: AnswerControl) {
        if control.isList, let written = Picks(written: text, control) {
            chosen = written
        } else {
            line = LineEditor(text)
        }
    }

    /// What is chosen from the list.
    ///
    /// - Throws: why what was typed chooses nothing.
    func picks(_ control: AnswerControl, _ language: Language?) throws(ValidationError) -> Picks {
        let typed = line.text.trimmed
        guard !typed.isEmpty else { return chosen }
        guard !chosen.isEmpty else { return try Picks(typed, control, language) }
        if !hasOther(control), let numbers = Picks.numbers(typed, control) {
            return Picks(chosen.options.symmetricDifference(numbers), words: chosen.words)
        }
        guard let other = control.other else {
            throw ValidationError(.noSuchOption, "\(control.options.count)").then(control.request)
        }
        return Picks(chosen.options.union([other]), words: typed)
    }

    private func hasOther(_ control: AnswerControl) -> Bool {
        control.other.map(chosen.options.contains) == true
    }

    /// Takes characters for a list: numbers of options, words of one, or the participant's own words.
    ///
    /// - Parameter pause: how long nothing was typed before.
    mutating func goOnTyping(_ key: Key, _ control: AnswerControl, after pause: Duration) {
        let isDigit = if case .character(let character) = key { character.isWholeNumber } else { false }
        if let words = chosen.words {
            (line, chosen.words) = (LineEditor(words), nil)
        } else if isDigit, !hasOther(control), case .character(let digit) = key {
            if !control.takesSeveral { chosen = Picks() }
            return typeNumber(digit, control, after: pause)
        } else if !isDigit, let other = control.other, let numbers = Picks.numbers(line.text, control),
            numbers.contains(other), line.text.last?.isWholeNumber == true, !key.isBetweenNumbers
        {
            // The digits chose the option that asks for words, and these are the words.
            self = Entry(chosen: Picks(chosen.options.union(numbers)))
            isTyping = true
            if key == .character(":") { return }
        } else if !control.takesSeveral, !hasOther(control) {
            chosen = Picks()
        }
        if let before = unparted, case .character(let character) = key, !isDigit {
            if !key.isBetweenNumbers { line = LineEditor(before) }
            unparted = key.isBetweenNumbers ? before + String(character) : nil
        }
        _ = line.handle(key.onOneLine)
    }

    /// A digit goes on with a number, or is the next one. What was typed stays, in case it becomes words.
    private mutating func typeNumber(_ digit: Character, _ control: AnswerControl, after pause: Duration) {
        let number = String(line.text.reversed().prefix(while: \.isWholeNumber).reversed())
        let isNumber = Picks.numbers(line.text, control) != nil
        guard isNumber, !control.goesOn(number, with: digit, after: pause) else {
            unparted?.append(digit)
            _ = line.handle(.character(digit))
            return
        }
        if !number.isEmpty, pause <= Self.pause { unparted = (unparted ?? line.text) + String(digit) }
        if control.takesSeveral, !number.isEmpty, control.canBegin(with: String(digit)) {
            line.insert(" \(digit)")
        } else {
            line.type(digit, replacing: !control.takesSeveral)
        }
    }

    /// Takes a character away from what is typed, or all that was chosen.
    mutating func erase(_ key: Key) {
        if line.text.isEmpty, let words = chosen.words { (line, chosen.words) = (LineEditor(words), nil) }
        unparted = nil
        if line.text.isEmpty { chosen = Picks() } else { _ = line.handle(key) }
    }
}

extension Key {
    fileprivate var isBetweenNumbers: Bool { self == .character(" ") || self == .character(",") }
}

extension AnswerControl {
    /// Whether a digit goes on with what is typed, instead of beginning anew. What has a sign or a decimal mark goes on
    /// however long somebody waits; a number, within a second. Where all answers have one digit, another digit is
    /// another answer at once.
    func goesOn(_ typed: String, with digit: Character, after pause: Duration) -> Bool {
        guard typed.allSatisfy(\.isWholeNumber) else { return true }
        return typed.isEmpty
            || pause <= Entry.pause && !(hasOneDigit && !canBegin(with: typed + String(digit)))
    }

    /// Whether no answer that is typed has two digits or more, and none of an option's words begins with a digit.
    private var hasOneDigit: Bool {
        switch widget {
        case .scale(let scale), .slider(let scale): scale.from >= 0 && scale.to <= 9 && scale.decimals == 0
        case .pick, .tick: options.count <= 9 && !options.contains { $0.first?.isWholeNumber == true }
        case .line, .lines: false
        }
    }

    /// Whether a number that begins with these digits can be an answer.
    func canBegin(with digits: String) -> Bool {
        let text = Notation.plain(digits)
        let isNegative = text.first == "-"
        guard let number = Double(text.drop { !$0.isWholeNumber }).map({ isNegative ? -$0 : $0 }) else {
            return false
        }
        let range: ClosedRange<Double>
        var isWhole = true
        switch widget {
        case .scale(let scale): range = scale.from...scale.to
        case .slider(let scale): (range, isWhole) = (scale.from...scale.to, scale.decimals == 0)
        case .pick, .tick: range = 1...Double(max(1, options.count))
        case .line, .lines: return true
        }
        if range.contains(number) { return true }
        return ((isWhole ? 1 : 0)...6).contains { exponent in
            let unit = Double.powerOfTen(exponent)
            let (near, far) = (number.magnitude * unit, (number.magnitude + 1) * unit - (isWhole ? 1 : 0))
            return isNegative
                ? -near >= range.lowerBound && -far <= range.upperBound
                : near <= range.upperBound && far >= range.lowerBound
        }
    }
}
