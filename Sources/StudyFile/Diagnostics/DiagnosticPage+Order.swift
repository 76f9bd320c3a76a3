/// Mistakes in the order of steps and rounds.
extension DiagnosticPage {
    static let unreachableStep = DiagnosticPage(
        title: "No path leads to a step",
        explanation: """
            A rule before the step always leads elsewhere, so the step would never be shown.
            """,
        example: study(
            """
            - {type: instruction, identifier: a, goTo: c}
            - {type: instruction, identifier: 1️⃣b}
            - {type: instruction, identifier: c}
            """),
        remedy: study(
            """
            - {type: instruction, identifier: a}
            - {type: instruction, identifier: b}
            - {type: instruction, identifier: c}
            """))
    static let unreachableRule = DiagnosticPage(
        title: "A rule is never asked",
        explanation: """
            Rules are asked in order and the first that holds decides; one without condition always \
            holds.
            """,
        example: study(
            """
            - {type: question, identifier: a, answer: {boolean: {}}, goTo: [{target: end}, {answer: a, is: eq, value: true, target: 1️⃣b}]}
            - {type: instruction, identifier: b}
            """),
        remedy: study(
            """
            - {type: question, identifier: a, answer: {boolean: {}}, goTo: [{answer: a, is: eq, value: true, target: b}, {target: end}]}
            - {type: instruction, identifier: b, skipIf: {answer: a, is: eq, value: false}}
            """))
    static let endlessNavigation = DiagnosticPage(
        title: "A loop could go on for ever",
        explanation: """
            A rule leads back to a step that says nothing about how often it may be visited. \
            `maximumVisits` ends the loop.
            """,
        example: study(
            """
            - {type: instruction, identifier: a}
            - {type: question, identifier: again, answer: {boolean: {}}, goTo: {answer: again, is: eq, value: true, target: 1️⃣a}}
            """),
        remedy: study(
            """
            - {type: instruction, identifier: a, maximumVisits: 3}
            - {type: question, identifier: again, answer: {boolean: {}}, maximumVisits: 3, goTo: {answer: again, is: eq, value: true, target: a}}
            """))
    static let conditionValue = DiagnosticPage(
        title: "A condition compares unlike things",
        explanation: """
            The value must be one that the question's answers can have, and the comparison one that \
            these answers allow.
            """,
        example: study(
            """
            - {type: question, identifier: q, answer: {scale: {from: 1, to: 9}}, goTo: {answer: q, is: lt, value: 1️⃣low, target: end}}
            """),
        remedy: study(
            """
            - {type: question, identifier: q, answer: {scale: {from: 1, to: 9}}, goTo: {answer: q, is: lt, value: 3, target: end}}
            """))
    static let completionNotLast = DiagnosticPage(
        title: "A task does not end with its completion step",
        explanation: """
            Every task ends with one completion step, where the participant reads that all is done.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            tasks:
              - identifier: Rest
                steps:
                  - {type: instruction, identifier: 1️⃣a}

            """,
        remedy: study("- {type: instruction, identifier: a}"))
    static let nestedBlock = DiagnosticPage(
        title: "A block within a block",
        explanation: """
            Blocks hold single steps, not blocks.
            """,
        example: study(
            """
            - type: block
              identifier: outer
              repeat: 2
              steps: [{type: 1️⃣block, identifier: inner}]
            """),
        remedy: study(
            """
            - type: block
              identifier: outer
              repeat: 2
              steps: [{type: instruction, identifier: inner}]
            """))
    static let spanOrder = DiagnosticPage(
        title: "A recorder ends before it begins",
        explanation: """
            A recorder over several steps runs from the start of `from` to the end of `to`.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            tasks:
              - identifier: Rest
                recorders: [{type: heartRate, identifier: h, from: b, to: 1️⃣a}]
                steps:
                  - {type: instruction, identifier: a}
                  - {type: instruction, identifier: b}
                  - {type: completion, identifier: end}

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            tasks:
              - identifier: Rest
                recorders: [{type: heartRate, identifier: h, from: a, to: b}]
                steps:
                  - {type: instruction, identifier: a}
                  - {type: instruction, identifier: b}
                  - {type: completion, identifier: end}

            """)
    static let noValidOrder = DiagnosticPage(
        title: "No order keeps the constraints",
        explanation: """
            The constraints exclude every order of the pool, so nobody could be given one.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml, pool: [chill_1, chill_1, chill_1, dark_1]}}
            tasks:
              - identifier: Rest
                steps:
                  - type: block
                    identifier: b
                    forEach: clips
                    order: 1️⃣{draw: shuffle, noImmediateRepeat: id}
                    steps: [{type: instruction, identifier: a}]
                  - {type: completion, identifier: end}

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml, pool: [chill_1, chill_1, dark_1]}}
            tasks:
              - identifier: Rest
                steps:
                  - type: block
                    identifier: b
                    forEach: clips
                    order: {draw: shuffle, noImmediateRepeat: id}
                    steps: [{type: instruction, identifier: a}]
                  - {type: completion, identifier: end}

            """)
    static let orderTooLarge = DiagnosticPage(
        title: "Too many orders to count",
        explanation: """
            An order is drawn uniformly among all that keep the constraints, which needs counting them; \
            more than ten million states are refused.
            """,
        example: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml, pool: [chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_1, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, chill_2, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_1, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, dark_2, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, happy_1, light_1, light_1, light_1, light_1, light_1, light_1, light_1, light_1, light_1, light_1, light_1, light_1, light_1, light_1, light_1, light_1, light_1, light_1, light_1, light_1]}}
            tasks:
              - identifier: Rest
                steps:
                  - type: block
                    identifier: b
                    forEach: clips
                    order: 1️⃣{draw: shuffle, minimumDistance: {of: id, steps: 40}}
                    steps: [{type: instruction, identifier: a}]
                  - {type: completion, identifier: end}

            """,
        remedy: """
            entrain: 1
            study: {identifier: rest, title: Rest}
            stimuli: {clips: {catalogue: clips.yaml, pool: [chill_1, chill_1, dark_1]}}
            tasks:
              - identifier: Rest
                steps:
                  - type: block
                    identifier: b
                    forEach: clips
                    order: {draw: shuffle, noImmediateRepeat: id}
                    steps: [{type: instruction, identifier: a}]
                  - {type: completion, identifier: end}

            """)
}
