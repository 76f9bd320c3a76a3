import StudyModel

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
                        at: choice.value.range, help: "give each choice a value of its own", first: first)
                } else {
                    places[choice.value.value] = choice.value.range
                }
            }
            return choices.map { .init(value: $0.value.value, text: $0.text) }
        })

    private struct Draft {
        var value: Located<String>
        var text: LocalizedText
    }

    private static let raw = Kind<[Draft]>.list(either, atLeast: 1, noun: "choice")

    private static let either = Kind<Draft>(
        schema: { ["anyOf": [Kind<String>.prose.schema($0), Kind.mapping(shape).schema($0)]] },
        read: { node, reading in
            if case .mapping = node.content { return Kind.mapping(shape).read(node, reading) }
            guard let text = Kind<String>.prose.located.read(node, reading) else { return nil }
            return Draft(value: text, text: .plain(text.value))
        })

    private static let shape = Shape<Draft>(
        name: "choice", title: "Choice",
        description: "A value for the result, with the text that the participant reads.",
        fields: .of(value, text)
    ) { fields in
        let (value, text) = (fields[value], fields[text])
        guard let value, let text else { return nil }
        return Draft(value: value, text: text)
    }

    private static let value = Field(
        "value", Kind<String>.text(atMost: 200).located, isRequired: true, "Value",
        "The value in the result.",
        example: "walk")
    private static let text = Field(
        "text", .localizedText, isRequired: true, "Text", "What the participant reads.", example: "On foot")
}
