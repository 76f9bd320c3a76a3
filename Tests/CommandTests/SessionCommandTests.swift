import StudyTesting
import Testing
import TextFormat

/// A study of several days, as a person at the keyboard meets it.
@Suite struct SessionCommandTests {
    let program = Program()

    private static let study = """
        entrain: 1
        study: {identifier: days, title: Days, seed: 1}
        arms: [music, quiet]
        sessions:
          - {identifier: baseline, title: "First day; here", task: First}
          - {identifier: soon, task: Second, after: {session: baseline, days: [0, 3650]}}
          - {identifier: week1, title: After a week, task: Second, after: {session: baseline, days: [6, 8]}}
          - {identifier: last, task: Second, after: {session: week1}}
        tasks:
          - identifier: First
            steps:
              - {type: question, identifier: adult, title: Adult, answer: {boolean: {}}, goTo: {answer: adult, is: ne, value: true, target: young}}
              - {type: completion, identifier: done, title: Done}
              - {type: completion, identifier: young, title: Too young, reason: screenedOut}
          - identifier: Second
            steps:
              - {type: question, identifier: well, title: Well, answer: {boolean: {}}}
              - {type: completion, identifier: done, title: Done}
        """

    private func run(_ options: String, answer: String = "y") -> Program.Outcome {
        _ = program.write(Self.study, "study.yaml")
        _ = program.write("\(answer)\n\n\n", "keys")
        return program.run("run study.yaml --plain --out results \(options)", input: "keys")
    }

