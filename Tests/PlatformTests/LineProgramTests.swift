import Glibc
import Platform
import Synchronization
import Testing

/// Programs that are spoken with, as shells play them.
@Suite(.timeLimit(.minutes(5))) struct LineProgramTests {
    private struct Heard: Sendable {
        var lines: [String] = []
        var tooLong = 0
        var end: LineProgram.End?
    }

    /// Runs a shell script to its end.
    ///
    /// - Parameter act: what is done when a line comes.
    private func hear(
        _ script: String, environment: [String] = [], folder: String = "/",
        _ act: @escaping @Sendable (LineProgram, String) -> Void = { _, _ in }
    ) async -> Heard {
        let program = LineProgram(
            LineProgram.Command(
                path: "/bin/sh", words: ["sh", "-c", script], environment: environment, folder: folder))
        let heard = Mutex(Heard())
        await program.run { word in
            switch word {
            case .line(let line?):
                let text = String(decoding: line, as: UTF8.self)
                heard.withLock { $0.lines.append(text) }
                act(program, text)
            case .line(nil): heard.withLock { $0.tooLong += 1 }
            case .ended(let end): heard.withLock { $0.end = end }
            }
        }
        return heard.withLock { $0 }
    }

    @Test func `what is said is heard, and answered`() async {
        let heard = await hear("echo ready; read word; echo \"got $word\"; printf last") { program, line in
            if line == "ready" { program.say(Array("sugar".utf8)) }
        }
        #expect(heard.lines == ["ready", "got sugar", "last"])
        #expect(heard.end == .code(0, errorLine: nil))
    }

    @Test func `the last word is heard though somebody holds the output open`() async {
        let heard = await hear("echo ready; (sleep 600 &) ; printf last")
        #expect(heard.lines == ["ready", "last"])
        #expect(heard.end == .code(0, errorLine: nil))
    }

    @Test func `it sees the folder, the variables and the three files that it is given, and nothing else`()
        async
    {
        let held = unsafe open("/dev/null", O_RDONLY)
        defer { close(held) }
        unsafe setenv("ENTRAIN_SECRET", "secret", 1)
        let heard = await hear(
            "pwd; env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD=; for n in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 20 30; do [ -e /proc/$$/fd/$n ] && echo $n; done",
            environment: ["LANG=C", "PATH=/usr/bin:/bin"], folder: "/tmp")
        #expect(heard.lines.first == "/tmp")
        #expect(Set(heard.lines.dropFirst().filter { $0.contains("=") }) == ["LANG=C", "PATH=/usr/bin:/bin"])
        #expect(heard.lines.filter { Int($0) != nil } == ["0", "1", "2"])
    }

    @Test(arguments: [
        ("echo oh no >&2; exit 3", LineProgram.End.code(3, errorLine: "oh no")),
        ("kill -9 $$", .signal(9)), ("exec >&-; exec tail -f /dev/null >/dev/null", .fellSilent),
    ])
    func `how it ends is told`(script: String, end: LineProgram.End) async {
        #expect(await hear(script).end == end)
    }

    @Test func `what is not there never begins`() async {
        let program = LineProgram(
            LineProgram.Command(path: "/nowhere", words: ["nowhere"], environment: [], folder: "/"))
        let end = Mutex<LineProgram.End?>(nil)
        await program.run { word in if case .ended(let told) = word { end.withLock { $0 = told } } }
        #expect(end.withLock { $0 } == .neverBegan(ENOENT))
    }

    @Test func `one that ignores every word is killed with all that it started`() async throws {
        let script = """
            trap '' TERM HUP INT
            sh -c 'trap "" TERM; echo $$; exec tail -f /dev/null' &
            echo $$; wait; exec tail -f /dev/null
            """
        let count = Mutex(0)
        let heard = await hear(script) { program, _ in
            if count.withLock({
                $0 += 1; return $0
            }) == 2 {
                program.stop()
            }
        }
        #expect(heard.end == .stopped)
        #expect(heard.lines.count == 2)
        for line in heard.lines { #expect(await isGone(line), "\(line) lives") }
    }

    /// Whether a process ends soon.
    private func isGone(_ process: String) async -> Bool {
        let wait = "timeout 20 tail --pid=\(process) -f /dev/null && echo gone"
        return await hear(wait, environment: ["PATH=/usr/bin:/bin"]).lines == ["gone"]
    }

    @Test func `one that floods is held up and stopped`() async {
        let heard = await hear("exec yes") { program, _ in program.stop() }
        #expect(heard.end == .stopped)
        #expect(heard.lines.count <= 400)
    }

    @Test func `lines that are too long are counted, and those behind them heard`() async {
        let heard = await hear("head -c 200000 /dev/zero | tr '\\0' x; echo; echo short")
        #expect(heard.tooLong == 1)
        #expect(heard.lines == ["short"])
    }

    @Test func `all that it said before its end is heard`() async {
        let heard = await hear("seq 1 250")
        #expect(heard.lines == (1...250).map(String.init))
    }

    @Test func `a cancelled task leaves no program behind`() async throws {
        let program = LineProgram(
            LineProgram.Command(
                path: "/bin/sh", words: ["sh", "-c", "echo $$; exec tail -f /dev/null"],
                environment: ["PATH=/usr/bin:/bin"], folder: "/"))
        let (begun, tell) = AsyncStream.makeStream(of: Int32.self)
        let number = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await program.run { word in
                    guard case .line(let line?) = word else { return }
                    tell.yield(Int32(String(decoding: line, as: UTF8.self)) ?? 0)
                }
            }
            var number: Int32 = 0
            for await told in begun {
                number = told
                break
            }
            group.cancelAll()
            return number
        }
        #expect(number > 0)
        #expect(await isGone("\(number)"))
    }
}
