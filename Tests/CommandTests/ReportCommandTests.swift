import StudyTesting
import Testing

@Suite struct ReportCommandTests {
    let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: two-steps, title: Two steps, seed: 1}
        sources: {heartRate: {type: simulated, restingRate: 64}}
        tasks:
          - identifier: task
            steps:
              - type: active
                identifier: rest
                duration: 10 s
                recorders:
                  - {type: heartRate, identifier: heartRate}
                  - {type: rrIntervals, identifier: beats}
                  - {type: events, identifier: acts}
              - {type: question, identifier: mood, title: Mood, answer: {text: {}}}
              - {type: completion, identifier: done, title: Done}
        """

    /// Rehearses participants into `bundles` and returns the bundles' names.
    private func rehearse(_ count: Int) -> [String] {
        _ = program.write(Self.study, "study.yaml")
        #expect(program.run("rehearse study.yaml --participants \(count) --out bundles").code == 0)
        return program.lines(of: "ls bundles")
    }

    @Test func `makes a page of a run and one of many`() throws {
        let bundles = rehearse(2)
        #expect(program.run("report --include-simulated bundles/\(bundles[0]) --out run.html").code == 0)
        #expect(program.run("collate bundles --out dataset").code == 0)
        #expect(program.run("report --include-simulated dataset --out many.html").code == 0)
        #expect(program.run("report --include-simulated bundles --out folder.html").code == 0)
        // What was typed differs, and is in the page.
        let differing = program.lines(of: "diff many.html folder.html | grep -c dataset")
        #expect(differing == ["1"])
        for page in ["run.html", "many.html"] {
            let text = Program.text(of: program.folder.path + "/" + page)
            #expect(text.hasPrefix("<!DOCTYPE html>") && text.contains("<svg"))
            #expect(!text.contains("<script") && !text.contains("src="), "\(page)")
        }
        #expect(program.run("report --include-simulated dataset --out many.html").code == 74)
        _ = program.lines(of: "(printf x >> bundles/\(bundles[0])/result.json)")
        #expect(program.run("report --include-simulated bundles/\(bundles[0]) --out damaged.html").code == 65)
        #expect(program.lines(of: "ls damaged.html 2>/dev/null") == [])
        #expect(program.run("report --include-simulated bundles --out rest.html").code == 65)
        #expect(program.lines(of: "grep -c 'Damaged bundles, nothing taken' rest.html") == ["1"])
        let rest = Program.text(of: program.folder.path + "/rest.html")
        let first = rest.split(separator: "<section>", maxSplits: 1)[0]
        #expect(first.contains("<p class=\"warning\">Nothing of 1 damaged bundle counts.</p>"))
    }

    @Test func `begins with the answer, in which questions and clips go by their titles`() {
        let study = """
            entrain: 1
            study: {identifier: two-pieces, title: Two pieces, seed: 1}
            stimuli: {pieces: {catalogue: clips.yaml}}
            tasks:
              - identifier: task
                steps:
                  - type: block
                    identifier: pieces
                    forEach: pieces
                    order: {draw: shuffle}
                    steps:
                      - {type: active, identifier: listen, title: Listen, duration: 5 s, stimulus: {from: pieces}}
                      - type: question
                        identifier: calm
                        title: How calm are you?
                        answer: {scale: {from: 1, to: 9}}
                  - {type: completion, identifier: done, title: Done}
            """
        let clips = """
            entrain: 1
            clips:
              - {identifier: piece_a, title: Harbour Lamps, silence: 5 s}
              - {identifier: piece_b, title: Bicycle Weather, silence: 5 s}
            """
        _ = program.write(study, "study.yaml")
        _ = program.write(clips, "clips.yaml")
        #expect(program.run("rehearse study.yaml --participants 6 --out bundles").code == 0)
        #expect(program.run("report --include-simulated bundles --out many.html").code == 0)
        let page = Program.text(of: program.folder.path + "/many.html")
        let parts = page.split(separator: "<p class=\"answer\">", maxSplits: 1)
        #expect(parts.count == 2 && !parts[0].contains("<table") && !parts[0].contains("<figure"))
        let answer = parts.last?.prefix { $0 != "<" } ?? ""
        #expect(answer.contains("nswers to “How calm are you?” were "), "\(answer)")
        #expect(answer.contains("with Harbour Lamps than with Bicycle Weather (95 % interval "), "\(answer)")
        #expect(page.contains("<th scope=\"row\">Harbour Lamps − Bicycle Weather</th>"))
        // The picture says its numbers to those who cannot see it.
        #expect(page.contains("aria-label=\"answer to “How calm are you?”: Harbour Lamps: mean "))
    }

    @Test func `says that Chromium is missing where it is`() {
        _ = rehearse(1)
        let outcome = program.run(
            "report --include-simulated bundles --out run.png --to png", environment: "PATH=/nowhere")
        #expect(outcome.code == 69)
        #expect(outcome.errors.contains("Chromium"))
        #expect(program.lines(of: "ls run.png 2>/dev/null") == [])
    }
}
