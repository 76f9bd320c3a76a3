import SessionPorts
import StudyModel

/// A page of questions that is being answered, item by item, both on the screen and by lines.
///
/// Confirming an item leads to the next one. If there are several, a line after the last one sends them. A page
/// ends only there, and only when every item was visited. A single question is sent by confirming it. So is a
/// consent: a decision, and a name if the study asks those who agree for it. A review lists the answers of several
/// steps, and leads back to any of them.
struct AnswerForm: Hashable, Sendable {
    private(set) var items: [Draft]
    /// The item that takes the keys; the number of items if that is the line that sends them.
    private(set) var place = 0
    /// What is wrong with the item.
    private(set) var problem: ValidationError?
    private var visited: Set<Int> = [0]
    private let isConsent: Bool
    private let isReviewed: Bool
    /// Whether what is entered counts when the time is over.
    private var keepsAnswers = false
    /// The visits that the only item's options lead back to, in order; `nil` if the form asks for answers.
    private var visits: [Int]?
    /// Whether the items are rows of a visible grid. Left and right then choose an answer, and up and down change
    /// the row.
    var isGrid = false

    /// - Parameter drafts: what the participant typed or chose here earlier, by question.
    init(
        _ questions: [AskedQuestion], language: Language?, drafts: [Identifier: String],
        isReviewed: Bool = false, at now: RunInstant
    ) {
        isConsent = false
        self.isReviewed = isReviewed
        items = questions.map { Draft($0, language: language, text: drafts[$0.identifier] ?? "") }
        items.indices.first.map { items[$0].show(at: now) }
    }

    /// A decision on a document, and perhaps a name.
    ///
    /// - Parameter draft: what was decided and typed here earlier, one line each.
    init(
        consentTo question: Identifier, isSigned: Bool, draft: String?, language: Language?,
        at now: RunInstant
    ) {
        isConsent = true
        isReviewed = false
        let wording = Wording(language)
        let decision = AnswerFormat.boolean(
            yes: .plain(wording(.toAgree)), no: .plain(wording(.toDecline)))
        let parts: [(title: Phrase, format: AnswerFormat)] = [
            (.agreement, decision), (.fullName, .text(maximumLength: 200, pattern: nil)),
        ]
        let texts = (draft ?? "").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        items = parts.prefix(isSigned ? 2 : 1).enumerated().map { index, part in
            let asked = AskedQuestion(
                identifier: question, title: wording(part.title), text: "", isOptional: false,
                format: part.format)
            return Draft(
                asked, language: language, text: texts.indices.contains(index) ? texts[index] : "")
        }
        items[0].show(at: now)
    }

    /// The answers of earlier steps, followed by an option that says that they are right.
    init(reviewing answers: [ReviewedAnswers], on screen: Screen, at now: RunInstant) {
        isConsent = false
        isReviewed = false
        let wording = Wording(screen.language)
        let lines = answers.flatMap { visit in
            visit.questions.map { asked in
                let title = asked.title.isEmpty ? visit.title : asked.title
                let draft = Draft(
                    asked, language: screen.language, text: visit.drafts[asked.identifier] ?? "")
                return (visit: visit.ordinal, words: title.labelling(draft.reviewed(wording)))
            }
        }
        visits = lines.map(\.visit)
        let options = lines.map(\.words) + [wording(.sendLine)]
        let isBare = screen.title.isEmpty && screen.text.isEmpty
        let list = AskedQuestion(
            identifier: "review", title: isBare ? wording(.review) : "", text: "", isOptional: false,
            format: .choice(
                options.enumerated().map {
                    AnswerFormat.Choice(value: String($0), text: .plain($1))
                }))
        items = [Draft(list, language: screen.language, request: ValidationError(.lineReview))]
        items[0].show(at: now)
    }

    /// What has changed since the last call, for the run to save.
    mutating func drafts() -> [DraftedAnswer] {
        guard visits == nil else { return [] }
        let changed = items.indices.compactMap { items[$0].draft(tellsAnswer: keepsAnswers) }
        guard isConsent, let first = changed.first else { return changed }
        let text = items.map(\.text).joined(separator: "\n")
        return [
            DraftedAnswer(
                question: first.question, text: text.trimmed, times: items.compactMap(\.times).joined)
        ]
    }
    var hasDrafts: Bool { visits == nil && items.contains { !$0.isTold } }

