import StudyModel

extension Step {
    /// The answers in the order of the questions, with `nil` for each left unanswered.
    ///
    /// - Returns: `nil` where a question that needs an answer has none, where an answer is outside its format, or
    ///   where something was answered that was not asked.
    func accepted(_ given: [GivenAnswer]) -> [GivenAnswer]? {
        guard let questions else { return nil }
        let names = given.map(\.question)
        guard Set(names).count == names.count, Set(names).isSubset(of: questions.map(\.identifier)) else {
            return nil
        }
        var answers: [GivenAnswer] = []
        for question in questions {
            let answer = given.first { $0.question == question.identifier }?.answer
            guard answer.map(question.accepts) ?? question.isOptional else { return nil }
            answers.append(GivenAnswer(question: question.identifier, answer: answer))
        }
        return answers
    }

    private struct Asked {
        var identifier: Identifier
        var isOptional: Bool
        var accepts: (Answer) -> Bool
    }

    /// What the step asks; `nil` where it asks nothing.
    private var questions: [Asked]? {
        switch kind {
        case .question(let format):
            [Asked(identifier: identifier, isOptional: isOptional, accepts: format.accepts)]
        case .form(let questions):
            questions.map {
                Asked(identifier: $0.identifier, isOptional: $0.isOptional, accepts: $0.format.accepts)
            }
        case .consent(let consent):
            [Asked(identifier: identifier, isOptional: isOptional, accepts: consent.accepts)]
        case .instruction, .active, .countdown, .block, .completion: nil
        }
    }
}

extension Consent {
    fileprivate func accepts(_ answer: Answer) -> Bool {
        guard case .consent(let signature) = answer else { return false }
        return !isSignatureTyped || signature?.contains { !$0.isWhitespace } == true
    }
}

extension AnswerFormat {
    /// Whether an answer is of this format; a text's pattern is for whoever asks to check.
    func accepts(_ answer: Answer) -> Bool {
        switch (self, answer) {
        case (.scale(let from, let to, _, _), .scale(let number)): from <= number && number <= to
        case (.continuous(let from, let to, _), .continuous(let number)): from <= number && number <= to
        case (.choice(let choices), .choice(let value)): choices.contains { $0.value == value }
        case (.choices(let choices), .choices(let values)):
            Set(values).count == values.count && Set(values).isSubset(of: choices.map(\.value))
        case (.boolean, .boolean): true
        case (.number(_, let minimum, let maximum), .number(let number)):
            number.isFinite && minimum.map { $0 <= number } ?? true && maximum.map { number <= $0 } ?? true
        case (.text(let maximumLength, _), .text(let text)): maximumLength.map { text.count <= $0 } ?? true
        case (.date, .date(let year, let month, let day)): Self.isDay(year: year, month: month, day: day)
        case (.timeOfDay, .timeOfDay(let hour, let minute)):
            (0...23).contains(hour) && (0...59).contains(minute)
        case (.scale, _), (.continuous, _), (.choice, _), (.choices, _), (.boolean, _), (.number, _),
            (.text, _),
            (.date, _), (.timeOfDay, _):
            false
        }
    }

    /// Whether there is such a day in the Gregorian calendar, of the years 1 to 9999.
    private static func isDay(year: Int, month: Int, day: Int) -> Bool {
        guard (1...9_999).contains(year) else { return false }
        let isLeapYear = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let days: Int
        switch month {
        case 1, 3, 5, 7, 8, 10, 12: days = 31
        case 4, 6, 9, 11: days = 30
        case 2: days = isLeapYear ? 29 : 28
        default: return false
        }
        return (1...days).contains(day)
    }
}
