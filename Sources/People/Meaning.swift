import Hashing
import Patterns
package import Results
package import StudyEngine
package import StudyModel
import TextFormat

/// What a person means to answer, before there is a key for it.
package struct Meaning: Hashable, Sendable, CustomStringConvertible {
    /// The number; `nil` where the answer is none.
    package var number: Double?
    /// The words, or the values of what is chosen; empty for a question that is left out.
    package var words: [String] = []
    /// The person's own words for a choice that asks for them.
    package var other: String?

    package static let nothing = Meaning()

    package init(number: Double? = nil, words: [String] = [], other: String? = nil) {
        (self.number, self.words, self.other) = (number, words, other)
    }

    /// What the result holds.
    package init(stored answer: ResultBundle.Answer) {
        number = answer.choices == nil ? answer.number : nil
        words = number == nil ? (answer.choices ?? answer.text.map { [$0] } ?? []) : []
        other = answer.other
    }

    package var description: String {
        let words = number.map { [plainNumber($0)] } ?? self.words
        let told = words.isEmpty ? "nothing" : "'\(words.map { printable($0) }.joined(separator: ", "))'"
        return told + (other.map { " with '\(printable($0))'" } ?? "")
    }

    /// Whether both are the same answer.
    package func isSame(as stored: Meaning) -> Bool {
        if let number, let other = stored.number { return abs(number - other) < 1e-9 }
        let isSameDay = words.count == 1 && stored.words.first?.hasPrefix(words[0] + "T") == true
        return number == stored.number && other == stored.other
            && (isSameDay || words.sorted() == stored.words.sorted())
    }
}

extension Meaning {
    /// An answer that fits a question; `nil` if the person knows none.
    package init?(to question: Question, using random: inout SplitMix64) {
        if question.isOptional, random.index(below: 4) == 0 {
            self = .nothing
            return
        }
        switch question.format.domain {
        case .interval(let from, let to, let isWhole):
            let scale = question.format.scale
            if let scale, !scale.areNumbersShown {
                let number = scale.from + scale.arrowStep * Double(random.index(below: 13))
                self.init(number: (number * 1e6).rounded() / 1e6)
                return
            }
            let unit = isWhole ? 1.0 : [1.0, 10, 100][min(2, scale?.decimals ?? 1)]
            self.init(number: Self.number(from, to, inPartsOf: unit, using: &random))
        case .oneOf(let choices), .severalOf(let choices):
            guard let chosen = Self.chosen(choices, question.format, using: &random) else { return nil }
            let other = chosen.contains(where: \.isOther) ? "my own words" : nil
            self.init(words: chosen.map(\.value), other: other)
        case .ordered(let kind, let from, let to):
            let day = CivilDate(
                year: 1950 + random.index(below: 60), month: 1 + random.index(below: 12),
                day: 13 + random.index(below: 15)
            ).text
            let time = "\(digits(random.index(below: 24), 2)):\(digits(random.index(below: 60), 2))"
            let drawn = kind == .day ? day : time
            self.init(words: [max(from ?? drawn, min(to ?? drawn, drawn))])
        case .free:
            guard let text = Self.text(question.format, using: &random) else { return nil }
            self.init(words: [text])
        }
    }

    private static func number(
        _ from: Double?, _ to: Double?, inPartsOf unit: Double, using random: inout SplitMix64
    ) -> Double {
        let low = from ?? (to.map { $0 - 100 } ?? 0)
        let count = Int(min(1e6, ((to ?? low + 100) - low) * unit).rounded(.down))
        return ((low * unit).rounded(.up) + Double(random.index(below: count + 1))) / unit
    }

    private static func chosen(
        _ choices: [AnswerFormat.Choice], _ format: AnswerFormat, using random: inout SplitMix64
    ) -> [AnswerFormat.Choice]? {
        guard !choices.isEmpty else { return nil }
        let one = choices[random.index(below: choices.count)]
        guard case .severalOf = format.domain, !one.isExclusive else { return [one] }
        return choices.filter { $0 == one || !$0.isExclusive && random.index(below: 3) == 0 }
    }

