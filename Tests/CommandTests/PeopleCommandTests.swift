import StudyTesting
import Testing

/// People at pseudo-terminals, who run the program itself.
@Suite struct PeopleCommandTests {
    private let program = Program()
    private static let kinds = """
        entrain: 1
        study: {identifier: kinds, title: Kinds, seed: 1}
        tasks:
          - identifier: task
            steps:
              - {type: instruction, identifier: hello, title: Welcome, text: Please read this.}
              - {type: question, identifier: calm, title: How calm are you?, answer: {scale: {from: 1, to: 9, fromLabel: not at all, toLabel: very}}}
              - {type: question, identifier: loud, title: How loud was it?, answer: {continuous: {from: 0, to: 10, decimals: 1, showNumber: false}}}
              - {type: question, identifier: taste, title: Which taste?, answer: {choice: [{value: sweet, text: It is sweet}, {value: else, text: Another one, other: true}]}}
              - {type: question, identifier: tastes, title: Which tastes?, answer: {choices: [{value: sweet, text: It is sweet}, {value: sour, text: It is sour}]}}
              - {type: question, identifier: sings, title: Do you sing?, answer: {boolean: {}}}
              - {type: question, identifier: weight, title: How heavy are you?, answer: {number: {unit: kg, min: 20, max: 300}}}
              - {type: question, identifier: lines, title: What else?, answer: {text: {multipleLines: true}}}
              - {type: question, identifier: born, title: When were you born?, answer: {date: {}}}
              - {type: question, identifier: bed, title: When do you go to bed?, answer: {timeOfDay: {}}}
              - type: form
                identifier: moods
                title: Your mood
                questions:
                  - {identifier: tense, title: Tense, answer: {scale: {from: 1, to: 5}}}
                  - {identifier: glad, title: Glad, answer: {scale: {from: 1, to: 5}}}
              - {type: completion, identifier: end, title: Thank you}

        """

    @Test(arguments: ["old", "fast", "nervous", "blind"])
    func `a person answers questions of each kind, and all are stored as they were meant`(person: String) {
        let study = program.write(Self.kinds, "kinds.yaml")
        let outcome = program.run("people \(study) --only \(person)")
        #expect(outcome.code == 0, "\(outcome.output)")
        #expect(outcome.output.hasPrefix("1 session, 11 answers, "))
        #expect(
            outcome.output.hasSuffix(
                " screens, seed 1: nothing was lost, not seen, not translated, cut off or impossible.\n"))
    }

    @Test func `a foreign person finds the text that has no translation`() {
        let study = program.write(
            """
            entrain: 1
            study: {identifier: two, title: {en: Two, de: Zwei}, seed: 1}
            tasks:
              - identifier: task
                steps:
                  - {type: instruction, identifier: hello, title: {en: Welcome, de: Willkommen}, text: Please read this.}
                  - {type: completion, identifier: end, title: {en: Thank you, de: Danke sehr}}

            """, "two.yaml")
        let outcome = program.run("people \(study) --only foreign", environment: "LC_ALL=C.UTF-8")
        #expect(outcome.code == 65)
        #expect(
            outcome.output.hasPrefix(
                "not translated: \(study), foreign, 40×12, de, step hello: Please read this.\n┌──"
            ))
    }

    @Test func `an answer that nobody can give is told with its screen`() {
        let study = program.write(
            Self.kinds.replacing(
                "title: What else?, answer: {text: {multipleLines: true}}",
                with: "title: What else?, answer: {text: {pattern: '(ab){2}x'}}"),
            "kinds.yaml")
        let outcome = program.run("people \(study) --only blind", environment: "LC_ALL=C")
        #expect(outcome.code == 65)
        #expect(
            outcome.output.contains(
                "impossible: \(study), blind, 80×24, step lines, question lines: no person knows a text that fits the pattern\n+-"
            ))
        #expect(outcome.output.contains("\n| Type your answer."))
    }

    @Test func `a rehearsal can end with an old person`() {
        let study = program.write(Self.kinds, "kinds.yaml")
        let outcome = program.run("rehearse \(study) --out rehearsed --people")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("\n1 session, 11 answers, "))
        #expect(program.run("rehearse \(study) --people").code == 64)
    }

    @Test(arguments: ["--only somebody", "--speed 0"])
    func `says who there is, and how fast time may go`(option: String) {
        let outcome = program.run("people study.yaml \(option)")
        #expect(outcome.code == 64)
        #expect(
            outcome.errors.contains("nervous, old, fast, blind, foreign")
                || outcome.errors.contains("1 to 1000"))
    }
}
