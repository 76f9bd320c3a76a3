import StudyModel
import TextFormat

extension Navigation.Condition {
    /// The condition, in words that follow "if".
    var words: String {
        switch self {
        case .compare(.timedOut(let question), _, _):
            "the time for \(question) was over before it was answered"
        case .compare(let subject, let comparison, let value):
            "\(subject.words) \(comparison.words) \(value.words(of: subject))"
        case .isAnswered(let question): "\(question) was answered"
        case .all(let conditions): listed(conditions.map(\.wordsWithin))
        case .any(let conditions): listed(conditions.map(\.wordsWithin), last: "or")
        case .not(let condition): "it is not so that \(condition.wordsWithin)"
        }
    }

    /// The condition as part of another one, so that it is clear what belongs together.
    private var wordsWithin: String {
        switch self {
        case .compare, .isAnswered: words
        case .all, .any, .not: "(\(words))"
        }
    }
}

extension Navigation.Subject {
    fileprivate var words: String {
        switch self {
        case .answer(let question): "the answer to \(question)"
        case .timedOut(let question): "the time limit of \(question)"
        case .heartRate(let rate): rate.words
        case .soundLevel(let step): "the sound level during \(step)"
        case .clip(let step, nil), .clip(let step, .some(Stimulus.identity)):
            "the clip or condition of \(step)"
        case .clip(let step, let attribute?): "the value '\(attribute)' of the clip or condition of \(step)"
        case .session: "the number of the session"
        case .round: "the number of the round"
        case .arm: "the participant's arm"
        }
    }
}

extension Navigation.HeartRate {
    fileprivate var words: String {
        let measured = variability.map { $0.rawValue.uppercased() } ?? "mean heart rate"
        let rate =
            switch span {
            case .during(let step): "the \(measured) during \(step)"
            case .last(let duration): "the \(measured) of the last \(duration.words)"
            }
        return baseline.map { "\(rate), less that during \($0.step)," } ?? rate
    }
}

extension Navigation.Comparison {
    var words: String {
        switch self {
        case .eq: "is"
        case .ne: "is not"
        case .lt: "is less than"
        case .gt: "is more than"
        case .le: "is at most"
        case .ge: "is at least"
        }
    }
}

extension Navigation.Value {
    var words: String {
        switch self {
        case .number(let number): plainNumber(number)
        case .text(let text): "'\(text)'"
        case .boolean(let value): value ? "yes" : "no"
        }
    }

    fileprivate func words(of subject: Navigation.Subject) -> String {
        switch subject {
        case .heartRate(let rate):
            words + (rate.baseline?.isShare == true ? " %" : rate.variability == nil ? " per minute" : " ms")
        case .soundLevel: words + " (0 is silence, 1 the loudest that the microphone can measure)"
        case .answer, .timedOut, .clip, .session, .round, .arm: words
        }
    }
}

extension Navigation {
    /// What decides whether the step takes place and what comes after it, one sentence each.
    ///
    /// - Parameters:
    ///   - visits: how often a run can visit the step.
    ///   - name: the name of a step on the page.
    func sentences(visits: Int, _ name: (Identifier) -> String) -> [String] {
        var said = skipIf.map { "The step is left out if \($0.words)." }
        for (place, jump) in goTo.enumerated() {
            let target: String =
                switch jump.target {
                case .step(let step): "the run goes on with step \(name(step))"
                case .end: "the task ends"
                }
            switch jump.condition {
            case let condition?: said.append("After the step, if \(condition.words), \(target).")
            case nil: said.append(place == 0 ? "After the step \(target)." : "In every other case \(target).")
            }
        }
        if goTo.count(where: { $0.condition != nil }) > 1 {
            said.append("The first of these rules that holds decides.")
        }
        if visits > 1 { said.append("The step is visited at most \(visits) times.") }
        if maximumVisits > 1, visits > maximumVisits {
            said.append("Rules lead back to it only while it was visited fewer than \(maximumVisits) times.")
        }
        return said
    }
}
