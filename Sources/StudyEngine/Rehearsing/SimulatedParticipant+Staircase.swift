import Hashing
import StudyModel

extension SimulatedParticipant {
    /// Whether it answers the question of a staircase or of signals right; `nil` if the step is no such trial, or if it was
    /// told what to answer.
    ///
    /// Of questions about signals it answers four of five right; keys say themselves how often they are right. On a ladder,
    /// it knows the answer with the probability 1 / (1 + (x / limen)⁶), where x is the rung's place on the ladder, up to 1
    /// at the hardest rung; otherwise it guesses.
    mutating func isRight(_ question: Identifier, in entry: RunPlan.Entry) -> Bool? {
        if detected.contains(question), answers[question] == nil, entry.step.active?.reaction == nil,
            entry.blocks.last?.staircase == nil
        {
            return ladderRandom.index(below: 5) > 0
        }
        guard let block = entry.blocks.last, let staircase = block.staircase, let rung = block.rung,
            staircase.question == question, answers[question] == nil,
            let asked = entry.step.facts.asked.first(where: { $0.identifier == question })
        else { return nil }
        let share = Double(rung + 1) / Double(staircase.values.count) / limen
        let knows = 1 / (1 + share * share * share * share * share * share)
        let guesses: Double
        switch asked.question.format.domain {
        case .oneOf(let choices): guesses = 1 / Double(max(1, choices.count))
        case .interval, .severalOf, .ordered, .free: guesses = 0
        }
        return ladderRandom.unit() < knows + (1 - knows) * guesses
    }

    /// Its answer to the question of a staircase or of signals; `nil` if it has no part in the trial.
    mutating func trialAnswer(to question: Question, in entry: RunPlan.Entry) -> Answer? {
        guard case .answer(let right)? = entry.step.right[question.identifier],
            let isRight = isRight(question.identifier, in: entry)
        else { return nil }
        guard !isRight else { return question.format.answer([right], inOtherWords: "simulated") }
        let isWrong = { (answer: Answer) in answer.compared.compares(.eq, right) != true }
        guard case .oneOf(let choices) = question.format.domain else {
            // One of any numbers or words is hardly ever right.
            return answer(in: question.format).flatMap { isWrong($0) ? $0 : nil }
        }
        let all =
            question.format.kind == .boolean
            ? [.boolean(false), .boolean(true)] : choices.map { answer(choosing: $0) }
        let wrong = all.filter(isWrong)
        return wrong.isEmpty ? nil : wrong[ladderRandom.index(below: wrong.count)]
    }
}
