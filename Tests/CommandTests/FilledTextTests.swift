import StudyTesting
import Testing

@Suite struct FilledTextTests {
    private let program = Program()

    private static func study(_ steps: String) -> String {
        """
        entrain: 1
        study: {identifier: filled, title: {en: Filled, de: Gefüllt}, seed: 1}
        tasks:
          - identifier: task
            scores: {tension: {sum: [calm], levels: {1: low, 5: high}}}
            steps:
              - {type: question, identifier: calm, optional: true, title: {en: Calm, de: Ruhig}, answer: {scale: {from: 1, to: 9}}}
              - type: question
                identifier: music
                title: {en: Music, de: Musik}
                answer: {choice: [{value: fast, text: {en: Fast music, de: Schnelle Musik}}, {value: slow, text: {en: Slow music, de: Langsame Musik}}]}
        \(steps)
              - {type: completion, identifier: thanks, title: {en: Thanks, de: Danke}}
        """
    }

    private static let told = """
              - type: instruction
                identifier: hello
                title: {en: "{answer.music}; {score.tension} is {score.tension.level}; {other.x} {}", de: "{answer.music}; {answer.calm}"}
        """

    @Test func `texts say what was answered, in the participant's language`() {
        _ = program.write(Self.study(Self.told), "study.yaml")
        _ = program.write("{calm: [7, ~], music: fast}", "answers.yaml")
        let english = program.run("rehearse study.yaml --participant P01 --answers answers.yaml").output
        #expect(english.contains("show hello: Fast music; 7 is high; {other.x} {}\n"), "\(english)")
        let german = program.run("rehearse study.yaml --participant P02 --language de --answers answers.yaml")
            .output
        #expect(german.contains("show hello: Schnelle Musik; (keine Antwort)\n"), "\(german)")
        let shown = program.run("run study.yaml --participant P01 --auto --speed max --out out").output
        #expect(shown.contains(" music; ") && !shown.contains("{answer"), "\(shown)")
        #expect(program.run("verify out/*").code == 0)
    }

    @Test(arguments: [
        ("{answer.musik}", "did you mean 'music'?"), ("{answer.later}", "'later' is only answered later"),
        ("{answer.hello}", "'hello' is only answered later"), ("{score.tenson}", "did you mean 'tension'?"),
        ("{clip.title}", "the study has no clips"),
    ])
    func `places that nothing can fill in are found on their line`(place: String, words: String) {
        let steps = """
                  - {type: question, identifier: hello, title: {en: "\(place)", de: x}, answer: {text: {}}}
                  - {type: question, identifier: later, title: {en: Later, de: Später}, answer: {text: {}}}
            """
        _ = program.write(Self.study(steps), "study.yaml")
        let told = program.run("check study.yaml")
        #expect(told.code == 65)
        #expect(told.output.contains("study.yaml:12:") && told.output.contains(words), "\(told.output)")
        // The name stands somewhere within the text: a change of the whole text would be wrong.
        #expect(!program.run("check study.yaml --format json").output.contains("\"fix\""))
    }

    @Test func `choices, cues and documents say what was answered`() {
        let steps = """
                  - {type: active, identifier: rest, duration: 5 s, cues: [{at: start, say: {en: "Now {answer.music}", de: x}}]}
                  - {type: question, identifier: again, title: {en: Again, de: Nochmal}, answer: {choice: [{value: same, text: {en: "{answer.music} again", de: x}}, {value: none, text: {en: Nothing, de: Nichts}}]}}
                  - {type: consent, identifier: consent, document: {en: consent.md, de: consent.md}}
                  - {type: instruction, identifier: told, title: {en: "You said {answer.again}", de: x}}
            """
        _ = program.write(Self.study(steps), "study.yaml")
        _ = program.write("# Agreement\n\nYou chose {answer.music}.\n", "consent.md")
        #expect(program.run("check study.yaml").code == 0)
        let keys = program.write("3\n1\n1\n1\n\n\n", "keys")
        let shown = program.run(
            "run study.yaml --participant P01 --plain --speed 100 --audio none --out out", input: keys)
        #expect(shown.code == 0, "\(shown.errors)")
        for words in ["Now Fast music", "Fast music again", "You chose Fast music."] {
            #expect(shown.output.contains(words), "\(words): \(shown.output)")
        }
        #expect(shown.output.contains("You said fast again"), "a choice within a choice stands by its value")
        #expect(program.run("verify out/*").code == 0)
        _ = program.write("You chose {answer.musik}.\n", "consent.md")
        #expect(program.run("check study.yaml").output.contains("did you mean 'music'?"))
    }

    @Test func `nothing is filled in where a text is the same in each run`() {
        let steps = """
                  - {type: active, identifier: rest, duration: 5 s, expected: {points: [[0 s, 60], [5 s, 60]]}}
                  - {type: question, identifier: q, title: {en: a, de: b}, answer: {boolean: {yes: {en: "{answer.music}", de: x}, no: {en: No, de: Nein}}}}
            """
        _ = program.write(Self.study(steps), "study.yaml")
        let told = program.run("check study.yaml")
        #expect(told.code == 65 && told.output.contains("nothing is filled in here"), "\(told.output)")
    }
}
