/// What the rest of the program knows of a step, whatever its kind. Besides the study file, the engine and the screen,
/// nothing else takes kinds of steps apart.
package struct StepFacts: Sendable {
    /// What kind of step it is, in two or three words.
    package var name: String
    /// What happens in it, one sentence each, without what the other facts say.
    package var sentences: [String] = []
    /// What it asks, in the order of the results.
    package var asked: [Step.Asked] = []
    /// How the order of its questions is decided.
    package var itemOrder = ItemOrder.fixed
    /// How it is timed; `nil` if it waits for the participant.
    package var timing: Step.Timing?
    /// What ends it.
    package var end: End
    /// The steps in it, those that a block inserts last.
    package var inner: [Step] = []
    /// What is played in it, or in its rounds.
    package var clips: Clips?

    /// What ends a step.
    package enum End: Hashable, Sendable {
        /// The participant goes on.
        case confirmation
        /// The participant answers.
        case answers
        /// Its time is over, or what it waits for happens before.
        case time
        /// An arm is allocated.
        case allocation
        /// Its last round is over.
        case rounds
        /// The task is over when the participant goes on; the end has a name if it is not the usual one.
        case task(reason: Identifier?)
    }

    /// What is played.
    package enum Clips: Hashable, Sendable {
        case one(Stimulus)
        /// Clips or conditions of a set or a table.
        case set(Identifier)
    }
}

extension Step {
    package var facts: StepFacts {
        switch kind {
        case .instruction:
            StepFacts(
                name: "text to read", sentences: ["The participant reads, and goes on when they like."],
                end: .confirmation)
        case .active(let active):
            StepFacts(
                name: active.stimulus == nil ? "timed step" : "timed step with a clip",
                asked: asked(during: active), timing: Timing(of: active), end: .time,
                clips: active.stimulus?.choice.clips)
        case .countdown(let duration):
            StepFacts(
                name: "countdown", sentences: ["Seconds are counted down for \(duration.words)."],
                timing: Timing(duration: duration), end: .time)
        case .question(let format, let message):
            StepFacts(
                name: soundCheck == nil ? "question" : "sound check",
                asked: [Asked(question(format, message), .step)], end: .answers)
        case .form(let form):
            StepFacts(
                name: form.isMatrix ? "questions with one scale" : "form",
                asked: form.questions.map { Asked($0, .item) }, itemOrder: form.order, end: .answers)
        case .program(let program):
            StepFacts(
                name: "program", asked: program.questions.map { Asked($0, .program) },
                timing: Timing(of: program), end: .time)
        case .review:
            StepFacts(
                name: "review of the answers",
                sentences: ["The participant sees their answers so far, and may go back to change them."],
                end: .confirmation)
        case .consent(let consent):
            StepFacts(
                name: "consent",
                sentences: [
                    "The participant reads the document to its end, and agrees or does not agree.",
                    consent.isSignatureTyped
                        ? "Participants who agree type their name." : "No name is asked for.",
                    "The run ends for those who do not agree.",
                ], asked: [Asked(question(.text()), .document(consent))], end: .answers)
        case .allocation:
            StepFacts(
                name: "allocation",
                sentences: ["The program allocates the participant to an arm.", "The step ends by itself."],
                end: .allocation)
        case .block(let block):
            StepFacts(
                name: "block", end: .rounds, inner: block.ownSteps, clips: block.set.map { .set($0) })
        case .completion(let reason):
            StepFacts(
                name: "end of the task",
                sentences: [
                    "The task ends here.", "The result calls this end '\(reason?.text ?? "completed")'.",
                ], end: .task(reason: reason))
        }
    }

    /// The step as a question with its own name.
    private func question(
        _ format: AnswerFormat, _ invalidMessage: LocalizedText? = nil, isOptional: Bool? = nil
    ) -> Question {
        Question(
            identifier: identifier, title: title, text: text, isOptional: isOptional ?? self.isOptional,
            format: format, invalidMessage: invalidMessage)
    }

    /// Its prompts, and what a key answers.
    private func asked(during active: ActiveStep) -> [Asked] {
        active.prompts.map { Asked($0.question, .prompt) }
            + [active.reaction.map { Asked(question($0.format, isOptional: true), .key) }].compactMap(\.self)
    }
}

