import StudyModel
import TextFormat

/// Looks for rules that have no effect: those that look at later steps, that always or never hold, or that are
/// never tested. Also looks for numbers of visits that nothing uses up.
struct RuleChecks {
    private let steps: TaskSteps
    /// Rules that lead back, or to their own step.
    private let returns: [(from: Int, to: Int)]
    private let placesOfSteps: [Identifier: [TaskSteps.Place]]
    private let placesOfQuestions: [Identifier: [TaskSteps.Place]]

    init(_ steps: TaskSteps) {
        self.steps = steps
        var returns: [(from: Int, to: Int)] = []
        var (named, asked): ([Identifier: [TaskSteps.Place]], [Identifier: [TaskSteps.Place]]) = ([:], [:])
        for (position, draft) in steps.drafts.enumerated() {
            for (place, step) in draft.withInner.enumerated() {
                let own: TaskSteps.Place = (position, place == 0 ? nil : place - 1)
                if let name = step.identifier { named[name.value, default: []].append(own) }
                for question in step.questions { asked[question.identifier, default: []].append(own) }
                for jump in step.goTo {
                    guard let target = Identifier(jump.target.value).flatMap({ steps.positions[$0] }),
                        target <= position
                    else { continue }
                    returns.append((position, target))
                }
            }
        }
        (self.returns, placesOfSteps, placesOfQuestions) = (returns, named, asked)
    }

    func check() {
        for (position, draft) in steps.drafts.enumerated() {
            let isAsked = draft.withInner.contains {
                !$0.skipIf.isEmpty || !$0.goTo.isEmpty || $0.until != nil || $0.endsAfter != nil
                    || !$0.whilst.isEmpty
            }
            guard isAsked || draft.visits != nil else { continue }
            let before = 0..<(last(before: position) + 1)
            for (place, (step, blocks)) in draft.withBlocks().enumerated() {
                check(step, at: position, inner: place == 0 ? nil : place - 1, before, in: blocks)
            }
            if let visits = draft.visits, draft.maximumVisits > 1, !before.contains(position) {
                steps.reading.report(
                    .idleVisits, "no rule leads back to this step: it is visited once at most",
                    at: visits,
                    help: "leave it out, or write the rule that leads back",
                    severity: .warning)
            }
        }
    }

    /// The last of the steps that can come before a step; all earlier ones can too.
    private func last(before position: Int) -> Int {
        var last = position - 1
        while let back = returns.first(where: { $0.to <= max(last, position) && $0.from > last }) {
            last = back.from
        }
        return last
    }

    private func check(
        _ step: StepDraft, at position: Int, inner: Int?, _ before: Range<Int>, in blocks: [StepDraft]
    ) {
        let block = blocks.last
        let moment = Moment(
            position: position, inner: inner, last: inner.map { $0 + step.withInner.count - 1 },
            before: before, rounds: blocks.contains(where: hasRounds))
        let isLate = { (condition: ConditionDraft, isOver: Bool) in
            condition.subjects.contains { self.reportLate($0, moment, isOver: isOver) }
        }
        if !step.skipIf.contains(where: { isLate($0, false) }) {
            for condition in step.skipIf { judge(condition, in: block) }
            if step.skipIf.count > 1 { judge(.any(step.skipIf), in: block, isList: true) }
        }
        if let until = step.until { check(until.condition, endingStep: step, moment, in: block) }
        for condition in step.whilst {
            let isLate = condition.value.baselines.contains {
                $0.value != step.identifier?.value && reportLate(($0, false), moment, isOver: false)
            }
            if !isLate { judge(condition.value, in: block) }
        }
        if let event = step.endsAfter { checkEvent(event, moment, in: blocks) }
        let rules = step.goTo.compactMap(\.condition)
        guard !rules.contains(where: { isLate($0, true) }) else { return }
        if !rules.map({ judge($0, in: block) }).contains(true) { checkOrder(of: step, in: block) }
    }

    /// Looks for what ends a step at once or never: a comparison with the step itself, or what every heart fulfils.
    private func check(
        _ condition: ConditionDraft, endingStep step: StepDraft, _ moment: Moment, in block: StepDraft?
    ) {
        for name in condition.baselines {
            guard name.value == step.identifier?.value else {
                if reportLate((name, false), moment, isOver: false) { return }
                continue
            }
            guard !moment.rounds, !moment.before.contains(moment.position) else { continue }
            steps.reading.report(
                .idleRule,
                "'until' compares '\(name.value)' with itself, of which nothing is known before its end",
                at: name.range, help: "name an earlier step, such as a rest", severity: .warning)
            return
        }
        guard !judge(condition, in: block),
            case .compare(.heartRate(let rate), let comparison, let value) = condition, rate.baseline == nil,
            rate.variability == nil,
            let limit = value.scalarText.flatMap(DecimalText.number)
        else { return }
        let isFulfilled =
            switch comparison.value {
            case .lt, .le: limit >= 200
            case .gt, .ge: limit <= 40
            case .eq, .ne: false
            }
        guard isFulfilled else { return }
        steps.reading.report(
            .idleRule,
            "nearly every heart beats \(limit >= 200 ? "less" : "more") often than \(plainNumber(limit)) times a minute from the start: the step ends as soon as it may",
            at: comparison.range, help: "write another number, or another comparison", severity: .warning)
    }

