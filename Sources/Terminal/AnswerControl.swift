import StudyModel

/// How a terminal asks for an answer.
struct AnswerControl: Hashable, Sendable {
    /// What the arrows and Space do.
    var widget: Widget
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

    /// What there is besides typing.
    enum Widget: Hashable, Sendable {
        /// The arrows move a number in a range.
        case scale(ClosedRange<Int>)
        case slider(from: Double, to: Double, decimals: Int)
        /// The arrows choose one of the options.
        case pick
        /// The arrows go through the options, and Space ticks them.
        case tick
        case line
    }

    /// Whether the answer is words, so that any word may be one.
    var takesWords = false

    /// Whether more than one option may be chosen.
    var takesSeveral: Bool { widget == .tick }

    /// Whether up and down move within the answer.
    var isList: Bool { !options.isEmpty }

    /// What to say where an answer is needed.
    var need: ValidationError {
        switch widget {
        case .scale, .pick, .tick: ValidationError(.pleaseChoose)
        case .line, .slider: ValidationError(.pleaseWrite)
        }
    }
}

/// All that the terminal knows of each kind of answer, but for how its words are read.
extension AnswerFormat {
    /// How an answer of this format is asked for.
    func control(in language: Language?) -> AnswerControl {
        switch self {
        case .scale(let from, let to, let fromLabel, let toLabel):
            let labels = [(from, fromLabel), (to, toLabel)].compactMap { value, label in
                label.map { "\(value) = \($0.text(in: language))" }
            }
            return AnswerControl(widget: .scale(from...max(from, to)), request: range, labels: labels)
        case .continuous(let from, let to, let decimals):
            return AnswerControl(widget: .slider(from: from, to: to, decimals: decimals), request: range)
        case .choice(let choices):
            return AnswerControl(
                widget: .pick, request: ValidationError(.lineChoice),
                options: choices.map { $0.text.text(in: language) })
        case .choices(let choices):
            return AnswerControl(
                widget: .tick, request: ValidationError(.lineChoices),
                options: choices.map { $0.text.text(in: language) })
        case .boolean(let yes, let no):
            return AnswerControl(
                widget: .pick, request: ValidationError(.lineChoice),
                options: [yes.text(in: language), no.text(in: language)], isYesOrNo: true)
        case .number(let unit, _, _):
            return AnswerControl(widget: .line, request: range, isRequestShown: true, unit: unit)
        case .text:
            return AnswerControl(widget: .line, request: ValidationError(.lineText), takesWords: true)
        case .date:
            return AnswerControl(widget: .line, request: ValidationError(.dateForm), isRequestShown: true)
        case .timeOfDay:
            return AnswerControl(widget: .line, request: ValidationError(.timeForm), isRequestShown: true)
        }
    }
}
