import StudyModel

/// The steps of one task together: their names, their end, and their references to each other.
struct TaskSteps {
    let drafts: [StepDraft]
    let reading: Reading
    /// Positions in the task's own list, by identifier.
    let positions: [Identifier: Int]
    /// The names of all steps, including those within blocks.
    let names: Set<Identifier>
    /// Every question with the format of its answers, `nil` if that could not be read.
    let questions: [Identifier: AnswerFormat?]
    /// Names that several questions of different formats share.
    let ambiguous: Set<Identifier>
    /// The task's own recorders.
    let spans: [RecorderVariants.Draft]
    /// What is worked out from answers, by name.
    let scores: [Entry<ScoreShape.Draft>]
    /// What it can use of the sessions before.
    let earlier: EarlierAnswers

    init(
        _ drafts: [StepDraft], spans: [RecorderVariants.Draft], scores: [Entry<ScoreShape.Draft>] = [],
        of task: Identifier? = nil, _ reading: Reading
    ) {
        self.scores = scores
        self.drafts = drafts
        self.spans = spans
        self.reading = reading
        let own = drafts.enumerated().compactMap { entry in
            entry.element.identifier.map { ($0.value, entry.offset) }
        }
        positions = Dictionary(own) { first, _ in first }
        let all = drafts.flatMap(\.withInner)
        names = Set(all.compactMap { $0.identifier?.value })
        let asked = all.flatMap(\.questions)
        let worked = scores.flatMap(\.formats)
        let known = Dictionary(asked.map { ($0.identifier, $0.format) } + worked) { first, _ in first }
        let asks = EarlierAnswers.Asked(formats: known, scores: Set(worked.map(\.0)))
        earlier = EarlierAnswers(before: task, asking: asks, reading.context)
        if let task { reading.context.asked[task] = asks }
        questions = known.merging(earlier.known.mapValues(\.answer.format)) { first, _ in first }
        ambiguous = Set(
            Dictionary(grouping: asked, by: \.identifier).filter { Set($0.value.map(\.format)).count > 1 }
                .keys
        ).union(earlier.ambiguous).union(earlier.known.keys.filter { known[$0] != nil })
    }

    /// Reports repeated names, a missing or misplaced end, and steps that cannot be reached or left.
    func check() {
        reading.rejectDuplicates(drafts.flatMap(\.withInner).compactMap(\.identifier), noun: "step")
        let completions = drafts.indices.filter { drafts[$0].isCompletion }
        if let last = drafts.last, last.hasKnownType, completions.isEmpty {
            reading.report(
                .completionNotLast, "the task does not end with a completion step", at: last.range,
                help: "add '- {type: completion, identifier: end, title: Thank you!}' after this step")
        }
        for index in completions where !drafts[index...].allSatisfy(\.isCompletion) {
            reading.report(
                .completionNotLast, "after a completion step there can only be other completion steps",
                at: drafts[index].range, help: "move it after the other steps, or make it an instruction")
        }
        checkReviews()
        NavigationGraph(self).check()
        RuleChecks(self).check()
        checkRounds()
        checkLevels()
        for draft in drafts.flatMap(\.withInner) {
            if let step = draft.step { reading.checkWords(of: step, at: draft.range) }
        }
        checkForeperiods()
        checkSizes()
        checkStaircases()
        checkTakes()
    }

    /// Reports reviews that can show no answer, because going back stops at a timed step.
    private func checkReviews() {
        let steps = drafts.flatMap { $0.withBlocks() }.filter { $0.step.inner.isEmpty }
        for (index, draft) in steps.map(\.step).enumerated() where draft.step?.kind == .review {
            let staircase = steps[index].blocks.last { $0.adapt != nil }?.identifier?.value
            let before = steps[..<index].reversed().prefix { step, blocks in
                step.step?.allowsGoingBack != false
                    && blocks.last { $0.adapt != nil }?.identifier?.value == staircase
            }
            guard !before.contains(where: { $0.step.step?.isReviewed != false }) else { continue }
            reading.report(
                .nothingToReview, "no question before this review can still be changed",
                at: draft.range,
                help: "put it after the questions, before the next timed step")
        }
    }

    /// The steps with their rules looked up; `nil` if any cannot be used.
    func resolved() -> [Step]? {
        let steps = drafts.map { resolved($0) }
        return steps.contains(nil) || steps.isEmpty ? nil : steps.compactMap(\.self)
    }

    /// A recorder over several steps, with the ends of its span looked up.
    func span(_ draft: RecorderVariants.Draft) -> SpanningRecorder? {
        guard let from = draft.from, let to = draft.to, span(from: from, to: to) != nil else { return nil }
        return SpanningRecorder(recorder: draft.recorder, from: from.value, to: to.value)
    }

    /// The steps of the task's own list from one to another.
    func span(from: Located<Identifier>, to: Located<Identifier>) -> ClosedRange<Int>? {
        let (first, last) = (position(of: from), position(of: to))
        guard let first, let last else { return nil }
        guard first <= last else {
            reading.report(
                .spanOrder, "the step '\(to.value)' comes before '\(from.value)'", at: to.range,
                help: "swap 'from' and 'to'")
            return nil
        }
        return first...last
    }

    private func position(of name: Located<Identifier>) -> Int? {
        if let position = positions[name.value] { return position }
        reportUnknownStep(name, among: positions.keys)
        return nil
    }

