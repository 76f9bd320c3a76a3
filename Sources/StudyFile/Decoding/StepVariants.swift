import StudyModel
import TextFormat

/// The steps of a task, and those of a block.
enum StepVariants {
    static let ofTask = Variants<StepDraft>(
        name: "step", noun: "step", common: common + .of(maximumVisits),
        variants: simple + [
            active(StimulusShape.inTask), block(of: ofBlock, StimulusShape.inTask), soundCheck, allocation,
            completion,
        ],
        fallback: bare)

    /// The steps of a block in the task's own list, of a block in such a block, and of a block within that.
    private static let ofBlock = inBlock(block(of: ofSecondBlock, StimulusShape.inBlock))
    private static let ofSecondBlock = inBlock(block(of: ofThirdBlock, StimulusShape.inBlock))
    /// Steps among which no block may be, such as those that a block inserts among its rounds.
    static let ofThirdBlock = inBlock(nil)

    private static func inBlock(_ block: Variants<StepDraft>.Variant?) -> Variants<StepDraft> {
        var elsewhere = [
            Variants<StepDraft>.Elsewhere(
                word: "completion", code: .completionNotLast,
                message: "a completion step cannot be in a block",
                help: "put it last in the task"),
            Variants<StepDraft>.Elsewhere(
                word: "soundCheck", code: .soundCheckStep,
                message: "a sound check cannot be in a block",
                help: "put it in the task's own list, before everything that is heard"),
            Variants<StepDraft>.Elsewhere(
                word: "allocation", code: .allocationStep,
                message: "an allocation step cannot be in a block",
                help: "put it in the task's own list: each participant is allocated once"),
        ]
        if block == nil {
            elsewhere.append(
                .init(
                    word: "block", code: .nestedBlock,
                    message:
                        "no block can be here: blocks are nested at most three levels deep, and never inserted",
                    help: "put its steps here, or put the block beside this one"))
        }
        return Variants<StepDraft>(
            name: "blockStep", noun: "step", common: common,
            variants: simple + [active(StimulusShape.inBlock)] + [block].compactMap(\.self),
            elsewhere: elsewhere,
            notHere: [("maximumVisits", "only steps of the task's own list are visited by jumps")],
            fallback: bare)
    }

    private static let identifier = Field(
        "identifier", Kind<Identifier>.identifier.located, isRequired: true, "Identifier",
        "The step's name, unique in its task, also among the steps of blocks.", example: "rest")
    private static let title = Field(
        "title", .filledText, "Title", "The heading.", example: "Please sit still.")
    private static let text = Field(
        "text", .filledText, "Text", "The main text.", example: "Breathe as you like.")
    private static let detail = Field(
        "detail", .filledText, "Detail", "Smaller print below the text.",
        example: "This takes two minutes.")
    private static let optional = Field(
        "optional", .boolean, usual: false, "Optional", "Whether the participant may skip the step.",
        example: true)
    private static let leastTime = Field(
        "leastTime", .duration(), "Least time",
        "How long the step is on the screen before the participant can go on.", example: "3 s")
    private static let timeLimit = Field(
        "timeLimit", .duration(), "Time limit",
        "How much time there is to answer; then the run goes on.", example: "10 s")
    private static let atTimeLimit = Field(
        "atTimeLimit", .word([("missing", false), ("keep", true)]), usual: "missing", "At the time limit",
        "What happens to an answer that was not sent: it is missing, or it counts as far as it is a possible answer.",
        example: "keep")
    private static let timeRules: [ShapeRule] = [.needs("atTimeLimit", ["timeLimit"])]
    private static let recorders = Field(
        "recorders", .list(.variants(RecorderVariants.ofStep), noun: "recorder"), "Recorders",
        "What is recorded while the step lasts.", example: [["type": "heartRate", "identifier": "heartRate"]])
    private static let maximumVisits = Field(
        "maximumVisits", .integer(1...1000), usual: 1, "Most visits",
        "How often the step may be visited; needed if a jump leads back to it.", example: 3)

    private static let common: [FieldDeclaration] = .of(
        identifier, title, text, detail, ImageShape.ofStep, optional, recorders, NavigationShape.skipIf,
        NavigationShape.goTo,
        ExpectShape.ofStep, Field.comment)

