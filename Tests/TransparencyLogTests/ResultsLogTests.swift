import Glibc
import Platform
import StudyTesting
import Testing
import TransparencyLog

/// A log on disk: appended to, killed, edited and rolled back.
@Suite struct ResultsLogTests {
    private let folder = TemporaryFolder()
    private let seed = [UInt8](1...32)

    private var log: ResultsLog? {
        get throws { try ResultsLog(in: Folder(folder.path)) }
    }

    private func append(_ numbers: Range<Int>, at path: String? = nil) throws {
        try ResultsLog.append(
            numbers.map { LogEntry(.sealed, run: "run \($0)", digest: LogEntry.name(ofRun: "sums \($0)")) },
            in: path ?? folder.path, seed: seed)
    }

    private func shell(_ command: String) {
        #expect(unsafe system("cd \(folder.path) && \(command)") == 0, "\(command)")
    }

    private func kept() throws -> String {
        String(decoding: try #require(readFile(folder.path + "/.log/checkpoint")), as: UTF8.self)
    }

    @Test func `what was appended is read, over the ends of tiles`() throws {
        #expect(try log == nil)
        var size = 0
        for count in [1, 1, 253, 1, 1, 255, 88] {
            try append(size..<size + count)
            size += count
            let log = try #require(try log)
            #expect(log.problems == [] && log.entries.count == size)
        }
        let entries = try #require(try log).entries
        #expect(entries[599] == LogEntry(.sealed, run: "run 599", digest: LogEntry.name(ofRun: "sums 599")))
        #expect(try Folder(folder.path).names(in: ".log/tile/0") == ["000", "001", "002.p"])
        #expect(try Folder(folder.path).names(in: ".log/tile/1/000.p") == ["1", "2"])
        #expect(try Folder(folder.path).names(in: ".log/tile/entries/002.p") == ["88"])
    }

    @Test func `a proof says where its entry is, and under which checkpoint`() throws {
        try append(0..<6)
        let entry = LogEntry(.begun, run: "A", digest: LogEntry.name(ofRun: "header"))
        let proof = try #require(try ResultsLog.append([entry], in: folder.path, seed: nil))
        #expect(proof.index == 6)
        let lines = proof.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.prefix(2) == ["c2sp.org/tlog-proof@v1", "index 6"] && lines[4] == "")
        let note = try kept()
        #expect(lines[5...].joined(separator: "\n") == note)
        #expect(LogProof(proof.text) == proof)
        #expect(LogProof(proof.text.replacing("v1\n", with: "v1\nextra QUJD\n"))?.index == 6)
        for text in ["", "c2sp.org/tlog-proof@v1\n\n", "c2sp.org/tlog-proof@v1\nindex -1\n\n", "index 6\n\n"]
        {
            #expect(LogProof(text) == nil)
        }
        try append(6..<9)
        let log = try #require(try log)
        #expect(proof.log == log.name)
        #expect(log.problem(with: proof, ofRun: entry.subject) == nil)
        #expect(log.problem(with: proof, ofRun: LogEntry.name(ofRun: "B")) == "the proof is of another run")
    }

    @Test func `a folder without a log gets none unless a run begins`() throws {
        try ResultsLog.append([LogEntry(.erased, run: "a")], in: folder.path, seed: nil)
        #expect(try Folder(folder.path).names(in: ".") == [])
    }

    /// A killed program has written files that no checkpoint names yet, the last of them in part.
    @Test(arguments: [0, 1, 7, 254, 255, 256, 300])
    func `a program that is killed anywhere leaves the log as it was signed`(size: Int) throws {
        try append(0..<0)
        if size > 0 { try append(0..<size) }
        shell("cp -a .log before")
        try append(size..<size + 1)
        shell("cp -a .log after")
        let files = try Folder(folder.path + "/after").files()
        let before = Set(try Folder(folder.path + "/before").files())
        let written = files.filter { !before.contains($0) }
        #expect(written.count >= 2)
        for made in 0...written.count {
            shell("rm -rf .log && cp -a before .log")
            for path in written.prefix(made) {
                shell(
                    "mkdir -p $(dirname .log/\(path)) && cp after/\(path) .log/\(path) && printf x >.log/\(path).tmp"
                )
            }
            if made > 0 { shell("truncate -s -9 .log/\(written[made - 1])") }
            shell("printf torn >.log/checkpoint.tmp")
            let left = try #require(try log)
            #expect(left.problems == [] && left.entries.count == size)
            // Another entry than the one that was lost.
            try append(9_000..<9_002)
            let log = try #require(try log)
            #expect(log.problems == [] && log.entries.count == size + 2)
            #expect(log.entries[size]?.subject == LogEntry.name(ofRun: "run 9000"))
        }
    }

    @Test func `a program that is killed with the first entry leaves no log, or its key`() throws {
        try append(0..<1)
        shell("rm -r .log/tile .log/checkpoint .log/verifier-key")
        #expect(try log == nil)
        try append(0..<1)
        #expect(try log?.problems == [])
        #expect(try log?.entries.count == 1)
    }

