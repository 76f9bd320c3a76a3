import StudyTesting
import Testing
import TextFormat

/// What a study is to find out, from its file to the answer.
@Suite struct OutcomeCommandTests {
    private let program = Program()

    private static let steps = """
        tasks:
          - identifier: Task
            steps:
              - {type: form, identifier: before, questions: [{identifier: mood, answer: {scale: {from: 1, to: 9}}}]}
              - {type: active, identifier: rest, duration: 30 s, recorders: [{type: heartRate, identifier: heartRate}]}
              - {type: active, identifier: listen, duration: 30 s, recorders: [{type: heartRate, identifier: heartRate}]}
              - {type: form, identifier: after, questions: [{identifier: mood, answer: {scale: {from: 1, to: 9}}}]}
              - {type: completion, identifier: end}

        """

    private static func study(_ name: String, _ more: String = "") -> String {
        """
        entrain: 1
        study: {identifier: \(name), title: Calm, seed: 7}
        sources: {heartRate: {type: simulated, restingRate: 64}}
        \(more)

        """ + steps
    }

    private static let outcomes = """
        outcomes:
          primary: {measure: heartRate, of: listen, relativeTo: rest}
          secondary: [{measure: answer, of: after.mood, relativeTo: before.mood}, {measure: sdnn, of: listen}]
        """

    private func outcomes(_ source: String) throws -> [JSON] {
        let said = program.run("analyse \(source) --include-simulated --format json")
        #expect(said.code == 0, "\(said.errors)")
        let study = try JSON(parsing: Array(said.output.utf8))["studies"]?.list?.first
        return study?["outcomes"]?.list ?? []
    }

    private func rehearse(_ study: String) {
        _ = program.write(study, "study.yaml")
        #expect(program.run("rehearse study.yaml --participants 8 --out bundles").code == 0)
        #expect(program.run("collate bundles --out dataset").code == 0)
    }

