/// Mistakes in what rules look at.
extension DiagnosticPage {
    static let ambiguousQuestion = DiagnosticPage(
        title: "A rule looks at several questions",
        explanation: """
            A rule looks at the last answer to a question. Questions that share a name must then have the same kind \
            of answer.
            """,
        example: study(
            """
            - {type: form, identifier: before, questions: [{identifier: mood, answer: {boolean: {}}}]}
            - {type: form, identifier: after, questions: [{identifier: mood, answer: {text: {}}}]}
            - {type: instruction, identifier: a, skipIf: {answer: 1️⃣mood, is: eq, value: true}}
            """),
        remedy: study(
            """
            - {type: form, identifier: before, questions: [{identifier: mood, answer: {boolean: {}}}]}
            - {type: form, identifier: after, questions: [{identifier: words, answer: {text: {}}}]}
            - {type: instruction, identifier: a, skipIf: {answer: mood, is: eq, value: true}}
            """))
    static let noRecorder = DiagnosticPage(
        title: "A rule looks at what is not recorded",
        explanation: """
            A rule about a heart rate or a sound level needs a recorder that runs in the step it looks at: one of \
            that step, of the block around it, or of the task. Heart rates come from the source `heartRate`. Without \
            a recorder nobody could tell afterwards why the run went where it went.
            """,
        example: study(
            """
            - {type: active, identifier: sit, duration: 30 s}
            - {type: instruction, identifier: a, skipIf: {heartRate: 1️⃣sit, is: gt, value: 90}}
            """),
        remedy: study(
            """
            - {type: active, identifier: sit, duration: 30 s, recorders: [{type: heartRate, identifier: heartRate}]}
            - {type: instruction, identifier: a, skipIf: {heartRate: sit, is: gt, value: 90}}
            """))
}