    private static func text(_ format: AnswerFormat, using random: inout SplitMix64) -> String? {
        let known = ["I am quite well", "Ärger & Freude", "skip", "12", "1234", "ab", "AB12", "a", "7"]
        let lines = format.hasSeveralLines ? ["first line\nand another"] : []
        let fitting = (lines + known + [format.pattern.map(made)].compactMap(\.self)).filter {
            format.accepts(.text($0)) && format.matches(.text($0))
        }
        return fitting.isEmpty ? nil : fitting[random.index(below: fitting.count)]
    }

    /// A text made of a pattern's parts in turn, the first of each choice. It need not match.
    static func made(of pattern: String) -> String {
        var (text, rest) = ("", Array(pattern)[...])
        while let next = rest.popFirst() {
            switch next {
            case "^", "$", "(", ")", "+": break
            case "|": rest = rest.drop { $0 != ")" }
            case "?", "*": text = String(text.dropLast())
            case ".": text.append("a")
            case "\\":
                let escaped = rest.popFirst() ?? "a"
                text.append(["d": "1", "w": "a", "s": " "][escaped] ?? escaped)
            case "[":
                let isNamed = rest.first == "["
                let set = String(rest.prefix { $0 != "]" })
                rest = rest.dropFirst(set.count + (isNamed ? 2 : 1))
                text.append(
                    set.contains("digit")
                        ? "1" : set.contains("upper") ? "A" : isNamed ? "a" : set.first ?? "a")
            case "{":
                let count = Int(String(rest.prefix(while: \.isWholeNumber))) ?? 1
                rest = rest.drop { $0 != "}" }.dropFirst()
                let last = text.popLast().map(String.init) ?? ""
                text += String(repeating: last, count: count)
            default: text.append(next)
            }
        }
        return text
    }
}

extension Meaning {
    /// What to type for it on a page, one entry for each time that Return is pressed behind it.
    ///
    /// - Parameters:
    ///   - lines: the page, from which the numbers of choices are read.
    ///   - isScreen: whether marks are moved by arrows, and empty lines end a text.
    package func keys(
        for question: Question, in language: Language?, on lines: [String], isScreen: Bool
    ) -> [String] {
        if words.isEmpty, number == nil { return [""] }
        let format = question.format
        if let number {
            if isScreen, let scale = format.scale, !scale.areNumbersShown {
                return [Self.arrows(to: number, on: scale)]
            }
            return [plainNumber(number)]
        }
        guard !format.offeredChoices.isEmpty else {
            let text = words[0].split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            return format.hasSeveralLines ? text + [""] : [words[0]]
        }
        let numbers = words.compactMap { word in
            format.offeredChoices.firstIndex { $0.value == word }.map { place in
                let choice = format.offeredChoices[place]
                return (
                    number: Self.number(of: choice.text.text(in: language), on: lines) ?? place + 1,
                    isOther: choice.isOther
                )
            }
        }.sorted { $0.isOther == $1.isOther ? $0.number < $1.number : $1.isOther }
        return [numbers.map { "\($0.number)" }.joined(separator: " ") + (other.map { ": " + $0 } ?? "")]
    }

    /// The number before a choice, read from the page; `nil` where choices have none.
    private static func number(of text: String, on lines: [String]) -> Int? {
        let wanted = text.squeezed
        let found = lines.compactMap { line -> (number: Int, length: Int)? in
            let rest = line.drop { !$0.isNumber && !$0.isLetter }
            guard let number = Int(rest.prefix(while: \.isWholeNumber)) else { return nil }
            let words = String(rest.drop(while: \.isWholeNumber)).squeezed
            return !words.isEmpty && wanted.hasPrefix(words) ? (number, words.count) : nil
        }
        return found.max { $0.length < $1.length }?.number
    }

    /// From the lower end to the place of a number.
    private static func arrows(to number: Double, on scale: AnswerFormat.Scale) -> String {
        "\u{1B}[H"
            + String(repeating: "\u{1B}[C", count: Int(((number - scale.from) / scale.arrowStep).rounded()))
    }
}

extension AnswerFormat {
    /// The choices in the order in which they are shown; those of yes and no, too.
    fileprivate var offeredChoices: [Choice] {
        if case .oneOf(let choices) = domain, kind == .boolean { return choices }
        return shownChoices
    }
}

extension AnswerFormat.Scale {
    /// How far an arrow moves the mark.
    fileprivate var arrowStep: Double {
        let unit = (0..<decimals).reduce(1.0) { unit, _ in unit * 10 }
        return max(1, ((to - from) / 100 * unit).rounded()) / unit
    }
}
