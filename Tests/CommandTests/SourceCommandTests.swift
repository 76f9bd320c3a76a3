import Results
import StudyTesting
import Testing
import TextFormat

@Suite struct SourceCommandTests {
    private let program = Program()
    private let nowhere = "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent/bus"

    private func study(source: String, recorders: String = "[{type: heartRate, identifier: h}]") -> String {
        program.write(
            """
            entrain: 1
            study: {identifier: rest, title: Rest}
            sources: {heartRate: \(source)}
            tasks:
              - identifier: Rest
                steps:
                  - type: active
                    identifier: sit
                    duration: 300 ms
                    recorders: \(recorders)
                  - {type: completion, identifier: end}
            """, "study.yaml")
    }

    @Test func `every kind of source is listed, with what it lacks`() throws {
        let outcome = program.run("sources --format json", environment: nowhere)
        #expect(outcome.code == 0)
        let listed = try JSON(parsing: Array(outcome.output.utf8))
        guard case .object(let members) = listed, case .list(let kinds)? = members["sources"] else {
            Issue.record("it lists nothing: \(outcome.output)")
            return
        }
        let strap = kinds.first { kind in
            guard case .object(let kind) = kind, case .text(let spec)? = kind["spec"] else { return false }
            return spec.hasPrefix("bluetooth")
        }
        guard case .object(let strap)? = strap else {
            Issue.record("no strap among \(kinds.count) kinds")
            return
        }
        #expect(strap["usable"] == .boolean(false))
    }

    @Test func `without a bus neither a scan nor a run begins, and both say why`() {
        for arguments in [
            "sources --scan",
            "run \(study(source: "{type: bluetooth}")) --participant P01 --auto --audio none",
        ] {
            let outcome = program.run(arguments, environment: nowhere)
            #expect(outcome.code == 69)
            #expect(outcome.errors.contains("the system's bus (D-Bus) cannot be reached"))
        }
    }

    @Test func `a source with a mistyped name is refused, and one to which nothing listens is remarked on`() {
        let path = study(source: "{type: simulated}")
        for command in ["run \(path) --participant P01 --auto --speed max", "ready \(path) --for 1s"] {
            let outcome = program.run("\(command) --source hartRate=simulated --out results")
            #expect(outcome.code == 64, "\(command)")
            #expect(
                outcome.errors.contains(
                    "the study has no source 'hartRate'; did you mean 'heartRate'?"), "\(outcome.errors)")
        }
        let quiet = study(source: "{type: simulated}", recorders: "[]")
        let run = program.run(
            "run \(quiet) --participant P01 --auto --speed max --source heartRate=simulated --out results")
        #expect(run.code == 0)
        #expect(
            run.errors.contains("Nothing in the task 'Rest' listens to the source 'heartRate'."),
            "\(run.errors)")
    }

    @Test func `a live source cannot be hurried`() {
        let outcome = program.run(
            "run \(study(source: "{type: push, socket: h.sock}")) --participant P01 --auto --speed 10")
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("is live and cannot run faster"))
    }

    @Test func `a source that floods delays no step, and the result counts what was left out`() throws {
        let readings = program.write(String(repeating: "70\n", count: 300_000), "flood.txt")
        let outcome = program.run(
            "run \(study(source: "{type: push}")) --participant P01 --auto --plain --audio none --out out",
            input: readings)
        #expect(outcome.code == 0)
        #expect(outcome.errors.contains("readings that came faster than a run can process them"))
        let folder = try #require(program.lines(of: "ls -d out/*").first)
        let bundle = try ResultBundle(at: program.folder.path + "/" + folder)
        let recording = try #require(bundle.visits.flatMap(\.recordings).first)
        #expect(recording.droppedSamples > 1_000 && recording.sampleCount <= 5_100)
        #expect(recording.gaps.map(\.reason) == ["flood"])
        let sit = try #require(bundle.visits.first)
        #expect(sit.end - sit.start < 0.4)
    }

    @Test func `readings on standard input reach the bundle`() throws {
        let readings = program.write("{\"bpm\":71,\"rr\":[0.85]}\nnonsense\n", "readings.txt")
        let outcome = program.run(
            "run \(study(source: "{type: push}")) --participant P01 --auto --plain --audio none --out out",
            input: readings)
        #expect(outcome.code == 0)
        #expect(outcome.errors.contains("readings that were not understood: 1; the first: 'nonsense'"))
    }
}
