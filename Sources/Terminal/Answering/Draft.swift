import SessionPorts
import StudyModel

/// One question with its answer so far: what was chosen, and what is being typed.
///
/// Nothing is chosen in advance, because a default would be an answer that nobody gave.
struct Draft: Hashable, Sendable {
    let question: AskedQuestion
    let control: AnswerControl
    let language: Language?
    private var entry: Entry
    /// When the last character was typed.
    private var typed: RunInstant?
    /// The option on which the arrows stand, if several may be ticked.
    private var tickCursor = 0
    /// Whether the next whole line is added after the last one.
    private var isTakingLines = false
    /// What was there before the half-typed line; `nil` if there is no such line.
    private var settled: Entry?
    /// When it was seen and answered; `nil` before it was seen.
    private(set) var times: AnswerTimes?
    /// Whether the run was told the current text.
    private(set) var isTold = true

    /// - Parameters:
    ///   - text: the text from the participant's last visit.
    ///   - request: how to answer, instead of the usual words.
    init(
        _ question: AskedQuestion, language: Language?, text: String = "", request: ValidationError? = nil
    ) {
        self.question = question
        var control = question.format.control(in: language)
        if let request {
            (control.request, control.isRequestShown) = (request, true)
            control.isReview = request.phrase == .lineReview
        }
        self.control = control
        self.language = language
        entry = Entry(text, control)
    }

    /// What is being typed. Of a list, only what was typed since the last choice.
    var line: LineEditor { entry.line }

    /// The answer as a text that gives the same answer when it is read again.
    var text: String {
        guard control.isList, !entry.chosen.isEmpty else { return line.text }
        return picks?.written ?? line.text
    }

    /// The answer, `nil` if there is none.
    func answer() throws(ValidationError) -> Answer? {
        do throws(ValidationError) {
            guard control.isList else { return try question.format.read(line.text, in: language) }
            return try question.format.answer(to: entry.picks(control, language), control)
        } catch {
            guard let words = question.invalidMessage, error.phrase != .twoReadings else { throw error }
            throw ValidationError(.asItStands, words)
        }
    }

    /// The answer; `nil` also if the text is not a valid answer.
    var understood: Answer? { try? answer() }

    /// How the text is understood, if that differs from how it is written.
    var meaning: String? {
        guard !isNumberHidden else {
            return value.flatMap { value in control.labels.first { $0.value == value }?.text }
        }
        guard let understood, let meaning = question.format.understood(understood, Notation(language)) else {
            return nil
        }
        let typed = line.text.trimmed
        return [typed, control.unit.map { "\(typed) \($0)" }].contains(meaning) ? nil : meaning
    }

    /// Whether the typed words stand below the widget, because the widget cannot show them.
    var isLineShown: Bool {
        switch control.widget {
        case .line, .lines: true
        case .slider(let scale) where scale.areNumbersShown: true
        case .scale, .slider: !line.text.isEmpty && understood == nil
        case .pick, .tick: !line.text.trimmed.isEmpty && picks == nil
        }
    }

    /// Whether the participant does not see the numbers of the scale.
    var isNumberHidden: Bool {
        switch control.widget {
        case .scale(let scale), .slider(let scale): !scale.areNumbersShown
        case .pick, .tick, .line, .lines: false
        }
    }

    /// What is chosen from a list, even if the answer is incomplete; `nil` if what was typed cannot be read.
    private var picks: Picks? { control.isList ? try? entry.picks(control, language) : nil }

    /// The options that are chosen.
    var picked: Set<Int> { picks?.options ?? [] }

    /// The words for the option that asks for words.
    var otherWords: String? { picks?.words }

    /// The value on a scale.
    var value: Double? {
        if case .scale(let value)? = understood { return Double(value) }
        if case .continuous(let value)? = understood { return value }
        return nil
    }

    /// The option on which the arrows stand; `nil` if they are on none yet.
    var cursor: Int? { control.takesSeveral ? tickCursor : picked.first }

    /// The draft for the run to save; each change is returned once.
    mutating func draft(tellsAnswer: Bool = false) -> DraftedAnswer? {
        guard !isTold, let times else { return nil }
        isTold = true
        var draft = DraftedAnswer(question: question.identifier, text: text, times: times)
        if tellsAnswer { draft.answer = understood }
        return draft
    }

    /// The question has become the one to answer.
    mutating func show(at now: RunInstant) {
        times = times ?? AnswerTimes(shown: now)
        isTakingLines = false
    }

    mutating func confirm(at now: RunInstant) {
        times?.confirmed = now
        isTakingLines = false
    }

    /// Replaces the text with a whole line, or adds the line to a text of several lines.
    mutating func take(_ text: String, at now: RunInstant) {
        set(text, behind: settled ?? entry, at: now)
        isTakingLines = true
        settled = nil
    }

    /// Puts a half-typed line where `take` will put it; an empty one removes it again.
    mutating func takeHalf(_ text: String, at now: RunInstant) {
        guard !text.isEmpty || settled != nil else { return }
        let before = settled ?? entry
        settled = text.isEmpty ? nil : before
        if text.isEmpty {
            _ = change(at: now) { item in
                item.entry = before
                return true
            }
        } else {
            set(text, behind: before, at: now)
        }
    }