    /// Looks for an end that is counted from a step that comes later, or that a rule leaves out.
    private func checkEvent(_ event: Located<Identifier>, _ moment: Moment, in blocks: [StepDraft]) {
        let name = event.value
        if comesLater(placesOfSteps[name] ?? [], moment, isOver: false) {
            steps.reading.report(
                .stepOrder, "'\(name)' comes later, and the end of this step is counted from its end",
                at: event.range,
                help: "name an earlier step, or write a 'duration'")
        } else if let (step, around) = steps.drafts.flatMap({ $0.withBlocks() }).first(where: {
            $0.step.identifier?.value == name
        }),
            ([step] + around).contains(where: { other in
                !other.skipIf.isEmpty && !blocks.contains { $0.identifier?.value == other.identifier?.value }
            })
        {
            steps.reading.report(
                .stepOrder, "a rule can leave '\(name)' out: then this step ends at once", at: event.range,
                help: "put what differs into a block, and name that", severity: .warning)
        }
    }

    private func hasRounds(_ block: StepDraft) -> Bool {
        guard let rounds = block.step?.block else { return true }
        return rounds.repetitions > 1 || rounds.set != nil || block.maximumVisits > 1
    }

    // MARK: What comes later

    /// When a rule is tested.
    private struct Moment {
        var position: Int
        var inner: Int?
        /// The last of the steps within its own step.
        var last: Int?
        /// The steps that can have been visited.
        var before: Range<Int>
        /// Whether the block around it begins again.
        var rounds: Bool
    }

    /// - Parameter isOver: whether the step itself was visited when its rule is tested.
    private func reportLate(
        _ subject: (name: Located<Identifier>, isQuestion: Bool), _ moment: Moment, isOver: Bool
    ) -> Bool {
        let places =
            subject.isQuestion
            ? self.places(asking: subject.name.value) : placesOfSteps[subject.name.value] ?? []
        guard comesLater(places, moment, isOver: isOver) else { return false }
        let isOwn = places.contains { $0.position == moment.position && $0.inner == moment.inner }
        steps.reading.report(
            .idleRule,
            isOwn
                ? "the rule looks at '\(subject.name.value)', its own step, before that was shown"
                : "the rule looks at '\(subject.name.value)', which comes later",
            at: subject.name.range,
            help: Help(
                isOwn
                    ? "leave 'skipIf' out, or write the rule as 'goTo'"
                    : "leave the rule out, or move the step after '\(subject.name.value)'"),
            severity: .warning)
        return true
    }

    /// - Parameter places: those of a step; empty if there is none.
    private func comesLater(_ places: [TaskSteps.Place], _ moment: Moment, isOver: Bool) -> Bool {
        !places.isEmpty
            && !places.contains { place in
                guard place.position == moment.position else { return moment.before.contains(place.position) }
                if moment.before.contains(place.position) || moment.rounds { return true }
                guard let inner = moment.inner, let last = moment.last, let other = place.inner else {
                    return isOver || moment.inner != nil
                }
                return isOver ? other <= last : other < inner
            }
    }

    /// Where a question is asked, or where the last answer that a score needs is given.
    private func places(asking question: Identifier, depth: Int = 0) -> [TaskSteps.Place] {
        if let asked = placesOfQuestions[question] { return asked }
        guard depth < 20,
            let score = steps.scores.first(where: { entry in entry.formats.contains { $0.0 == question } })
        else { return [] }
        let inputs = score.value.inputs.flatMap { places(asking: $0.value, depth: depth + 1) }
        return inputs.max { ($0.position, $0.inner ?? 0) < ($1.position, $1.inner ?? 0) }.map { [$0] } ?? []
    }

    // MARK: What never holds, or always

    /// - Returns: whether something is wrong with the condition on its own.
    @discardableResult
    private func judge(_ condition: ConditionDraft, in block: StepDraft?, isList: Bool = false) -> Bool {
        guard let verdict = verdict(on: condition, in: block), let first = condition.comparisons.first else {
            return false
        }
        if isList && verdict == .never { return false }
        let isOne = condition.comparisons.count == 1
        let limits = isOne ? RuleSpace([condition], of: steps, in: block).limits(of: first.subject) : nil
        let words =
            verdict == .never
            ? isOne
                ? "no possible value fulfils this\(limits.map { ", because \($0)" } ?? ""): the rule never holds"
                : "these conditions exclude each other: the rule never holds"
            : isOne
                ? "this holds for every value" + (limits.map { ", because \($0)" } ?? "")
                : "one of these conditions holds for every value"
        steps.reading.report(
            .idleRule, words, at: first.comparison.range, help: help(for: condition, verdict, in: block),
            severity: .warning)
        return true
    }

    private enum Verdict { case never, always }

