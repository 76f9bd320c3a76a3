import Glibc
import StudyTesting
import Testing
import TextFormat

/// What a person learns before the participant comes.
@Suite struct ReadyCommandTests {
    private let program = Program()

    private func write(source: String = "{type: simulated}", required: Bool = false, title: String = "Rest") {
        _ = program.write(
            """
            entrain: 1
            study: {identifier: rest, title: \(title), seed: 1}
            sources: {heartRate: \(source)}
            tasks:
              - identifier: Rest
                steps:
                  - type: active
                    identifier: sit
                    duration: 300 ms
                    recorders: [{type: heartRate, identifier: h, required: \(required)}]
                  - {type: completion, identifier: end}
            """, "study.yaml")
    }

    private func ready(_ options: String = "", input: String = "/dev/null") throws -> (
        code: Int32, [String: String]
    ) {
        let told = program.run("ready study.yaml --for 1s --format json \(options)", input: input)
        let findings = try JSON(parsing: Array(told.output.utf8))
        #expect(findings["ready"] == .boolean(told.code == 0), "\(told.errors)")
        let words = (findings["findings"]?.list ?? []).map { finding in
            (
                finding["subject"]?.text ?? "",
                "\(finding["state"]?.text ?? ""): \(finding["text"]?.text ?? "")"
            )
        }
        return (told.code, Dictionary(words) { $1 })
    }

