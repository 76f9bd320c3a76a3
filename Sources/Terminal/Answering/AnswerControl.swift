import SessionPorts
import StudyModel

/// How a terminal asks for an answer.
struct AnswerControl: Hashable, Sendable {
    /// What the arrows and Space do.
    var widget: Widget
    /// What to type, and what is said if something else was typed.
    var request: ValidationError
    /// Whether the request also stands below the question on a screen.
    var isRequestShown = false
    /// What to choose from.
    var options: [String] = []
    /// The option that asks for words, if any.
    var other: Int?
    /// Options that exclude all others.
    var exclusive: Set<Int> = []
    /// Whether it is a list of what was answered so far, whose words hold numbers of all kinds.
    var isReview = false
    /// Whether the letters for yes and no choose the first and the second option.
    var isYesOrNo = false
    /// What values of a scale mean, from the lowest on.
    var labels: [Label] = []
    /// The unit of a number.
    var unit: String?

    /// What can be used besides typing.
    enum Widget: Hashable, Sendable {
        /// The arrows move a number in a range.
        case scale(AnswerFormat.Scale)
        case slider(AnswerFormat.Scale)
        /// The arrows choose one of the options.
        case pick
        /// The arrows go through the options, and Space ticks them.
        case tick
        case line
        /// Return begins a new line; an empty line ends the text.
        case lines
    }

    /// What a value of a scale means.
    struct Label: Hashable, Sendable {
        var value: Double
        var text: String

        /// Such as `9 = very much`.
        var words: String { "\(value.shown) = \(text)" }
    }

    /// Whether the answer is free text, so that any word may be an answer.
    var takesWords = false

    /// Whether more than one option may be chosen.
    var takesSeveral: Bool { widget == .tick }

    /// Whether up and down move within the answer.
    var isList: Bool { !options.isEmpty }

    /// What to say if an answer is required.
    var need: ValidationError {
        switch widget {
        case .scale, .pick, .tick: ValidationError(.pleaseChoose)
        case .line, .lines: ValidationError(.pleaseWrite)
        case .slider(let scale): ValidationError(scale.areNumbersShown ? .pleaseWrite : .pleaseChoose)
        }
    }
}

/// Everything that the terminal knows about each kind of answer, except how its words are read.
extension AnswerFormat {
    /// How an answer of this format is asked for.
    func control(in language: Language?) -> AnswerControl {
        let notation = Notation(language)
        switch domain {
        case .interval:
            guard let scale else {
                return AnswerControl(
                    widget: .line, request: range(notation), isRequestShown: true, unit: unit)
            }
            let labels = scale.labels.map {
                AnswerControl.Label(value: $0.value, text: $0.text.text(in: language))
            }
            return AnswerControl(
                widget: kind == .scale ? .scale(scale) : .slider(scale), request: range(notation),
                labels: labels)
        case .oneOf(let choices) where kind == .boolean:
            return AnswerControl(
                widget: .pick, request: ValidationError(.lineChoice),
                options: choices.map { $0.text.text(in: language) }, isYesOrNo: true)
        case .oneOf: return control(.pick, ValidationError(.lineChoice), in: language)
        case .severalOf: return control(.tick, ValidationError(.lineChoices), in: language)
        case .free:
            var request = ValidationError(.lineText)
            if let longest {
                request = request.then(
                    ValidationError(longest == 1 ? .oneCharacter : .atMostCharacters, "\(longest)"))
            }
            if hasSeveralLines { request = request.then(ValidationError(.emptyLineEnds)) }
            return AnswerControl(
                widget: hasSeveralLines ? .lines : .line, request: request,
                isRequestShown: longest != nil || hasSeveralLines, takesWords: true)
        case .ordered(let meaning, let first, let last):
            let request =
                switch meaning {
                case .day:
                    ValidationError(.dateForm).then(
                        limits: first.map(notation.words), last.map(notation.words))
                case .time: ValidationError(.timeForm).then(limits: first, last)
                }
            return AnswerControl(widget: .line, request: request, isRequestShown: true)
        }
    }

    /// How one or several of its choices are asked for.
    private func control(
        _ widget: AnswerControl.Widget, _ request: ValidationError, in language: Language?
    ) -> AnswerControl {
        let choices = shownChoices
        let options = choices.map { $0.text.text(in: language) }
        let other = choices.firstIndex(where: \.isOther)
        return AnswerControl(
            widget: widget,
            request: other.map { request.then(ValidationError(.lineOther, options[$0])) } ?? request,
            options: options, other: other,
            exclusive: Set(choices.indices.filter { choices[$0].isExclusive }),
            takesWords: choices.contains(where: \.isOther))
    }
}
