import SessionPorts
package import StudyEngine
package import StudyModel

extension Screen {
    /// The screen of a presentation of a run, in the participant's language.
    package init(_ presentation: Presentation, of run: TaskRun, title: LocalizedText, language: Language?) {
        let plan = run.plan
        let step = run.entry(for: presentation).step
        let words = { (text: LocalizedText?) in
            text.map { run.words($0, for: presentation, in: language) } ?? ""
        }
        let active = step.active
        self.init(
            ordinal: presentation.ordinal, studyTitle: title.text(in: language), title: words(step.title),
            text: run.shownByProgram(in: presentation)
                ?? words(run.reactionFeedback(in: presentation) ?? step.text),
            content: Content(step, of: run, language: language, words),
            phase: presentation.phase)
        if let check = step.soundCheck, step.title == nil, step.text == nil {
            let wording = Wording(language)
            let isVolume = check.purpose == .volume
            self.title = wording(isVolume ? .setVolume : .measureVolume)
            text = wording(isVolume ? .setVolumeHow : .measureVolumeHow)
        }
        detail = words(step.detail)
        image = step.image.map { Image(path: $0.path, alternative: words($0.alternative)) }
        leastTime = step.leastTime
        answersDue = run.answersDue(in: presentation)
        answering = step.answering
        progress = plan.task.display.progress ? Progress(of: presentation, in: plan) : nil
        let (display, isProgram) = (plan.task.display, step.program != nil)
        allows = .of([
            (.skip, presentation.canSkip), (.goBack, presentation.canGoBack),
            (.pause, active?.timer.isPausable ?? !isProgram), (.resume, !presentation.isHeld),
            (.putAside, plan.task.resume?.incomplete == .resume),
        ])
        shows = .of([
            (.countdown, display.countdown && active?.timer.isShown ?? !isProgram),
            (.heartRate, display.heartRate), (.lostSignal, display.lostSignal),
        ])
        expected = active?.expected
        rating = step.recorders.shownRating
        displays = step.recorders.compactMap { recorder in
            recorder.biofeedback.map { Display(recorder: recorder.identifier, biofeedback: $0) }
        }
        tapping =
            step.recorders.lazy.compactMap { recorder in
                recorder.tapping.map { Tapping(recorder: recorder.identifier, keys: $0.keys) }
            }.first
        if let reaction = active?.reaction, run.awaitsReaction(in: presentation) {
            reactionKeys = reaction.keys.map { ReactionKey(name: $0.name, words: words($0.text)) }
        }
        self.language = language
        if let open = presentation.prompt, let asked = active?.question(of: open) {
            prompt = Prompt(AskedQuestion(asked, of: run, language: language, words), number: open.number)
        }
    }
}

extension Set {
    /// The elements for which something is true.
    fileprivate static func of(_ elements: [(Element, Bool)]) -> Set {
        Set(elements.lazy.filter { $0.1 }.map { $0.0 })
    }
}

extension Step {
    fileprivate var answering: Set<Screen.AnsweringMode> {
        let isHeard = soundCheck?.purpose == .volume
        let isReviewed = if case .form(let form) = kind { form.isReviewed } else { false }
        return .of([
            (.heard, isHeard), (.kept, isHeard || timeLimit?.keepsAnswers == true),
            (.reviewed, isReviewed),
        ])
    }
}

extension Screen.Progress {
    /// Counts the entries of a section once, however often the section is visited, and counts several ends as one. A
    /// staircase counts with all the rounds that it may have.
    fileprivate init(of presentation: Presentation, in plan: RunPlan) {
        // Works in place, because copying a section copies everything in its steps.
        let sizes = plan.sections.indices.map { index in
            plan.sections[index].passes.isEmpty || plan.sections[index].step.isEnd
                ? 0 : plan.sections[index].visits(before: plan.sections[index].passes[0].count, in: 0)
        }
        let here = plan.sections[presentation.section].visits(
            before: presentation.entry, in: presentation.pass)
        let before = sizes[..<presentation.section].reduce(here, +)
        self.init(step: before + 1, of: sizes.reduce(0, +) + 1)
    }
}

