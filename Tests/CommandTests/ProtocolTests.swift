import StudyTesting
import Testing

/// The published protocols in `Studies/protocols` are right, and go through for two dozen participants.
@Suite struct ProtocolTests {
    static let names = [
        "bilingual-screening", "rest-until-recovered", "six-minute-walk", "williams-crossover",
    ]

    @Test func `every protocol is tried`() {
        let files = Program().lines(of: "ls \(Program.root)Studies/protocols")
        #expect(files == Self.names.map { $0 + ".yaml" })
    }

    @Test(arguments: names)
    func `a protocol has nothing wrong, and goes through`(name: String) {
        let program = Program()
        let study = "\(Program.root)Studies/protocols/\(name).yaml"
        let checked = program.run("check \(study)")
        #expect(checked.code == 0 && checked.output.contains("nothing wrong"), "\(checked.output)")
        let rehearsed = program.run("rehearse \(study) --participants 24 --out bundles")
        #expect(rehearsed.code == 0, "\(rehearsed.output)\(rehearsed.errors)")
        #expect(program.lines(of: "ls bundles | grep -c -") == ["24"])
        #expect(program.run("verify bundles/*").code == 0)
    }
}
