import StudyModel
import TextFormat

/// A clip that is chosen by how near it is to something.
enum NearestShape {
    /// The choice with its places, and the questions that it looks at.
    struct Draft {
        var set: Located<Identifier>
        var aims: [(attribute: Located<Identifier>, goal: Goal)]
        var otherwise: Located<Identifier>?
        var repeats: Bool
        var range: SourceRange
    }

    /// A goal with its questions, in order.
    struct Goal {
        var goal: NearestClip.Goal
        var questions: [Located<Identifier>]
        var range: SourceRange
    }

    static let shape = Shape<Draft>(
        name: "nearestClip", title: "Nearest clip",
        description: "The clip of a set that is nearest to something when its step begins.",
        fields: .of(nearest, to, from, otherwise, again)
    ) { fields in
        let (attributes, goals) = (fields[nearest], fields.located(to))
        let (set, otherwise, again) = (fields[from], fields[otherwise], fields[again])
        guard let attributes, let goals, let set else { return nil }
        guard attributes.count == goals.value.count else {
            fields.reading.report(
                .outOfRange, "\(attributes.count) attributes have \(goals.value.count) aims", at: goals.range,
                help: "write one aim for each attribute of 'nearest', in the same order")
            return nil
        }
        if let twice = attributes.indices.first(where: { place in
            attributes[..<place].contains { $0.value == attributes[place].value }
        }) {
            fields.reading.report(
                .duplicateIdentifier, "'\(attributes[twice].value)' is named twice",
                at: attributes[twice].range,
                help: "name each attribute once")
            return nil
        }
        return Draft(
            set: set, aims: Array(zip(attributes, goals.value)), otherwise: otherwise,
            repeats: again ?? false,
            range: fields.range)
    }

    private static let nearest = Field(
        "nearest", .oneOrMore(Kind<Identifier>.identifier.located, noun: "attribute"), isRequired: true,
        "Nearest",
        "The attribute that counts, or several; every clip of the set has a number for it in the catalogue.",
        example: "tempo")
    private static let to = Field(
        "to", .oneOrMore(Kind<Goal>.goal, noun: "aim"), isRequired: true, "To",
        "What it is to be near: heartRate, a number, the answer to a question, or a path; one for each attribute.",
        example: "heartRate")
    private static let from = Field(
        "from", Kind<Identifier>.identifier.located, isRequired: true, "Set",
        "The stimulus set that holds the clips.", example: "clips")
    private static let otherwise = Field(
        "otherwise", Kind<Identifier>.identifier.located, "Otherwise",
        "The clip of the set that is played if an aim is not known; without this key nothing is played.",
        example: "chill_preview_3")
    private static let again = Field(
        "again", .boolean, usual: false, "Again",
        "Whether a clip may be chosen again while others of the set were not chosen in this run.",
        example: true)

    static let answerShape = Shape<Located<Identifier>>(
        name: "aimAnswer", title: "Answer", description: "The last answer to a question, a number.",
        fields: .of(answer)
    ) { $0[answer] }
    private static let answer = Field(
        "answer", Kind<Identifier>.identifier.located, isRequired: true, "Answer",
        "The question whose last answer is the number.", example: "energy")

    static let pathShape = Shape<Goal>(
        name: "aimPath", title: "Path",
        description: "From the first round of the block around the step to its last one, in even steps.",
        fields: .of(first, towards)
    ) { fields in
        let (first, last) = (fields[first], fields[towards])
        guard let first, let last, case .value(let from) = first.goal, case .value(let to) = last.goal else {
            return nil
        }
        if fields.reading.context.enclosingBlocks.isEmpty {
            fields.reading.report(
                .misplacedKey, "a path needs rounds, and this step is in no block", at: fields.range,
                help: "put the step into a block with 'repeat', or write one aim")
        }
        return Goal(
            goal: .path(from: from, to: to), questions: first.questions + last.questions, range: fields.range)
    }
    private static let first = Field(
        "from", Kind<Goal>.plainGoal, isRequired: true, "From", "The aim in the first round.", example: 0.2)
    private static let towards = Field(
        "towards", Kind<Goal>.plainGoal, isRequired: true, "Towards", "The aim in the last round.",
        example: 0.8)
}

extension Kind<NearestShape.Goal> {
    /// `heartRate`, a number, or `{answer: energy}`.
    fileprivate static var plainGoal: Kind {
        let number = Kind<Double>.number(-1_000_000...1_000_000)
        let answer = Kind<Located<Identifier>>.mapping(NearestShape.answerShape)
        return Kind(
            schema: { ["anyOf": [["const": "heartRate"], number.schema($0), answer.schema($0)]] },
            read: { node, reading in
                let (value, question): (NearestClip.Value?, Located<Identifier>?)
                if case .mapping = node.content {
                    question = answer.read(node, reading)
                    value = question.map { .answer($0.value) }
                } else {
                    question = nil
                    value =
                        node.scalarText == "heartRate"
                        ? .heartRate : number.read(node, reading).map { .number($0) }
                }
                return value.map {
                    NearestShape.Goal(
                        goal: .value($0), questions: [question].compactMap(\.self), range: node.range)
                }
            })
    }

    /// The same, or a path `{from: …, towards: …}`.
    fileprivate static var goal: Kind {
        let (plain, path) = (plainGoal, Kind.mapping(NearestShape.pathShape))
        return Kind(
            schema: { ["anyOf": [plain.schema($0), path.schema($0)]] },
            read: { node, reading in
                if case .mapping(let pairs) = node.content, pairs.value(of: "answer") == nil {
                    return path.read(node, reading)
                }
                return plain.read(node, reading)
            })
    }
}

extension NearestShape.Draft {
    /// The choice with its set looked up. Its questions are looked up when the whole task has been read.
    func resolved(_ reading: Reading) -> Stimulus.Use.Choice? {
        guard let set = reading.set(set) else { return nil }
        if let clips = set.pool {
            if let otherwise, !clips.contains(where: { $0.identifier == otherwise.value }) {
                reading.reportUnknownClip(otherwise, among: clips.map(\.identifier.text))
            }
            for aim in aims { check(aim.attribute, clips, reading) }
        }
        for question in aims.flatMap(\.goal.questions) {
            reading.context.chosenClips.append(
                ChosenClip(
                    question: question, set: self.set, otherwise: otherwise, range: range, isNumber: true))
        }
        return .nearest(
            NearestClip(
                set: self.set.value,
                aims: aims.map { NearestClip.Aim(attribute: $0.attribute.value.text, goal: $0.goal.goal) },
                otherwise: otherwise?.value, repeats: repeats))
    }

    /// Reports an attribute that a clip lacks: the clip would never be chosen.
    private func check(_ attribute: Located<Identifier>, _ clips: [Stimulus], _ reading: Reading) {
        let lacking = clips.filter { $0.number(of: attribute.value.text) == nil }
        guard let first = lacking.first else { return }
        let names = Set(clips.flatMap(\.attributes.keys)).sorted()
        reading.report(
            .unknownAttribute,
            lacking.count == clips.count
                ? "no clip of '\(set.value)' has a number for '\(attribute.value)'"
                : "the clip '\(first.identifier)' has no number for '\(attribute.value)'",
            at: attribute.range,
            help: Help.nearest(to: attribute.value.text, among: names, all: "the clips have")
                ?? "write the number in the catalogue")
    }
}