    @Test func `named outcomes are answered between arms, from bundles and datasets alike`() throws {
        rehearse(Self.study("named", "arms: [music, quiet]\n" + Self.outcomes))
        let found = try outcomes("bundles")
        #expect(try outcomes("dataset") == found)
        #expect(found.map { $0["rank"]?.text } == ["primary", "secondary", "secondary"])
        #expect(found.map { $0["design"]?.text } == ["arms", "arms", "arms"])
        #expect(found.map { $0["arms"]?["method"]?.text } == ["adjusted", "adjusted", "welch"])
        #expect(found[0]["holmP"] == .null && found[1]["holmP"]?.number != nil)
        let text = program.run("analyse dataset --include-simulated").output
        for words in [
            "Primary outcome, heart rate in listen minus rest:", "music minus quiet is ",
            "Secondary outcome, answer to after.mood minus before.mood:", "after Holm",
            "Welch's test of 8 values",
        ] {
            #expect(text.contains(words), "\(words): \(text)")
        }
        #expect(!text.contains("clips analysed") && !text.contains("exploratory"))
        #expect(program.run("report dataset --include-simulated --out page.html").code == 0)
        let page = Program.text(of: program.folder.path + "/page.html")
        #expect(
            page.contains("Primary outcome: heart rate in listen minus rest")
                && page.contains("with music than with quiet"))
        #expect(!page.contains("Each clip against its own rest") && !page.contains("clips played"))
    }

    @Test func `a study that names none has the usual ones, in pairs`() throws {
        rehearse(Self.study("usual"))
        let found = try outcomes("dataset")
        #expect(found.map { $0["rank"]?.text } == ["exploratory", "exploratory"])
        #expect(found.map { $0["design"]?.text } == ["prePost", "prePost"])
        #expect(found.map { $0["of"]?.text } == ["listen", "after.mood"])
        #expect(found.map { $0["relativeTo"]?.text } == ["rest", "before.mood"])
        #expect(
            program.run("analyse bundles --include-simulated").output.contains(
                "The study names no 'outcomes'"))
    }

    @Test func `pseudonyms hide no outcome where the study is there`() throws {
        rehearse(Self.study("safe", Self.outcomes))
        _ = program.lines(of: "echo entrain | sha256sum > key; chmod 600 key; true")
        #expect(program.run("collate bundles --out hidden --pseudonymise key --shift-dates").code == 0)
        let (hidden, open) = (try outcomes("hidden"), try outcomes("dataset"))
        #expect(hidden.count == 3)
        for key in ["of", "design", "p", "values"] {
            #expect(hidden.map { $0[key] } == open.map { $0[key] }, "\(key)")
        }
    }

    @Test func `a study without any number says so in one sentence`() {
        _ = program.write(
            """
            entrain: 1
            study: {identifier: words, title: Words}
            tasks:
              - identifier: Task
                steps:
                  - {type: question, identifier: a, answer: {text: {}}}
                  - {type: completion, identifier: end}
            """, "study.yaml")
        #expect(program.run("rehearse study.yaml --participants 2 --out bundles").code == 0)
        #expect(program.run("collate bundles --out dataset").code == 0)
        for source in ["bundles", "dataset"] {
            let said = program.run("analyse \(source) --include-simulated")
            #expect(
                said.code == 0 && said.output.contains("The study gives no number that could be compared"))
        }
    }

    @Test func `check tells of outcomes that no participant can have, and of no other`() {
        _ = program.write(
            """
            entrain: 1
            clips: [{identifier: plain, silence: 10 s}, {identifier: beat, clicks: 10 s, beats: {tempo: 120 bpm}}]
            """, "clips.yaml")
        let study = """
            entrain: 1
            study: {identifier: short, title: Short, seed: 1}
            sources: {heartRate: {type: simulated}}
            stimuli: {clips: {catalogue: clips.yaml}}
            outcomes: {primary: {measure: heartRate, of: sit}, secondary: [{measure: rmssd, of: sit}, {measure: asynchrony, of: tap}]}
            tasks:
              - identifier: Task
                steps:
                  - {type: active, identifier: sit, title: Sit, duration: 5 s, recorders: [{type: rrIntervals, identifier: heart}]}
                  - {type: active, identifier: tap, title: Tap, duration: 8 s, stimulus: {play: plain}, recorders: [{type: taps, identifier: taps}]}
                  - {type: completion, identifier: end}
            """
        _ = program.write(study, "study.yaml")
        let told = program.run("check study.yaml").output
        for (measure, name) in [("heartRate", "sit"), ("rmssd", "sit"), ("asynchrony", "tap")] {
            #expect(told.contains("no value of '\(measure)' is possible for '\(name)'"), "\(told)")
        }
        _ = program.write(
            study.replacing("duration: 5 s", with: "duration: 30 s").replacing(
                "play: plain", with: "play: beat"),
            "study.yaml")
        #expect(!program.run("check study.yaml").output.contains("no-value"))
    }

    @Test func `check names a step that no simulated participant comes to, unless the study expects it`() {
        func write(_ limit: Int, _ more: String = "") {
            _ = program.write(
                """
                entrain: 1
                study: {identifier: ways, title: Ways, seed: 3}
                \(more)
                tasks:
                  - identifier: Task
                    steps:
                      - type: form
                        identifier: form
                        questions: [{identifier: level, text: How much?, answer: {scale: {from: 1, to: 5}}}]
                      - {type: instruction, identifier: low, text: Low., goTo: music, skipIf: {answer: level, is: gt, value: 3}}
                      - {type: instruction, identifier: high, text: High., goTo: music, skipIf: {answer: level, is: lt, value: \(limit)}}
                      - type: block
                        identifier: middle
                        repeat: 2
                        steps: [{type: instruction, identifier: inner, text: Middle.}]
                      - {type: instruction, identifier: music, text: Music.}
                      - {type: completion, identifier: end}
                """, "ways.yaml")
        }
        write(4)
        let told = program.run("check ways.yaml")
        // The block is named, and nothing within it.
        #expect(told.code == 0 && told.output.contains("ways.yaml: 1 warning"), "\(told.output)")
        #expect(
            told.output.contains(
                "warning[unreachable-step]: none of 204 rehearsed participants came to the step 'middle'"))
        #expect(program.run("check --quick ways.yaml").output.contains("ways.yaml: nothing wrong"))
        // One of five answers leads to it.
        write(5)
        #expect(program.run("check ways.yaml").output.contains("ways.yaml: nothing wrong"))
        // Nothing does, and the study says that it is meant.
        write(4, "expect: {unreachable-step: kept for later}")
        #expect(program.run("check ways.yaml").output.contains("ways.yaml: no mistakes, but 1 expected"))
        #expect(program.run("check --quick ways.yaml").output.contains("ways.yaml: nothing wrong"))
    }
}