    /// The item that takes the keys; `nil` on the line that sends the answers.
    var current: Draft? { items.indices.contains(place) ? items[place] : nil }
    var hasSendLine: Bool { items.count > 1 && !isConsent }
    /// The items that have to be answered.
    var asked: ArraySlice<Draft> {
        isConsent && items.first?.understood != .boolean(true) ? items.prefix(1) : items[...]
    }
    /// Whether all answers are shown once more, above the line that sends them.
    var isReview: Bool { isReviewed && isAtSendLine }
    /// "Question 2 of 5" for the item that takes the keys, if there are several.
    func progress(_ wording: Wording) -> String? {
        hasSendLine && place < items.count
            ? wording(.questionOf, String(place + 1), String(items.count)) : nil
    }
    /// Where the keys can be.
    private var places: Int { asked.count + (hasSendLine ? 1 : 0) }
    var isAtSendLine: Bool { hasSendLine && place == items.count }

    /// Passes a key to the item. Arrows stay in their question, except in a grid: one that led into a list would choose
    /// there at its next press.
    ///
    /// - Returns: whether the key means something here.
    mutating func handle(_ key: Key, at now: RunInstant) -> Bool {
        switch key {
        case .tab: move(by: 1, at: now)
        case .backTab: move(by: -1, at: now)
        case .up where isGrid: step(by: -1, at: now)
        case .down where isGrid: step(by: 1, at: now)
        case .up, .down, .character, .control, .alt, .paste, .return, .escape, .backspace, .delete, .left,
            .right, .home,
            .end,
            .pageUp, .pageDown, .pointer, .wheel:
            let key = isGrid ? key.chosen(in: current) : key
            return edit { $0.handle(key, at: now) }
        }
        return places > 1
    }

    /// Begins a new line in a text of several lines, but not after an empty line.
    mutating func breakLine(at now: RunInstant) -> Bool { edit { $0.breakLine(at: now) } }

    /// Replaces what the item holds with a line.
    mutating func take(_ text: String, at now: RunInstant) {
        _ = edit { item in
            item.take(text, at: now)
            return true
        }
    }

    /// Puts a half-typed line where the whole line will stand; an empty one removes it again.
    mutating func takeHalf(_ text: String, at now: RunInstant) {
        _ = edit { item in
            item.takeHalf(text, at: now)
            return true
        }
    }

    /// Does to a question what was clicked there.
    ///
    /// - Returns: whether it was meant to confirm what takes the keys.
    mutating func click(_ target: Target, at now: RunInstant) -> Bool {
        switch target.act {
        case .option, .value, .question:
            if target.place != place { go(to: target.place, at: now) }
            _ = edit { $0.click(target.act, at: now) }
            return false
        case .sendLine:
            let wasThere = isAtSendLine
            if !wasThere { go(to: items.count, at: now) }
            // All answers are read once more before they are sent.
            return wasThere || !isReviewed
        case .confirm: return true
        case .key, .menu: return false
        }
    }

    private mutating func edit(_ change: (inout Draft) -> Bool) -> Bool {
        guard items.indices.contains(place), change(&items[place]) else { return false }
        problem = nil
        return true
    }

    /// Goes to the item before, if there is one.
    mutating func goBack(at now: RunInstant) -> Bool {
        guard place > 0 else { return false }
        go(to: place - 1, at: now)
        return true
    }

    private mutating func move(by step: Int, at now: RunInstant) {
        go(to: (place + step + places) % places, at: now)
    }

    /// Like `move`, but not around the ends.
    private mutating func step(by step: Int, at now: RunInstant) {
        go(to: min(places - 1, max(0, place + step)), at: now)
    }

    private mutating func go(to new: Int, at now: RunInstant, _ problem: ValidationError? = nil) {
        place = new
        self.problem = problem
        visited.insert(new)
        if items.indices.contains(new) { items[new].show(at: now) }
    }

