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