    private func verdict(on condition: ConditionDraft, in block: StepDraft?) -> Verdict? {
        let space = RuleSpace([condition], of: steps, in: block)
        guard let all = space.cases(withMissing: true), let known = space.cases(withMissing: false) else {
            return nil
        }
        if !all.contains(where: { space.holds(condition, in: $0) == true }) { return .never }
        return known.allSatisfy { space.holds(condition, in: $0) == true } ? .always : nil
    }

    private func help(for condition: ConditionDraft, _ verdict: Verdict, in block: StepDraft?) -> Help {
        let usual: Help =
            verdict == .never
            ? "write other values, or leave the rule out" : "write other values, or leave the condition out"
        guard case .compare(let subject, let comparison, let value) = condition else {
            guard verdict == .never, case .all(let parts) = condition,
                self.verdict(on: .any(parts), in: block) == nil
            else { return usual }
            return "write 'any' instead of 'all', or leave the rule out"
        }
        let other = comparison.value.other
        let meant = Located(value: other, range: comparison.range)
        guard self.verdict(on: .compare(subject, meant, value), in: block) == nil else { return usual }
        return Help("did you mean '\(other.rawValue)'? If not, \(usual.text)")
    }

    // MARK: What is never asked

    private func checkOrder(of step: StepDraft, in block: StepDraft?) {
        guard step.goTo.count > 1, step.goTo.allSatisfy({ $0.condition != nil || $0.isUnconditional }) else {
            return
        }
        let space = RuleSpace(step.goTo.compactMap(\.condition), of: steps, in: block)
        guard let cases = space.cases(withMissing: !isAnswered(step)) else { return }
        for (place, rule) in step.goTo.enumerated().dropFirst() {
            let earlier = step.goTo[..<place].filter { $0.condition != nil && leadsOn($0) }
            let isAsked = cases.contains { facts in
                !earlier.contains { $0.condition.flatMap { space.holds($0, in: facts) } == true }
                    && (rule.condition.map { space.holds($0, in: facts) == true } ?? true)
            }
            if isAsked { continue }
            steps.reading.report(
                .unreachableRule, "this rule is never taken: whenever it could hold, one before it does",
                at: rule.target.range,
                help: "leave it out, or put it before the others",
                severity: .warning)
        }
    }

    /// Whether every rule of a step is about its own question, which has been answered when the rules are tested.
    private func isAnswered(_ step: StepDraft) -> Bool {
        guard let own = step.step, !own.isOptional, case .question = own.kind else { return false }
        return step.goTo.compactMap(\.condition).flatMap(\.subjects).allSatisfy {
            $0.isQuestion && $0.name.value == own.identifier
        }
    }

    /// Whether a rule leads on whenever it holds. A rule that leads back does not, once the visits are used up.
    private func leadsOn(_ rule: JumpDraft) -> Bool {
        guard let target = Identifier(rule.target.value).flatMap({ steps.positions[$0] }) else { return true }
        return steps.drafts[target].maximumVisits == 1
    }
}

extension Navigation.Comparison {
    /// The other condition, which differs in a single value.
    fileprivate var other: Self {
        switch self {
        case .lt: .le
        case .le: .lt
        case .gt: .ge
        case .ge: .gt
        case .eq: .ne
        case .ne: .eq
        }
    }
}

extension ConditionDraft {
    fileprivate typealias Test = (subject: Subject, comparison: Located<Navigation.Comparison>)

    /// Every comparison within.
    fileprivate var comparisons: [Test] {
        switch self {
        case .compare(let subject, let comparison, _): [(subject, comparison)]
        case .isAnswered: []
        case .all(let parts), .any(let parts): parts.flatMap(\.comparisons)
        case .not(let part): part.comparisons
        }
    }

    /// The steps with whose heart rates it compares.
    fileprivate var baselines: [Located<Identifier>] {
        switch self {
        case .compare(.heartRate(let rate), _, _): rate.baseline.map { [$0] } ?? []
        case .compare, .isAnswered: []
        case .all(let parts), .any(let parts): parts.flatMap(\.baselines)
        case .not(let part): part.baselines
        }
    }

    /// Every question and every step that it looks at.
    fileprivate var subjects: [(name: Located<Identifier>, isQuestion: Bool)] {
        switch self {
        case .isAnswered(let question): return [(question, true)]
        case .all(let parts), .any(let parts): return parts.flatMap(\.subjects)
        case .not(let part): return part.subjects
        case .compare(let subject, _, _):
            switch subject {
            case .answer(let question), .timedOut(let question): return [(question, true)]
            case .heartRate(let rate):
                var steps = rate.baseline.map { [$0] } ?? []
                if case .during(let step) = rate.span { steps.append(step) }
                return steps.map { ($0, false) }
            case .soundLevel(let step), .clip(let step, _): return [(step, false)]
            case .run, .arm: return []
            }
        }
    }
}

extension TaskSteps {
    /// A place in the task: a step of its own list, or the steps within a block.
    typealias Place = (position: Int, inner: Int?)
}
