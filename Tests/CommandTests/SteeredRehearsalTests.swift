import StudyTesting
import Testing
import TextFormat

@Suite struct SteeredRehearsalTests {
    private let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: steered, title: {en: Steered, fr: Guidé}, seed: 1}
        tasks:
          - identifier: task
            steps:
              - type: consent
                identifier: agree
                document: {en: Do you agree?, fr: Êtes-vous d'accord ?}
              - type: question
                identifier: age
                title: {en: How old are you?, fr: Quel âge avez-vous ?}
                answer: {number: {min: 0, max: 120, integer: true}}
                goTo: {answer: age, is: lt, value: 18, target: tooYoung}
              - type: question
                identifier: symptoms
                optional: true
                title: {en: Symptoms, fr: Symptômes}
                answer: {choices: [{value: cough, text: {en: Cough, fr: Toux}}, {value: fever, text: {en: Fever, fr: Fièvre}}]}
              - type: instruction
                identifier: rest
                title: {en: Rest, fr: Repos}
                skipIf: [{answer: symptoms, is: eq, value: fever}, {not: {answered: symptoms}}]
              - {type: completion, identifier: thanks, title: {en: Thanks, fr: Merci}}
              - {type: completion, identifier: tooYoung, title: {en: Sorry, fr: Désolé}, reason: screenedOut}
        """

    @Test func `participants answer in turn, and it is said how many took each way`() throws {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write(
            "{age: [17, 18, 40], symptoms: [[cough, fever], ~], agree: [true, true, true, true, false]}",
            "answers.yaml")
        // By hand, for P01 to P06: age 17 18 40 17 18 40; fever none fever none fever none; P05 declines.
        let told = program.run("rehearse study.yaml --participants 6 --answers answers.yaml")
        #expect(told.code == 0, "\(told.errors)")
        #expect(told.output.contains("ended: 3 completed, 1 declined, 2 screenedOut\n"))
        #expect(told.output.contains("  age: goTo 1 to tooYoung  2 participants\n"))
        #expect(told.output.contains("  rest: skipIf 1           1 participant\n"))
        #expect(told.output.contains("  rest: skipIf 2           2 participants\n"))
        let json = try JSON(
            parsing: Array(
                program.run("rehearse study.yaml --participants 6 --answers answers.yaml --format json")
                    .output.utf8))
        #expect(json["ways"]?.list?.map { $0["participants"] } == [2, 1, 2])
        #expect(json["outcomes"]?["screenedOut"] == 2)
    }

    @Test(arguments: [
        ("menu", 1, [2, 2, 1]), ("fixed", 2, [0, 5, 0]), ("latinSquare", 1, nil), ("shuffle", 3, nil),
    ])
    func `participants do the tasks that the study orders, or choose one after the other`(
        next: String, session: Int, counts: [Int]?
    ) throws {
        let tasks = ["a", "b", "c"].map {
            "{identifier: \($0), steps: [{type: question, identifier: q\($0), title: Q, answer: {boolean: {}}}, {type: completion, identifier: end}]}"
        }
        _ = program.write(
            "entrain: 1\nstudy: {identifier: several, title: Several, seed: 1}\nnextTask: \(next)\n"
                + "tasks: [\(tasks.joined(separator: ", "))]\n", "study.yaml")
        _ = program.write("{qa: true, qb: [true, false]}", "answers.yaml")
        let words = "study.yaml --session \(session) --seed 1"
        let told = program.run("rehearse \(words) --participants 5 --format json --answers answers.yaml")
        #expect(told.code == 0, "\(told.errors)")
        let tallies = try told.output.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
        let found = ["a", "b", "c"].map { task in
            tallies.first { $0["task"] == .text(task) }?["participants"]?.integer ?? 0
        }
        if let counts { #expect(found == counts) }
        guard next != "menu" else { return }
        // By the plans of the same participants.
        let plans = try program.run("plan \(words) --participants 5 --format json").output.split(
            separator: "\n"
        )
        .map { try JSON(parsing: Array($0.utf8)) }
        #expect(found == ["a", "b", "c"].map { task in plans.count { $0["task"] == .text(task) } })
        #expect(program.run("rehearse \(words) --task a --participants 5").output.contains("5 participants"))
    }

    @Test func `ways and ends that nobody took are named`() {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write("{age: 40, symptoms: cough}", "answers.yaml")
        let told = program.run("rehearse study.yaml --participants 3 --answers answers.yaml").output
        #expect(told.contains("ended: 3 completed, 0 declined, 0 screenedOut\n"))
        #expect(told.contains("  age: goTo 1 to tooYoung  0 participants\n"))
    }

    @Test func `one participant is told of by code, number and language`() {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write("age: [17, 18, 19]", "answers.yaml")
        let told = program.run(
            "rehearse study.yaml --participant anna --participant-number 3 --language fr --answers answers.yaml"
        )
        #expect(told.output.hasPrefix("steered 1, task task, participant anna, session 1, seed 1\n"))
        #expect(told.output.contains("Quel âge avez-vous ?") && told.output.contains("answers age 19.0"))
        #expect(
            program.run("rehearse study.yaml --participant P02 --answers answers.yaml").output.contains(
                "answers age 18.0"))
        #expect(program.run("rehearse study.yaml --participant P02 --participants 2").code == 64)
        #expect(program.run("rehearse study.yaml --participant-number 2").code == 64)
        #expect(program.run("rehearse study.yaml --language de").code == 64)
    }

    @Test func `bundles of a steered rehearsal hold its answers and language, and verify`() {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write("{age: 31, symptoms: [[]]}", "answers.yaml")
        let wrong = program.run("rehearse study.yaml --participants 2 --answers answers.yaml --out out")
        #expect(wrong.code == 0, "\(wrong.output)")
        let shown = program.run("show out/*").output
        #expect(shown.contains("31"))
        #expect(program.run("verify out/*").code == 0)
    }

    @Test(arguments: [
        ("agge: 3", "did you mean 'age'?"), ("age: [30, old]", "the answer is a number"),
        ("age: 200", "no answer can be 200"), ("age: ~", "the question 'age' cannot be left out"),
        ("age: []", "the list is empty"), ("symptoms: [[cough, cold]]", "no choice has the value 'cold'"),
        ("agree: maybe", "the answer is yes or no"), ("- age", "answers by question is expected here"),
        ("age: [[30, 31]]", "'age' does not take this answer"), ("", "the file is empty"),
    ])
    func `answers that no participant could give are refused with their place`(text: String, words: String) {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write(text, "answers.yaml")
        let told = program.run("rehearse study.yaml --answers answers.yaml")
        #expect(told.code == 65)
        #expect(told.output.contains("answers.yaml:1:") && told.output.contains(words), "\(told.output)")
    }

    @Test func `a rehearsal reacts, whether or not it leaves bundles`() {
        _ = program.write(
            """
            entrain: 1
            study: {identifier: quick, title: Quick, seed: 1}
            tasks:
              - identifier: task
                steps:
                  - type: active
                    identifier: light
                    duration: 60 s
                    reaction: {keys: [j, f], correct: j}
                  - {type: completion, identifier: done, title: Done}
            """, "quick.yaml")
        let told = program.run("rehearse quick.yaml --participants 5")
        #expect(told.code == 0, "\(told.output)\(told.errors)")
        #expect(told.output == program.run("rehearse quick.yaml --participants 5 --out bundles").output)
        #expect(!told.output.contains("duration: 60.0 s to"), "\(told.output)")
    }

    @Test func `answers that are not there end with 69`() {
        _ = program.write(Self.study, "study.yaml")
        #expect(program.run("rehearse study.yaml --answers none.yaml").code == 69)
    }
}
