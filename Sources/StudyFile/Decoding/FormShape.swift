import StudyModel
import TextFormat

/// The questions of a form, and those of a matrix.
enum FormShape {
    /// A question, with the place of its identifier; `question` is `nil` if its format could not be read.
    struct Draft {
        var identifier: Located<Identifier>
        var question: Question?
        /// The right answer, not yet read.
        var right: Node?
        /// The order of its choices, if it is given.
        var order: Located<ItemOrder>?
    }

    static let questions = Field(
        "questions", .list(.mapping(shape), atLeast: 1, noun: "question"), isRequired: true, "Questions",
        "The questions.",
        example: [
            ["identifier": "age", "title": "How old are you?", "answer": ["number": ["unit": "years"]]]
        ])
    static let order = Field(
        "order", .itemOrder, usual: "fixed", "Order",
        "The order of the questions, the same for a participant in every session.", example: "shuffle")

    static let review = Field(
        "review", .boolean, usual: false, "Review",
        "Whether all answers are shown once more before they are sent.", example: true)

    static func read(_ fields: Fields) -> (form: Form, drafts: [Draft]) {
        let (drafts, order, isReviewed) = (fields[questions] ?? [], fields[order], fields[review])
        fields.reading.rejectDuplicates(drafts.map(\.identifier), noun: "question")
        let form = Form(
            drafts.compactMap(\.question), order: order ?? .fixed, isReviewed: isReviewed ?? false)
        return (form, drafts)
    }

    /// A list of questions that is not in a form.
    static var questionList: Kind<[Draft]> { .list(.mapping(shape), noun: "question") }

    private static let shape = Shape<Draft>(
        name: "question", title: "Question", description: "One question of a form.", fields: questionFields,
        decode: readQuestion)

    /// The keys of a question in a list of questions.
    static let questionFields: [FieldDeclaration] = .of(
        identifier, title, text, optional, answer, Field.comment)

    /// - Returns: `nil` if it has no name.
    @Sendable static func readQuestion(_ fields: Fields) -> Draft? {
        let (name, heading, words) = (fields[identifier], fields[title], fields[text])
        let (isOptional, answer) = (fields[optional], fields[answer])
        guard let name else { return nil }
        let question = answer.map {
            Question(
                identifier: name.value, title: heading, text: words, isOptional: isOptional ?? false,
                format: $0.format, invalidMessage: $0.invalidMessage)
        }
        return Draft(identifier: name, question: question, right: answer?.right, order: answer?.order)
    }

    // MARK: A matrix

    static let matrixFields: [FieldDeclaration] = .of(answer, items, order)

    /// A form whose questions share one format; `nil` if that could not be read.
    static func readMatrix(_ fields: Fields) -> (form: Form?, drafts: [Draft]) {
        let (answer, items, order) = (fields[answer], fields[items] ?? [], fields[order])
        fields.reading.rejectDuplicates(items.map(\.identifier), noun: "item")
        fields.reading.checkTexts(
            of: items.map { (Located(value: $0.identifier.value.text, range: $0.identifier.range), $0.title) }
        )
        if let answer, !answer.format.fitsGrid {
            fields.reading.report(
                .conflictingKeys,
                "the items of a matrix cannot share an answer of the kind '\(answer.format.kind.rawValue)'",
                at: fields.place(of: self.answer), help: "use scale, choice or boolean; or make it a form")
        }
        let drafts = items.map { item in
            Draft(
                identifier: item.identifier,
                question: answer.map {
                    Question(
                        identifier: item.identifier.value, title: item.title, isOptional: item.isOptional,
                        format: $0.format, invalidMessage: $0.invalidMessage)
                }, right: answer?.right)
        }
        let form = answer.map { _ in
            Form(drafts.compactMap(\.question), order: order ?? .fixed, isMatrix: true)
        }
        return (form, drafts)
    }

    private struct Item {
        var identifier: Located<Identifier>
        var title: LocalizedText
        var isOptional: Bool
    }

    private static let items = Field(
        "items", .list(.mapping(item), atLeast: 1, noun: "item"), isRequired: true, "Items",
        "What is rated, each with a result of its own.", example: [["identifier": "calm", "title": "Calm"]])
    private static let item = Shape<Item>(
        name: "item", title: "Item", description: "One row of a matrix.",
        fields: .of(identifier, itemTitle, optional, Field.comment)
    ) { fields in
        let (name, title, isOptional) = (fields[identifier], fields[itemTitle], fields[optional])
        guard let name, let title else { return nil }
        return Item(identifier: name, title: title, isOptional: isOptional ?? false)
    }

    private static let identifier = Field(
        "identifier", Kind<Identifier>.identifier.located, isRequired: true, "Identifier",
        "The question's name, unique in its step.", example: "age")
    private static let title = Field(
        "title", .filledText, "Title", "The question itself.", example: "How old are you?")
    private static let itemTitle = Field(
        "title", .filledText, isRequired: true, "Title", "What is rated.", example: "Calm")
    private static let text = Field(
        "text", .filledText, "Text", "More words below the question.", example: "In whole years.")
    private static let optional = Field(
        "optional", .boolean, usual: false, "Optional", "Whether it may be left unanswered.", example: true)
    static let answer = Field(
        "answer", .mapping(AnswerShape.shape), isRequired: true, "Answer", "What an answer looks like.",
        example: ["scale": ["from": 1, "to": 9]])
}

extension AnswerFormat {
    /// Whether its answers can be columns of a grid.
    fileprivate var fitsGrid: Bool {
        kind.traits.fitsGrid && !shownChoices.contains(where: \.isOther)
    }
}