    /// The item as it is without the half-typed line.
    var withoutHalf: Draft {
        guard let settled else { return self }
        var item = self
        (item.entry, item.settled) = (settled, nil)
        return item
    }

    private mutating func set(_ text: String, behind before: Entry, at now: RunInstant) {
        let goesOn = control.widget == .lines && isTakingLines
        _ = change(at: now) { item in
            item.entry = Entry(line: LineEditor(goesOn ? before.line.text + "\n" + text : text))
            return true
        }
    }

    /// Begins a new line. An empty line at the end of the text does not begin another.
    mutating func breakLine(at now: RunInstant) -> Bool {
        guard control.widget == .lines, !line.isAtEmptyEnd else { return false }
        return change(at: now) { $0.entry.line.handle(.character("\n")) }
    }

    /// - Returns: whether the key means something for this question.
    mutating func handle(_ key: Key, at now: RunInstant) -> Bool {
        change(at: now) { $0.edit(key, at: now) }
    }

    /// Chooses what was clicked, as Space and the arrows do.
    ///
    /// - Returns: whether that is part of an answer.
    mutating func click(_ act: Target.Act, at now: RunInstant) -> Bool {
        change(at: now) { item in
            switch (act, item.control.widget) {
            case (.option(let index), .tick):
                item.tickCursor = index
                item.tick()
            case (.option(let index), _): item.choose([index])
            case (.value(let value), .slider(let scale)):
                item.entry.line.choose(value.shown(scale.decimals))
            case (.value(let value), _): item.entry.line.choose(value.shown(0))
            case (_, _): return false
            }
            return true
        }
    }

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

    private mutating func edit(_ key: Key, at now: RunInstant) -> Bool {
        let last = control.options.count - 1
        switch (control.widget, key) {
        case (.scale(let scale), .left), (.scale(let scale), .right), (.scale(let scale), .home),
            (.scale(let scale), .end):
            entry.line.choose(moved(on: scale, by: 1, key).shown(0))
        case (.slider(let scale), .left), (.slider(let scale), .right), (.slider(let scale), .home),
            (.slider(let scale), .end):
            let step = max(
                1 / Double.powerOfTen(scale.decimals),
                ((scale.to - scale.from) / 100).rounded(to: scale.decimals))
            entry.line.choose(moved(on: scale, by: step, key).shown(scale.decimals))
        case (.pick, .up): choose([cursor.map { max(0, $0 - 1) } ?? last])
        case (.pick, .down): choose([cursor.map { min(last, $0 + 1) } ?? 0])
        case (.pick, .home): choose([0])
        case (.pick, .end): choose([last])
        case (.tick, .up): moveTickCursor(to: max(0, tickCursor - 1))
        case (.tick, .down): moveTickCursor(to: min(last, tickCursor + 1))
        case (.tick, .home): moveTickCursor(to: 0)
        case (.tick, .end): moveTickCursor(to: last)
        case (.tick, .character(" ")) where line.text.isEmpty && !entry.isTyping: tick()
        case (.pick, .character), (.pick, .paste), (.tick, .character), (.tick, .paste):
            entry.goOnTyping(key, control, after: pause(until: now))
            return true
        case (.pick, .backspace), (.tick, .backspace), (.pick, .delete), (.tick, .delete):
            entry.erase(key)
            return true
        case (.pick, .left), (.pick, .right), (.tick, .left), (.tick, .right): return false
        case (.scale, .character(let digit)), (.slider, .character(let digit)):
            let goesOn = control.goesOn(line.text, with: digit, after: pause(until: now))
            entry.line.type(digit, replacing: digit.isWholeNumber && !goesOn)
        case (.lines, .up), (.lines, .down), (.lines, .home), (.lines, .end):
            return entry.line.moveInLines(key)
        case (.lines, _): return entry.line.handle(key)
        case (_, _): return entry.line.handle(key.onOneLine)
        }
        return true
    }

    /// How long nothing was typed; very long if nothing was.
    private mutating func pause(until now: RunInstant) -> Duration {
        defer { typed = now }
        return typed?.duration(to: now) ?? .seconds(Int64.max)
    }

    /// Ticks or unticks the option at the cursor. Some options exclude all others.
    private mutating func tick() {
        var options = picked
        if options.remove(tickCursor) == nil {
            options = control.exclusive.contains(tickCursor) ? [] : options.subtracting(control.exclusive)
            options.insert(tickCursor)
        }
        choose(options)
    }

    /// From now on Space ticks an option, instead of being part of the typed text.
    private mutating func moveTickCursor(to index: Int) {
        tickCursor = index
        if picks != nil { choose(picked) }
    }

    /// The words stay with the option that asks for them.
    private mutating func choose(_ options: Set<Int>) {
        let words = control.other.map(options.contains) == true ? otherWords : nil
        entry = Entry(chosen: Picks(options, words: words))
    }

    /// Where an arrow leads on a scale. The first arrow leads to the study's starting value, or to the nearer end.
    private func moved(on scale: AnswerFormat.Scale, by step: Double, _ key: Key) -> Double {
        if key == .home { return scale.from }
        if key == .end { return scale.to }
        guard let value else { return scale.start ?? (key == .left ? scale.to : scale.from) }
        return min(scale.to, max(scale.from, value + (key == .left ? -step : step)))
    }
}
