import StudyModel

/// The questions of a form.
enum FormShape {
    /// A question with the place of its identifier; `question` is `nil` where its format could not be read.
    struct Draft {
        var identifier: Located<Identifier>
        var question: Question?
    }

    static let questions = Field(
        "questions", .list(.mapping(shape), atLeast: 1, noun: "question"), isRequired: true, "Questions",
        "The questions, in order.",
        example: [
            ["identifier": "age", "title": "How old are you?", "answer": ["number": ["unit": "years"]]]
        ])

    static let review = Field(
        "review", .boolean, usual: false, "Review",
        "Whether all answers are shown once more before they are sent.", example: true)

    static func read(_ fields: Fields) -> [Draft] {
        guard let drafts = fields[questions] else { return [] }
        fields.reading.rejectDuplicates(drafts.map(\.identifier), noun: "question")
        return drafts
    }

    private static let shape = Shape<Draft>(
        name: "question", title: "Question", description: "One question of a form.",
        fields: .of(identifier, title, text, optional, answer, Field.comment)
    ) { fields in
        let (name, heading, words) = (fields[identifier], fields[title], fields[text])
        let (isOptional, format) = (fields[optional], fields[answer])
        guard let name else { return nil }
        let question = format.map {
            Question(
                identifier: name.value, title: heading, text: words, isOptional: isOptional ?? false,
                format: $0)
        }
        return Draft(identifier: name, question: question)
    }

    private static let identifier = Field(
        "identifier", Kind<Identifier>.identifier.located, isRequired: true, "Identifier",
        "The question's name, unique in its form.", example: "age")
    private static let title = Field(
        "title", .localizedText, "Title", "The question itself.", example: "How old are you?")
    private static let text = Field(
        "text", .localizedText, "Text", "More words below the question.", example: "In whole years.")
    private static let optional = Field(
        "optional", .boolean, usual: false, "Optional", "Whether it may be left unanswered.", example: true)
    private static let answer = Field(
        "answer", .mapping(AnswerShape.shape), isRequired: true, "Answer", "What an answer looks like.",
        example: ["number": ["unit": "years"]])
}
