package import StudyModel

/// A participant who reads, answers and goes on by itself, the same way for the same seed.
///
/// Reads four words a second (Brysbaert 2019: 238 words a minute), each text up to a third faster or slower;
/// answers uniformly within each question's format; agrees to every document; never pauses, skips, goes back or leaves.
package struct SimulatedParticipant: Hashable, Sendable {
    private var random: SplitMix64

    package init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// What the participant does about what is on show, and how long afterwards.
    ///
    /// - Parameter entry: what the plan says of the step on show.
    /// - Returns: `nil` where there is nothing to do but wait.
    package mutating func response(
        to presentation: Presentation, entry: RunPlan.Entry
    ) -> (event: Event, after: Duration)? {
        switch presentation.phase {
        case .waiting: (goOn(from: entry.step), readingTime(of: entry.step))
        case .timeUp: (.confirmed, .milliseconds(500 + random.index(below: 1_000)))
        case .waitingForSource, .running, .paused, .saving: nil
        }
    }

    private mutating func goOn(from step: Step) -> Event {
        switch step.kind {
        case .instruction, .active, .countdown, .block, .completion: return .confirmed
        case .question(let format):
            return .answered([GivenAnswer(question: step.identifier, answer: answer(in: format))])
        case .form(let questions):
            var answers: [GivenAnswer] = []
            for question in questions {
                answers.append(
                    GivenAnswer(question: question.identifier, answer: answer(in: question.format)))
            }
            return .answered(answers)
        case .consent(let consent):
            let answer = Answer.consent(signature: consent.isSignatureTyped ? "Simulated Participant" : nil)
            return .answered([GivenAnswer(question: step.identifier, answer: answer)])
        }
    }

    private mutating func readingTime(of step: Step) -> Duration {
        let words = step.wordsToRead.reduce(0) { $0 + Self.words(in: $1.text(in: nil)) }
        let milliseconds = 1_000 + 250 * words
        let time = Duration.milliseconds(milliseconds * 2 / 3 + random.index(below: milliseconds * 2 / 3))
        return max(time, step.leastTime)
    }

    private static func words(in text: String) -> Int {
        // Most texts need no table of characters.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return text.split(whereSeparator: \.isWhitespace).count
        }
        return text.utf8.split { $0 == UInt8(ascii: " ") || (0x09...0x0D).contains($0) }.count
    }

    private mutating func answer(in format: AnswerFormat) -> Answer? {
        switch format {
        case .scale(let from, let to, _, _): from <= to ? .scale(whole(from, to)) : nil
        case .continuous(let from, let to, let decimals): .continuous(number(from, to, decimals: decimals))
        case .choice(let choices):
            choices.isEmpty ? nil : .choice(choices[random.index(below: choices.count)].value)
        case .choices(let choices): .choices(choices.map(\.value).filter { _ in random.index(below: 2) == 1 })
        case .boolean: .boolean(random.index(below: 2) == 1)
        case .number(_, let minimum, let maximum):
            .number(
                number(
                    minimum ?? min(0, maximum ?? 0), maximum ?? max(100, (minimum ?? 0) + 100), decimals: 0))
        case .text(let maximumLength, _): .text(String("simulated".prefix(max(0, maximumLength ?? 9))))
        case .date: .date(year: whole(1950, 2005), month: whole(1, 12), day: whole(1, 28))
        case .timeOfDay: .timeOfDay(hour: whole(0, 23), minute: whole(0, 59))
        }
    }

    private mutating func whole(_ from: Int, _ to: Int) -> Int {
        let width = UInt64(bitPattern: Int64(to &- from))
        return from &+ Int(truncatingIfNeeded: random.index(below: max(1, width &+ 1)))
    }

    private mutating func number(_ from: Double, _ to: Double, decimals: Int) -> Double {
        var scale = 1.0
        for _ in 0..<max(0, min(6, decimals)) { scale *= 10 }
        let number = ((from + random.unit() * (to - from)) * scale).rounded() / scale
        return max(from, min(to, number))
    }
}

extension String {
    /// Stretches between spaces and line breaks.
    fileprivate var wordCount: Int {
        utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.count
    }
}

extension Step {
    fileprivate var wordsToRead: [LocalizedText] {
        let own = [title, text, detail].compactMap { $0 }
        switch kind {
        case .form(let questions): return own + questions.flatMap { [$0.title, $0.text].compactMap { $0 } }
        case .consent(let consent): return own + [consent.document]
        case .instruction, .active, .countdown, .question, .block, .completion: return own
        }
    }
}
