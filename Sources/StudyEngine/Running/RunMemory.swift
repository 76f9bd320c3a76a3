import StudyModel

/// What rules can look at: the last answers and clips, and the heart rates and sound levels so far.
struct RunMemory: Hashable, Sendable {
    private var answers: [Identifier: Answer] = [:]
    /// What scores are worked out from: for each question, the answer of each round of the current pass; without
    /// rounds, the answer under 0.
    private var rounds: [Identifier: [Int: CountedAnswer]] = [:]
    /// Questions whose time was over when they were last asked.
    private var timedOut: Set<Identifier> = []
    private var rates: [Identifier: Mean] = [:]
    /// The heart rates of the last hour, in order of time.
    private var recentRates: ArraySlice<Observation> = []
    /// The beats during the last visit of each step, as far as the last hour has them.
    private var beats: [Identifier: RecentBeats] = [:]
    /// The beats of the last hour.
    private var recentBeats = RecentBeats(reach: mostMemory)
    private var levels: [Identifier: Double] = [:]
    private var lastLevel: RunInstant?
    /// The clip that each step last played, and that of the current round of each block.
    private var clips: [Identifier: Stimulus] = [:]
    /// The clip that was played last.
    private(set) var lastClip: Stimulus?
    /// When each step and each block around it was last left.
    private var ends: [Identifier: RunInstant] = [:]
    /// The volume that the participant set, dB; while a sound check is on show, what is heard unless they choose another.
    var volume = 0.0
    /// The loudness above which nothing may be played, LUFS; `nil` if nothing limits it.
    private(set) var ceiling: Double?

    private struct Mean: Hashable, Sendable {
        var sum = 0.0
        var count = 0
        var value: Double? { count == 0 ? nil : sum / Double(count) }

        mutating func add(_ number: Double) {
            sum += number
            count += 1
        }
    }

    private struct Observation: Hashable, Sendable {
        var rate: Double
        var instant: RunInstant
    }

    /// Takes answers to the questions of a step; scores come without a step.
    ///
    /// - Parameter isOver: whether there was all of the time to answer, or an answer.
    mutating func take(
        _ given: [GivenAnswer], of entry: RunPlan.Entry? = nil, isTimedOut: Bool = false, isOver: Bool = true
    ) {
        for answer in given {
            answers[answer.question] = answer.answer
            let right = entry?.step.right[answer.question]
            let isRight = answer.reaction?.isRight ?? right?.isRight(answer.answer)
            rounds[answer.question, default: [:]][entry?.round ?? 0] = CountedAnswer(
                answer: answer.answer, isRight: isRight == true, right: isOver ? right : nil)
            if let check = entry?.step.soundCheck {
                volume = check.volume(answer.answer) ?? volume
                ceiling = check.ceiling(answer.answer) ?? ceiling
            }
            if isTimedOut { timedOut.insert(answer.question) } else { timedOut.remove(answer.question) }
        }
    }

    /// A prompt was over without an answer. The answer before it remains the last one.
    mutating func miss(_ question: Identifier) { timedOut.insert(question) }

    /// The last answer to a question, or the score of that name; `nil` if there is none.
    func answer(to question: Identifier) -> Answer? { answers[question] }

