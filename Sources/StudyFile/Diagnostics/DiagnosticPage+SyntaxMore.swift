/// Mistakes in files that are not YAML, or too much of it.
extension DiagnosticPage {
    static let unclosedQuote = DiagnosticPage(
        title: "A quote is not closed",
        explanation: """
            A text in quotes runs up to the next quote of the same kind. Where that is missing, the rest \
            of the file becomes part of the text.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: 1️⃣"Rest}

            """,
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let unclosedBracket = DiagnosticPage(
        title: "A bracket is not closed",
        explanation: """
            Lists in `[ ]` and keys in `{ }` need their closing bracket, and commas between their \
            members.
            """,
        example: """
            entrain: 1
            study: 1️⃣{identifier: rest, title: Rest
            tasks: []

            """,
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let badIndentation = DiagnosticPage(
        title: "The indentation fits nothing",
        explanation: """
            Keys that belong together begin in the same column, and so do the `-` of a list.
            """,
        example: """
            entrain: 1
            study:
                identifier: rest
              1️⃣title: Rest

            """,
        remedy: """
            entrain: 1
            study:
                identifier: rest
                title: Rest
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}

            """)
    static let yamlSyntax = DiagnosticPage(
        title: "This is not YAML",
        explanation: """
            The file breaks the rules of YAML here. Texts that hold `: `, ` #`, brackets, or that begin \
            with a special character need quotes.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            comment: Note1️⃣: piloted in May

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            comment: "Note: piloted in May"
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}

            """)
    static let unknownAnchor = DiagnosticPage(
        title: "An alias stands for nothing",
        explanation: """
            `*name` repeats what was marked with `&name` before it.
            """,
        example: study("- 1️⃣*sit"),
        remedy: study("- &sit {type: active, identifier: sit, duration: 30 s}"))
    static let duplicateKey = DiagnosticPage(
        title: "A key stands twice",
        explanation: """
            Each key stands once in its group; with two, nobody knows which one counts.
            """,
        example: study("- {type: active, identifier: sit, duration: 30 s, 1️⃣duration: 60 s}"),
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let mergeKey = DiagnosticPage(
        title: "`<<` without keys",
        explanation: """
            `<<` brings the keys of another group in; its value is an alias of a group, or a list of \
            such.
            """,
        example: study("- {type: active, identifier: sit, duration: 30 s, <<: 1️⃣30 s}"),
        remedy: study(
            """
            - &sit {type: active, identifier: sit, duration: 30 s}
            - {<<: *sit, identifier: again}
            """))
    static let tag = DiagnosticPage(
        title: "A tag",
        explanation: """
            Tags such as `!!str` have no meaning: every value is read by the key that it stands at.
            """,
        example: study("- {type: active, identifier: sit, duration: 1️⃣!!str 30 s}"),
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let keyKind = DiagnosticPage(
        title: "A key that is no word",
        explanation: """
            A key is a single word, not a list or a group.
            """,
        example: study("- {type: active, identifier: sit, duration: 30 s, ? 1️⃣[a, b] : c}"),
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
}
