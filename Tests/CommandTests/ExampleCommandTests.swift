import StudyTesting
import Testing
import TextFormat

/// The studies that come with the program, listed and copied.
@Suite struct ExampleCommandTests {
    private let program = Program()

    private func examples() throws -> [(name: String, path: String)] {
        let listed = try JSON(parsing: Array(program.run("examples --format json").output.utf8))
        return (listed.list ?? []).map { ($0["name"]?.text ?? "", $0["path"]?.text ?? "") }
    }

    @Test func `every study is listed with a sentence that says what it is`() throws {
        let lines = program.lines(of: "\(Program.executables)/entrain examples")
        let found = try examples()
        #expect(found.count >= 40 && lines.count == 2 * found.count)
        for (place, example) in found.enumerated() {
            #expect(lines[2 * place] == example.name)
            #expect(
                lines[2 * place + 1].wholeMatch(of: /\ {4}[A-Z].{15,140}[.?]/) != nil,
                "\(lines[2 * place + 1])")
        }
    }

    @Test func `every study is copied with what it uses, and draws the same`() throws {
        for (name, path) in try examples() {
            #expect(program.run("init --example \(name)").code == 0, "\(name)")
            let checked = program.run("check --quick \(name)/\(name).yaml")
            #expect(checked.code == 0 && checked.output.contains("nothing wrong"), "\(checked.output)")
            let plans = [path, "\(name)/\(name).yaml"].map {
                program.run("plan \($0) --participant P01 --seed 1 --format json")
            }
            #expect(plans[0].output == plans[1].output && plans[0].code == plans[1].code, "\(name)")
        }
        #expect(program.lines(of: "cat */*.yaml */*/*.yaml | grep -c '[.][.]/[.][.]/'") == ["0"])
        let rehearsed = program.run("rehearse mood-playlist/mood-playlist.yaml --out rehearsed")
        #expect(rehearsed.code == 0, "\(rehearsed.errors)")
    }

    @Test func `a study is tried from its first page to its tables`() throws {
        let tried = program.run("try")
        #expect(tried.code == 0, "\(tried.errors)")
        #expect(program.run("verify entrain-try/results/*-*").code == 0)
        #expect(program.lines(of: "head -c 15 entrain-try/report.html") == ["<!DOCTYPE html>"])
        for quote in [#/read_json\("([^"]*)"/#, #/file\("([^"]*)"/#] {
            let table = try #require(tried.output.firstMatch(of: quote)).output.1
            #expect(program.lines(of: "grep -c '\"bpm\"' \(table)") == ["36"], "\(table)")
        }
        let again = program.run("try")
        #expect(again.code == 64 && again.errors.contains("'entrain-try' exists already"), "\(again.errors)")
        let other = program.run("try --out second -- --frobnicate")
        #expect(other.code == 64 && other.errors.contains("--frobnicate"), "\(other.errors)")
        #expect(program.lines(of: "ls -d second").isEmpty, "nothing is left of what did not begin")
    }

    @Test func `what is no example, or would write over something, is refused`() {
        let unknown = program.run("init --example odball")
        #expect(unknown.code == 64 && unknown.errors.contains("did you mean 'oddball'?"), "\(unknown.errors)")
        #expect(program.run("init mine --example oddball").code == 0)
        let again = program.run("init mine --example tapping")
        #expect(again.code == 64 && again.errors.contains("exists already"), "\(again.errors)")
        #expect(program.lines(of: "ls mine") == ["catalogues", "oddball.yaml", "study.schema.json"])
        let lost = program.run("examples", environment: "ENTRAIN_DATA=/nowhere")
        #expect(lost.code == 69 && lost.errors.contains("set ENTRAIN_DATA"), "\(lost.errors)")
    }
}
