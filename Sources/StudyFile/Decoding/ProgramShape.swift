import StudyModel
import TextFormat

/// A step that runs another program.
enum ProgramShape {
    static let fields: [FieldDeclaration] = .of(command, duration, answers, values, environment)

    /// The step, and its questions.
    static func read(_ fields: Fields) -> (program: ProgramStep?, questions: [FormShape.Draft]) {
        let (words, length, questions) = (fields[command], fields[duration], fields[answers] ?? [])
        let (told, variables) = (fields[values] ?? [], fields[environment] ?? [])
        fields.reading.rejectDuplicates(questions.map(\.identifier), noun: "question")
        for order in questions.compactMap(\.order) where order.value != .fixed {
            fields.reading.report(
                .misplacedKey, "the program alone shows these choices, so no order is drawn for them",
                at: order.range, help: "leave 'order' out, and let the program decide the order")
        }
        guard let words, let first = words.first, let length else { return (nil, questions) }
        fields.reading.checkProgram(first)
        var program = ProgramStep(
            command: words.map(\.value), duration: length, questions: questions.compactMap(\.question))
        program.values = told.map { ProgramStep.Value(name: $0.key.value, text: $0.value) }
        program.environment = variables.map(\.text)
        return (program, questions)
    }

    private static let command = Field(
        "command", .list(Kind<String>.text(atMost: 1000).located, atLeast: 1, noun: "word"),
        isRequired: true, "Command",
        "The program and its arguments, each a word of the list: a file below the study's folder, written with a '/', or a program along PATH.",
        example: ["python3", "nback.py", "--level", "2"])
    private static let duration = Field(
        "duration", .duration(), isRequired: true, "Longest time",
        "How long the program may run; then it is ended, and the run goes on.", example: "3 min")
    private static let answers = Field(
        "answers", FormShape.questionList, "Answers",
        "What the program may answer, as the questions of a form.",
        example: [["identifier": "hits", "answer": ["number": ["min": 0]]]])
    private static let values = Field(
        "values", .map(.filledWords, noun: "value"), "Values",
        "Values that the program gets when it starts, by name; places such as {answer.name} are filled in.",
        example: ["level": "2"])
    private static let environment = Field(
        "environment", .list(Kind<Identifier>.identifier, noun: "variable"), "Environment",
        "The environment variables that the program gets besides PATH, LANG, LC_ALL and TZ.",
        example: ["DISPLAY"])
}

extension Kind<String> {
    /// A text for programs, whose placeholders are filled in during the run.
    fileprivate static var filledWords: Kind {
        let text = text(atMost: 1000)
        return Kind(schema: text.schema) { node, reading in
            text.read(node, reading).map { words in
                reading.rememberReferences(in: words, at: node.range, isFilled: true)
                return words
            }
        }
    }
}

extension Reading {
    /// Reports a program that does not exist or cannot be started.
    fileprivate func checkProgram(_ name: Located<String>) {
        // If the name stands for a value of the round, the program is looked for when the value is filled in.
        guard FilledRow.name(name.value) == nil else { return }
        if name.value.contains("/"), let problem = context.library.media(name.value) {
            report(problem, path: name.value, at: name.range)
            return
        }
        switch context.library.program(name.value) {
        case nil: return
        case .missing:
            report(
                .missingProgram, "this machine has no program '\(name.value.prefix(64))'", at: name.range,
                help: name.value.contains(".")
                    ? Help(
                        "for a file of the study's folder write './\(name.value)', or install the program on the machine that runs the study"
                    )
                    : "install it on the machine that runs the study, or name one that is there",
                severity: .warning)
        case .notExecutable:
            report(
                .missingProgram, "'\(name.value.prefix(80))' cannot be started as a program", at: name.range,
                help: "make it executable (chmod +x), or name what runs it: [python3, \(name.value)]",
                severity: .warning)
        }
    }
}