    private func json(_ command: String) throws -> JSON {
        let outcome = program.run("\(command) --format json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try JSON(parsing: Array(outcome.output.utf8))
    }

    private func states(_ schedule: JSON?) -> [String] {
        schedule?["sessions"]?.list?.map { "\($0["name"]?.text ?? "") \($0["state"]?.text ?? "")" } ?? []
    }

    @Test func `at home, what may be held now is started in this terminal`() {
        let later =
            "{identifier: week1, title: After a week, task: Second, after: {session: baseline, days: [6, 8]}}"
        _ = program.write(Self.study.replacing("days: [0, 3650]", with: "days: [3, 4]"), "study.yaml")
        #expect(Self.study.contains(later))
        _ = program.write("y\n\n\n", "keys")
        let start = "next results --participant P07 --study study.yaml --start"
        #expect(program.run("next results --participant P07 --start").code == 64)
        #expect(program.run("next results -- --plain").code == 64)
        let refused = program.run("\(start) -- --plain --arm loud", input: "keys")
        #expect(refused.code == 64 && refused.errors.contains("loud"), "\(refused)")
        let held = program.run("\(start) -- --plain --arm music", input: "keys")
        #expect(held.code == 0 && held.output.contains("It is time for session 'baseline' (1)."), "\(held)")
        #expect(program.lines(of: "ls results").count == 1)
        #expect(program.run(start, input: "keys").output == "Nothing may begin now.\n")
        #expect(program.run(start).errors.contains("nobody can answer"), "there is no terminal")
        #expect(program.run("\(start) -- --session week1", input: "keys").code == 64)
        let calendar = program.run("next results --study study.yaml --calendar lab.ics --remind 15")
        #expect(calendar.code == 0 && program.lines(of: "grep -c TRIGGER:-PT15M lab.ics") == ["2"])
        #expect(program.run("next results --remind 15").code == 64)
    }

    @Test func `the session that is due is proposed, and others are refused`() throws {
        let first = run("--participant P07 --arm music")
        #expect(first.code == 0 && first.errors.contains("session 'baseline' (1): any day"))
        let second = run("--participant P07")
        #expect(second.code == 0 && second.errors.contains("session 'soon' (2): "))
        let early = run("--participant P07")
        #expect(early.code == 65 && early.errors.contains("it is too early for session 'week1' (3)"))
        #expect(early.errors.contains("--deviation TEXT"))
        let waiting = run("--participant P07 --session last")
        #expect(waiting.code == 65 && waiting.errors.contains("comes after 'week1'"))
        let arm = run("--participant P07 --session week1 --arm quiet")
        #expect(arm.code == 65 && arm.errors.contains("has the arm 'music'"))
        #expect(program.lines(of: "ls results").count == 2)
        #expect(run("--participant P07 --session week1 --deviation 'on holiday then'").code == 0)
        #expect(run("--participant P07").code == 0)
        let all = run("--participant P07")
        #expect(all.code == 64 && all.errors.contains("has completed all sessions"))
        for path in program.lines(of: "ls -d results/*") { #expect(program.run("verify \(path)").code == 0) }
        let deviations = try json("deviations results")["deviations"]?.list ?? []
        #expect(deviations.map { $0["session"] } == [3])
        let shown = program.run("show \(deviations.first?["path"]?.text ?? "")").output
        #expect(shown.contains("session 3 (week1, day 0), arm music"))
        #expect(program.run("collate results --out dataset").code == 0)
        let rows = try program.lines(of: "cat dataset/sessions/*/*/*.ndjson").map {
            try JSON(parsing: Array($0.utf8))
        }
        #expect(Set(rows.map { $0["session_name"]?.text ?? "" }) == ["baseline", "soon", "week1", "last"])
        #expect(rows.allSatisfy { $0["session_day"] == 0 && $0["arm"] == "music" })
    }

    @Test func `status and next say who is to come`() throws {
        #expect(run("--participant P01 --arm music").code == 0)
        #expect(run("--participant P02 --arm quiet", answer: "n").code == 0)
        let status = try #require(try json("study status results")["studies"]?.list?.first)
        let schedules = status["schedules"]?.list ?? []
        #expect(schedules.map { $0["participant"] } == ["P01", "P02"])
        #expect(states(schedules[0]) == ["baseline done", "soon due", "week1 upcoming", "last waiting"])
        #expect(schedules[0]["next"] == "soon" && schedules[1]["end"] == "screenedOut")
        let own = try json("next results --participant P01")["studies"]?.list?.first?["participants"]?.list
        #expect(own?.count == 1 && states(own?.first) == states(schedules[0]))
        let text = program.run("study status results").output
        #expect(text.contains("to come, as of ") && text.contains("P01          soon     due"))
        #expect(program.run("next results").output.contains("P01          week1    upcoming"))
        #expect(
            program.run("next results --participant P01").output.contains("next: session 'soon' (2), due"))
        #expect(
            program.run("next results --participant P02").output.contains("nothing is to come: screenedOut"))
        let unknown = program.run("next results --participant P09")
        #expect(unknown.code == 64 && unknown.errors.contains("Is the code right?"))
        #expect(
            program.run("next nowhere --study study.yaml --participant P09").output.contains("baseline  due"))
        #expect(program.run("withdraw results --participant P01 --yes").code == 0)
        #expect(
            program.run("next results --participant P01").output.contains("nothing is to come: withdrawn"))
    }

    @Test func `the calendar has what is to come, and is never written over`() {
        #expect(run("--participant P01 --arm music").code == 0)
        #expect(program.run("next results --calendar lab.ics").code == 0)
        let text = Program.text(of: program.folder.path + "/lab.ics")
        #expect(text.contains("SUMMARY:P01: After a week\r\n") && text.contains("SUMMARY:P01: soon\r\n"))
        #expect(text.hasSuffix("END:VEVENT\r\nEND:VCALENDAR\r\n"))
        #expect(program.run("next results --calendar lab.ics").code == 74)
    }

    @Test func `plans and rehearsals have all sessions`() throws {
        _ = program.write(Self.study, "study.yaml")
        let plans = program.run("plan study.yaml --participant P01 --arm music --format json").output
        let sessions = try plans.split(separator: "\n").map { try JSON(parsing: Array($0.utf8))["session"] }
        #expect(sessions == [1, 2, 3, 4])
        #expect(
            program.run("plan study.yaml --participant P01 --arm music --session week1").output
                .contains("session 3"))
        #expect(program.run("rehearse study.yaml --participants 4 --out results").code == 0)
        let found = try json("next results --include-simulated")["studies"]?.list?.first?["participants"]?
            .list
        #expect(found?.count == 4)
        let done = found?.filter { $0["end"] == nil }.map(states)
        #expect(
            done?.allSatisfy { $0 == ["baseline done", "soon done", "week1 done", "last done"] } == true)
        let status = try json("study status results --include-simulated")["studies"]?.list?.first
        let days = status?["runs"]?.list?.filter { $0["sessionName"] == "week1" }.map { $0["sessionDay"] }
        #expect(days?.allSatisfy { $0 == 6 } == true)
        #expect(program.run("protocol study.yaml --out protocol.html").code == 0)
        let page = Program.text(of: program.folder.path + "/protocol.html")
        #expect(page.contains("It comes after the session baseline, 6 to 8 days later."))
    }

    @Test(arguments: [
        ("--participant P1 --arm music --session nope", "the study has no session 'nope'"),
        (
            "--participant P1 --arm music --session 5",
            "the study has no session 5; it has: baseline (1), soon (2)"
        ),
        ("--participant P1 --arm music --session 0", "--session counts from 1"),
        ("--participant P1 --arm music --task Second", "has the task 'First': leave --task out"),
    ])
    func `says what a session is called`(options: String, words: String) {
        let outcome = run(options)
        #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func `a study that lists no sessions counts them`() {
        _ = program.write(
            "entrain: 1\nstudy: {identifier: s, title: S}\ntasks: [{identifier: T, steps: [{type: completion, identifier: end}]}]\n",
            "plain.yaml")
        let outcome = program.run("run plain.yaml --plain --out results --participant P1 --session week1")
        #expect(outcome.code == 64 && outcome.errors.contains("the study does not list its sessions"))
        _ = program.write("\n\n", "keys")
        let ninth = "run plain.yaml --plain --out results --participant P1 --session 9"
        #expect(program.run(ninth, input: "keys").code == 0)
        let next = program.run("next results")
        #expect(next.code == 65 && next.errors.contains("lists 'sessions'"))
    }
}
