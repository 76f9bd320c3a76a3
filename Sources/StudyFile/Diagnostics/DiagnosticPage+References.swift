/// Mistakes in names of other things.
extension DiagnosticPage {
    static let unknownSet = DiagnosticPage(
        title: "There is no such stimulus set",
        explanation: """
            The sets of a study are the keys under `stimuli`.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s, stimulus: {from: 1️⃣clipz, draw: random}}
                  - {type: completion, identifier: end}

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s, stimulus: {from: clips, draw: random}}
                  - {type: completion, identifier: end}

            """)
    static let unknownClip = DiagnosticPage(
        title: "There is no such clip",
        explanation: """
            The clip is in no catalogue of the study.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml, pool: [1️⃣chil_1]}}
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
    static let unknownSource = DiagnosticPage(
        title: "There is no such source",
        explanation: """
            The sources of a study are the keys under `sources`.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            sources: {strap: {type: simulated}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s, recorders: [{type: heartRate, identifier: h, source: 1️⃣strop}]}
                  - {type: completion, identifier: end}

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            sources: {strap: {type: simulated}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s, recorders: [{type: heartRate, identifier: h, source: strap}]}
                  - {type: completion, identifier: end}

            """)
    static let noWaveform = DiagnosticPage(
        title: "This source has no pulse waveform",
        explanation: """
            A recorder of type `pulseWaveform` keeps what a camera sees of a fingertip, picture by picture. Only a
            source of type `camera` sees that; `simulated` makes one up.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            sources: {strap: {type: replay, file: rest.csv}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s, recorders: [{type: pulseWaveform, identifier: p, source: 1️⃣strap}]}
                  - {type: completion, identifier: end}

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            sources: {finger: {type: camera, device: /dev/video0}}
            tasks:
              - identifier: Rest
                steps:
                  - {type: active, identifier: sit, duration: 30 s, recorders: [{type: pulseWaveform, identifier: p, source: finger}]}
                  - {type: completion, identifier: end}

            """)
    static let unknownTarget = DiagnosticPage(
        title: "There is no such step to go to",
        explanation: """
            Rules lead to steps of the task's own list (not into blocks), or to `end`.
            """,
        example: study("- {type: active, identifier: sit, duration: 30 s, goTo: 1️⃣ende}"),
        remedy: study("- {type: active, identifier: sit, duration: 30 s, goTo: end}"))
    static let unknownQuestion = DiagnosticPage(
        title: "There is no such question",
        explanation: """
            Conditions look at the answers of question steps and of the questions of forms, by their \
            identifiers.
            """,
        example: study(
            """
            - {type: question, identifier: mood, answer: {boolean: {}}}
            - {type: instruction, identifier: a, skipIf: {answer: 1️⃣moot, is: eq, value: true}}
            """),
        remedy: study(
            """
            - {type: question, identifier: mood, answer: {boolean: {}}}
            - {type: instruction, identifier: a, skipIf: {answer: mood, is: eq, value: true}}
            """))
    static let unknownStep = DiagnosticPage(
        title: "There is no such step",
        explanation: """
            The name must be that of a step of the same task.
            """,
        example: study(
            """
            - {type: instruction, identifier: a, skipIf: {heartRate: 1️⃣sitt, is: gt, value: 90}}
            - {type: active, identifier: sit, duration: 30 s, recorders: [{type: heartRate, identifier: heartRate}]}
            """),
        remedy: study(
            """
            - {type: instruction, identifier: a, skipIf: {heartRate: sit, is: gt, value: 90}}
            - {type: active, identifier: sit, duration: 30 s, recorders: [{type: heartRate, identifier: heartRate}]}
            """))
    static let unknownAttribute = DiagnosticPage(
        title: "A clip lacks what the order compares",
        explanation: """
            A constraint on an order compares `id` or a key of the catalogue that every clip of the pool \
            has.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml}}
            tasks:
              - identifier: Rest
                steps:
                  - type: block
                    identifier: b
                    forEach: clips
                    order: {draw: shuffle, noImmediateRepeat: 1️⃣moot}
                    steps: [{type: instruction, identifier: a}]
                  - {type: completion, identifier: end}

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml}}
            tasks:
              - identifier: Rest
                steps:
                  - type: block
                    identifier: b
                    forEach: clips
                    order: {draw: shuffle, noImmediateRepeat: mood}
                    steps: [{type: instruction, identifier: a}]
                  - {type: completion, identifier: end}

            """)
}
