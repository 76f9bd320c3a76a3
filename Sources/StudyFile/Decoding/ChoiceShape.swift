import StudyModel
import TextFormat

/// The things to choose from.
enum ChoiceShape {
    /// A list of choices with different values.
    static let list = Kind<[AnswerFormat.Choice]>(
        schema: raw.schema,
        read: { node, reading in
            guard let choices = raw.read(node, reading) else { return nil }
            var places: [String: SourceRange] = [:]
            for choice in choices {
                if let first = places[choice.value.value] {
                    reading.report(
                        .duplicateIdentifier,
                        "there are two choices '\(choice.value.value)', the first in line \(first.start.line)",
                        at: choice.value.range,
                        help: reading.newName(for: choice.value.value, "give each choice a value of its own"),
                        first: first)
                } else {
                    places[choice.value.value] = choice.value.range
                }
            }
            for choice in choices.filter(\.isOther).dropFirst() {
                reading.report(
                    .conflictingKeys, "another choice asks for words already", at: choice.value.range,
                    help: "keep one choice with 'other'")
            }
            reading.checkTexts(of: choices.map { ($0.value, $0.text) })
            return choices.map {
                var choice = AnswerFormat.Choice(
                    value: $0.value.value, text: $0.text, isOther: $0.isOther, isExclusive: $0.isExclusive,
                    isMissing: $0.isMissing)
                choice.image = $0.image
                return choice
            }
        })

    /// Choices of which only one can be chosen, so that none needs to exclude the others.
    static let listOfOne = Kind<[AnswerFormat.Choice]>(
        schema: list.schema,
        read: { node, reading in
            if case .sequence(let nodes) = node.content {
                for case .mapping(let pairs) in nodes.map(\.content) {
                    for pair in pairs where pair.key.value == "exclusive" {
                        reading.report(
                            .misplacedKey, "'exclusive' has a meaning only if several can be chosen",
                            at: pair.key.range,
                            help: "leave it out: with 'choice' only one can be chosen anyway")
                    }
                }
            }
            return list.read(node, reading)
        })

    private struct Draft {
        var value: Located<String>
        var text: LocalizedText
        var image: String?
        var isOther = false
        var isExclusive = false
        var isMissing = false
    }

    private static let raw = Kind<[Draft]>.list(either, atLeast: 1, noun: "choice")

    private static let either = Kind<Draft>(
        schema: { ["anyOf": [Kind<String>.prose.schema($0), Kind.mapping(shape).schema($0)]] },
        read: { node, reading in
            if case .mapping = node.content { return Kind.mapping(shape).read(node, reading) }
            guard let text = Kind<String>.prose.located.read(node, reading) else { return nil }
            reading.rememberReferences(in: text.value, at: node.range, isFilled: true)
            reading.context.texts.append(
                ReadText(
                    languages: [], range: node.range, reading: reading, plain: text.value, form: .choice))
            return Draft(value: text, text: .plain(text.value))
        })

    private static let shape = Shape<Draft>(
        name: "choice", title: "Choice",
        description: "A value for the result, with the text that the participant reads.",
        fields: .of(value, text, ImageShape.ofChoice, other, exclusive, missing),
        rules: [.atMostOne(["other", "exclusive"])]
    ) { fields in
        let (value, text, image) = (fields[value], fields[text], fields[ImageShape.ofChoice])
        let (isOther, isExclusive, isMissing) = (fields[other], fields[exclusive], fields[missing])
        guard let value, let text else { return nil }
        return Draft(
            value: value, text: text, image: image, isOther: isOther ?? false,
            isExclusive: isExclusive ?? false,
            isMissing: isMissing ?? false)
    }

    private static let value = Field(
        "value", Kind<String>.text(atMost: 200).located, isRequired: true, "Value",
        "The value in the result.",
        example: "walk")
    private static let text = Field(
        "text", .filledText, isRequired: true, "Text", "What the participant reads.", example: "On foot")
    private static let other = Field(
        "other", .boolean, usual: false, "Other",
        "Whether participants who choose it write words of their own, which stand beside the value in the result.",
        example: true)
    private static let exclusive = Field(
        "exclusive", .boolean, usual: false, "Exclusive",
        "Whether nothing else can be chosen with it, as with 'None of these'; only in 'choices'.",
        example: true)
    private static let missing = Field(
        "missing", .boolean, usual: false, "Missing",
        "Whether it says that there is no answer, such as -99 for 'I do not know': the value is kept, and never counts as a number.",
        example: true)
}
