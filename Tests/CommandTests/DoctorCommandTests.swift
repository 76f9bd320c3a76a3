import StudyTesting
import Testing
import TextFormat

/// What a machine has for studies, and what it lacks.
@Suite struct DoctorCommandTests {
    private let program = Program()

    private func look(_ options: String = "", in environment: String = "") throws
        -> (code: Int32, found: [String: (state: String, words: String)])
    {
        let outcome = program.run("doctor --format json \(options)", environment: environment)
        let listed = try JSON(parsing: Array(outcome.output.utf8)).list ?? []
        let found = listed.map {
            ($0["subject"]?.text ?? "", (state: $0["state"]?.text ?? "", words: $0["words"]?.text ?? ""))
        }
        return (outcome.code, Dictionary(found) { first, _ in first })
    }

    @Test func `everything is looked at, and what is there is named`() throws {
        let (code, found) = try look(in: "LC_ALL=C.UTF-8")
        #expect(code == 0)
        for subject in [
            "program", "system", "locale", "terminal", "clock", "disk", "timing", "sound", "speech", "video",
            "paper", "time stamps", "sources", "connected",
        ] { #expect(found[subject] != nil, "\(subject)") }
        #expect(found["program"]?.words.hasSuffix("/entrain") == true)
        #expect(found["locale"]?.state == "ok" && found["disk"]?.state == "ok")
        #expect(found["sources"]?.words.hasPrefix("simulated, replay") == true)
        #expect(found["terminal"]?.state == "look", "a file is no terminal")
    }

    @Test func `what is missing is named with what brings it`() throws {
        let (code, found) = try look(
            "--out results", in: "PATH=/nowhere LC_ALL=C DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere")
        #expect(code == 0)
        for (subject, remedy) in [
            ("speech", "apt install espeak-ng"), ("video", "apt install ffmpeg"),
            ("paper", "apt install chromium"),
            ("time stamps", "apt install openssl"), ("locale", "export LANG=C.UTF-8"),
            ("bluetooth", "bluetoothd"),
        ] {
            #expect(found[subject]?.state == "look", "\(subject)")
            #expect(found[subject]?.words.contains(remedy) == true, "\(found[subject]?.words ?? "")")
        }
        let full = try look("--out /proc/results")
        #expect(full.code == 69 && full.found["disk"]?.state == "stop")
        #expect(program.run("doctor").output.contains("to look at; the other things work."))
    }
}
