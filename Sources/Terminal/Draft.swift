import StudyModel
import StudySession

/// One question with the answer as far as it is given.
///
/// Nothing is chosen beforehand: a default would be an answer that nobody gave.
struct Draft: Hashable, Sendable {
    let question: AskedQuestion
    let control: AnswerControl
    private let language: Language?
    private(set) var content: Content

    enum Content: Hashable, Sendable {
        /// A whole number of the range; `typed` holds the digits typed so far.
        case scale(ClosedRange<Int>, value: Int?, typed: String)
        /// One of the options.
        case pick(Int?, typed: String)
        /// Any of the options; `cursor` is the one that Space ticks.
        case tick(cursor: Int, Set<Int>)
        case line(LineEditor)

        /// Whether letters belong to the answer.
        var takesLetters: Bool {
            guard case .line(let line) = self else { return false }
            return line.alphabet == .anything
        }
    }

    init(_ question: AskedQuestion, language: Language?) {
        self.question = question
        control = question.format.control(in: language)
        self.language = language
        content = control.start
    }

    /// Whether letters belong to the answer, so that they cannot be commands.
    var takesLetters: Bool { content.takesLetters }

    /// The most characters of an answer in words, if there is a limit.
    var wordLimit: Int? {
        guard case .line(let line) = content, takesLetters else { return nil }
        return line.limit
    }

    /// Whether up and down move within the answer.
    var isList: Bool {
        switch content {
        case .pick, .tick: true
        case .scale, .line: false
        }
    }

    /// The answer, `nil` where there is none yet.
    func answer() throws(ValidationError) -> Answer? {
        switch content {
        case .scale(_, let value, _): value.map(Answer.scale)
        case .pick(let index, _): question.format.answer(picking: [index].compactMap(\.self))
        case .tick(_, let indices): question.format.answer(picking: indices)
        case .line(let line): try question.format.read(line.text)
        }
    }

    /// - Returns: `ignored` where the key means nothing for this question.
    mutating func handle(_ key: Key) -> LineEditor.Outcome {
        switch content {
        case .scale(let range, let value, let typed): return scale(key, range, value, typed)
        case .pick(let index, let typed): return pick(key, index, typed)
        case .tick(let cursor, let picked): return tick(key, cursor, picked)
        case .line(var line):
            defer { content = .line(line) }
            guard let text = control.slider?.moved(by: key, from: line.text) else { return line.handle(key) }
            line.choose(text)
            return .edited
        }
    }

    private mutating func scale(
        _ key: Key, _ range: ClosedRange<Int>, _ value: Int?, _ typed: String
    ) -> LineEditor.Outcome {
        let (from, to) = (range.lowerBound, range.upperBound)
        var chosen: (value: Int?, typed: String) = (nil, "")
        switch key {
        case .left, .down: chosen.value = value.map { max(from, $0 - 1) } ?? to
        case .right, .up: chosen.value = value.map { min(to, $0 + 1) } ?? from
        case .home: chosen.value = from
        case .end: chosen.value = to
        case .backspace, .delete: break
        case .character(let character) where character.isDigit || character == "-":
            chosen = Self.typing(character, after: typed, in: range) ?? (value, typed)
        case .character, .control, .paste, .return, .tab, .backTab, .escape, .pageUp, .pageDown:
            return .ignored
        }
        content = .scale(range, value: chosen.value, typed: chosen.typed)
        return .edited
    }

