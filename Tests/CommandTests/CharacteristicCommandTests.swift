import StudyTesting
import Testing
import TextFormat

/// Who took part: the answers before anything is timed, and how a page came about.
@Suite struct CharacteristicCommandTests {
    private let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: who, title: Who, seed: 7}
        sources: {heartRate: {type: simulated}}
        outcomes: {primary: {measure: heartRate, of: listen}}
        arms: [music, quiet]
        tasks:
          - identifier: Task
            steps:
              - type: form
                identifier: person
                questions:
                  - {identifier: age, title: Age, answer: {number: {min: 18, max: 99}}}
                  - {identifier: sex, title: Sex, answer: {choice: [female, male, other]}}
                  - {identifier: plays, title: Instruments, answer: {choices: [piano, violin, none]}}
                  - {identifier: trained, title: Trained, answer: {boolean: {}}}
                  - {identifier: name, title: First music teacher, answer: {text: {maximumLength: 80}}}
              - {type: active, identifier: listen, duration: 20 s, recorders: [{type: heartRate, identifier: heartRate}]}
              - {type: form, identifier: after, questions: [{identifier: mood, answer: {scale: {from: 1, to: 9}}}]}
              - {type: completion, identifier: end}

        """

    private static let answers = """
        age: [20, 30, 40]
        sex: [female, male]
        plays: [[piano, violin], [none]]
        trained: [true, true, false]
        name: Secretive

        """

    private func rehearse() {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write(Self.answers, "answers.yaml")
        let said = program.run("rehearse study.yaml --participants 6 --answers answers.yaml --out bundles")
        #expect(said.code == 0, "\(said)")
    }

    @Test func `answers before the first timed step say who took part, by arm`() throws {
        rehearse()
        #expect(program.run("collate bundles --out dataset").code == 0)
        let said = program.run("analyse dataset --include-simulated --format json")
        let study = try #require(JSON(parsing: Array(said.output.utf8))["studies"]?.list?.first)
        #expect(study["characteristics"] != nil)
        let bundles = program.run("analyse bundles --include-simulated --format json")
        #expect(
            try JSON(parsing: Array(bundles.output.utf8))["studies"]?.list?.first?["characteristics"]
                == study["characteristics"])
        let rows = study["characteristics"]?.list ?? []
        #expect(rows.compactMap { $0["question"]?.text } == ["age", "sex", "plays", "trained"])
        #expect(rows[0]["columns"]?.list?.compactMap { $0["name"]?.text } == ["all", "music", "quiet"])
        let age = rows[0]["columns"]?.list?.first?["values"]
        #expect(age?["count"] == 6 && age?["mean"]?.number == 30 && age?["low"]?.number == 20)
        #expect(age?["high"]?.number == 40)
        // Six participants take turns in arms, sexes and answers: all women are in one arm.
        let sexes = rows[1]["columns"]?.list?.map { $0["values"]?["choices"] }
        #expect(sexes?.dropFirst().allSatisfy { $0?.list?.count == 1 } == true)
        let plays = rows[2]["columns"]?.list?.first?["values"]
        #expect(plays?["count"] == 6 && plays?["choices"]?.list?.count == 3)
        #expect(rows[3]["columns"]?.list?.first?["values"]?["choices"]?.list?.first?["name"] == "yes")
    }

    @Test func `a file beside a report lists what is too much for the page`() throws {
        // Without a rest, no clip has anything to be compared with.
        _ = program.run("rehearse \(Program.root)Studies/mood-playlist.yaml --participants 40 --out many")
        let made = program.run("report many --include-simulated --out many.html")
        #expect(made.code == 0, "\(made)")
        let page = Program.text(of: program.folder.path + "/many.html")
        #expect(page.contains("The first 200 of 240. All are in the file many-left-out.csv."))
        #expect(page.contains("counter(page)"))
        let lines = Program.text(of: program.folder.path + "/many-left-out.csv").split(separator: "\n")
        #expect(lines.first == "study,outcome,participant,run,clip,why")
        #expect(lines.count == 241 && Set(lines).count == 241)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("mood-playlist,,P") && $0.contains("no rest") })
        // Neither file is ever overwritten.
        let again = program.run("report many --include-simulated --out many.html")
        #expect(again.code == 74 && again.errors.contains("exists already"))
    }

    @Test func `a report says who took part, how, and how to make it again`() {
        rehearse()
        let made = program.run("report bundles --include-simulated --out 'a page.html' --seed 3")
        #expect(made.code == 0, "\(made)")
        let page = Program.text(of: program.folder.path + "/a page.html")
        for words in [
            "6 participants took part", "Arm music", "Arm quiet", "3 participants analysed",
            "Who took part", "30.0 (SD ", "n 6", "yes 4 (67 %), no 2 (33 %); n 6",
            "Methods, and how to reproduce this page", "Arms were compared by Welch&#39;s test",
            "Sign flips were drawn with the seed 3.",
            "entrain report bundles --out &#39;a page.html&#39; --seed 3 --include-simulated",
            "Study who, revision 1, SHA-256", "entrain 0.1.0",
        ] {
            let plain = words.replacing("&#39;", with: "'")
            #expect(page.contains(words) || page.contains(plain), "\(words)")
        }
        #expect(!page.contains("Secretive"))
        let digest = program.lines(
            of: "sha256sum bundles/*/manifest.json | cut -d' ' -f1 | sort | sha256sum | cut -d' ' -f1")
        #expect(digest.count == 1 && page.contains(digest[0]))
        let key = program.write("5f2d9c81b7a34e60d1f8a2c95b7e3046", "key")
        let hidden = program.run(
            "report bundles --include-simulated --pseudonymise \(key) --out hidden.html")
        let other = Program.text(of: program.folder.path + "/hidden.html")
        #expect(hidden.code == 0 && !other.contains("entrain report bundles"), "\(hidden)")
    }
}
