import StudyModel

extension TaskSteps {
    /// Reports placeholders in texts that nothing can fill in, or that nothing has filled in yet.
    func checkReferences(_ worked: [AnswerScore]) {
        for (position, draft) in drafts.enumerated() {
            for step in draft.withInner {
                reading.withoutFixes {
                    for reference in step.references { check(reference, of: step, at: position, worked) }
                }
            }
        }
    }

    private func check(
        _ reference: Located<TextReference>, of step: StepDraft, at position: Int, _ worked: [AnswerScore]
    ) {
        switch reference.value {
        case .answer(let name):
            guard format(of: Located(value: name, range: reference.range)) != nil else { return }
            checkOrder(of: name, worked, at: reference.range, step, at: position)
        case .score(let name):
            if earlier.known[name]?.isScore == true {
                recall(name)
                return
            }
            if let problem = earlier.problem(with: name) {
                reading.report(.unknownQuestion, problem.message, at: reference.range, help: problem.help)
                return
            }
            let formats = scores.flatMap(\.formats).map(\.0)
            guard formats.contains(name) else {
                reading.report(
                    .unknownQuestion, "there is no score '\(name)'", at: reference.range,
                    help: Help.nearest(
                        to: name.text, among: formats.map(\.text).sorted(), all: "the scores are"))
                return
            }
            checkOrder(of: name, worked, at: reference.range, step, at: position)
        case .clip(let key): checkClips(have: key, at: reference.range)
        }
    }

    /// The step that first asks a question, or after which a score is complete.
    private func answered(_ name: Identifier, _ worked: [AnswerScore]) -> (position: Int, step: Identifier)? {
        let score = worked.first { $0.identifier == name || $0.levelIdentifier == name }
        for (position, draft) in drafts.enumerated() {
            for step in draft.withInner {
                guard let own = step.identifier?.value else { continue }
                if score == nil ? step.asks(name) : score?.step == own { return (position, own) }
            }
        }
        return nil
    }

    /// Reports an answer that is needed before it is given.
    func checkOrder(
        of name: Identifier, _ worked: [AnswerScore], at range: SourceRange, _ step: StepDraft,
        at position: Int
    ) {
        guard let asked = answered(name, worked), asked.position >= position else { return }
        let isWithin = asked.position == position && !drafts[position].inner.isEmpty
        let isReachedAgain = drafts[asked.position...].contains { draft in
            draft.withInner.flatMap(\.goTo).contains { jump in
                Identifier(jump.target.value).flatMap { positions[$0] }.map { $0 <= position } ?? false
            }
        }
        guard !isWithin, !isReachedAgain else { return }
        reading.report(
            .unknownQuestion, "'\(name)' is only answered later, at the step '\(asked.step)'",
            at: range, help: "move this step after '\(asked.step)', or leave the place out")
    }

    private func checkClips(have key: String, at range: SourceRange) {
        let pools = reading.context.sets.map(\.pool)
        guard !pools.contains(where: { $0 == nil }) else { return }
        let clips = pools.compactMap(\.self).flatMap(\.self)
        guard !clips.isEmpty else {
            reading.report(
                .noClip, "the study has no clips", at: range, help: "leave the place out, or add 'stimuli'")
            return
        }
        guard !clips.contains(where: { $0.words(of: key) != nil }) else { return }
        reading.report(
            .unknownAttribute, "no clip has '\(key)'", at: range,
            help: Help.nearest(
                to: key, among: Set(clips.flatMap(\.attributes.keys)).union(["title", "id"]).sorted(),
                all: "a clip has"))
    }
}
