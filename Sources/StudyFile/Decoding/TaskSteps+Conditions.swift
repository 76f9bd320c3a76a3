import StudyModel

extension TaskSteps {
    /// A condition with its names and values looked up.
    ///
    /// - Parameter block: the block around the step that the rule belongs to, if any.
    func resolved(_ draft: ConditionDraft, in block: StepDraft?) -> Navigation.Condition? {
        switch draft {
        case .compare(let subject, let comparison, let value):
            return resolved(subject, comparison, value, in: block)
        case .isAnswered(let question): return format(of: question).map { _ in .isAnswered(question.value) }
        case .all(let drafts): return resolved(drafts, in: block).map { .all($0) }
        case .any(let drafts): return resolved(drafts, in: block).map { .any($0) }
        case .not(let draft): return resolved(draft, in: block).map { .not($0) }
        }
    }

    /// What ends a timed step.
    func resolved(_ draft: UntilDraft, at step: Identifier, in block: StepDraft?) -> ActiveStep.Until? {
        changing(draft.condition, at: step, draft.range, in: block).map {
            ActiveStep.Until($0, holding: draft.holding.value, atLeast: draft.atLeast?.value ?? .zero)
        }
    }

    /// A condition that is tested while a step goes on; reports one that nothing in the step can change.
    func changing(
        _ draft: ConditionDraft, at step: Identifier, _ range: SourceRange, in block: StepDraft?
    ) -> Navigation.Condition? {
        guard let condition = resolved(draft, in: block) else { return nil }
        let around = drafts.flatMap { $0.withBlocks() }.first { $0.step.identifier?.value == step }
        let present = [step] + (around?.blocks ?? []).compactMap { $0.identifier?.value }
        let asked = around?.step.questions.map(\.identifier) ?? []
        guard condition.subjects.contains(where: { $0.changes(during: present, asking: asked) }) else {
            reading.report(
                .conditionValue, "nothing in this condition changes during the step", at: range,
                help:
                    "look at 'heartRate: {last: 20 s}', or at the heart rate, the sound level or a prompt of this step"
            )
            return nil
        }
        return condition
    }

    private func resolved(_ drafts: [ConditionDraft], in block: StepDraft?) -> [Navigation.Condition]? {
        let conditions = drafts.map { resolved($0, in: block) }
        return conditions.contains(nil) ? nil : conditions.compactMap(\.self)
    }

    private func resolved(
        _ draft: ConditionDraft.Subject, _ comparison: Located<Navigation.Comparison>, _ node: Node,
        in block: StepDraft?
    ) -> Navigation.Condition? {
        let subject: Navigation.Subject
        let value: Navigation.Value?
        switch draft {
        case .heartRate(let rate):
            guard let known = resolved(rate, comparedWith: node) else { return nil }
            subject = .heartRate(known)
            value =
                known.baseline != nil
                ? ConditionValue.difference(of: known, node, reading)
                : known.variability == nil
                    ? ConditionValue.rate(node, reading) : ConditionValue.variability(node, reading)
        case .soundLevel(let step):
            guard isRecorded(.audio, during: step) else { return nil }
            subject = .soundLevel(during: step.value)
            value = ConditionValue.soundLevel(node, reading)
        case .answer(let question):
            guard let format = format(of: question) else { return nil }
            subject = .answer(question.value)
            value = ConditionValue.answer(node, to: format, comparison, reading)
        case .clip(let step, let attribute):
            guard let pool = clips(of: step) else { return nil }
            subject = .clip(of: step.value, attribute: attribute?.value)
            value = clipValue(node, of: attribute, in: pool, comparison)
        case .run(let number):
            guard let most = highest(number, in: block) else { return nil }
            subject = number.value == .session ? .session : .round
            value = ConditionValue.count(node, upTo: most, reading)
        case .timedOut(let question):
            guard isOfThisSession(question), format(of: question) != nil else { return nil }
            checkTimeLimit(of: question)
            (subject, value) = (.timedOut(question.value), .boolean(true))
        case .arm(let name):
            guard let known = arm(name) else { return nil }
            (subject, value) = (.arm, .text(known.text))
        }
        return value.map { .init(subject: subject, comparison: comparison.value, value: $0) }
    }

    /// Whether a name is that of a question of the task; reports one of an earlier session.
    func isOfThisSession(_ question: Located<Identifier>) -> Bool {
        guard earlier.known[question.value] != nil else { return true }
        reading.report(
            .unknownQuestion,
            "'\(question.value)' is of an earlier session, and only its answer is known here",
            at: question.range, help: "look at its answer, or name a question of this task")
        return false
    }

