import StudyModel

/// What a study declares and uses, collected while the study is read.
struct Uses {
    /// A draw by a square.
    struct Square {
        var set: String?
        var method: Located<String>
        var reading: Reading
    }

    var sources: Set<String> = []
    var sets: Set<String> = []
    /// Catalogues of clips that steps name directly, by normal path.
    var catalogues: Set<String> = []
    var squares: [Square] = []
}

/// Looks for what is declared but not used, and for draws that need more than is declared.
struct UseChecks {
    let reading: Reading
    let tasks: [Study.Task]
    private var context: StudyContext { reading.context }

    init(_ tasks: [Study.Task], _ reading: Reading) { (self.tasks, self.reading) = (tasks, reading) }

    /// - Parameter section: the value of `sources` or `stimuli`.
    func checkNames(_ section: Node?, noun: String, isUsed: (Node.Pair) -> Bool) {
        guard case .mapping(let pairs) = section?.content else { return }
        for pair in pairs where !isUsed(pair) {
            reading.report(
                .unusedName, "nothing uses the \(noun) '\(pair.key.value.prefix(64))'", at: pair.key.range,
                help: "leave it out, or use it where it is meant", severity: .warning)
        }
    }

    func isUsed(source pair: Node.Pair) -> Bool {
        context.uses.sources.contains(pair.key.value)
            || pair.key.value == "heartRate"
                && tasks.contains { $0.display.heartRate || $0.followsHeartRate || $0.observesHeartRate }
    }

    func isUsed(set pair: Node.Pair) -> Bool {
        guard !context.uses.sets.contains(pair.key.value) else { return true }
        guard case .mapping(let keys) = pair.value.content, let path = keys.value(of: "catalogue")?.scalarText
        else {
            return true
        }
        return context.uses.catalogues.contains(FilePath.normal(path))
    }

    /// - Parameter study: where the keys of `study` are.
    func checkSquares(hasSeed: Bool, study: SourceRange) {
        if !hasSeed, let square = context.uses.squares.first {
            let seed = "seed: 20151112"
            square.reading.report(
                .noSeed, "'\(square.method.value)' is balanced only if all participants share a seed",
                at: square.method.range,
                help: Help(
                    "add '\(seed)' to 'study': any whole number, chosen once",
                    edits: reading.source.insertion(of: seed, at: study)),
                severity: .warning)
        }
        for square in context.uses.squares where square.method.value == "williams" {
            guard let set = square.set, let pool = context.pool(of: set), pool.count > 1, pool.count % 2 == 1,
                tasks.contains(where: { $0.draws(from: set) == 1 })
            else { continue }
            square.reading.report(
                .repeatedClip,
                "over sessions, some participants hear a clip again before they have heard all \(pool.count)",
                at: square.method.range,
                help: Help(
                    "write 'latinSquare': with one clip a session, and an odd number of clips, no clip comes twice"
                ),
                severity: .warning)
        }
    }
}

extension Reading {
    /// Remembers a draw by a square.
    ///
    /// - Parameter ofOrder: whether it orders a block's rounds, so that a run plays every clip.
    func rememberSquare(_ method: Node, ofOrder: Bool, _ set: String?) {
        guard let word = method.scalarText, word == "williams" || word == "latinSquare" else { return }
        context.uses.squares.append(
            .init(set: ofOrder ? nil : set, method: Located(value: word, range: method.range), reading: self))
    }
}

extension Study.Task {
    /// How often a run of the task draws from a set.
    func draws(from set: String) -> Int {
        steps.reduce(0) { sum, step in
            guard let block = step.block else { return sum + (step.drawsFrom(set) ? 1 : 0) }
            return sum + 2 * block.ownSteps.flatMap(\.withInner).count { $0.drawsFrom(set) }
        }
    }
}

extension Step {
    fileprivate func drawsFrom(_ set: String) -> Bool {
        draws.contains { if case .clip(let name, _) = $0 { name.text == set } else { false } }
    }
}

extension TaskSteps {
    /// Reports blocks with a round for each clip in which no step plays the clip and no rule looks at it.
    func checkRounds() {
        let rules = drafts.flatMap(\.withInner).flatMap { $0.skipIf + $0.goTo.compactMap(\.condition) }
        for draft in drafts.flatMap(\.withInner) {
            if let adapt = draft.adapt, draft.rounds == nil, draft.filled.isEmpty, draft.step != nil,
                !rules.contains(where: { $0.looksAtClip(of: draft.identifier?.value) })
            {
                reading.report(
                    .idleRounds, "no step of this block uses the row of its round", at: adapt.value.range,
                    help:
                        "write '{\(adapt.value.value)}' in a text of its steps, or '$\(adapt.value.value)' as a value",
                    severity: .warning)
            }
            guard let set = draft.rounds, case .block = draft.step?.kind, let name = draft.identifier,
                draft.withInner.dropFirst().allSatisfy({
                    $0.step != nil && !$0.plays(roundOf: set.value) && !$0.hasPlaceholder
                }),
                !rules.contains(where: { $0.looksAtClip(of: name.value) })
            else { continue }
            reading.report(
                .idleRounds, "no step of this block plays the clip of its round", at: set.range,
                help: Help(
                    "add 'stimulus: {from: \(set.value)}' to a timed step of the block, or write 'repeat' instead of 'forEach'"
                ), severity: .warning)
        }
    }
}

extension StepDraft {
    fileprivate func plays(roundOf set: Identifier) -> Bool {
        step?.stimulus?.choice == .roundOf(set: set)
    }

    /// Whether a text of the step may show something of the clip.
    fileprivate var hasPlaceholder: Bool {
        [step?.title, step?.text, step?.detail].contains { text in
            switch text {
            case .plain(let words): words.contains("{")
            case .translated(let translations): translations.contains { $0.text.contains("{") }
            case nil: false
            }
        }
    }
}

extension ConditionDraft {
    fileprivate func looksAtClip(of step: Identifier?) -> Bool {
        switch self {
        case .compare(.clip(let name, _), _, _): name.value == step
        case .compare, .isAnswered: false
        case .all(let parts), .any(let parts): parts.contains { $0.looksAtClip(of: step) }
        case .not(let part): part.looksAtClip(of: step)
        }
    }
}
