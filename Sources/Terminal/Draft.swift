import StudyModel
import StudySession

/// One question with the answer as far as it is given: a text, whatever the question, which the arrows write too.
///
/// Nothing is chosen beforehand: a default would be an answer that nobody gave.
struct Draft: Hashable, Sendable {
    let question: AskedQuestion
    let control: AnswerControl
    private let language: Language?
    private(set) var line: LineEditor
    /// The option on which the arrows stand, where several may be ticked.
    private var tickCursor = 0
    /// When it was seen and answered; `nil` before it was seen.
    private(set) var times: AnswerTimes?
    /// Whether what stands here was told to the run.
    private(set) var isTold = true

    /// - Parameter text: what stood there when the participant was here before.
    init(_ question: AskedQuestion, language: Language?, text: String = "") {
        self.question = question
        control = question.format.control(in: language)
        self.language = language
        line = LineEditor(text)
        if control.isList { line.choose(text) }
    }

    var text: String { line.text }

    /// The answer, `nil` where there is none.
    func answer() throws(ValidationError) -> Answer? { try question.format.read(line.text, in: language) }

    /// The answer; `nil` also where the text is none.
    var understood: Answer? { try? answer() }

    /// How the text is understood, where it is written otherwise.
    var meaning: String? {
        guard let understood, let meaning = question.format.understood(understood) else { return nil }
        return meaning == line.text.trimmed ? nil : meaning
    }

    /// Whether the typed words stand below the widget, since it cannot show them.
    var isLineShown: Bool {
        switch control.widget {
        case .line, .slider: true
        case .scale, .pick, .tick: !line.text.isEmpty && understood == nil
        }
    }

    /// The options that are chosen.
    var picked: Set<Int> { understood.map(question.format.options) ?? [] }

    /// The option on which the arrows stand; `nil` where they stand on none yet.
    var cursor: Int? { control.takesSeveral ? tickCursor : picked.first }

    /// What stands here, for the run to keep; told once.
    mutating func draft() -> DraftedAnswer? {
        guard !isTold, let times else { return nil }
        isTold = true
        return DraftedAnswer(question: question.identifier, text: text, times: times)
    }

    /// It is the one to answer now.
    mutating func show(at now: RunInstant) { times = times ?? AnswerTimes(shown: now) }

    mutating func confirm(at now: RunInstant) { times?.confirmed = now }

    /// Puts a whole line in the place of what there is.
    mutating func take(_ text: String, at now: RunInstant) {
        _ = change(at: now) { item in
            item.line = LineEditor(text)
            return true
        }
    }

    /// - Returns: whether the key means something for this question.
    mutating func handle(_ key: Key, at now: RunInstant) -> Bool { change(at: now) { $0.edit(key) } }

    private mutating func change(at now: RunInstant, _ edit: (inout Draft) -> Bool) -> Bool {
        let before = text
        guard edit(&self) else { return false }
        let touched = times?.touched ?? now
        times?.touched = touched
        if text != before {
            times?.change(at: now)
            isTold = false
        }
        return true
    }

    private mutating func edit(_ key: Key) -> Bool {
        let last = control.options.count - 1
        switch (control.widget, key) {
        case (.scale(let range), .left): moveScale(by: -1, in: range)
        case (.scale(let range), .right): moveScale(by: 1, in: range)
        case (.scale(let range), .home): line.choose("\(range.lowerBound)")
        case (.scale(let range), .end): line.choose("\(range.upperBound)")
        case (.slider, .left), (.slider, .right), (.slider, .home), (.slider, .end): moveSlider(key)
        case (.pick, .up): pick(cursor.map { max(0, $0 - 1) } ?? last)
        case (.pick, .down): pick(cursor.map { min(last, $0 + 1) } ?? 0)
        case (.pick, .home): pick(0)
        case (.pick, .end): pick(last)
        case (.tick, .up): moveTickCursor(to: max(0, tickCursor - 1))
        case (.tick, .down): moveTickCursor(to: min(last, tickCursor + 1))
        case (.tick, .home): moveTickCursor(to: 0)
        case (.tick, .end): moveTickCursor(to: last)
        case (.tick, .character(" ")) where line.text.isEmpty || line.isChosen:
            choose(picked.symmetricDifference([tickCursor]))
        case (.tick, .character), (.tick, .paste):
            line.goOnTyping(after: " ")
            return line.handle(key)
        case (.pick, .left), (.pick, .right), (.tick, .left), (.tick, .right): return false
        case (_, _): return line.handle(key)
        }
        return true
    }

    private mutating func pick(_ index: Int) { choose([index]) }

    /// From here on Space ticks, where it was a part of what was typed.
    private mutating func moveTickCursor(to index: Int) {
        tickCursor = index
        if understood != nil { choose(picked) }
    }

    private mutating func choose(_ options: Set<Int>) {
        line.choose(options.sorted().map { "#\($0 + 1)" }.joined(separator: " "))
    }

    private mutating func moveScale(by step: Int, in range: ClosedRange<Int>) {
        guard case .scale(let value)? = understood else {
            line.choose("\(step < 0 ? range.upperBound : range.lowerBound)")
            return
        }
        line.choose("\(min(range.upperBound, max(range.lowerBound, value + step)))")
    }

    private mutating func moveSlider(_ key: Key) {
        guard case .slider(let from, let to, let decimals) = control.widget else { return }
        let step = max(1 / Double.powerOfTen(decimals), ((to - from) / 100).rounded(to: decimals))
        let value: Double? = if case .continuous(let value)? = understood { value } else { nil }
        let (left, right) = (value.map { $0 - step } ?? to, value.map { $0 + step } ?? from)
        let moved = key == .left ? left : key == .right ? right : key == .home ? from : to
        line.choose(min(to, max(from, moved)).shown(decimals))
    }

    /// Whether `key` would leave the list of options.
    func isAtEnd(for key: Key) -> Bool {
        key == .up ? cursor == nil || cursor == 0 : cursor == control.options.count - 1
    }
}