    /// What confirming the list of a review does now; `nil` if the form asks for answers.
    var afterReview: Event? {
        guard let visits else { return nil }
        guard let picked = items[0].picked.first, visits.indices.contains(picked) else { return .confirmed }
        return .wentBackTo(visits[picked])
    }

    /// Confirms the item, or sends the answers.
    ///
    /// - Returns: the event for the run if the answers are sent.
    mutating func send(at now: RunInstant) -> Event? {
        guard let event = afterReview else { return confirm(at: now).map { .answered($0) } }
        guard items[0].text.isEmpty || confirm(at: now) != nil else { return nil }
        return event
    }

    /// Confirms the item, or sends the answers.
    ///
    /// - Returns: all answers if they are sent; otherwise the place has changed, or there is a problem.
    mutating func confirm(at now: RunInstant) -> [GivenAnswer]? {
        guard isAtSendLine else {
            do throws(ValidationError) { _ = try answer(of: place) } catch {
                problem = error
                return nil
            }
            items[place].confirm(at: now)
            if place == places - 1 { return answers(at: now) }
            go(to: place + 1, at: now)
            return nil
        }
        guard let missed = items.indices.first(where: { !visited.contains($0) }) else {
            return answers(at: now)
        }
        go(to: missed, at: now)
        return nil
    }

    /// All answers; `nil` if one is missing or does not fit, and its item then takes the keys.
    private mutating func answers(at now: RunInstant) -> [GivenAnswer]? {
        var answers: [GivenAnswer] = []
        for index in asked.indices {
            do throws(ValidationError) { answers.append(try answer(of: index)) } catch {
                go(to: index, at: now, error)
                return nil
            }
        }
        return isConsent ? [GivenAnswer(consenting: answers)] : answers
    }

    private func answer(of index: Int) throws(ValidationError) -> GivenAnswer {
        let question = items[index].question
        let answer = try items[index].answer()
        guard answer != nil || question.isOptional else {
            throw hasSendLine && !question.title.isEmpty
                ? ValidationError(.pleaseAnswer, question.title) : items[index].control.need
        }
        return GivenAnswer(question: question.identifier, answer: answer, times: items[index].times)
    }
}

extension GivenAnswer {
    /// The answer to a document, from a decision and possibly a name.
    fileprivate init(consenting answers: [GivenAnswer]) {
        let name: String? = if case .text(let name)? = answers.dropFirst().first?.answer { name } else { nil }
        self.init(
            question: answers[0].question,
            answer: answers[0].answer == .boolean(true) ? .consent(signature: name) : .declined,
            times: answers.compactMap(\.times).joined)
    }
}

extension [AnswerTimes] {
    /// The times of several parts, combined into those of one answer.
    fileprivate var joined: AnswerTimes {
        var times = self[0]
        times.touched = compactMap(\.touched).min()
        times.changed = compactMap(\.changed).max()
        times.confirmed = compactMap(\.confirmed).max()
        times.changes = map(\.changes).reduce(0, +)
        return times
    }
}

extension AnswerForm {
    /// The questions of a screen; `nil` if it asks for nothing.
    init?(_ screen: Screen, at now: RunInstant) {
        switch screen.content {
        case .questions(let questions, _):
            self.init(
                questions, language: screen.language, drafts: screen.drafts,
                isReviewed: screen.answering.contains(.reviewed), at: now)
            keepsAnswers = screen.answering.contains(.kept)
        case .review(let answers): self.init(reviewing: answers, on: screen, at: now)
        case .consent(let question, _, let isSigned):
            self.init(
                consentTo: question, isSigned: isSigned, draft: screen.drafts[question],
                language: screen.language, at: now)
        case .timed:
            guard let prompt = screen.prompt else { return nil }
            self.init([prompt.question], language: screen.language, drafts: [:], at: now)
        case .instruction, .completion: return nil
        }
    }
}

extension Key {
    /// The key that does in a list what this key does in a row of a grid.
    fileprivate func chosen(in item: Draft?) -> Key {
        guard item?.control.isList == true else { return self }
        return self == .left ? .up : self == .right ? .down : self
    }
}