    /// Reads the keys that every step has, and combines them with `kind`.
    private static func draft(_ fields: Fields, kind: Step.Kind?) -> StepDraft {
        let (name, heading, words, detail) = (fields[identifier], fields[title], fields[text], fields[detail])
        let image = fields[ImageShape.ofStep]
        let (isOptional, recorders, leastTime) = (fields[optional], fields[recorders], fields[leastTime])
        let (skipIf, goTo) = (fields[NavigationShape.skipIf], fields[NavigationShape.goTo])
        let visits = fields[maximumVisits]
        ExpectShape.remember(fields[ExpectShape.ofStep], within: fields.range, fields.reading)
        fields.reading.rejectDuplicates((recorders ?? []).map(\.identifier), noun: "recorder")
        if let kind {
            RatingShape.check(recorders ?? [], in: kind, fields.reading)
            TappingShape.check(recorders ?? [], in: kind, fields.reading)
            BiofeedbackShape.check(recorders ?? [], in: kind, fields.reading)
            WaveShape.check(recorders ?? [], fields.reading)
        }
        var draft = StepDraft(identifier: name, range: name?.range ?? fields.range.firstCharacter)
        swap(&draft.references, &fields.reading.context.references)
        swap(&draft.chosenClips, &fields.reading.context.chosenClips)
        draft.skipIf = skipIf ?? []
        draft.goTo = goTo ?? []
        draft.maximumVisits = visits ?? (fields.node(maximumVisits) == nil ? 1 : 1000)
        draft.seemsLimited = { fields.seemsGiven(maximumVisits) }
        draft.visits = fields.node(maximumVisits)?.range
        if case .sequence(let nodes) = fields.node(self.recorders)?.content {
            draft.hasReadRecorders = nodes.count == recorders?.count
        }
        if let name, let kind {
            draft.step = Step(
                identifier: name.value, title: heading, text: words, detail: detail,
                isOptional: isOptional ?? false, recorders: (recorders ?? []).map(\.recorder), kind: kind)
            draft.step?.image = image
            draft.step?.leastTime = leastTime ?? .zero
            draft.step?.timeLimit = limit(fields, leastTime)
        }
        return draft
    }

    private static func limit(_ fields: Fields, _ leastTime: Duration?) -> Step.TimeLimit? {
        let (limit, keeps) = (fields.located(timeLimit), fields[atTimeLimit])
        guard let limit else { return nil }
        if let leastTime, leastTime >= limit.value {
            fields.reading.report(
                .outOfRange, "the time is over before the step accepts an answer", at: limit.range,
                help: "write a time that is longer than 'leastTime'")
        }
        if limit.value < .seconds(1) {
            fields.reading.doubt(
                .outOfRange, "nobody reads a question and answers it in less than a second", at: limit.range,
                help: "write the time in seconds, such as '10 s'")
        }
        return Step.TimeLimit(limit.value, keepsAnswers: keeps ?? false)
    }

    /// What is known about a step of unknown type: its name, so that rules can lead to it.
    private static let bare: @Sendable (Fields) -> StepDraft? = { fields in
        let name = fields[identifier]
        return StepDraft(
            identifier: name, hasKnownType: false, range: name?.range ?? fields.range.firstCharacter)
    }

    private static let simple = [
        Variants<StepDraft>.Variant(
            word: "instruction", description: "a text to read until the participant confirms",
            fields: .of(leastTime)
        ) { draft($0, kind: .instruction) },
        .init(
            word: "countdown", description: "a countdown of seconds", fields: .of(countdownDuration)
        ) { fields in
            let duration = fields[countdownDuration] ?? .seconds(5)
            return draft(fields, kind: .countdown(duration))
        },
        .init(
            word: "question", description: "one question",
            fields: .of(FormShape.answer, leastTime, timeLimit, atTimeLimit), rules: timeRules
        ) {
            fields in
            let answer = fields[FormShape.answer]
            var draft = draft(
                fields, kind: answer.map { .question($0.format, invalidMessage: $0.invalidMessage) })
            if let name = draft.identifier {
                draft.questions = [(name.value, answer?.format)]
                draft.right[name.value] = answer?.right
            }
            return draft
        },
        .init(
            word: "form", description: "several questions shown together",
            fields: .of(
                FormShape.questions, FormShape.order, FormShape.review, leastTime, timeLimit, atTimeLimit),
            rules: timeRules
        ) { fields in
            let (form, questions) = FormShape.read(fields)
            var draft = draft(fields, kind: .form(form))
            draft.ask(questions)
            return draft
        },
        .init(
            word: "matrix", description: "items that share one scale",
            fields: FormShape.matrixFields + .of(leastTime, timeLimit, atTimeLimit), rules: timeRules
        ) { fields in
            let (form, items) = FormShape.readMatrix(fields)
            var draft = draft(fields, kind: form.map { .form($0) })
            draft.ask(items)
            return draft
        },
        .init(
            word: "program", description: "another program, which says what is shown and gives the answers",
            fields: ProgramShape.fields
        ) { fields in
            let (program, questions) = ProgramShape.read(fields)
            var draft = draft(fields, kind: program.map { .program($0) })
            draft.ask(questions)
            return draft
        },
        .init(
            word: "review", description: "the answers so far, to review and change",
            fields: .of(leastTime)
        ) { draft($0, kind: .review) },
        .init(
            word: "consent", description: "a document to agree to",
            fields: ConsentShape.fields + .of(leastTime)
        ) { fields in draft(fields, kind: ConsentShape.read(fields).map { .consent($0) }) },
    ]

