import StudyModel
import StudySession

/// A page of questions while it is answered, item by item, for screen and lines alike.
///
/// Confirming an item leads to the next. Behind the last item of several stands a line that sends them: a page ends
/// there and nowhere else, and only when every item was visited. A single question is sent by confirming it.
struct AnswerForm: Hashable, Sendable {
    private(set) var items: [Draft]
    /// The item that takes the keys; the number of items where that is the line that sends.
    private(set) var place = 0
    /// What is the matter with the item.
    private(set) var problem: ValidationError?
    private var visited: Set<Int> = [0]

    init(_ questions: [AskedQuestion], language: Language?) {
        items = questions.map { Draft($0, language: language) }
    }

    /// The item that takes the keys; `nil` on the line that sends.
    var current: Draft? { items.indices.contains(place) ? items[place] : nil }
    var hasSendLine: Bool { items.count > 1 }
    var isAtSendLine: Bool { hasSendLine && place == items.count }

    /// Gives a key to the item; up and down leave a list only at its ends, and only where there are other items.
    ///
    /// - Returns: whether the key means something here.
    mutating func handle(_ key: Key) -> Bool {
        switch key {
        case .tab: move(by: 1)
        case .backTab: move(by: -1)
        case .up, .down:
            guard let current, current.control.isList, !hasSendLine || !current.isAtEnd(for: key) else {
                guard hasSendLine else { return false }
                step(by: key == .down ? 1 : -1)
                return true
            }
            return edit { $0.handle(key) }
        case .character, .control, .alt, .paste, .return, .escape, .backspace, .delete, .left, .right, .home,
            .end,
            .pageUp, .pageDown:
            return edit { $0.handle(key) }
        }
        return hasSendLine
    }

    /// Puts a line in the place of what the item holds.
    mutating func take(_ text: String) {
        _ = edit { item in
            item.take(text)
            return true
        }
    }

    private mutating func edit(_ change: (inout Draft) -> Bool) -> Bool {
        guard items.indices.contains(place), change(&items[place]) else { return false }
        problem = nil
        return true
    }

    /// Goes to the item before, if there is one.
    mutating func goBack() -> Bool {
        guard place > 0 else { return false }
        go(to: place - 1)
        return true
    }

    private mutating func move(by step: Int) {
        let places = items.count + (hasSendLine ? 1 : 0)
        go(to: (place + step + places) % places)
    }

    /// Like `move`, but not around the ends.
    private mutating func step(by step: Int) { go(to: min(items.count, max(0, place + step))) }

    private mutating func go(to new: Int, _ problem: ValidationError? = nil) {
        place = new
        self.problem = problem
        visited.insert(new)
    }

    /// Confirms the item, or sends the answers.
    ///
    /// - Returns: all answers where they are sent; otherwise the place has changed, or there is a problem.
    mutating func confirm() -> [GivenAnswer]? {
        guard isAtSendLine else {
            do throws(ValidationError) { _ = try answer(of: place) } catch {
                problem = error
                return nil
            }
            if !hasSendLine { return answers() }
            go(to: place + 1)
            return nil
        }
        guard let missed = items.indices.first(where: { !visited.contains($0) }) else { return answers() }
        go(to: missed)
        return nil
    }

    /// All answers; `nil` where one is missing or does not fit: then its item takes the keys.
    private mutating func answers() -> [GivenAnswer]? {
        var answers: [GivenAnswer] = []
        for index in items.indices {
            do throws(ValidationError) { answers.append(try answer(of: index)) } catch {
                go(to: index, error)
                return nil
            }
        }
        return answers
    }

    private func answer(of index: Int) throws(ValidationError) -> GivenAnswer {
        let question = items[index].question
        let answer = try items[index].answer()
        guard answer != nil || question.isOptional else {
            throw hasSendLine && !question.title.isEmpty
                ? ValidationError(.pleaseAnswer, question.title) : items[index].control.need
        }
        return GivenAnswer(question: question.identifier, answer: answer)
    }
}