    @Test(arguments: [
        "printf x >>.log/checkpoint", "sed -i s/^3/2/ .log/checkpoint", "rm .log/checkpoint",
        "sed -i s/sealed/erased/ .log/tile/entries/000.p/3", "truncate -s 300 .log/tile/entries/000.p/3",
        "rm -r .log/tile/entries", "cp .log/tile/entries/000.p/2 .log/tile/entries/000.p/3",
        "cp other/.log/tile/entries/000.p/3 .log/tile/entries/000.p/3",
        "cp other/.log/checkpoint .log/checkpoint",
        "rm .log/tile/0/000.p/3", "cp .log/tile/0/000.p/2 .log/tile/0/000.p/3", "rm .log/verifier-key",
        "cp other/.log/verifier-key .log/verifier-key",
    ])
    func `a log that was edited is not to be trusted`(edit: String) throws {
        shell("mkdir other")
        try ResultsLog.append(
            (7..<10).map { LogEntry(.erased, run: "\($0)") }, in: folder.path + "/other",
            seed: [UInt8](2...33))
        try append(0..<2)
        try append(2..<3)
        #expect(try log?.problems == [])
        shell(edit)
        #expect(try log?.problems.count == 1)
    }

    @Test(arguments: [
        "sed -i s/sealed/erased/ .log/tile/entries/000.p/3", "rm -r .log/tile/0",
        "sed -i s/^3/2/ .log/checkpoint", "rm .log/secret-key", "rm .log/checkpoint",
    ])
    func `nothing is signed on top of a log that was edited`(edit: String) throws {
        try append(0..<3)
        shell(edit)
        shell("cp -a .log before")
        #expect(throws: FileFailure.self) { try append(3..<4) }
        shell("diff -r before .log")
    }

    @Test func `programs that append at once take turns`() async throws {
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    for turn in 0..<10 {
                        let entry = LogEntry(.erased, run: "\(number) \(turn)")
                        do { try ResultsLog.append([entry], in: folder.path, seed: seed) } catch {
                            Issue.record(error)
                        }
                    }
                }
            }
        }
        let log = try #require(try log)
        #expect(log.problems == [] && Set(log.entries).count == 80)
    }

    @Test func `a checkpoint that was kept shows what was rolled back, rewritten or forked`() throws {
        try append(0..<5)
        let five = try kept()
        shell("mkdir copy && cp -a .log copy")
        try append(5..<9)
        let nine = try kept()
        #expect(try log?.problem(with: five) == nil && log?.problem(with: nine) == nil)
        try append(100..<104, at: folder.path + "/copy")
        let fork = try #require(ResultsLog(in: Folder(folder.path + "/copy")))
        #expect(fork.problems == [] && fork.problem(with: five) == nil)
        #expect(fork.problem(with: nine)?.contains("continued in two places") == true)
        try append(104..<105, at: folder.path + "/copy")
        #expect(fork.problem(with: nine)?.contains("continued in two places") == true)
        shell("rm -r .log && cp -a copy/.log . && rm -r copy")
        #expect(try log?.problem(with: nine)?.contains("continued in two places") == true)
        shell("rm -r .log")
        try append(0..<4)
        #expect(try log?.problem(with: five)?.contains("rolled back") == true)
        shell("rm -r .log")
        try ResultsLog.append([LogEntry(.erased, run: "a")], in: folder.path, seed: [UInt8](2...33))
        #expect(try log?.problem(with: five)?.contains("not signed with the log's key") == true)
    }

    @Test func `what began is here, damaged, erased or missing`() throws {
        var entries = ["A", "B", "C", "D"].map { LogEntry(.begun, run: $0, digest: LogEntry.name(ofRun: $0)) }
        entries.insert(LogEntry(frozen: LogEntry.name(ofRun: "registration")), at: 2)
        entries += [
            LogEntry(.erased, run: "C"), LogEntry(.sealed, run: "A", digest: LogEntry.name(ofRun: "sums")),
        ]
        try ResultsLog.append(entries, in: folder.path, seed: seed)
        var account = LogAccount()
        account.add(try #require(try log))
        #expect(account.losses(damaged: []).last == "3 are missing")
        #expect(account.hasBegun("D") && !account.hasBegun("E"))
        for run in ["A", "B", "D", "E"] { account.found(run, at: "results/\(run)", isWhole: true) }
        #expect(account.lines(damaged: []) == [])
        #expect(
            account.lines(damaged: ["results/B"]) == [
                "by the log, 4 runs began, 2 are here, 1 is damaged, 1 was erased; 'entrain study log' lists them"
            ])
        #expect(account.state(of: LogEntry.name(ofRun: "E"), damaged: []) == nil)
        #expect(
            account.isAltered("A") { "other" } && !account.isAltered("A") { LogEntry.name(ofRun: "sums") })
        #expect(!account.isAltered("B") { "other" })
        let registration = LogEntry.name(ofRun: "registration")
        #expect(account.number(ofRegistration: registration) == 2)
        #expect(account.isRun("B", laterThan: registration) == false)
        #expect(account.isRun("D", laterThan: registration) == true)
        #expect(account.isRun("E", laterThan: registration) == nil)
    }
}