extension Step {
    /// A question that a step asks, and where it stands.
    package struct Asked: Hashable, Sendable {
        package var question: Question
        package var place: Place

        package init(_ question: Question, _ place: Place) { (self.question, self.place) = (question, place) }

        package enum Place: Hashable, Sendable {
            /// It is the step itself.
            case step
            /// Beside others on the screen.
            case item
            /// It is asked while the step goes on.
            case prompt
            /// A key answers it, and ends the step.
            case key
            /// Another program shows it, and nobody else.
            case program
            /// It asks whether the participant agrees to a document.
            case document(Consent)
        }

        package var identifier: Identifier { question.identifier }
        package var kind: AnswerKind { document == nil ? question.format.kind : .consent }

        /// The document to agree to, if that is the question.
        package var document: Consent? { if case .document(let document) = place { document } else { nil } }

        /// The form of the answer; `nil` for a document, to which one agrees or does not.
        package var format: AnswerFormat? { document == nil ? question.format : nil }

        /// Whether there may be no answer.
        package var mayBeMissing: Bool {
            switch place {
            case .step, .item, .document: question.isOptional
            case .prompt, .key, .program: true
            }
        }

        /// Whether an answer fits. The pattern of a text is not checked here.
        package func accepts(_ answer: Answer) -> Bool {
            document?.accepts(answer) ?? question.format.accepts(answer)
        }
    }

    /// Everything that it asks with a form that its answers have: no documents.
    package var questions: [Question] { facts.asked.compactMap { $0.format == nil ? nil : $0.question } }

    /// The files of all pictures that it shows, with those of its choices.
    package var images: [String] {
        [image?.path].compactMap(\.self)
            + questions.flatMap { $0.format.offer?.choices.compactMap(\.image) ?? [] }
    }

    /// Whether it asks that question itself.
    package func asks(_ question: Identifier) -> Bool { facts.asked.contains { $0.identifier == question } }

    /// Whether the task is over with it.
    package var isEnd: Bool { if case .completion = kind { true } else { false } }

    /// Whether the participant may go back from it and to it.
    package var allowsGoingBack: Bool {
        guard timeLimit == nil else { return false }
        let end = facts.end
        return end == .confirmation || end == .answers
    }

    /// Whether a review shows its answers. A document is agreed to only once.
    package var isReviewed: Bool {
        timeLimit == nil && facts.asked.contains { $0.place == .step || $0.place == .item }
    }
}

extension StepFacts {
    /// The drawn orders of what is shown.
    package var shownOrders: ShownOrders {
        let questions = asked.map(\.question)
        var orders = ShownOrders()
        if case .drawn = itemOrder { orders.items = itemOrder.applied(to: questions).map(\.identifier) }
        for question in questions { orders.choices[question.identifier] = question.format.drawnChoices }
        return orders
    }
}

extension Consent {
    fileprivate func accepts(_ answer: Answer) -> Bool {
        if answer == .declined { return true }
        guard case .consent(let signature) = answer else { return false }
        return !isSignatureTyped || signature?.contains { !$0.isWhitespace } == true
    }
}

extension Stimulus.Use.Choice {
    /// What it chooses from.
    package var clips: StepFacts.Clips {
        switch self {
        case .play(let clip): .one(clip)
        case .draw(let set, _), .roundOf(let set), .answered(_, let set, _): .set(set)
        case .nearest(let nearest): .set(nearest.set)
        }
    }
}

extension Step {
    /// What is drawn for it in each run, besides the order of its rounds.
    package enum Draw: Hashable, Sendable {
        case duration(DrawnDuration)
        case clip(set: Identifier, DrawMethod)
        /// The order of its questions.
        case items(ItemOrder)
        /// The order of the choices of one of its questions, or of the step itself.
        case choices(of: Identifier, ItemOrder)
    }

    package var draws: [Draw] {
        let facts = facts
        var draws: [Draw] = []
        if let drawn = facts.timing?.drawnDuration { draws.append(.duration(drawn)) }
        if case .draw(let set, let method) = stimulus?.choice {
            draws.append(.clip(set: set, method))
        }
        if facts.itemOrder != .fixed { draws.append(.items(facts.itemOrder)) }
        // The items of a matrix share the choices above them.
        let isShared = form?.isMatrix == true
        for asked in isShared ? Array(facts.asked.prefix(1)) : facts.asked {
            guard let order = asked.question.format.offer?.order, order != .fixed else { continue }
            draws.append(.choices(of: isShared ? identifier : asked.identifier, order))
        }
        return draws
    }
}
