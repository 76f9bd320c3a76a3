import Hashing
package import StudyModel
import TextFormat

/// A participant who reads, answers and goes on by itself, the same way for the same seed.
///
/// Reads four words a second (Brysbaert 2019: 238 words a minute), each text up to a third faster or slower; gives
/// the answers that it was told to give, and draws all others uniformly within each question's format; agrees to
/// every document unless told otherwise; answers staircases less often right the harder the rung is, and questions about
/// signals mostly right; never pauses, skips a question, goes back or leaves; moves the mark of a rating to and fro; leaves
/// one in twenty prompts unanswered.
package struct SimulatedParticipant: Hashable, Sendable {
    private var random: SplitMix64
    var hand: SimulatedHand
    /// The generator for its answers to prompts.
    private var promptRandom: SplitMix64
    /// The generator for its taps.
    private var tapRandom: SplitMix64
    /// The generator for its reactions.
    var reactionRandom: SplitMix64
    /// The generator for its answers to staircases.
    var ladderRandom: SplitMix64
    /// The place on every ladder, of 1 in all, where it knows half of the answers.
    let limen: Double
    private let language: Language?
    let answers: [Identifier: Answer?]
    /// Steps that it may end early, because how long they last is an outcome: at a drawn moment, in three of four visits.
    package var endedEarly: Set<Identifier> = []
    /// The seed for the moments at which it ends them.
    private let endingSeed: UInt64
    /// The questions of scores that compare trials with and without a signal.
    let detected: Set<Identifier>

    /// - Parameters:
    ///   - language: the language in which it reads.
    ///   - answers: the answers that it is to give; `nil` leaves a question out. They must fit the questions'
    ///     formats.
    ///   - scores: those of its task.
    package init(
        seed: UInt64, language: Language? = nil, answers: [Identifier: Answer?] = [:],
        scores: [AnswerScore] = []
    ) {
        detected = Set(scores.filter(\.method.detects).flatMap(\.inputs).map(\.question))
        random = SplitMix64(seed: seed)
        // Ratings and prompts have generators of their own, so they change no other answer.
        hand = SimulatedHand(seed: ~seed)
        promptRandom = SplitMix64(seed: seed ^ 0x70_72_6F_6D_70_74_73)
        tapRandom = SplitMix64(seed: seed ^ 0x74_61_70_73)
        reactionRandom = SplitMix64(seed: seed ^ 0x72_65_61_63_74)
        ladderRandom = SplitMix64(seed: seed ^ 0x6C_61_64_64_65_72)
        limen = 0.4 + 0.3 * ladderRandom.unit()
        endingSeed = seed ^ 0x65_6E_64
        (self.language, self.answers) = (language, answers)
    }

    /// What the participant does about what is on show, and after how long.
    ///
    /// - Parameters:
    ///   - entry: what the plan says of the step on show.
    ///   - now: when it came on show.
    /// - Returns: `nil` if there is nothing to do but wait.
    package mutating func response(
        to presentation: Presentation, entry: RunPlan.Entry, at now: RunInstant
    ) -> (event: Event, after: Duration)? {
        switch presentation.phase {
        case .waiting: (goOn(from: entry), readingTime(of: entry.step))
        case .timeUp: (.confirmed, .milliseconds(500 + random.index(below: 1_000)))
        case .running(let start, let end):
            presentation.prompt.flatMap { prompted($0, entry) }
                ?? programmed(presentation, entry, start.duration(to: end))
                ?? ending(presentation, entry, start..<max(start, end), at: now)
        case .waitingForSource, .waitingForArm, .paused, .saving: nil
        }
    }

    /// Mean 0, standard deviation about 1, within ±3: the sum of twelve uniform numbers.
    mutating func tapDeviation() -> Double {
        let sum = (0..<12).reduce(0.0) { sum, _ in sum + tapRandom.unit() }
        return min(3, max(-3, sum - 6))
    }

    /// Whether it misses a beat.
    mutating func missesBeat() -> Bool { tapRandom.index(below: 30) == 0 }

    /// What it says instead of a step's program, which is not started: answers, half-way through the program's
    /// time.
    private mutating func programmed(
        _ presentation: Presentation, _ entry: RunPlan.Entry, _ time: Duration
    ) -> (event: Event, after: Duration)? {
        guard entry.step.program?.questions.isEmpty == false else { return nil }
        return (.program(presentation.ordinal, .answers(answers(to: entry))), time / 2)
    }

    /// Ends a step early; the same moment whatever is asked meanwhile.
    private func ending(
        _ presentation: Presentation, _ entry: RunPlan.Entry, _ time: Range<RunInstant>, at now: RunInstant
    ) -> (event: Event, after: Duration)? {
        guard endedEarly.contains(entry.step.identifier), presentation.canSkip else { return nil }
        var random = SplitMix64(seed: endingSeed ^ UInt64(presentation.ordinal))
        let share = 0.2 + 1.1 * random.unit()
        let whole = time.lowerBound.duration(to: time.upperBound) / .milliseconds(1)
        let moment = time.lowerBound.advanced(by: .milliseconds(Int(share * whole)))
        return moment < time.upperBound ? (.skipped, max(.zero, now.duration(to: moment))) : nil
    }

    /// Its answer to a prompt that is asked during a step.
    private mutating func prompted(
        _ open: Presentation.OpenPrompt, _ entry: RunPlan.Entry
    ) -> (event: Event, after: Duration)? {
        guard let active = entry.step.active else { return nil }
        swap(&random, &promptRandom)
        defer { swap(&random, &promptRandom) }
        let question = active.question(of: open)
        let given = given(
            to: question.identifier, or: trialAnswer(to: question, in: entry) ?? answer(in: question.format))
        let words = [question.title, question.text].compactMap { $0 }.reduce(0) {
            $0 + Self.words(in: $1.text(in: language))
        }
        let time = Duration.milliseconds(500 + 250 * words + random.index(below: 2_000))
        let isMissed = random.index(below: 20) == 0 && answers[question.identifier] == nil
        return isMissed || given.answer == nil && !question.isOptional ? nil : (.answered([given]), time)
    }

    private mutating func answers(to entry: RunPlan.Entry) -> [GivenAnswer] {
        var answers: [GivenAnswer] = []
        for asked in entry.step.facts.asked {
            let drawn =
                if let document = asked.document {
                    Answer.consent(signature: document.isSignatureTyped ? "Simulated Participant" : nil)
                } else {
                    trialAnswer(to: asked.question, in: entry) ?? answer(in: asked.question.format)
                }
            answers.append(given(to: asked.identifier, or: drawn))
        }
        return answers
    }

    private mutating func goOn(from entry: RunPlan.Entry) -> Event {
        entry.step.facts.end == .answers ? .answered(answers(to: entry)) : .confirmed
    }

    /// The answer that it was told to give, or else `drawn`. An answer given to one question changes no other
    /// answer.
    private func given(to question: Identifier, or drawn: Answer?) -> GivenAnswer {
        GivenAnswer(question: question, answer: answers[question] ?? drawn)
    }

    private mutating func readingTime(of step: Step) -> Duration {
        let words = step.wordsToRead.reduce(0) { $0 + Self.words(in: $1.text(in: language)) }
        let milliseconds = 1_000 + 250 * words
        let time = Duration.milliseconds(milliseconds * 2 / 3 + random.index(below: milliseconds * 2 / 3))
        return max(time, step.leastTime)
    }

    private static func words(in text: String) -> Int {
        // Most texts are ASCII and need no table of characters.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return text.split(whereSeparator: \.isWhitespace).count
        }
        return text.utf8.split { $0 == UInt8(ascii: " ") || (0x09...0x0D).contains($0) }.count
    }

    mutating func answer(in format: AnswerFormat) -> Answer? {
        switch format.domain {
        case .interval(let from, let to, let isWhole):
            if isWhole, let scale = format.scale {
                return scale.from <= scale.to
                    ? .scale(whole(scale.wholeNumbers.lowerBound, scale.wholeNumbers.upperBound)) : nil
            }
            let number = number(
                from ?? min(0, to ?? 0), to ?? max(100, (from ?? 0) + 100),
                decimals: format.scale?.decimals ?? 0)
            return format.answer([.number(number)], inOtherWords: nil)
        case .oneOf where format.kind == .boolean: return .boolean(random.index(below: 2) == 1)
        case .oneOf(let choices):
            return choices.isEmpty ? nil : answer(choosing: choices[random.index(below: choices.count)])
        case .severalOf(let choices):
            return answer(choosing: choices.filter { _ in random.index(below: 2) == 1 }, of: choices)
        case .ordered(let meaning, let from, let to):
            let drawn =
                switch meaning {
                case .day: day()
                case .time: time()
                }
            return format.answer(dated: max(from ?? drawn, min(to ?? drawn, drawn)))
        case .free: return .text(String("simulated".prefix(max(0, format.longest ?? 9))))
        }
    }

    func answer(choosing choice: AnswerFormat.Choice) -> Answer {
        .choice(choice.value, other: choice.isOther ? "simulated" : nil)
    }

    /// A choice that excludes all others is chosen alone, and at least one is always chosen.
    private func answer(choosing chosen: [AnswerFormat.Choice], of all: [AnswerFormat.Choice]) -> Answer {
        let alone = chosen.first(where: \.isExclusive).map { [$0] }
        let kept = alone ?? (chosen.isEmpty ? Array(all.prefix(1)) : chosen)
        return .choices(kept.map(\.value), other: kept.contains(where: \.isOther) ? "simulated" : nil)
    }

    /// A day between 1950 and 2005.
    private mutating func day() -> String {
        CivilDate(year: whole(1950, 2005), month: whole(1, 12), day: whole(1, 28)).text
    }

    /// A time of day.
    private mutating func time() -> String { "\(digits(whole(0, 23), 2)):\(digits(whole(0, 59), 2))" }

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

extension Step {
    fileprivate var wordsToRead: [LocalizedText] {
        let items = facts.asked.filter { $0.place == .item }.map(\.question)
        return ([title, text, detail, consent?.document] + items.flatMap { [$0.title, $0.text] }).compactMap(
            \.self)
    }
}