extension RunPlan.Section {
    /// How many visits stand before an entry of a pass. Of a staircase's rungs, each round takes one.
    fileprivate func visits(before entry: Int, in pass: Int) -> Int {
        guard step.block != nil, step.withInner.contains(where: { $0.block?.staircase != nil }) else {
            return entry
        }
        var (place, count) = (0, 0)
        while place < entry {
            guard let block = passes[pass][place].blocks.last?.step.block, let staircase = block.staircase
            else {
                (place, count) = (place + 1, count + 1)
                continue
            }
            let (steps, rungs) = (block.steps.count, staircase.values.count)
            let passed = min(entry - place, steps * rungs * staircase.mostRounds)
            count += passed / (steps * rungs) * steps + passed % steps
            place += passed
        }
        return count
    }
}

extension Screen.Content {
    /// - Parameter words: fills in the places of a text.
    fileprivate init(
        _ step: Step, of run: TaskRun, language: Language?, _ words: (LocalizedText?) -> String
    ) {
        switch step.kind {
        case .instruction, .allocation: self = .instruction
        case .completion: self = .completion
        case .active(let active): self = .timed(duration: active.duration, isCountdown: false)
        case .countdown(let duration): self = .timed(duration: duration, isCountdown: true)
        case .program(let program): self = .timed(duration: program.duration, isCountdown: false)
        case .question(let format, let message):
            // The step's title and text, which belong to the question, are on the screen already.
            self = .questions([
                AskedQuestion(
                    identifier: step.identifier, title: "", text: "", isOptional: step.isOptional,
                    format: run.words(format) { words($0) }, invalidMessage: message?.text(in: language))
            ])
        case .form(let form):
            self = .questions(
                form.shown.map { AskedQuestion($0, of: run, language: language, words) },
                isMatrix: form.isMatrix)
        case .review:
            self = .review(
                run.reviewed.map { visit in
                    let content = Screen.Content(visit.step, of: run, language: language, words)
                    let asked: [AskedQuestion] =
                        if case .questions(let questions, _) = content { questions } else { [] }
                    return ReviewedAnswers(
                        ordinal: visit.ordinal, title: words(visit.step.title ?? visit.step.text),
                        questions: asked, drafts: visit.drafts)
                })
        case .consent(let consent):
            self = .consent(
                question: step.identifier, document: words(consent.document),
                isSignatureTyped: consent.isSignatureTyped)
        case .block: preconditionFailure("a plan's entry is never a block")
        }
    }
}

extension AskedQuestion {
    /// - Parameter words: fills in the places of a text.
    fileprivate init(
        _ question: Question, of run: TaskRun, language: Language?, _ words: (LocalizedText?) -> String
    ) {
        self.init(
            identifier: question.identifier, title: words(question.title), text: words(question.text),
            isOptional: question.isOptional, format: run.words(question.format) { words($0) },
            invalidMessage: question.invalidMessage?.text(in: language))
    }
}

extension TaskRun {
    /// A text of the step on show, as the participant reads it.
    package func words(_ text: LocalizedText, for presentation: Presentation, in language: Language?)
        -> String
    {
        words(text, for: presentation, in: language, missing: Wording(language)(.noAnswer))
    }
}

extension [RecorderConfiguration] {
    /// The rating whose mark is on the screen, and which the keys move: the one without a device of its own, if there are
    /// several.
    var shownRating: Screen.Rating? {
        let ratings = filter { $0.rating != nil }
        return (ratings.first { $0.source == nil } ?? ratings.first).flatMap { recorder in
            recorder.rating.map { Screen.Rating(recorder: recorder.identifier, scale: $0) }
        }
    }
}
