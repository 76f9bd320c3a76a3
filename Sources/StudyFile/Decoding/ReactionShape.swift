import StudyModel
import TextFormat

/// The key that answers a timed step, and usually ends it.
enum ReactionShape {
    struct Draft {
        var reaction: Reaction
        /// The right answer, not yet read.
        var right: Node?
    }

    static let field = Field(
        "reaction", .mapping(shape), "Reaction",
        "A key that answers what is heard or shown, and usually ends the step; its time is measured.",
        example: ["keys": ["space"]])

    private static let shape = Shape<Draft>(
        name: "reaction", title: "Reaction",
        description: "The keys that answer, what they say, and from when the time is measured.",
        fields: .of(keys, correct, target, endsStep, feedback)
    ) { fields in
        let (keys, right, endsStep) = (fields[keys], fields[correct], fields[endsStep] ?? true)
        let (target, feedback) = (fields[target], fields.located(feedback))
        guard let keys, !keys.isEmpty else { return nil }
        var seen: Set<String> = []
        for key in keys where !seen.insert(key.value.name).inserted {
            fields.reading.report(
                .tapKeys, "the key '\(key.value.name)' is listed twice", at: key.range,
                help: "leave one of them out")
        }
        if let feedback, feedback.value.wrong != nil, fields.node(correct) == nil {
            fields.reading.report(
                .conflictingKeys, "no key is wrong, because the reaction names none that is right",
                at: feedback.range, help: "add 'correct' with the right answer, or leave 'wrong' out")
        }
        if let feedback, !endsStep {
            fields.reading.report(
                .conflictingKeys, "the step goes on after the key, so there is no time for words about it",
                at: feedback.range,
                help: "leave 'feedback' or 'endsStep' out, or show words in a step of their own")
        }
        checkTexts(of: keys, fields.reading)
        var reaction = Reaction(keys: keys.map(\.value), target: target, feedback: feedback?.value)
        reaction.endsStep = endsStep
        return Draft(reaction: reaction, right: right)
    }

    /// Doubts keys for different answers that say the same.
    private static func checkTexts(of keys: [Located<Reaction.Key>], _ reading: Reading) {
        guard Set(keys.map(\.value.value)).count == keys.count else { return }
        let texts = keys.compactMap { key in
            key.value.text.map { (value: Located<String>(value: key.value.name, range: key.range), text: $0) }
        }
        reading.checkTexts(of: texts)
    }

    /// Reports what cannot be together with a reaction in its step.
    ///
    /// - Parameter shortest: the shortest time that the step can last, if that is known.
    static func check(_ reaction: Reaction, in step: ActiveStep?, shortest: Duration?, _ fields: Fields) {
        let place = fields.place(of: field)
        if step?.prompts.isEmpty == false {
            fields.reading.report(
                .conflictingKeys, "a step has either a reaction or prompts: the keys cannot answer both",
                at: place, help: "ask in a step of its own")
        }
        guard let target = reaction.target else { return }
        if let step, step.stimulus == nil {
            fields.reading.report(
                .conflictingKeys, "'from' is a place in a clip, and the step plays none", at: place,
                help: "add 'stimulus', or leave 'from' out: the time is measured from the step's start")
        }
        let begin = step?.stimulus.map { $0.onset - $0.start } ?? .zero
        if let shortest, begin + target >= shortest {
            fields.reading.report(
                .outOfRange, "the step is over before the clip comes to that place", at: place,
                help: "write a smaller 'from', or make the step longer")
        }
    }

    private static let keys = Field(
        "keys", .list(key.located, atLeast: 1, noun: "key"), isRequired: true, "Keys",
        "The keys that count, each alone, or with the value that it stands for and the words for it.",
        example: [["key": "f", "value": "happy", "text": "Happy"], ["key": "j", "value": "sad"]])

    private static let key = Kind<Reaction.Key>(
        schema: { ["anyOf": [Kind<String>.tapKey.schema($0), Kind.mapping(keyShape).schema($0)]] },
        read: { node, reading in
            if case .mapping = node.content { return Kind.mapping(keyShape).read(node, reading) }
            return Kind<String>.tapKey.read(node, reading).map { Reaction.Key(name: $0, value: $0) }
        })

    private static let keyShape = Shape<Reaction.Key>(
        name: "reactionKey", title: "Key", description: "A key, and what pressing it says.",
        fields: .of(name, value, text)
    ) { fields in
        let (name, value, text) = (fields[name], fields[value], fields[text])
        guard let name, let value else { return nil }
        return Reaction.Key(name: name, value: value, text: text ?? .plain(value))
    }

    private static let name = Field(
        "key", .tapKey, isRequired: true, "Key", "The key to press.", example: "f")
    private static let value = Field(
        "value", .text(atMost: 200), isRequired: true, "Value", "The answer in the result.", example: "happy")
    private static let text = Field(
        "text", .filledText, "Text", "What the participant reads; by default, the value.", example: "Happy")

    private static let correct = Field(
        "correct", Kind<Node>.scalar, "Correct",
        "The answer that is right, or none if no key is; the participant does not see it.", example: "happy")
    /// The word that stands for no key.
    static let noKey = "none"
    private static let target = Field(
        "from", .duration(), "From",
        "The place in the clip from which the time is measured; by default, its first sound in the step.",
        example: "3.2 s")
    private static let endsStep = Field(
        "endsStep", .boolean, usual: true, "Ends step",
        "Whether the key ends the step; otherwise the step lasts its whole time, and only the first key counts.",
        example: false)
    private static let feedback = Field(
        "feedback", .mapping(feedbackShape), "Feedback", "Words that are shown after the reaction.",
        example: ["right": "Right.", "wrong": "Wrong.", "late": "Too slow.", "for": "700 ms"])

    private static let feedbackShape = Shape<Reaction.Feedback>(
        name: "feedback", title: "Feedback",
        description: "Words about the reaction; they are shown after it, in addition to the step's duration.",
        fields: .of(right, wrong, late, time), rules: [.atLeastOne(["right", "wrong", "late"])]
    ) { fields in
        let (right, wrong, late) = (fields[right], fields[wrong], fields[late])
        return Reaction.Feedback(
            right: right, wrong: wrong, late: late, duration: fields[time] ?? .milliseconds(700))
    }

    private static let right = Field(
        "right", .filledText, "Right", "After the right key, or after any key if none is named as right.",
        example: "Right.")
    private static let wrong = Field("wrong", .filledText, "Wrong", "After a wrong key.", example: "Wrong.")
    private static let late = Field(
        "late", .filledText, "Late", "If no key came in time.", example: "Too slow.")
    private static let time = Field(
        "for", .duration(), usual: "700 ms", "Time", "How long the words are shown.", example: "1 s")
}
