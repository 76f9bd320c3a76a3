import StudyTesting
import Testing

@Suite struct LastSyncTests {
    private let program = Program()

    private static let canTrace =
        Program().lines(of: "strace -qq -o /dev/null true && echo yes").contains("yes")

    @Test(.enabled(if: canTrace)) func `no bundle says that the run is complete where its last sync failed`()
    {
        let study = program.write(
            """
            entrain: 1
            study: {identifier: S, title: S}
            tasks:
              - identifier: T
                steps:
                  - {type: instruction, identifier: hello, title: Hello}
                  - {type: completion, identifier: end, title: Goodbye}
            """, "study.yaml")
        let run = "\(Program.executables)/entrain run \(study) --participant P01 --auto --plain --out"
        _ = program.run("-f -qq -o calls -e trace=fsync \(run) whole", of: "strace")
        // Each line begins with the thread, whose calls are counted by themselves.
        let threads = Program.text(of: program.folder.path + "/calls").split(separator: "\n")
            .filter { $0.contains("fsync(") }.compactMap { $0.split(separator: " ").first }
        let last = threads.count { $0 == threads.last }
        let broken = program.run(
            "-f -qq -o calls -e inject=fsync:error=EIO:when=\(last) \(run) broken", of: "strace")
        #expect(broken.code == 74, "\(broken.errors)")
        let left = program.lines(of: "ls broken")
        #expect(left.count == 1 && left.allSatisfy { $0.hasSuffix(".running") }, "\(left)")
        #expect(program.run("recover broken").code == 0)
        #expect(program.run("verify broken/*").code == 0)
    }
}
