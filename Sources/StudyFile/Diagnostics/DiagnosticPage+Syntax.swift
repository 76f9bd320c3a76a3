/// Mistakes in files that are not YAML, or too much of it.
extension DiagnosticPage {
    static let notUTF8 = DiagnosticPage(
        title: "The file is not UTF-8",
        explanation: """
            Study files are UTF-8 text. Some editors still save in an older encoding, in which letters \
            beyond ASCII are other bytes.
            """,
        example: nil,
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let controlCharacter = DiagnosticPage(
        title: "A control character in a text",
        explanation: """
            Control characters could steer the participant's terminal, and directional marks could hide \
            words. No text may hold them; line breaks and tabs are welcome.
            """,
        example: study(#"- {type: instruction, identifier: a, title: 1️⃣"Ring \a the bell"}"#),
        remedy: study("- {type: instruction, identifier: a, title: Ring the bell}"))
    static let fileTooLarge = DiagnosticPage(
        title: "The file is too large",
        explanation: """
            A study file has at most 1 MiB, so that a broken or hostile one cannot exhaust the machine.
            """,
        example: nil,
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let tooDeep = DiagnosticPage(
        title: "Lists and keys are nested too deeply",
        explanation: """
            At most 64 levels of lists and keys may stand within each other.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            tasks: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1️⃣[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]

            """,
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let tooManyNodes = DiagnosticPage(
        title: "The file has too many values",
        explanation: """
            A file has at most 10,000 keys, values and lists, where every alias counts as much as what \
            it stands for.
            """,
        example: nil,
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let tooManyAnchors = DiagnosticPage(
        title: "The file has too many anchors",
        explanation: """
            A file has at most 1,000 anchors (`&name`).
            """,
        example: nil,
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let emptyFile = DiagnosticPage(
        title: "The file is empty",
        explanation: """
            A study needs at least `entrain`, `study` and `tasks`. A document that a study names must \
            not be empty either.
            """,
        example: """
            1️⃣# nothing yet

            """,
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let severalDocuments = DiagnosticPage(
        title: "The file holds several documents",
        explanation: """
            One file is one study; a line `---` begins another YAML document.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}
            1️⃣---
            entrain: 1

            """,
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let tabIndentation = DiagnosticPage(
        title: "A tab indents a line",
        explanation: """
            YAML allows only spaces at the beginning of a line.
            """,
        example: """
            entrain: 1
            study:
            1️⃣\tidentifier: rest

            """,
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
}
