/// Mistakes in keys and values.
extension DiagnosticPage {
    static let unknownType = DiagnosticPage(
        title: "There is no such type",
        explanation: """
            The word at `type` says what the rest of the keys mean, so it must be one of the format's.
            """,
        example: study("- {type: 1️⃣instuction, identifier: a}"),
        remedy: study("- {type: instruction, identifier: a}"))
    static let unknownWord = DiagnosticPage(
        title: "A word means nothing here",
        explanation: """
            The key takes one of a few words.
            """,
        example: study("- {type: active, identifier: sit, duration: 30 s, timer: {start: 1️⃣automatc}}"),
        remedy: study("- {type: active, identifier: sit, duration: 30 s, timer: {start: automatic}}"))
    static let identifierFormat = DiagnosticPage(
        title: "An identifier holds other characters",
        explanation: """
            Identifiers stand in file names and column names, so they are 1 to 64 of the characters A-Z \
            a-z 0-9 . _ -
            """,
        example: study("- {type: instruction, identifier: 1️⃣sit down}"),
        remedy: study("- {type: instruction, identifier: sit-down}"))
    static let duplicateIdentifier = DiagnosticPage(
        title: "An identifier stands twice",
        explanation: """
            Steps of a task (those within blocks included), recorders of a step, questions of a form, \
            tasks, and clips of a catalogue each need names of their own.
            """,
        example: study(
            """
            - {type: active, identifier: sit, duration: 30 s}
            - {type: instruction, identifier: 1️⃣sit}
            """),
        remedy: study(
            """
            - {type: active, identifier: sit, duration: 30 s}
            - {type: instruction, identifier: stand}
            """))
    static let notYetSupported = DiagnosticPage(
        title: "The format has it, this version does not",
        explanation: """
            The word belongs to the format, but this version of the program cannot act on it. It is \
            refused rather than ignored.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            1️⃣allocation: {arms: {music: 1, silence: 1}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}

            """,
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let unknownVersion = DiagnosticPage(
        title: "The version of the format is unknown",
        explanation: """
            `entrain: 1` says which version of the format the file follows. This program understands \
            version 1.
            """,
        example: """
            entrain: 1️⃣2
            study: {identifier: rest, title: Rest}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}

            """,
        remedy: study("- {type: active, identifier: sit, duration: 30 s}"))
    static let conflictingKeys = DiagnosticPage(
        title: "Keys exclude each other",
        explanation: """
            The keys say different things about the same matter, or one has a meaning only with another.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s, stimulus: {from: clips, draw: random, 1️⃣play: chill_1}}
                  - {type: completion, identifier: end}

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s, stimulus: {play: chill_1}}
                  - {type: completion, identifier: end}

            """)
    static let emptyList = DiagnosticPage(
        title: "A list is too short",
        explanation: """
            The list needs at least so many members.
            """,
        example: study("- {type: form, identifier: f, questions: 1️⃣[]}"),
        remedy: study(
            """
            - {type: form, identifier: f, questions: [{identifier: age, answer: {number: {unit: years}}}]}
            """))
    static let patternFormat = DiagnosticPage(
        title: "A pattern is no regular expression",
        explanation: """
            Patterns are POSIX extended regular expressions of at most 200 characters, without \
            references back.
            """,
        example: study("- {type: question, identifier: q, answer: {text: {pattern: 1️⃣'[A-Z'}}}"),
        remedy: study("- {type: question, identifier: q, answer: {text: {pattern: '[A-Z]'}}}"))
    static let addressFormat = DiagnosticPage(
        title: "An address is none",
        explanation: """
            Servers are named by an address that begins with http:// or https://, Bluetooth devices by six \
            pairs of digits and letters.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            sources: {strap: {type: poll, url: 1️⃣localhost/heart}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            sources: {strap: {type: poll, url: "http://localhost/heart"}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}

            """)
}
