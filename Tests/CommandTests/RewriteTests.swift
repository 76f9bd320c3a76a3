import StudyTesting
import Testing

/// `entrain check --rewrite`.
@Suite struct RewriteTests {
    private static let older = """
        entrain: 1
        study: {identifier: s, title: S}
        tasks:
          - identifier: t
            steps:
              - {type: active, identifier: a, title: A, duration: 9 s, expected: {model: exercise, effort: 0.5, restingRate: 60, maximumRate: 180}}
              - {type: completion, identifier: c, title: C}

        """

    @Test func `writes a study with today's words, and never over another file`() {
        let program = Program()
        let file = program.write(Self.older, "older.yaml")
        #expect(program.run("check \(file)").output.contains("warning[older-words]"))
        let written = program.run("check \(file) --rewrite new.yaml")
        #expect(written.code == 0 && written.output.contains("new.yaml: 1 older word replaced"))
        let (new, plan) = (program.run("check new.yaml"), "plan --participant P01 --seed 7")
        #expect(new.code == 0 && new.output.contains("nothing wrong"))
        #expect(program.run("\(plan) new.yaml").output == program.run("\(plan) \(file)").output)
        let again = program.run("check \(file) --rewrite new.yaml")
        #expect(again.code == 74 && again.errors.contains("exists already"))
        let nothing = program.run("check new.yaml --rewrite newer.yaml")
        #expect(nothing.code == 0 && nothing.output.contains("already in today's words"))
        #expect(program.run("check newer.yaml").code == 69)
    }

    @Test func `writes nothing for a study with errors, or for several studies`() {
        let program = Program()
        let file = program.write(Self.older.replacing("effort: 0.5", with: "effort: 5"), "wrong.yaml")
        #expect(program.run("check \(file) --rewrite new.yaml").code == 65)
        #expect(program.run("check \(file) \(file) --rewrite new.yaml").code == 64)
        #expect(program.run("check new.yaml").code == 69)
    }
}
