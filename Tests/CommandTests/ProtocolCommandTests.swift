import StudyTesting
import Testing

/// The page that says what a study does.
@Suite struct ProtocolCommandTests {
    let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: small, revision: 3, title: {en: A small study, de: Eine kleine Studie}, seed: 7}
        sources: {heartRate: {type: simulated}}
        outcomes: {primary: {measure: heartRate, of: walk, relativeTo: rest}}
        tasks:
          - identifier: main
            steps:
              - {type: instruction, identifier: welcome, title: {en: Welcome <1>, de: Willkommen}}
              - type: active
                identifier: rest
                title: {en: Please rest., de: Bitte ruhen.}
                duration: 1.5 min
                recorders: [{type: heartRate, identifier: heart}]
              - type: active
                identifier: walk
                title: {en: Please walk., de: Bitte gehen.}
                duration: {from: 2 min, to: 3 min}
                recorders: [{type: heartRate, identifier: heart, required: true}]
                goTo: {heartRate: walk, is: gt, value: 150, target: enough}
              - type: question
                identifier: tired
                title: {en: How tired are you?, de: Wie müde sind Sie?}
                timeLimit: 30 s
                answer: {scale: {from: 0, to: 10, fromLabel: {en: not at all, de: gar nicht}, toLabel: {en: very, de: sehr}}}
              - {type: completion, identifier: thanks, title: {en: Thank you!, de: Danke!}}
              - {type: completion, identifier: enough, title: {en: That is enough., de: Das genügt.}, reason: tooHigh}
        """

    @Test func `the page of a small study is as read before`() {
        _ = program.write(Self.study, "small.yaml")
        let outcome = program.run("protocol small.yaml --out small.html")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.output
                == "small.html: small, revision 3; of 12 items of the guideline the study says nothing of 7, and not all of 5\n"
        )
        let difference = goldenDifference(
            Program.text(of: program.folder.path + "/small.html"), "protocol-small.html")
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test(
        arguments: StudiesTests.names.map { "Studies/\($0)" }
            + ProtocolTests.names.map { "Studies/protocols/\($0)" })
    func `makes a page of every study`(name: String) {
        let outcome = program.run("protocol \(Program.root)\(name).yaml --out page.html")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        let page = Program.text(of: program.folder.path + "/page.html")
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<svg") && !page.contains("<script"))
        #expect(!page.contains(">not known<"), "every clip has its checksum")
    }

    @Test func `refuses a study with mistakes, and files that are there or cannot be`() {
        _ = program.write(Self.study.replacing("duration: 1.5 min", with: "duration: soon"), "bad.yaml")
        let bad = program.run("protocol bad.yaml --out bad.html")
        #expect(bad.code == 65)
        #expect(bad.output.contains("error[duration-format]"))
        _ = program.write(Self.study, "small.yaml")
        _ = program.write("mine", "small.html")
        let known = program.run("protocol small.yaml --out small.html")
        #expect(known.code == 74 && known.errors.contains("small.html"))
        #expect(program.lines(of: "cat small.html") == ["mine"])
        #expect(program.run("protocol small.yaml --out nowhere/small.html").code == 69)
        #expect(program.run("protocol missing.yaml --out new.html").code == 69)
        #expect(program.run("protocol small.yaml").code == 64)
        let printed = program.run(
            "protocol small.yaml --out small.pdf --to pdf", environment: "PATH=/nowhere")
        #expect(printed.code == 69 && printed.errors.contains("Chromium"))
        #expect(
            program.lines(of: "ls | sort") == [
                "bad.yaml", "lines", "small.html", "small.yaml", "stderr", "stdout",
            ])
    }

    @Test func `takes a study on standard input`() {
        let path = program.write(Self.study, "small.yaml")
        #expect(program.run("protocol - --out page.html", input: path).code == 0)
        #expect(Program.text(of: program.folder.path + "/page.html").contains("Welcome &lt;1&gt;"))
    }
}
