import StudyModel
import TextFormat

/// The cases that rules can meet: every value that makes a difference to some conditions, and whether they then
/// hold.
///
/// All values between two that a condition names have the same effect, so a few represent all.
struct RuleSpace {
    /// A value of something that a condition looks at.
    enum Fact: Hashable {
        case number(Double)
        case text(String)
        /// Never asked, recorded or played.
        case missing
    }

    private let steps: TaskSteps
    private let block: StepDraft?
    private var tests: [String: [Node]] = [:]
    private var subjects: [String: ConditionDraft.Subject] = [:]
    private var presence: Set<String> = []

    /// More cases than this are not examined.
    private static let limit = 20_000

    /// - Parameter block: the block around the step that the rules belong to.
    init(_ conditions: [ConditionDraft], of steps: TaskSteps, in block: StepDraft?) {
        (self.steps, self.block) = (steps, block)
        for condition in conditions { add(condition) }
    }

    private mutating func add(_ condition: ConditionDraft) {
        switch condition {
        case .compare(let subject, _, let value):
            tests[name(subject), default: []].append(value)
            subjects[name(subject)] = subject
        case .isAnswered(let question):
            presence.insert("answer \(question.value)")
            subjects["answer \(question.value)"] = subjects["answer \(question.value)"] ?? .answer(question)
        case .all(let parts), .any(let parts): for part in parts { add(part) }
        case .not(let part): add(part)
        }
    }

    private func name(_ subject: ConditionDraft.Subject) -> String {
        switch subject {
        case .answer(let question): "answer \(question.value)"
        case .heartRate(let rate): "rate \(rate.name)"
        case .soundLevel(let step): "level \(step.value)"
        case .clip(let step, let attribute): "clip \(step.value) \(attribute?.value ?? "id")"
        case .run(let number): "run \(number.value)"
        case .arm: "arm"
        case .timedOut(let question): "timedOut \(question.value)"
        }
    }

    /// Every case; `nil` if there are too many, or if something about them is not known.
    ///
    /// - Parameter withMissing: whether anything may also be missing; otherwise only what conditions require may
    ///   be.
    func cases(withMissing: Bool) -> [[String: Fact]]? {
        var cases: [[String: Fact]] = [[:]]
        for (name, subject) in subjects.sorted(by: { $0.key < $1.key }) {
            guard var facts = facts(of: subject, comparedWith: tests[name] ?? []), !facts.isEmpty else {
                return nil
            }
            if withMissing || presence.contains(name) { facts.append(.missing) }
            guard cases.count * facts.count <= Self.limit else { return nil }
            cases = cases.flatMap { known in facts.map { known.merging([name: $0]) { first, _ in first } } }
        }
        return cases
    }

    /// Whether a condition holds in a case; `nil` if that depends on what is missing.
    func holds(_ condition: ConditionDraft, in facts: [String: Fact]) -> Bool? {
        switch condition {
        case .compare(let subject, let comparison, let value):
            return compare(facts[name(subject)] ?? .missing, comparison.value, value)
        case .isAnswered(let question): return facts["answer \(question.value)"] != .missing
        case .all(let parts):
            let results = parts.map { holds($0, in: facts) }
            return results.contains(false) ? false : results.contains(nil) ? nil : true
        case .any(let parts):
            let results = parts.map { holds($0, in: facts) }
            return results.contains(true) ? true : results.contains(nil) ? nil : false
        case .not(let part): return holds(part, in: facts).map { !$0 }
        }
    }

    private func compare(_ fact: Fact, _ comparison: Navigation.Comparison, _ node: Node) -> Bool? {
        switch fact {
        case .missing: nil
        case .number(let number): Self.number(node).map { comparison.holds(number, $0) }
        case .text(let text): node.scalarText.map { comparison.holds(text, $0) }
        }
    }

    private static func number(_ node: Node) -> Double? {
        node.scalarText.flatMap { DecimalText.number(String($0.prefix { $0 != " " })) }
    }

    /// The limits of something that is a number; `nil` if it is none, or if they are not known.
    private func interval(
        of subject: ConditionDraft.Subject
    ) -> (low: Double?, high: Double?, isWhole: Bool)? {
        switch subject {
        case .answer(let question):
            if let score = steps.score(behind: question.value) {
                guard question.value == score.key.value else { return nil }
                return steps.range(of: score).map { ($0.low, $0.high, $0.isWhole) }
            }
            guard !steps.ambiguous.contains(question.value),
                case .interval(let low, let high, let isWhole)? = (steps.questions[question.value] ?? nil)?
                    .domain
            else { return nil }
            return (low, high, isWhole)
        case .heartRate(let rate) where rate.baseline == nil:
            return rate.variability == nil ? (20, 300, false) : (0, nil, false)
        case .soundLevel: return (0, 1, false)
        case .run(let number) where number.value == .session:
            let listed = steps.reading.context.sessions.count
            return (1, listed == 0 ? nil : Double(listed), true)
        case .heartRate, .clip, .arm, .timedOut, .run: return nil
        }
    }

