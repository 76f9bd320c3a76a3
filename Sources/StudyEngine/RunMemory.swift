import StudyModel

/// What rules can look at: the last answers, and the heart rates and sound levels of the last visits.
struct RunMemory: Hashable, Sendable {
    private var answers: [Identifier: Answer] = [:]
    private var rates: [Identifier: Mean] = [:]
    private var levels: [Identifier: Double] = [:]

    private struct Mean: Hashable, Sendable {
        var sum = 0.0
        var count = 0
    }

    mutating func take(_ given: [GivenAnswer]) {
        for answer in given { answers[answer.question] = answer.answer }
    }

    /// - Parameter path: the step on show, and the block around it; the rate counts for both.
    mutating func observe(_ rate: Double, during path: [Identifier]) {
        guard rate.isFinite else { return }
        for step in path {
            rates[step, default: Mean()].sum += rate
            rates[step, default: Mean()].count += 1
        }
    }

    /// - Parameters:
    ///   - level: of the step on show since its beginning.
    ///   - path: the step, and the block around it, for which the last step's level counts.
    mutating func hear(_ level: Double, during path: [Identifier]) {
        guard level.isFinite else { return }
        for step in path { levels[step] = level }
    }

    /// A new visit of the step begins.
    mutating func forgetRates(during step: Identifier) {
        rates[step] = nil
        levels[step] = nil
    }

    /// Whether a condition holds; it does not where what it looks at was never seen.
    func holds(_ condition: Navigation.Condition) -> Bool {
        switch condition.subject {
        case .answer(let question):
            answers[question].map { $0.compares(condition.comparison, condition.value) } ?? false
        case .heartRate(let step):
            rates[step].map { condition.comparison.holds($0.sum / Double($0.count), condition.value) }
                ?? false
        case .soundLevel(let step):
            levels[step].map { condition.comparison.holds($0, condition.value) } ?? false
        }
    }
}

extension Answer {
    fileprivate func compares(_ comparison: Navigation.Comparison, _ value: Navigation.Value) -> Bool {
        switch compared {
        case .number(let number): comparison.holds(number, value)
        case .boolean(let isYes): comparison.isSame(value == .boolean(isYes), value.isBoolean)
        case .ordered(let text): comparison.holds(text, value)
        case .anyOf(let texts): comparison.isSame(texts.contains { value == .text($0) }, value.isText)
        case .nothing: false
        }
    }
}

extension Navigation.Comparison {
    fileprivate func holds(_ number: Double, _ value: Navigation.Value) -> Bool {
        switch value {
        case .number(let other): orders(number, other)
        case .text, .boolean: false
        }
    }

    fileprivate func holds(_ text: String, _ value: Navigation.Value) -> Bool {
        switch value {
        case .text(let other): orders(text, other)
        case .number, .boolean: false
        }
    }

    /// For values without an order, of which only sameness can be asked.
    fileprivate func isSame(_ isSame: Bool, _ isComparable: Bool) -> Bool {
        switch self {
        case .eq: isComparable && isSame
        case .ne: isComparable && !isSame
        case .lt, .gt, .le, .ge: false
        }
    }

    private func orders<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .eq: left == right
        case .ne: left != right
        case .lt: left < right
        case .gt: left > right
        case .le: left <= right
        case .ge: left >= right
        }
    }
}

extension Navigation.Value {
    fileprivate var isText: Bool {
        switch self {
        case .text: true
        case .number, .boolean: false
        }
    }

    fileprivate var isBoolean: Bool {
        switch self {
        case .boolean: true
        case .number, .text: false
        }
    }
}