    @Test func `everything is there, an invented heart is called so, and nothing is written`() throws {
        write()
        let (code, found) = try ready()
        #expect(code == 0)
        #expect(found["study"] == "ok: rest revision 1, task Rest")
        #expect(found["session"] == "ok: participant P01, session 1: free")
        #expect(
            found["protocol"]
                == "ok: not registered, and nobody took part with revision 1 so far: compared with nothing")
        #expect(found["clock"] != nil)
        #expect(found["disk"]?.contains(" free; the run needs at most ") == true)
        #expect(found["sound"] == nil, "the study plays nothing")
        let heart = try #require(found["heartRate"])
        #expect(
            heart.hasPrefix("look: simulated: ") && heart.hasSuffix("this is not the participant's heart"))
        #expect(
            program.lines(of: "ls -A").filter { !["lines", "stderr", "stdout"].contains($0) } == [
                "study.yaml"
            ])
        let text = program.run("ready study.yaml --for 1s").output
        #expect(text.hasSuffix("\nready\n") && text.contains("look  heartRate"), "\(text)")
    }

    @Test func `a strap that sends is heard, and one that does not stops a study that requires it`() throws {
        write(required: true)
        let keys = program.write("64\n65\n66\n", "lines")
        let (code, found) = try ready("--source heartRate=stdin", input: keys)
        #expect(code == 0)
        #expect(
            found["heartRate"]
                == "look: push: 3 readings in 1 s, the last 66 per minute, the sender has ended")
        let silent = try ready("--source heartRate=socket:none.sock")
        #expect(silent.code == 69 && silent.1["heartRate"]?.hasPrefix("stop: push: nothing in 1 s") == true)
        write(source: "{type: simulated}")
        let spared = try ready("--source heartRate=socket:none.sock")
        #expect(spared.code == 0 && spared.1["heartRate"]?.hasPrefix("look: push: nothing") == true)
    }

    @Test(arguments: ["midi:/dev/snd/midiC9D9", "replay:none.csv"])
    func `a source that is not there stops it, beside all else that was found`(source: String) throws {
        write()
        let (code, found) = try ready("--source heartRate=\(source)")
        #expect(code == 69 && found["source"]?.hasPrefix("stop: ") == true, "\(found)")
        #expect(found["source"]?.contains(source.drop { $0 != ":" }.dropFirst()) == true, "\(found)")
        #expect(found["study"]?.hasPrefix("ok") == true && found["clock"] != nil && found["disk"] != nil)
    }

    @Test func `a session that was run, a changed study and a participant who withdrew stop it`() throws {
        write(source: "{type: push, socket: none.sock}")
        let keys = program.write("\n", "keys")
        _ = program.run("run study.yaml --participant P01 --plain --audio none", input: keys)
        let again = try ready("--participant P01")
        #expect(again.code == 69)
        #expect(
            again.1["session"]?.contains("participant P01, session 1 of the task 'Rest' was run already")
                == true)
        let next = try ready()
        #expect(next.1["session"] == "ok: participant P02, session 1: free")
        #expect(program.run("withdraw entrain-results --participant P01 --yes").code == 0)
        #expect(try ready("--participant P01 --session 2").1["session"]?.contains("has withdrawn") == true)
        write(source: "{type: push, socket: none.sock}", title: "Rest a while")
        let changed = try ready()
        #expect(changed.code == 69)
        #expect(changed.1["protocol"]?.contains("study.title is Rest a while, was Rest") == true)
    }

    @Test func `a monitor that does not answer is said, and does not stop a run`() throws {
        write()
        let (code, found) = try ready("--monitor http://127.0.0.1:9")
        #expect(code == 0 && found["monitor"]?.hasPrefix("look: ") == true)
        #expect(program.run("ready study.yaml --monitor nonsense").code == 64)
        #expect(program.run("ready missing.yaml").code == 69)
        #expect(program.run("ready study.yaml --for 0s").code == 64)
    }

    @Test func `the disk's room is told in runs, and a tone needs somebody to hear it`() throws {
        write()
        #expect(try ready().1["disk"]?.contains(", so there is room for ") == true)
        _ = program.write(
            """
            entrain: 1
            study: {identifier: rest, title: Rest, seed: 1}
            tasks:
              - identifier: Rest
                audio: required
                steps:
                  - {type: active, identifier: sit, duration: 300 ms, cues: [{at: start, sound: tone}]}
                  - {type: completion, identifier: end}
            """, "study.yaml")
        let (code, found) = try ready("--audio none")
        #expect(code == 69 && found["sound"] == "stop: --audio none: nothing is heard")
    }

    /// A study of five sessions, each of so many days with a recording of 1.04 GB at most.
    private func write(days: Int, each duration: String = "1440 min") {
        let names = (1...5).map { "  - {identifier: week\($0)}" }.joined(separator: "\n")
        let rounds = (1...days).map { "{identifier: d\($0)}" }.joined(separator: ", ")
        _ = program.write(
            """
            entrain: 1
            study: {identifier: rest, title: Rest, seed: 1}
            sources: {heartRate: {type: simulated}}
            conditions: {days: {rows: [\(rounds)]}}
            sessions:
            \(names)
            tasks:
              - identifier: Rest
                steps:
                  - type: block
                    identifier: long
                    forEach: days
                    steps:
                      - type: active
                        identifier: sit
                        duration: \(duration)
                        recorders: [{type: heartRate, identifier: h}]
                  - {type: completion, identifier: end}
            """, "study.yaml")
    }

    @Test func `the disk's room is compared with all sessions that are to come`() throws {
        write(days: 1)
        let small = try #require(try ready().1["disk"])
        #expect(small.contains("; 5 runs to come of 1 participant need at most 5.2 GB"), "\(small)")
        var status = statvfs()
        #expect(unsafe statvfs(program.folder.path, &status) == 0)
        let free = Double(status.f_bavail) * Double(status.f_frsize)
        // One fits, and five do not.
        let days = max(1, Int(free / 2.5 / 1.04e9))
        write(days: days)
        let (code, found) = try ready()
        let disk = try #require(found["disk"])
        #expect(code == 0 && disk.hasPrefix("look: ") && disk.contains(", which do not fit"), "\(disk)")
        #expect(disk.hasSuffix("; there is room for 2 runs like it"), "\(disk)")
        // Not even one.
        write(days: 5 * days)
        let none = try ready()
        #expect(none.code == 69 && none.1["disk"]?.hasPrefix("stop: ") == true, "\(none.1)")
        #expect(none.1["disk"]?.contains("room for") == false)
    }

    @Test func `a session that was held is not to come any more`() throws {
        write(days: 1, each: "300 ms")
        let keys = program.write("\n\n", "keys")
        let held = program.run(
            "run study.yaml --participant P01 --plain --audio none --source heartRate=socket:none.sock",
            input: keys)
        #expect(held.code == 0, "\(held.errors)")
        let same = try #require(try ready("--participant P01").1["disk"])
        #expect(same.contains("; 4 runs to come of 1 participant "), "\(same)")
        let other = try #require(try ready().1["disk"])
        #expect(other.contains("; 9 runs to come of 2 participants "), "\(other)")
        #expect(program.run("withdraw entrain-results --participant P01 --yes").code == 0)
        #expect(try ready().1["disk"]?.contains("; 5 runs to come of 1 participant ") == true)
    }

    @Test func `a supervised run begins with the same lines, and not while something is missing`() throws {
        write(source: "{type: push, socket: none.sock}", required: true)
        let options = "run study.yaml --participant P01 --plain --supervised --out results"
        let missing = program.run(options)
        #expect(missing.code == 69)
        #expect(
            missing.output.contains("STOP  heartRate")
                && missing.output.contains("not ready: 1 thing must be mended first"))
        #expect(program.lines(of: "ls -A").contains("results") == false)
        write(source: "{type: push, socket: none.sock}")
        let keys = program.write("\n\n", "keys")
        let begun = program.run(options, input: keys)
        #expect(begun.code == 0, "\(begun.errors)")
        #expect(begun.output.contains("session    participant P01, session 1: free"))
        #expect(program.lines(of: "ls results").count == 1)
        let again = program.run(options, input: keys)
        #expect(again.code == 69 && again.output.contains("was run already"))
    }

    @Test(arguments: ["--auto", "--auto --speed max", "--speed 10", "--source heartRate=stdin"])
    func `a run that nobody watches is not supervised`(option: String) {
        write()
        #expect(
            program.run("run study.yaml --participant P01 --supervised --out results \(option)").code == 64)
    }
}
