import StudyTesting
import Testing

/// `entrain audit`.
@Suite struct AuditTests {
    private static let study = """
        entrain: 1
        study: {identifier: s, title: Quiet & loud, seed: 5}
        sources: {heartRate: {type: simulated}}
        outcomes: {primary: {measure: heartRate, of: second, relativeTo: first}}
        tasks:
          - identifier: t
            steps:
              - {type: active, identifier: first, title: A, duration: 30 s, recorders: [{type: heartRate, identifier: h}]}
              - {type: active, identifier: second, title: B, duration: 30 s, recorders: [{type: heartRate, identifier: h}]}
              - {type: completion, identifier: c, title: C}

        """

    @Test func `makes the same folder twice, whatever it is called`() {
        let program = Program()
        let file = program.write(Self.study, "s.yaml")
        for folder in ["one", "two"] {
            let made = program.run("audit \(file) --out \(folder) --participants 3")
            #expect(
                made.code == 0 && made.output.hasPrefix("\(folder)/index.html: 5 parts"), "\(made.errors)")
        }
        #expect(program.lines(of: "diff -r one two").isEmpty)
        let page = program.lines(of: "cat one/index.html").joined(separator: "\n")
        #expect(page.contains("For review: Quiet &amp; loud"))
        for open in [
            "No step asks for consent.", "The study is not registered", "name an effect with --effect",
        ] {
            #expect(page.contains(open), "\(open)")
        }
        for file in ["check.txt", "protocol.html", "rehearsed", "analysis.txt", "report.html"] {
            #expect(
                page.contains("href=\"\(file)\"") && !program.lines(of: "ls -d one/\(file)").isEmpty,
                "\(file)")
        }
    }

    @Test func `a warning that only the check finds stands on the first page`() {
        let program = Program()
        for (study, isWarned) in [
            (Self.study, false), (Self.study.replacing(", relativeTo: first", with: ""), true),
        ] {
            let file = program.write(study, "\(isWarned).yaml")
            #expect(program.run("audit \(file) --out of-\(isWarned) --participants 2").code == 0)
            let page = program.lines(of: "cat of-\(isWarned)/index.html").joined(separator: "\n")
            #expect(page.contains("The check has warnings.") == isWarned)
        }
    }

    @Test func `a study with errors, a wrong effect and a folder that exists make no page`() {
        let program = Program()
        let wrong = program.write(Self.study.replacing("30 s", with: "30"), "wrong.yaml")
        #expect(program.run("audit \(wrong) --out one").code == 65)
        let file = program.write(Self.study, "s.yaml")
        let lost = program.run("audit \(file) --out two --participants 3 --effect 2km")
        #expect(lost.code == 65 && lost.errors.contains("'entrain power' could not make its part"))
        #expect(
            lost.errors.contains("2km")
                && !program.lines(of: "ls two").contains("index.html"))
        #expect(program.run("audit \(file) --out two").code == 74)
        #expect(program.run("audit \(file) --out three --in chill").code == 64)
    }
}
