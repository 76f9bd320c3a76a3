/// Mistakes in names of other things.
extension DiagnosticPage {
    static let unknownLanguage = DiagnosticPage(
        title: "There is no such language",
        explanation: """
            A text for several languages has tags of ISO 639-1 as keys, with a region where wanted: en, \
            fr, pt-BR.
            """,
        example: study("- {type: instruction, identifier: a, title: {1️⃣english: Hello}}"),
        remedy: study("- {type: instruction, identifier: a, title: {en: Hello}}"))
    static let missingTranslation = DiagnosticPage(
        title: "A translation is missing",
        explanation: """
            A text that is translated at all must be given in every language that the study uses \
            anywhere.
            """,
        example: study(
            """
            - {type: instruction, identifier: a, title: {en: Hello, fr: Bonjour}, text: 1️⃣{en: Read this.}}
            """),
        remedy: study(
            """
            - {type: instruction, identifier: a, title: {en: Hello, fr: Bonjour}, text: {en: Read this., fr: Lisez ceci.}}
            """))
    static let missingFile = DiagnosticPage(
        title: "A file is missing",
        explanation: """
            There is no file of that name. Paths are relative to the file that they stand in.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: 1️⃣gone.yaml}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}

            """)
    static let outsideLibrary = DiagnosticPage(
        title: "A path leaves the study's library",
        explanation: """
            Paths are relative and stay within the study's folder, or within the folder above it where \
            that has a folder `Media`. So a study can be moved and shared, and cannot read other files.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: 1️⃣/etc/clips.yaml}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}

            """)
    static let unreadableFile = DiagnosticPage(
        title: "A file cannot be read",
        explanation: """
            The name is that of a folder or a device, the file is too large, or the system refuses it.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: 1️⃣folder}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}

            """)
    static let emptyPool = DiagnosticPage(
        title: "A pool is empty",
        explanation: """
            A stimulus set needs at least one clip to draw.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml, pool: 1️⃣[]}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml, pool: [chill_1]}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s}
                  - {type: completion, identifier: end}

            """)
    static let weightsMismatch = DiagnosticPage(
        title: "Weights do not fit the pool",
        explanation: """
            `weights` names each clip of the pool with its weight, and no other; not all are 0.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml, pool: [chill_1, dark_1]}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s, stimulus: {from: clips, draw: weighted, weights: 1️⃣{chill_1: 1}}}
                  - {type: completion, identifier: end}

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml, pool: [chill_1, dark_1]}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s, stimulus: {from: clips, draw: weighted, weights: {chill_1: 1, dark_1: 2}}}
                  - {type: completion, identifier: end}

            """)
}
