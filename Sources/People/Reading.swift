package import StudyModel

extension String {
    /// The letters and digits alone, so that neither line breaks nor marks are in the way of a comparison.
    package var squeezed: String { String(filter { $0.isLetter || $0.isNumber }) }

    /// The parts of a text between its placeholders, which the run fills in.
    package var pieces: [String] {
        var parts = [self]
        for name in Placeholder.names(in: self) {
            parts = parts.flatMap { $0.components(around: "{\(name)}") }
        }
        return parts.filter { !$0.squeezed.isEmpty }
    }

    private func components(around separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}

/// What a person has seen of the screens of a session.
package struct Sight: Sendable {
    /// The screens, by their letters and digits.
    private var known: Set<String> = []
    private var screens: [(text: String, lines: [String])] = []

    package init() {}
    package var count: Int { screens.count }

    package mutating func take(_ lines: [String]) {
        // The marks of a text that scrolls stand in rows of their own, between its lines.
        let text = lines.filter { !["▲", "▼"].contains($0.first { $0 != " " }) }.joined(separator: "\n")
        if known.insert(text.squeezed).inserted { screens.append((text.squeezed, lines)) }
    }

    /// How much of a text was on the screen.
    package enum Share: Hashable, Sendable { case all, some, none }

    /// - Parameter isInColumns: whether it may stand beside others, so that its words are in several rows.
    /// - Returns: how much of a text was seen, and a screen with some of it.
    package func share(of text: String, isInColumns: Bool = false) -> (share: Share, screen: [String]) {
        let words = text.split(whereSeparator: \.isWhitespace).map { String($0).squeezed }
            .filter { !$0.isEmpty }
        let length = isInColumns ? 1 : min(3, words.count)
        guard length > 0 else { return (.all, []) }
        let runs = (0...words.count - length).map { words[$0..<$0 + length].joined() }
        let seen = runs.filter { run in screens.contains { $0.text.contains(run) } }
        guard seen.count < runs.count || seen.isEmpty else { return (.all, screen(with: seen)) }
        // The end of the only word, or of two, may lie outside of the screen.
        let isShort = seen.isEmpty && words.count < 3 && words[0].count > 3
        let beginning = isShort ? [String(words[0].prefix(max(3, words[0].count / 2)))] : seen
        let screen = screen(with: beginning)
        return (screen.isEmpty ? .none : .some, screen)
    }

    /// The screen that shows most of these words; empty if none shows any.
    private func screen(with words: [String]) -> [String] {
        let counts = screens.map { screen in words.count { screen.text.contains($0) } }
        let most = counts.max() ?? 0
        return most == 0 ? [] : counts.firstIndex(of: most).map { screens[$0].lines } ?? []
    }
}

/// A question as a person recognises it on the screen.
package struct ReadQuestion: Hashable, Sendable {
    package var identifier: Identifier
    package var step: String
    package var question: Question
    /// The words that belong to it alone, letters and digits.
    package var title: [String]
    /// The words around it.
    package var around: [String]
    package var place: Step.Asked.Place
    /// Whether its time may be over before it is answered.
    package var mayRunOut: Bool

    fileprivate func hasWords(of other: ReadQuestion) -> Bool {
        title == other.title && around == other.around
    }
}

/// What a study shows in one language to the participant of a plan.
package struct StudyReading: Sendable {
    package let language: Language?
    /// The questions, in the order of the plan.
    package private(set) var questions: [ReadQuestion] = []
    private let entries: [RunPlan.Entry]

    package init(_ plan: RunPlan, in language: Language?, agreement: String) {
        self.language = language
        entries = plan.allEntries.filter { !$0.isOtherRung }
        for entry in plan.allEntries {
            let step = entry.step
            let words = { (text: LocalizedText?) in
                (text?.text(in: language).pieces ?? []).map(\.squeezed)
            }
            for asked in step.facts.asked where asked.place != .program && asked.place != .key {
                let own =
                    asked.document == nil
                    ? words(asked.question.title) + words(asked.question.text) : [agreement.squeezed]
                questions.append(
                    ReadQuestion(
                        identifier: asked.identifier, step: step.identifier.text, question: asked.question,
                        title: own, around: words(step.title) + words(step.text), place: asked.place,
                        mayRunOut: step.timeLimit != nil || asked.place == .prompt))
            }
        }
        questions = Array(Set(questions)).sorted { ($0.step, $0.identifier) < ($1.step, $1.identifier) }
    }

    /// The question on a page: the one of which most words are there, or one of the same step if several have as many.
    ///
    /// - Parameters:
    ///   - focus: the lines of the question that takes the keys, if the page has several.
    ///   - step: whose question was answered last.
    package func question(on pages: [String], focus: String?, in step: String? = nil) -> ReadQuestion? {
        let isThere = { (part: String) in pages.contains { $0.contains(part) } }
        let found = questions.filter { question in
            guard let focus else {
                return (question.title.isEmpty ? question.around : question.title).allSatisfy(isThere)
            }
            return question.title.allSatisfy(isThere) && question.title.first.map(focus.hasPrefix) == true
        }
        let weight = { (question: ReadQuestion) in
            let around = question.around.filter { !question.title.contains($0) && isThere($0) }
            return 4 * (question.title + question.title + around).map(\.count).reduce(0, +)
                + (question.step == step ? 1 : 0)
        }
        return found.max { weight($0) < weight($1) }
    }

    /// The name of the first question that has the same words, so that a person takes it for the same.
    func name(of question: ReadQuestion) -> Identifier {
        let own = questions.filter { $0.identifier == question.identifier }
        let twins = questions.filter { other in own.contains { $0.hasWords(of: other) } }
        return twins.map(\.identifier).min() ?? question.identifier
    }

    /// A text that a step shows.
    package struct Shown: Hashable, Sendable {
        package var step: String
        package var question: String?
        package var text: LocalizedText
        package var isInColumns = false
    }

    /// The texts of the steps that were run.
    ///
    /// - Parameters:
    ///   - wasRun: whether that step was run in that round, and whether a prompt with that name was asked.
    ///   - shortest: steps of less time are over before anybody can read.
    package func texts(
        shortest: Duration, wasRun: (RunPlan.Entry) -> Bool, wasAsked: (Identifier) -> Bool
    ) -> [Shown] {
        var texts: [Shown] = []
        for entry in entries where entry.blocks.allSatisfy({ $0.staircase == nil }) && wasRun(entry) {
            let step = entry.step
            switch step.kind {
            case .allocation, .program, .block: continue
            case .active(let active) where active.duration < shortest: continue
            default: break
            }
            let name = step.identifier.text
            texts += [step.title, step.text, step.detail].compactMap(\.self).map {
                Shown(step: name, text: $0)
            }
            if let document = step.consent?.document { texts.append(Shown(step: name, text: document)) }
            for asked in step.facts.asked where asked.document == nil && asked.place != .key {
                guard asked.place != .prompt || wasAsked(asked.identifier) else { continue }
                let (question, own) = (asked.question, asked.identifier.text)
                if asked.place != .step {
                    texts += [question.title, question.text].compactMap(\.self).map {
                        Shown(step: name, question: own, text: $0)
                    }
                }
                texts += question.format.meanings.map {
                    Shown(step: name, question: own, text: $0.text, isInColumns: true)
                }
            }
        }
        var known: Set<Shown> = []
        return texts.filter { known.insert($0).inserted }
    }
}
