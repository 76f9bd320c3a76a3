/// Mistakes in keys and values.
extension DiagnosticPage {
    static let unknownKey = DiagnosticPage(
        title: "A key means nothing",
        explanation: """
            Keys that the format does not know are errors, since a misspelt key would otherwise be \
            ignored.
            """,
        example: study("- {type: active, identifier: sit, 1️⃣durations: 30 s, duration: 30 s}"),
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let lostText = DiagnosticPage(
        title: "The end of a text is taken for a comment",
        explanation: """
            To YAML a comment begins at every '#' behind a space. Where a letter or a digit follows it at once, it \
            was probably meant as part of the text: `Rest #1` reads `Rest`. This is a warning. Put such a text in \
            quotes; a comment has a space behind its '#'.
            """,
        example: study(
            """
            - type: instruction
              identifier: sit
              title: Rest 1️⃣#1
            """),
        remedy: study(
            """
            - type: instruction
              identifier: sit
              title: "Rest #1"
            """))
    static let misplacedKey = DiagnosticPage(
        title: "A key belongs elsewhere",
        explanation: """
            The key has a meaning, but not for this type of step, recorder or source, or not in this \
            place.
            """,
        example: study("- {type: instruction, identifier: sit, 1️⃣duration: 30 s}"),
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let missingKey = DiagnosticPage(
        title: "A key is missing",
        explanation: """
            The key has no default, so it must be there.
            """,
        example: study("- 1️⃣{type: active, identifier: sit}"),
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let missingValue = DiagnosticPage(
        title: "A value is missing",
        explanation: """
            A key stands without its value. YAML's words for nothing (`null` and `~`) count as none; in \
            quotes they are texts.
            """,
        example: study("- {type: instruction, identifier: sit, title: 1️⃣null}"),
        remedy: study(#"- {type: instruction, identifier: sit, title: "null"}"#))
    static let wrongType = DiagnosticPage(
        title: "A value of the wrong kind",
        explanation: """
            A list, a group of keys, a number, true or false, or a text is expected, and something else \
            is here. A number in quotes is a text.
            """,
        example: study(#"- {type: question, identifier: q, answer: {number: {min: 1️⃣"18"}}}"#),
        remedy: study("- {type: question, identifier: q, answer: {number: {min: 18}}}"))
    static let numberFormat = DiagnosticPage(
        title: "A number is misspelt",
        explanation: """
            Numbers are written in decimal digits, with a point: 0.5, -3, 1e3.
            """,
        example: study("- {type: question, identifier: q, answer: {number: {min: 1️⃣1:30}}}"),
        remedy: study("- {type: question, identifier: q, answer: {number: {min: 0.5}}}"))
    static let durationFormat = DiagnosticPage(
        title: "A duration is misspelt",
        explanation: """
            A duration is a number, one space and a unit: ms, s or min.
            """,
        example: study("- {type: active, identifier: sit, duration: 1️⃣30}"),
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let quantityFormat = DiagnosticPage(
        title: "A level or a band is misspelt",
        explanation: """
            A gain is a number, one space and dB; a band is a number, one space and % or bpm.
            """,
        example: study(
            """
            - type: active
              identifier: sit
              duration: 30 s
              expected: {points: [[0 s, 64], [30 s, 70]], band: 1️⃣ten}
            """),
        remedy: study(
            """
            - type: active
              identifier: sit
              duration: 30 s
              expected: {points: [[0 s, 64], [30 s, 70]], band: 10 %}
            """))
    static let outOfRange = DiagnosticPage(
        title: "A value is out of range",
        explanation: """
            The value is of the right kind, but too small, too large, or does not fit what stands beside \
            it.
            """,
        example: study("- {type: active, identifier: sit, duration: 1️⃣0 s}"),
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
}