    /// The answers to a question that scores count: `nil` for one that was left out; empty if it was never asked.
    func answers(to question: Identifier) -> [CountedAnswer] {
        (rounds[question] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    }

    /// Whether the answer to a question in a round of the current pass is right; one that is missing is not.
    func isRight(_ question: Identifier, in round: Int) -> Bool { rounds[question]?[round]?.isRight == true }

    /// An answer as scores count it.
    struct CountedAnswer: Hashable, Sendable {
        /// `nil` if the question was left out.
        var answer: Answer?
        /// Whether it is the answer that the study names as right.
        var isRight = false
        /// What the study names as right; `nil` if it names nothing, or if there was no time to answer.
        var right: Step.Right?
    }

    /// A new pass through a block begins; scores forget the answers of the pass before.
    mutating func forgetRounds(of questions: [Identifier]) {
        for question in questions { rounds[question] = nil }
    }

    /// - Parameter path: the step on show and the block around it. The rate counts for both.
    mutating func observe(_ rate: Double, during path: [Identifier], at now: RunInstant) {
        guard rate.isFinite else { return }
        for step in path { rates[step, default: Mean()].add(rate) }
        recentRates.append(Observation(rate: rate, instant: now))
        while let first = recentRates.first, first.instant < now.advanced(by: .zero - Self.mostMemory) {
            recentRates.removeFirst()
        }
    }

    /// - Parameters:
    ///   - intervals: the times between beats, s.
    ///   - path: the step on show and the block around it. The intervals count for both.
    ///   - end: when the last of them ended.
    mutating func observe(beats intervals: [Double], during path: [Identifier], endingAt end: RunInstant) {
        for step in path {
            beats[step, default: RecentBeats(reach: Self.mostMemory)].take(intervals, endingAt: end)
        }
        recentBeats.take(intervals, endingAt: end)
    }

    /// How far back a rule can look.
    private static let mostMemory = Duration.seconds(3_600)

    /// - Parameters:
    ///   - level: the level since the beginning of the step on show.
    ///   - path: the step and the block around it. For the block, the level of the last step counts.
    mutating func observe(level: Double, during path: [Identifier], at now: RunInstant) {
        guard level.isFinite else { return }
        lastLevel = now
        for step in path { levels[step] = level }
    }

    /// - Parameter step: the step that plays the clip, or the block whose round the clip belongs to.
    mutating func remember(_ clip: DrawnStimulus, of step: Identifier) { clips[step] = clip.stimulus }

    mutating func rememberPlayed(_ clip: DrawnStimulus, by step: Identifier) {
        remember(clip, of: step)
        lastClip = clip.stimulus
    }

    /// - Parameter path: the step that is left and the blocks around it.
    mutating func rememberEnd(of path: [Identifier], at instant: RunInstant) {
        for step in path { ends[step] = instant }
    }

    /// A moment that is counted from the end of a step; `nil` if that was never left.
    func moment(_ event: EventTime) -> RunInstant? { ends[event.step]?.advanced(by: event.time) }

    /// A new visit of the step begins.
    mutating func forgetRates(during step: Identifier) {
        rates[step] = nil
        beats[step] = nil
        levels[step] = nil
    }

    /// The circumstances under which a rule is tested.
    struct Circumstances: Hashable, Sendable {
        var now: RunInstant
        var session: Int
        var round: Int?
        var arm: Identifier?
        /// The step on show and the block around it, if the rule asks about what is happening in it now. What was
        /// last seen longer ago than `mostSilence` then counts as never seen.
        var present: [Identifier] = []
    }

    /// Longer than the time between two requests to a server, unless the study sets another one.
    private static let mostSilence = Duration.seconds(15)

    private static func isSilent(since last: RunInstant?, in here: Circumstances) -> Bool {
        last.map { $0.duration(to: here.now) > mostSilence } ?? true
    }

    /// Whether a condition holds.
    ///
    /// - Returns: `nil` if that depends on something that was never seen.
    func holds(_ condition: Navigation.Condition, in here: Circumstances) -> Bool? {
        condition.holds(isAnswered: { answers[$0] != nil }) { subject, comparison, value in
            observed(subject, for: value, in: here)?.compares(comparison, value)
        }
    }

    /// The value of a subject to compare with; `nil` if it was never seen.
    private func observed(
        _ subject: Navigation.Subject, for value: Navigation.Value, in here: Circumstances
    ) -> Answer.Compared? {
        switch subject {
        case .answer(let question): answers[question]?.compared
        case .timedOut(let question): .boolean(timedOut.contains(question))
        case .heartRate(let rate): self.rate(rate, in: here).map { .number($0) }
        case .soundLevel(let step):
            here.present.contains(step) && Self.isSilent(since: lastLevel, in: here)
                ? nil : levels[step].map { .number($0) }
        case .clip(let step, let attribute):
            clips[step]?.compared(attribute, with: value)
        case .session: .number(Double(here.session))
        case .round: here.round.map { .number(Double($0)) }
        case .arm: here.arm.map { .anyOf([$0.text]) }
        }
    }

    /// What a clip is to be near; `nil` if it was never seen, or for the heart rate not in the last 10 s.
    func value(_ value: NearestClip.Value, at now: RunInstant) -> Double? {
        switch value {
        case .number(let number): return number
        case .heartRate:
            return rate(.init(.last(.seconds(10))), in: Circumstances(now: now, session: 1))
        case .answer(let question): return answers[question]?.number
        }
    }

    private func rate(_ rate: Navigation.HeartRate, in here: Circumstances) -> Double? {
        let isOfNow = rate.span.isOfNow(in: here.present)
        let last = rate.variability == nil ? recentRates.last?.instant : recentBeats.last
        guard !isOfNow || !Self.isSilent(since: last, in: here),
            let present = value(rate.variability, over: rate.span, at: here.now)
        else { return nil }
        guard let baseline = rate.baseline else { return present }
        guard let there = value(rate.variability, over: .during(baseline.step), at: here.now) else {
            return nil
        }
        return baseline.isShare ? (present / there - 1) * 100 : present - there
    }

    /// The mean rate over a time, beats per minute, or its variability, ms.
    private func value(
        _ measure: Biofeedback.Measure?, over span: Navigation.HeartRate.Span, at now: RunInstant
    ) -> Double? {
        switch (span, measure) {
        case (.during(let step), let measure?): return beats[step]?.variability(measure)
        case (.last(let time), let measure?):
            return recentBeats.variability(measure, over: time, at: now)
        case (.during(let step), nil): return rates[step]?.value
        case (.last(let time), nil):
            let first = now.advanced(by: .zero - time)
            return recentRates.reversed().prefix { $0.instant > first }.reduce(into: Mean()) {
                $0.add($1.rate)
            }.value
        }
    }
}

extension Step.Right {
    /// Whether an answer is right; `nil` if there is none.
    func isRight(_ answer: Answer?) -> Bool? {
        switch self {
        case .answer(let value): answer?.compared.compares(.eq, value)
        case .noKey: answer == nil ? nil : false
        }
    }
}

extension Answer.Compared {
    /// - Returns: `nil` if there is nothing to compare.
    func compares(_ comparison: Navigation.Comparison, _ value: Navigation.Value) -> Bool? {
        switch self {
        case .number(let number): comparison.holds(number, value)
        case .boolean(let isYes): comparison.isSame(value == .boolean(isYes), value.isBoolean)
        case .ordered(let text): comparison.holds(text, value)
        case .anyOf(let texts): comparison.isSame(texts.contains { value == .text($0) }, value.isText)
        case .nothing: nil
        }
    }
}

extension Navigation.Comparison {
    fileprivate func holds(_ number: Double, _ value: Navigation.Value) -> Bool {
        switch value {
        case .number(let other): holds(number, other)
        case .text, .boolean: false
        }
    }

    fileprivate func holds(_ text: String, _ value: Navigation.Value) -> Bool {
        switch value {
        case .text(let other): holds(text, other)
        case .number, .boolean: false
        }
    }

    /// For values without an order, which can only be equal or not.
    fileprivate func isSame(_ isSame: Bool, _ isComparable: Bool) -> Bool {
        switch self {
        case .eq: isComparable && isSame
        case .ne: isComparable && !isSame
        case .lt, .gt, .le, .ge: false
        }
    }
}

extension Navigation.Value {
    var isText: Bool {
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

extension Navigation.HeartRate.Span {
    /// Whether the span reaches to the present: its step is on show or, for the last rates, any step is.
    fileprivate func isOfNow(in present: [Identifier]) -> Bool {
        switch self {
        case .during(let step): present.contains(step)
        case .last: !present.isEmpty
        }
    }
}