    private static func active(_ stimulus: Shape<Stimulus.Use>) -> Variants<StepDraft>.Variant {
        let fields = ActiveFields(stimulus)
        return .init(word: "active", description: "a timed step", fields: fields.declarations) {
            let (active, prompts, reaction, event, whilst) = fields.read($0)
            var draft = draft($0, kind: active.map { .active($0) })
            draft.ask(prompts.map(\.question))
            if let name = draft.identifier, let reaction {
                draft.questions.append((name.value, reaction.reaction.format))
                draft.right[name.value] = reaction.right
            }
            draft.until = fields.readUntil($0, active)
            (draft.endsAfter, draft.whilst) = (event, active == nil ? [] : whilst)
            return draft
        }
    }

    /// - Parameters:
    ///   - steps: the steps that may be in the block.
    ///   - stimulus: the shape of its clip.
    private static func block(
        of steps: Variants<StepDraft>, _ stimulus: Shape<Stimulus.Use>
    ) -> Variants<StepDraft>.Variant {
        let shape = BlockShape(of: .variants(steps), stimulus)
        return .init(
            word: "block", description: "steps that are repeated", fields: shape.fields,
            rules: BlockShape.rules
        ) { fields in
            let parts = shape.read(fields)
            var draft = draft(fields, kind: parts.block.map { .block($0) })
            draft.sharedOrder = BlockShape.sharedOrder(of: fields)
            draft.inner = parts.inner
            draft.inserted = parts.inserted
            draft.filled = parts.filled
            draft.adapt = parts.adapt
            draft.seen = parts.seen
            draft.rounds = BlockShape.set(of: fields)
            if let name = draft.identifier { BlockShape.rememberOrder(of: name.value, fields) }
            return draft
        }
    }

    private static let soundCheck = Variants<StepDraft>.Variant(
        word: "soundCheck", description: "the volume is set or measured while something is heard",
        fields: SoundCheckShape.fields, rules: SoundCheckShape.rules
    ) { fields in
        let read = SoundCheckShape.read(fields)
        var draft = draft(fields, kind: read.map { .question($0.format) })
        draft.step?.soundCheck = read?.check
        if let name = draft.identifier { draft.questions = [(name.value, read?.format)] }
        return draft
    }

    private static let allocation = Variants<StepDraft>.Variant(
        word: "allocation", description: "the participant's arm is allocated", fields: []
    ) { draft($0, kind: .allocation) }

    private static let completion = Variants<StepDraft>.Variant(
        word: "completion", description: "an end of the task", fields: .of(reason)
    ) { fields in
        let name = fields[reason]
        var draft = draft(fields, kind: .completion(reason: name))
        draft.isCompletion = true
        return draft
    }

    private static let reason = Field(
        "reason", .endName, "Reason", "The end's name, if the participant has not done the whole task.",
        example: "screenedOut")
    private static let countdownDuration = Field(
        "duration", .duration(), usual: "5 s", "Length", "How long the countdown lasts.", example: "5 s")
}

extension StepDraft {
    fileprivate mutating func ask(_ drafts: [FormShape.Draft]) {
        questions = drafts.map { ($0.identifier.value, $0.question?.format) }
        for draft in drafts { right[draft.identifier.value] = draft.right }
    }
}

extension Kind<Identifier> {
    /// The name of an end, which must not be one of the words for how any run can end.
    fileprivate static var endName: Kind {
        Kind(schema: identifier.schema) { node, reading in
            guard let name = identifier.read(node, reading) else { return nil }
            guard FinishReason.words.contains(where: { $0.rawValue == name.text }) else { return name }
            reading.report(
                .duplicateIdentifier, "'\(name)' is already the name of an end", at: node.range,
                help: Help(
                    (name == "completed" ? "leave the key out, or " : "")
                        + "write a name of your own, such as screenedOut"))
            return nil
        }
    }
}