    /// The values that make a difference; `nil` if they are not known.
    private func facts(of subject: ConditionDraft.Subject, comparedWith nodes: [Node]) -> [Fact]? {
        if let limits = interval(of: subject) {
            return numbers(nodes, from: limits.low, to: limits.high, areWhole: limits.isWhole)
        }
        switch subject {
        case .answer(let question):
            if let score = steps.score(behind: question.value) {
                guard let range = steps.range(of: score), question.value != score.key.value else {
                    return nil
                }
                return score.value.levels(from: range.low, to: range.high).map { .text($0.name) }
            }
            guard let format = steps.questions[question.value], let format,
                !steps.ambiguous.contains(question.value)
            else { return nil }
            return facts(of: format, comparedWith: nodes)
        case .heartRate(let rate):
            // A step's rate relative to itself is 0.
            if case .during(let step) = rate.span, step.value == rate.baseline?.value { return [.number(0)] }
            return numbers(nodes, from: nil, to: nil)
        case .soundLevel: return nil
        case .clip(let step, let attribute):
            guard let pool = steps.pool(of: step.value), !pool.isEmpty else { return nil }
            let values = pool.map { $0.value(of: attribute?.value) }
            guard !values.contains(nil) else { return nil }
            let texts = Set(values.compactMap(\.self)).sorted()
            let numbers = texts.compactMap { DecimalText.number($0) }
            return numbers.count == texts.count ? numbers.map { .number($0) } : texts.map { .text($0) }
        case .timedOut: return [.text("true"), .text("false")]
        case .arm: return steps.reading.context.arms?.map { .text($0.text) }
        case .run(let number):
            switch number.value {
            case .session: return nil
            case .round:
                guard let rounds = block?.step?.block else { return nil }
                let pool = rounds.set.map { set in steps.reading.context.pool(of: set.text)?.count }
                guard let clips = pool ?? 1 else { return nil }
                return (1...rounds.mostRounds(of: clips)).map { .number(Double($0)) }
            }
        }
    }

    /// What the values of a single thing are, in words; `nil` if they are not numbers within limits.
    func limits(of subject: ConditionDraft.Subject) -> String? {
        guard let limits = interval(of: subject), let low = limits.low, let high = limits.high else {
            return nil
        }
        let between = "from \(plainNumber(low)) to \(plainNumber(high))"
        return switch subject {
        case .answer(let question): "'\(question.value)' is \(between)"
        case .run: "the study has \(counted(Int(high), "session"))"
        case .heartRate: "heart rates are \(between) per minute"
        case .soundLevel: "sound levels are \(between)"
        case .clip, .arm, .timedOut: nil
        }
    }

    private func facts(of format: AnswerFormat, comparedWith nodes: [Node]) -> [Fact]? {
        let texts = nodes.compactMap(\.scalarText)
        switch format.domain {
        case .oneOf(let choices):
            return choices.map { .text($0.value) }
                + (choices.contains(where: \.isOther) ? [.text("\u{0}")] : [])
        case .free: return Set(texts + ["\u{0}"]).map { .text($0) }
        case .ordered(_, let low, let high):
            let known = texts + [low, high].compactMap(\.self)
            let all = known + known.map { $0 + "\u{1}" } + [low ?? ""]
            return Set(all).filter { (low ?? "") <= $0 && $0 <= high ?? "\u{10FFFF}" }.map { .text($0) }
        // Numbers are known by their limits.
        case .interval, .severalOf: return nil
        }
    }

    /// The compared numbers, numbers between and beyond them, and the limits.
    private func numbers(_ nodes: [Node], from low: Double?, to high: Double?, areWhole: Bool = false)
        -> [Fact]?
    {
        let named = nodes.compactMap(Self.number)
        guard named.count == nodes.count, low ?? -.infinity <= high ?? .infinity else { return nil }
        let known = Set(named + [low, high].compactMap(\.self)).sorted()
        var all = known + known.flatMap { [$0 - 1, $0 + 1] }
        all += areWhole ? [] : zip(known, known.dropFirst()).map { ($0 + $1) / 2 }
        let possible = Set(all).filter { (low ?? -.infinity)...(high ?? .infinity) ~= $0 }
        return possible.isEmpty ? nil : possible.sorted().map { .number($0) }
    }
}

extension HeartRateDraft {
    fileprivate var name: String {
        let base = "\(baseline?.value.text ?? "-") \(variability?.rawValue ?? "")"
        return switch span {
        case .during(let step): "\(step.value) \(base)"
        case .last(let time): "last \(time.value.components) \(base)"
        }
    }
}

extension StudyContext {
    /// The clips of a set, if they could be read.
    func pool(of set: String) -> [Stimulus]? { sets.first { $0.identifier == set }?.pool }
}

extension TaskSteps {
    /// The clips that a step may play, or those of the rounds of a block; `nil` if there are none.
    func pool(of step: Identifier) -> [Stimulus]? {
        let step = drafts.flatMap(\.withInner).first { $0.identifier?.value == step }?.step
        switch step?.facts.clips {
        case .one(let clip): return [clip]
        case .set(let set):
            let pool = reading.context.pool(of: set.text)
            return step?.block.map { block in pool.map { block.rows(of: $0) } } ?? pool
        case nil: return nil
        }
    }
}