    private func resolved(_ draft: HeartRateDraft, comparedWith node: Node) -> Navigation.HeartRate? {
        var rate: Navigation.HeartRate
        switch draft.span {
        case .during(let step):
            guard isRecorded(.heartRate, during: step) else { return nil }
            rate = .init(.during(step.value))
        case .last(let time):
            checkAnyRecorder(.heartRate, at: time.range)
            rate = .init(.last(time.value))
        }
        rate.variability = draft.variability
        guard let baseline = draft.baseline else { return rate }
        guard isRecorded(.heartRate, during: baseline) else { return nil }
        let isShare = node.scalarText?.hasSuffix("%") == true
        rate.baseline = .init(step: baseline.value, isShare: isShare)
        return rate
    }

    /// Reports a question without a time limit.
    private func checkTimeLimit(of question: Located<Identifier>) {
        let asking = drafts.flatMap(\.withInner).filter { $0.asks(question.value) }
        guard
            asking.allSatisfy({
                $0.step.map { $0.timeLimit == nil && !$0.hasPrompts && $0.active?.reaction == nil } ?? false
            })
        else {
            return
        }
        reading.report(
            .conditionValue, "'\(question.value)' has no time limit: it never times out", at: question.range,
            help: "give its step 'timeLimit: 10 s', or leave the rule out")
    }

    /// The arm with that name; reports if the study has no such arm.
    private func arm(_ name: Located<Identifier>) -> Identifier? {
        guard let arms = reading.context.arms else { return nil }
        if arms.contains(name.value) { return name.value }
        reading.report(
            .unknownArm, "the study has no arm '\(name.value)'", at: name.range,
            help: Help.nearest(to: name.value.text, among: arms.map(\.text), all: "the arms are")
                ?? "declare it: 'arms: [\(name.value), …]'")
        return nil
    }

    /// The highest possible session or round; `nil` if the rule is in no block.
    private func highest(_ number: Located<ConditionDraft.RunNumber>, in block: StepDraft?) -> Int? {
        guard number.value == .round else { return 1_000_000 }
        guard let block else {
            reading.report(
                .misplacedKey, "only the steps of a block have a round", at: number.range,
                help: "put the rule at a step within the block")
            return nil
        }
        guard let rounds = block.step?.block else { return nil }
        let pool = rounds.set.map { set in
            reading.context.rounds(of: set)?.pool?.count ?? 1
        }
        return rounds.mostRounds(of: pool ?? 1)
    }

    /// The clips that a step may play, or those of a block's rounds; `nil` if they are not known.
    private func clips(of name: Located<Identifier>) -> [Stimulus]? {
        guard let draft = drafts.flatMap(\.withInner).first(where: { $0.identifier?.value == name.value })
        else {
            reportUnknownStep(name, among: names)
            return nil
        }
        guard let step = draft.step else { return nil }
        switch step.facts.clips {
        case .one(let clip): return [clip]
        case .set(let set):
            let pool = reading.context.rounds(of: set)?.pool
            return step.block.map { block in pool.map { block.rows(of: $0) } } ?? pool
        case nil:
            reading.report(
                .noClip, "the step '\(name.value)' plays no clip", at: name.range,
                help: helpWithClips(name.value))
            return nil
        }
    }

    /// The suggestion to name a step that plays a clip.
    private func helpWithClips(_ name: Identifier) -> Help {
        let playing = drafts.flatMap(\.withInner).compactMap { $0.identifier?.value }.filter {
            pool(of: $0) != nil
        }
        let usual = "name an active step with a stimulus, or a block with forEach"
        guard !playing.isEmpty else { return Help(usual) }
        return Help("\(usual): \(playing.map(\.text).joined(separator: ", "))")
    }

    /// The value that an attribute is compared with: one that some clip has, or any number if all clips have
    /// numbers.
    private func clipValue(
        _ node: Node, of attribute: Located<String>?, in pool: [Stimulus],
        _ comparison: Located<Navigation.Comparison>
    ) -> Navigation.Value? {
        if let attribute {
            BlockShape.check(attribute, in: pool, reading)
            guard pool.allSatisfy({ $0.value(of: attribute.value) != nil }) else { return nil }
        }
        let values = Set(pool.compactMap { $0.value(of: attribute?.value) })
        guard values.allSatisfy({ DecimalText.number($0)?.isFinite == true }) else {
            ConditionValue.rejectOrder(comparison, "not all of them are numbers", reading)
            return ConditionValue.word(node, values.sorted(), "no clip of the pool has", reading)
        }
        return ConditionValue.number(node, in: -1e12...1e12, reading)
    }
}

extension Navigation.Subject {
    /// Whether it can change during a step.
    ///
    /// - Parameters:
    ///   - present: the step and the block around it.
    ///   - prompts: the questions of the step's prompts.
    fileprivate func changes(during present: [Identifier], asking prompts: [Identifier]) -> Bool {
        switch self {
        case .heartRate(let rate):
            if case .during(let step) = rate.span { present.contains(step) } else { true }
        case .soundLevel(let step): present.contains(step)
        case .answer(let question), .timedOut(let question): prompts.contains(question)
        case .clip, .session, .round, .arm: false
        }
    }
}
