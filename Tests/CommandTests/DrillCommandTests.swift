import StudyTesting
import Testing

@Suite struct DrillCommandTests {
    private let program = Program()

    @Test(arguments: [
        "kill/20", "kill-recovery/60/5", "cut-any/60/1", "cut-least/90/1", "cut-names/200/1", "cut-torn/40/2",
        "fail-ENOSPC/30", "fail-EDQUOT/200", "fail-EIO/25+", "fail-EMFILE/12", "fail-cut/42/2",
        "kill-at/1800", "short/7",
        "clock/-86400/30", "terminal/0", "ledger-kill/90", "ledger-kill/500", "ledger-fail/60",
        "terminal/900",
    ])
    func `a run that is broken loses nothing`(name: String) {
        let outcome = program.run("drill --case \(name) --out drill")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("1 tried, 0 failed"))
        #expect(Program.text(of: program.folder.path + "/drill/drill.json").contains("\"tried\":1"))
        let junit = Program.text(of: program.folder.path + "/drill/drill.xml")
        #expect(junit.contains("name=\"\(name)\"/>"))
    }

    @Test func `a case that is none, and a folder that is there, are refused`() {
        #expect(program.run("drill --case fly/1 --out drill").code == 64)
        #expect(program.run("drill --budget 10 --out drill").code == 64)
        #expect(program.run("drill --source heartRate=simulated --out drill").code == 64)
        #expect(program.run("drill --case kill/1 --out .").code == 74)
    }

    @Test func `a study that does not run unbroken is not drilled`() {
        let study = program.write("entrain: 1\n", "study.yaml")
        let outcome = program.run("drill \(study) --case kill/1 --out drill")
        #expect(outcome.code == 65)
        #expect(outcome.errors.contains("unbroken"))
    }
}