    /// - Parameter block: the block around the step, if any.
    private func resolved(_ draft: StepDraft, in block: StepDraft? = nil) -> Step? {
        let navigation = Navigation(
            skipIf: draft.skipIf.compactMap { resolved($0, in: block) },
            goTo: draft.goTo.compactMap { resolved($0, in: block) }, maximumVisits: draft.maximumVisits)
        let outer = reading.row
        reading.row = draft.filled.first?.row ?? outer
        let inner = draft.inner.map { resolved($0, in: draft) }
        reading.row = outer
        let inserted = draft.inserted.map { resolved($0, in: block) }
        guard var step = draft.step, !inner.contains(nil), !inserted.contains(nil) else { return nil }
        step.navigation = navigation
        for (question, format) in draft.questions {
            if let format, let node = draft.right[question] {
                step.right[question] = right(node, to: question, format, in: step)
            }
        }
        if let event = draft.endsAfter, !names.contains(event.value) {
            reportUnknownStep(event, among: names)
        }
        if case .active(var active) = step.kind {
            active.until = draft.until.flatMap { resolved($0, at: step.identifier, in: block) }
            let places = active.cues.indices.filter { active.cues[$0].condition != nil }
            for (place, condition) in zip(places, draft.whilst) {
                let found = changing(condition.value, at: step.identifier, condition.range, in: block)
                guard let found, case .whilst(_, let time) = active.cues[place].moment else { continue }
                active.cues[place].moment = .whilst(found, every: time)
            }
            step.kind = .active(active)
        }
        if case .block(var block) = step.kind {
            block.steps = inner.compactMap(\.self)
            block.insertion?.steps = inserted.compactMap(\.self)
            guard let filled = filled(draft) else { return nil }
            block.filled = filled
            step.kind = .block(block)
        }
        return step
    }

    /// The steps of each round that uses values of its clip or condition. Mistakes point at the value.
    private func filled(_ block: StepDraft) -> [[Step]]? {
        let outer = reading.row
        defer { reading.row = outer }
        var rounds: [[Step]] = []
        for filled in block.filled {
            reading.row = filled.row
            let steps = filled.steps.map { resolved($0, in: block) }
            guard !steps.contains(nil) else { return nil }
            rounds.append(steps.compactMap(\.self))
        }
        return rounds
    }

    private func resolved(_ draft: JumpDraft, in block: StepDraft?) -> Navigation.Jump? {
        let condition = draft.condition.flatMap { resolved($0, in: block) }
        guard let target = target(draft.target), draft.isUnconditional || condition != nil else { return nil }
        return Navigation.Jump(condition: condition, target: target)
    }

    /// If there is a step called `end`, that step is meant.
    private func target(_ name: Located<String>) -> Navigation.Target? {
        guard let identifier = Identifier(name.value) else { return nil }
        if positions[identifier] != nil { return .step(identifier) }
        if name.value == "end" { return .end }
        let isInner = names.contains(identifier)
        reading.report(
            .unknownTarget,
            isInner
                ? "'\(name.value)' is in a block, and rules cannot lead to it"
                : "there is no step '\(name.value)' to go to",
            at: name.range,
            help: isInner
                ? "go to the block, or to another step of the task's own list"
                : Help.nearest(
                    to: name.value, among: Set(positions.keys.map(\.text)).union(["end"]).sorted(),
                    all: "the targets are"))
        return nil
    }

    /// Whether a step is known; reports if it is not, or if nothing records what a rule looks at in it.
    func isRecorded(_ signal: Signal, during step: Located<Identifier>) -> Bool {
        guard names.contains(step.value) else {
            reportUnknownStep(step, among: names)
            return false
        }
        checkRecorder(signal, of: step)
        return true
    }

    /// The format of a question's answers; `nil` if it could not be read, or if a mistake was reported.
    func format(of question: Located<Identifier>) -> AnswerFormat? {
        guard let format = questions[question.value] else {
            reportUnknownQuestion(question)
            return nil
        }
        guard !ambiguous.contains(question.value) else {
            reading.report(
                .ambiguousQuestion,
                "several questions are called '\(question.value)', with different answers",
                at: question.range,
                help: "give them different identifiers, and name the one that is meant")
            return nil
        }
        recall(question.value)
        return format
    }

    /// Remembers that an answer of an earlier session is used, if it is one.
    func recall(_ name: Identifier) {
        if let answer = earlier.known[name]?.answer { reading.context.recalled[name] = answer }
    }

    private func reportUnknownQuestion(_ question: Located<Identifier>) {
        if let problem = earlier.problem(with: question.value) {
            reading.report(.unknownQuestion, problem.message, at: question.range, help: problem.help)
            return
        }
        let steps = drafts.flatMap(\.withInner).filter { $0.identifier?.value == question.value }
        guard steps.allSatisfy(\.hasKnownType) else { return }
        let isStep = !steps.isEmpty
        reading.report(
            .unknownQuestion,
            isStep
                ? "the step '\(question.value)' asks no question"
                : "there is no question '\(question.value)'",
            at: question.range,
            help: Help.nearest(
                to: question.value.text, among: questions.keys.map(\.text).sorted(),
                all: "the questions are") ?? Help("the task asks none: put a question before this step"))
    }

    func reportUnknownStep(_ name: Located<Identifier>, among known: some Sequence<Identifier>) {
        reading.report(
            .unknownStep, "there is no step '\(name.value)'", at: name.range,
            help: Help.nearest(to: name.value.text, among: known.map(\.text).sorted(), all: "the steps are"))
    }
}
