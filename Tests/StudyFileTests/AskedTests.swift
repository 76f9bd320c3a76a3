import StudyFile
import StudyModel
import StudyTesting
import Testing

/// What a step asks is known everywhere, whoever shows it.
@Suite struct AskedTests {
    @Test(arguments: ["shuffle", "reverse"])
    func `no order is drawn for choices that only a program shows`(order: String) {
        let answers = "[{identifier: pick, answer: {choice: [a, b], order: 1️⃣\(order)}}]"
        let steps = "- {type: program, identifier: p, command: [game], duration: 5 s, answers: \(answers)}"
        expectDiagnostics(study(steps), ["1️⃣": "misplaced-key"], library: .sample)
        #expect(parse(study(steps.replacing("1️⃣\(order)", with: "fixed"))).diagnostics.isEmpty)
    }

    private static let asking = """
        - type: active
          identifier: ride
          duration: 30 s
          prompts:
            - {identifier: effort, first: 5 s, every: 10 s, answer: {scale: {from: 0, to: 10}}}
            - {identifier: words, first: 7 s, answer: {choice: [good, bad]}}
        - {type: active, identifier: press, duration: 5 s, reaction: {keys: [1, 2]}}
        - {type: program, identifier: game, command: [game], duration: 5 s, answers: [{identifier: hits, answer: {number: {}}}]}
        """

    @Test(arguments: ["effort", "ride.effort", "press", "hits", "game.hits"])
    func `each number that is asked for may be an outcome`(name: String) {
        let parsed = parse(study(Self.asking, head: "outcomes: {primary: {measure: answer, of: \(name)}}"))
        #expect(parsed.diagnostics.isEmpty, "\(parsed.diagnostics.rendered(isColoured: false))")
        #expect(parsed.study?.outcomes.map(\.subject.name) == [name])
    }

    @Test(arguments: ["words", "ride.words"])
    func `what is no number may not`(name: String) {
        expectDiagnostics(
            study(Self.asking, head: "outcomes: {primary: {measure: answer, of: 1️⃣\(name)}}"),
            ["1️⃣": name == "words" ? "outcome-subject" : "unknown-question"], library: .sample)
    }
}
