import StudyModel

/// How a terminal asks for an answer.
struct AnswerControl: Hashable, Sendable {
    /// The answer before anything was typed or chosen.
    var start: Draft.Content
    /// What to type, and what is said where something else was typed.
    var request: ValidationError
    /// Whether the request stands below the question on a screen too.
    var isRequestShown = false
    /// What to choose from.
    var options: [String] = []
    /// Whether the letters for yes and no choose the first option and the second.
    var isYesOrNo = false
    /// What the ends of a scale mean, such as `9 = very much`.
    var labels: [String] = []
    /// What a number counts.
    var unit: String?
    /// The range in which the arrows move a number.
    var slider: Slider?

    struct Slider: Hashable, Sendable {
        var from: Double
        var to: Double
        var decimals: Int
    }

    /// Whether letters belong to the answer.
    var takesLetters: Bool { start.takesLetters }

    /// Whether more than one option may be chosen.
    var takesSeveral: Bool {
        switch start {
        case .tick: true
        case .scale, .pick, .line: false
        }
    }

    /// What to say where an answer is needed.
    var need: ValidationError {
        switch start {
        case .scale, .pick, .tick: ValidationError(.pleaseChoose)
        case .line: ValidationError(.pleaseWrite)
        }
    }
}

/// All that the terminal knows of each kind of answer.
extension AnswerFormat {
    /// How an answer of this format is asked for.
    func control(in language: Language?) -> AnswerControl {
        switch self {
        case .scale(let from, let to, let fromLabel, let toLabel):
            let labels = [(from, fromLabel), (to, toLabel)].compactMap { value, label in
                label.map { "\(value) = \($0.text(in: language))" }
            }
            return AnswerControl(
                start: .scale(from...max(from, to), value: nil, typed: ""),
                request: ValidationError(.numberBetween, String(from), String(to)), labels: labels)
        case .continuous(let from, let to, let decimals):
            return AnswerControl(
                start: .line(.number),
                request: ValidationError(.numberBetween, from.shown(decimals), to.shown(decimals)),
                slider: .init(from: from, to: to, decimals: decimals))
        case .choice(let choices):
            return AnswerControl(
                start: .pick(nil, typed: ""), request: ValidationError(.lineChoice),
                options: choices.map { $0.text.text(in: language) })
        case .choices(let choices):
            return AnswerControl(
                start: .tick(cursor: 0, []), request: ValidationError(.lineChoices),
                options: choices.map { $0.text.text(in: language) })
        case .boolean(let yes, let no):
            return AnswerControl(
                start: .pick(nil, typed: ""), request: ValidationError(.lineChoice),
                options: [yes.text(in: language), no.text(in: language)], isYesOrNo: true)
        case .number(let unit, _, _):
            return AnswerControl(
                start: .line(.number), request: ValidationError(.writeNumber), unit: unit)
        case .text(let maximumLength, _):
            return AnswerControl(
                start: .line(LineEditor(limit: maximumLength)), request: ValidationError(.lineText))
        case .date:
            return AnswerControl(
                start: .line(LineEditor(limit: 10, alphabet: .only("0123456789-"))),
                request: ValidationError(.dateForm), isRequestShown: true)
        case .timeOfDay:
            return AnswerControl(
                start: .line(LineEditor(limit: 5, alphabet: .only("0123456789:"))),
                request: ValidationError(.timeForm), isRequestShown: true)
        }
    }

    /// Reads a typed answer; the formats with a list to choose from are read by their lists.
    ///
    /// - Returns: `nil` where nothing was written.
    func read(_ text: String) throws(ValidationError) -> Answer? {
        let text = text.trimmed
        guard !text.isEmpty else { return nil }
        switch self {
        case .scale(let from, let to, _, _):
            guard let number = Int(text), from <= number, number <= to else {
                throw ValidationError(.numberBetween, String(from), String(to))
            }
            return .scale(number)
        case .continuous(let from, let to, let decimals):
            guard let number = Double(typed: text), from <= number, number <= to else {
                throw ValidationError(.numberBetween, from.shown(decimals), to.shown(decimals))
            }
            return .continuous(min(to, max(from, number.rounded(to: decimals))))
        case .number(_, let minimum, let maximum):
            return .number(try readNumber(text, minimum, maximum))
        case .text(let maximumLength, let pattern):
            if let maximumLength, text.count > maximumLength {
                throw ValidationError(.tooLong, String(maximumLength))
            }
            if let pattern, !isWholeMatch(text, of: pattern) { throw ValidationError(.otherForm) }
            return .text(text)
        case .date: return try readDate(text)
        case .timeOfDay: return try readTime(text)
        case .choice, .choices, .boolean: preconditionFailure("\(self) is answered from a list")
        }
    }

    /// The answer that picking these options gives; `nil` where none is picked.
    func answer(picking indices: some Collection<Int>) -> Answer? {
        guard let first = indices.min() else { return nil }
        switch self {
        case .choice(let choices): return .choice(choices[first].value)
        case .choices(let choices): return .choices(indices.sorted().map { choices[$0].value })
        case .boolean: return .boolean(first == 0)
        case .scale, .continuous, .number, .text, .date, .timeOfDay:
            preconditionFailure("\(self) has no options")
        }
    }

    private func readNumber(_ text: String, _ minimum: Double?, _ maximum: Double?) throws(ValidationError)
        -> Double
    {
        guard let number = Double(typed: text) else { throw ValidationError(.writeNumber) }
        switch (minimum, maximum) {
        case (let minimum?, let maximum?) where number < minimum || maximum < number:
            throw ValidationError(.numberBetween, minimum.shown, maximum.shown)
        case (let minimum?, nil) where number < minimum: throw ValidationError(.numberAtLeast, minimum.shown)
        case (nil, let maximum?) where maximum < number: throw ValidationError(.numberAtMost, maximum.shown)
        case (_, _): return number
        }
    }

    private func readDate(_ text: String) throws(ValidationError) -> Answer {
        guard let parts = text.numbers(separatedBy: "-", digits: [4...4, 1...2, 1...2]) else {
            throw ValidationError(.dateForm)
        }
        let answer = Answer.date(year: parts[0], month: parts[1], day: parts[2])
        guard accepts(answer) else { throw ValidationError(.noSuchDay) }
        return answer
    }

    private func readTime(_ text: String) throws(ValidationError) -> Answer {
        guard let parts = text.numbers(separatedBy: ":", digits: [1...2, 2...2]) else {
            throw ValidationError(.timeForm)
        }
        let answer = Answer.timeOfDay(hour: parts[0], minute: parts[1])
        guard accepts(answer) else { throw ValidationError(.timeForm) }
        return answer
    }
}

extension LineEditor {
    fileprivate static let number = LineEditor(limit: 24, alphabet: .only("0123456789.,+-"))
}