    private mutating func pick(_ key: Key, _ index: Int?, _ typed: String) -> LineEditor.Outcome {
        let count = control.options.count
        switch key {
        case .up: content = .pick(index.map { max(0, $0 - 1) } ?? count - 1, typed: "")
        case .down: content = .pick(index.map { min(count - 1, $0 + 1) } ?? 0, typed: "")
        case .home: content = .pick(0, typed: "")
        case .end: content = .pick(count - 1, typed: "")
        case .backspace, .delete: content = .pick(nil, typed: "")
        case .character(let character) where character.isDigit:
            content =
                Self.typing(character, after: typed, in: 1...count)
                .map { .pick($0.value.map { $0 - 1 }, typed: $0.typed) } ?? content
        case .character(let character):
            guard control.isYesOrNo, let answer = Wording(language).isYes(character) else { return .ignored }
            content = .pick(answer ? 0 : 1, typed: "")
        case .control, .paste, .return, .tab, .backTab, .escape, .left, .right, .pageUp, .pageDown:
            return .ignored
        }
        return .edited
    }

    private mutating func tick(_ key: Key, _ cursor: Int, _ picked: Set<Int>) -> LineEditor.Outcome {
        let count = control.options.count
        switch key {
        case .up: content = .tick(cursor: max(0, cursor - 1), picked)
        case .down: content = .tick(cursor: min(count - 1, cursor + 1), picked)
        case .home: content = .tick(cursor: 0, picked)
        case .end: content = .tick(cursor: count - 1, picked)
        case .character(" "): content = .tick(cursor: cursor, picked.symmetricDifference([cursor]))
        case .character(let character):
            guard let digit = character.wholeNumberValue, character.isDigit, (1...count).contains(digit)
            else {
                return .ignored
            }
            content = .tick(cursor: digit - 1, picked.symmetricDifference([digit - 1]))
        case .control, .paste, .return, .tab, .backTab, .escape, .left, .right, .backspace, .delete, .pageUp,
            .pageDown:
            return .ignored
        }
        return .edited
    }

    /// Appends a digit to those typed so far, or begins again where the longer number cannot be.
    ///
    /// - Returns: the number, `nil` while it is too small yet; altogether `nil` where the digit leads nowhere.
    private static func typing(
        _ character: Character, after typed: String, in range: ClosedRange<Int>
    ) -> (value: Int?, typed: String)? {
        for text in [typed + String(character), String(character)] {
            if text == "-", range.lowerBound < 0 { return (nil, text) }
            guard let number = Int(text) else { continue }
            if range.contains(number) { return (number, text) }
            if number > 0 ? number < range.lowerBound : number < 0 && number > range.upperBound {
                return (nil, text)
            }
        }
        return nil
    }
}

extension AnswerControl.Slider {
    /// The number that is written as `text`, after an arrow; `nil` for other keys.
    fileprivate func moved(by key: Key, from text: String) -> String? {
        let step = max(1 / Double.powerOfTen(decimals), ((to - from) / 100).rounded(to: decimals))
        let value = Double(typed: text)
        let moved: Double
        switch key {
        case .left: moved = value.map { $0 - step } ?? to
        case .right: moved = value.map { $0 + step } ?? from
        case .home: moved = from
        case .end: moved = to
        case .character, .control, .paste, .return, .tab, .backTab, .escape, .backspace, .delete, .up,
            .down, .pageUp, .pageDown:
            return nil
        }
        return min(to, max(from, moved)).shown(decimals)
    }
}

extension Character {
    fileprivate var isDigit: Bool { isASCII && isWholeNumber }
}

extension Wording {
    /// Whether a key means yes or no in this language or in English; `nil` where neither.
    ///
    /// Spanish keeps `y` for yes: `s` is the key that skips.
    func isYes(_ character: Character) -> Bool? {
        switch character.lowercased() {
        case "y": true
        case "n": false
        case let letter: letter != "s" && letter == self(.yesLetter) ? true : nil
        }
    }
}

extension Draft {
    /// Whether `key` would leave the list of options.
    func isAtEnd(for key: Key) -> Bool {
        let last = control.options.count - 1
        let position: Int? =
            switch content {
            case .pick(let index, _): index
            case .tick(let cursor, _): cursor
            case .scale, .line: nil
            }
        return key == .up ? position == nil || position == 0 : position == last
    }
}
