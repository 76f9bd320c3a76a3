import StudyTesting
import Testing

@Suite struct LastSyncTests {
    private let program = Program()

    static let canTrace =
        Program().lines(of: "strace -qq -o /dev/null true && echo yes").contains("yes")

    private static let study = """
        entrain: 1
        study: {identifier: S, title: S}
        tasks:
          - identifier: T
            steps:
              - {type: instruction, identifier: hello, title: Hello}
              - {type: completion, identifier: end, title: Goodbye}
        """

    /// The system forgets what a failed sync did not write, and a second sync of the same file would say that all is well.
    @Test(.enabled(if: canTrace)) func `a journal whose sync failed is written anew under its name`() throws {
        let study = program.write(Self.study, "study.yaml")
        let run = "\(Program.executables)/entrain run \(study) --participant P01 --auto --plain --out out"
        let traced = program.run(
            "-f -qq -o calls -e trace=fsync,fdatasync,openat,renameat -e inject=fdatasync:error=EIO:when=1 \(run)",
            of: "strace")
        #expect(traced.code == 74, "\(traced.errors)")
        let calls = Program.text(of: program.folder.path + "/calls").split(separator: "\n")
        let failed = try #require(calls.firstIndex { $0.contains("(INJECTED)") })
        // Of the same thread: each line begins with its number.
        let thread = calls[failed].prefix { $0 != " " }
        let after = calls[failed...].filter { $0.hasPrefix(thread) }
        // A call that another thread's comes between is written in two lines: begun, and resumed.
        let names = after.map { $0.drop { !$0.isLetter }.prefix { $0.isLetter } }
        let others = zip(names, names.dropFirst()).filter { $0 != $1 }.map(\.1)
        #expect(others.prefix(3) == ["openat", "fsync", "renameat"], "\(after)")
        #expect(after.contains { $0.contains("renameat(") && $0.contains("\"journal.jsonl.tmp\"") })
        #expect(program.run("recover out").code == 0)
        #expect(program.run("verify out/*").code == 0)
    }

    @Test(.enabled(if: canTrace)) func `no bundle says that the run is complete where its last sync failed`()
    {
        let study = program.write(Self.study, "study.yaml")
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
